// expect: jacobian and hessian work only with respect to variables that are not sharded
// expect-at-most-lines: 14
#include <tapeless/distributed.hpp>

using namespace tapeless;
constexpr auto t = variable<"t">;

mpi::one_process alone;
const xt::xtensor<double, 1> labels = xt::zeros<double>({3});
const auto h = hessian(sum(exp(t)), wrt(t))(mpi::on(alone), t = mpi::shard(labels));
