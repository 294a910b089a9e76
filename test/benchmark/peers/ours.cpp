// tapeless over numbers: the first problem as a formula, the others as functions. Arrays are filled and read one number
// at a time: g++ reads numbers that were written singly in other widths, and waits for them.
#include "formulas.hpp"
#include "problem.hpp"

#include <tapeless/tapeless.hpp>

#include <utility>

namespace peers {
namespace {

using namespace tapeless;

inline constexpr auto x = variable<"x">;
inline constexpr auto y = variable<"y">;
inline constexpr auto z = variable<"z">;

template <std::size_t N>
std::array<double, N> load(const double* from) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{from[i]...};
  }(std::make_index_sequence<N>{});
}
template <std::size_t N, class Numbers>
void store(double* to, const Numbers& numbers) {
  [&]<std::size_t... i>(std::index_sequence<i...>) { ((to[i] = numbers[i]), ...); }(std::make_index_sequence<N>{});
}

void by_formula(const problem&, const double* in, double* out) {
  const auto r = value_and_gradient((x + y + z) * exp(x * y * z))(x = in[0], y = in[1], z = in[2]);
  out[0] = r.value;
  out[1] = r.gradient[x];
  out[2] = r.gradient[y];
  out[3] = r.gradient[z];
}

template <class F, std::size_t N>
void by_gradient(const problem&, const double* in, double* out) {
  const auto r = value_and_gradient(F{})(load<N>(in));
  out[0] = r.value;
  store<N>(out + 1, r.gradient);
}

template <class F, std::size_t M, std::size_t N, std::size_t Data>
void by_jacobian(const problem& p, const double* in, double* out) {
  const auto r = value_and_jacobian(F{}, wrt<0>)(load<N>(in), load<Data>(p.data.data()));
  store<M>(out, r.value);
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    ((out[M + k] = r.jacobian[k % M][k / M]), ...);
  }(std::make_index_sequence<M * N>{});
}

const add s1("S1", "tapeless", by_formula), s2("S2", "tapeless", by_gradient<black_scholes, 5>),
    s3("S3", "tapeless", by_jacobian<reprojection, 2, 15, 2>), s4("S4", "tapeless", by_gradient<rosenbrock, 8>),
    s5("S5", "tapeless", by_jacobian<pose_composition, 6, 12, 7>);

}  // namespace
}  // namespace peers
