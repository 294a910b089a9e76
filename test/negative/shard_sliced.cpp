// expect: slice, take, reshape, .* do not work along a sharded axis
// expect-at-most-lines: 14
#include <tapeless/distributed.hpp>

using namespace tapeless;
constexpr auto t = variable<"t">;

mpi::one_process alone;
const xt::xtensor<double, 1> labels = xt::zeros<double>({3});
const auto g = gradient(sum(slice<0>(t, 1, 3) * slice<0>(t, 0, 2)), wrt(t))(mpi::on(alone), t = mpi::shard(labels));
