// expect: grad_clip and other operations on adjoints have no rule for tangents
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto A = variable<"A">;
constexpr auto v = variable<"v">;

auto rows(const xt::xtensor<double, 2>& a, const xt::xtensor<double, 1>& x) {
  return jacobian(dot(A, grad_clip(v, -0.5, 0.5)), wrt(v))(A = a, v = x);
}
