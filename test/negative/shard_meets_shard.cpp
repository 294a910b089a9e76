// expect: combines each row of one shard with each row of another
// expect-at-most-lines: 14
#include <tapeless/distributed.hpp>

using namespace tapeless;

mpi::one_process alone;
const xt::xtensor<double, 2> data = xt::zeros<double>({3, 2});
constexpr auto gram = [](const auto& x) { return sum(square(dot(x, transpose(x)))); };
const auto g = gradient(gram)(mpi::on(alone), mpi::shard(data));
