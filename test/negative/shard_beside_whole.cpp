// expect: a tensor that is not sharded has an axis along which others are sharded
// expect-at-most-lines: 14
#include <tapeless/distributed.hpp>

using namespace tapeless;
constexpr auto X = variable<"X">;
constexpr auto w = variable<"w">;
constexpr auto t = variable<"t">;

mpi::one_process alone;
const xt::xtensor<double, 2> data = xt::zeros<double>({3, 2});
const xt::xtensor<double, 1> labels = xt::zeros<double>({3}), weights = xt::zeros<double>({2});
const auto g = gradient(sum(dot(X, w) * t), wrt(w))(mpi::on(alone), X = mpi::shard(data), t = labels, w = weights);
