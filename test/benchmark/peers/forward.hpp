#ifndef TAPELESS_TEST_BENCHMARK_PEERS_FORWARD_HPP
#define TAPELESS_TEST_BENCHMARK_PEERS_FORWARD_HPP
#include "formulas.hpp"
#include "problem.hpp"
#include "tapes.hpp"

#include <vector>

namespace peers {

/// The problems with few inputs, for a library whose numbers carry their derivatives: `Library<N>` names the type for N
/// of them and how it is read.
template <template <std::size_t> class Library>
struct forward {
  template <std::size_t N>
  static auto load(const double* in) {
    std::array<typename Library<N>::type, N> x;
    for (std::size_t i = 0; i < N; ++i) x[i] = Library<N>::variable(in[i], i);
    return x;
  }

  template <class F, std::size_t N>
  static void numbers(const problem& p, const double* in, double* out) {
    const auto y = evaluate_with(F{}, load<N>(in), p.data.data());
    constexpr std::size_t M = std::tuple_size_v<std::decay_t<decltype(y)>>;
    for (std::size_t o = 0; o < M; ++o) {
      out[o] = Library<N>::value(y[o]);
      for (std::size_t i = 0; i < N; ++i) out[M * (1 + i) + o] = Library<N>::derivative(y[o], i);
    }
  }

  template <class F, std::size_t N>
  static void loop(const problem& p, const double* in, double* out) {
    const auto y = F{}(load<N>(in), p);
    out[0] = Library<N>::value(y);
    for (std::size_t i = 0; i < N; ++i) out[1 + i] = Library<N>::derivative(y, i);
  }

  static void batch(const problem& p, const double* in, double* out) {
    const std::size_t n = p.size;
    for (std::size_t k = 0; k < n; ++k) {
      const double option[] = {in[k], in[n + k], in[2 * n + k], in[3 * n + k], in[4 * n + k]};
      const auto y = black_scholes{}(load<5>(option));
      out[k] = Library<5>::value(y);
      for (std::size_t i = 0; i < 5; ++i) out[(1 + i) * n + k] = Library<5>::derivative(y, i);
    }
  }

  explicit forward(const char* name) {
    add("S1", name, numbers<sum_exp_product, 3>), add("S2", name, numbers<black_scholes, 5>);
    add("S3", name, numbers<reprojection, 15>), add("S4", name, numbers<rosenbrock, 8>);
    add("S5", name, numbers<pose_composition, 12>), add("V1", name, loop<logistic, 10>);
    add("V5", name, loop<gaussian_mixture, 30>), add("RK", name, loop<runge_kutta, 6>), add("BS", name, batch);
    add("HE", name, loop<heston_call, 6>), add("GP", name, loop<marginal_likelihood, 3>);
    add("TD", name, loop<temporal_differences<false>, 20>), add("TS", name, loop<temporal_differences<true>, 20>);
  }
};

}  // namespace peers

#endif
