#include <tapeless/mpi.hpp>

#include <vector>

using namespace tapeless;

int main(int argc, char** argv) {
  return mpi::run(argc, argv, [](mpi::communicator& world) {
    constexpr auto x = variable<"x">;
    const std::vector<double> own{1.0, 2.0};
    return sum(x)(mpi::on(world), x = mpi::shard(own)) == 3.0 * world.size() ? 0 : 1;
  });
}
