// Loops and conditions, against the library's own calls and against loops written out.
#include "cases.hpp"

#include <cmath>

using namespace tapeless;

namespace {

inline constexpr auto recurrence = [](auto a, auto b) {
  return scan([&](auto c, auto t) { return sin(a * c + t) + b; }, a, steps(12));
};
inline constexpr auto over_sequences = [](auto a, const auto& u, const auto& v) {
  return scan([&](auto c, auto e, auto g) { return c * tanh(a + e) + exp(-g) / (1.0 + c * c); }, a, u, v);
};
/// A carry of two, which change places, and a sequence that another loop reads.
inline constexpr auto stacked = [](auto a, const auto& u) {
  const auto [carry, ys] = scan(
      [&](const auto& c, auto e) {
        return std::pair(std::array<std::remove_cvref_t<decltype(c[0])>, 2>{c[1] * a, c[0] + e}, c[0] * c[1]);
      },
      std::array<decltype(a), 2>{a, 1.0}, u);
  return scan([&](auto s, auto e) { return s + square(e); }, carry[0] + carry[1], ys) + sum(u * u);
};
/// A loop in the body of a loop, of which it captures the sequence.
inline constexpr auto nested = [](auto a, const auto& u) {
  return scan(
      [&](auto c, auto e) {
        return c * 0.5 + scan([&](auto d, auto t) { return cos(d * a + e) + 0.1 * t; }, c, steps(5));
      },
      a, u);
};
inline constexpr auto until = [](auto a) {
  const auto root = while_loop([&](auto r) { return abs(stop_gradient(r * r - a)) > 1e-12; },
                               [&](auto r) { return 0.5 * (r + stop_gradient(a) / r); }, stop_gradient(a), 40);
  return a * root;
};
inline constexpr auto branches = [](auto a, auto b) {
  return cond(a > b, [&] { return exp(a) * b; }, [&] { return log(b) * a; });
};
inline constexpr auto branch_in_loop = [](auto a, const auto& u) {
  return scan(
      [&](auto c, auto e) { return cond(e > 0.5, [&] { return c * a + sqrt(e); }, [&] { return c - a * e * c; }); }, a,
      u);
};
inline constexpr auto called = [](auto a, auto b) {
  return call([](auto p, auto q) { return sin(p) * q; }, a, b) + call([](auto p, auto q) { return sin(p) * q; }, b, a);
};
inline constexpr auto counted = [](auto n, auto a) {
  return scan([&](auto c, auto t) { return c * a + t; }, a, steps(n));
};
inline constexpr auto checkpointed = [](auto a) {
  return scan<checkpoints<3>>([&](auto c, auto t) { return sin(a * c) + 0.01 * t; }, a, steps(20));
};
inline constexpr auto records = [](auto a, const auto& rows) {
  return scan([&](auto c, const auto& row) { return c + row[0] * exp(a * row[1]); }, 0.0 * a, rows);
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  cases all(arguments[1]);
  const std::vector<double> u{0.5, -0.25, 0.75, 2.0, 0.1, 0.6}, v{0.1, 0.2, -0.3, 0.4, 1.5, -0.6}, none;
  const std::vector<float> uf{0.5f, -0.25f, 0.75f};
  all.check<"recurrence">(value_and_gradient(recurrence), 0.7, 0.2);
  all.check<"recurrence_f">(value_and_gradient(recurrence), 0.7f, 0.2f);
  all.check<"recurrence_h">(value_and_hessian(recurrence), 0.7, 0.2);
  all.check<"over_sequences_v">(value(over_sequences), 0.7, u, v);
  all.check<"over_sequences">(value_and_gradient(over_sequences), 0.7, u, v);
  all.check<"over_sequences">(value_and_gradient(over_sequences), 0.7, none, none);
  all.check<"over_sequences_f">(value_and_gradient(over_sequences), 0.7f, uf, uf);
  all.check<"stacked">(value_and_gradient(stacked), 0.7, u);
  all.check<"nested">(value_and_gradient(nested), 0.7, u);
  all.check<"nested_h">(value_and_hessian(nested, wrt<0>), 0.7, u);
  all.check<"until">(value_and_gradient(until), 2.0);
  for (const double a : {1.0, 2.0, 0.25}) {
    all.check<"branches">(value_and_gradient(branches), a, 0.5);
    all.check<"branches_h">(value_and_hessian(branches), a, 0.5);
  }
  all.check<"branch_in_loop">(value_and_gradient(branch_in_loop), 0.7, u);
  all.check<"called">(value_and_gradient(called), 0.7, 0.2);
  all.check<"counted">(value_and_gradient(counted, wrt<1>), 7, 0.8);
  all.check<"counted">(value_and_gradient(counted, wrt<1>), 0, 0.8);
  all.check<"checkpointed">(value_and_gradient(checkpointed), 0.8);
  all.check<"zeros">(gradient([](auto a, const auto& s) { return a * a + 0.0 * sum(stop_gradient(s)); }), 0.8, u);

  all.check<"oscillator">(value_and_gradient([](auto k, auto end) {
                            const auto last =
                                odeint([](auto, const auto& y, auto c) { return std::array{y[1], -c * y[0]}; },
                                       std::array<decltype(k), 2>{1.0, 0.0}, 0.0, end, 8, k);
                            return last[0] * last[1];
                          }),
                          2.0, 1.5);
  all.check<"adaptive_steps">(value_and_gradient([](auto k, auto end) {
                                return odeint<adaptive_steps<64>>([](auto, auto y, auto c) { return -c * y * y; }, k,
                                                                  0.0, end, k, 1e-6);
                              }),
                              2.0, 1.5);
  all.check<"cube_root">(gradient([](auto a) {
                           return fixed_point([](auto r, auto b) { return (2.0 * r + b / (r * r)) / 3.0; },
                                              1.0 + 0.0 * a, a);
                         }),
                         2.0);
  all.check<"jacobian_by_sequence">(jacobian(
                                        [](auto a, const auto& s) {
                                          const auto last = scan([&](auto c, auto e) { return c * e + a; }, a, s);
                                          return std::array{last, a * last};
                                        },
                                        wrt<0>),
                                    0.7, u);

  // Loops written out.
  double c = 0.8, d = 1;
  for (int t = 0; t < 7; ++t) d = d * 0.8 + c, c = c * 0.8 + t;
  all.check_known<"known_loop">({c, d}, 1e-14, value_and_gradient(counted, wrt<1>), 7, 0.8);
  all.check_known<"known_branch">({std::log(0.5) * 0.25, std::log(0.5), 0.5}, 1e-15, value_and_gradient(branches), 0.25,
                                  0.5);
  all.check_known<"known_until">({2 * std::sqrt(2.0), std::sqrt(2.0)}, 1e-12, value_and_gradient(until), 2.0);
  double total = 0, by_a = 0;
  for (std::size_t k = 0; k < u.size(); ++k)
    total += u[k] * std::exp(0.3 * v[k]), by_a += u[k] * v[k] * std::exp(0.3 * v[k]);
  std::vector<std::array<double, 2>> rows;
  for (std::size_t k = 0; k < u.size(); ++k) rows.push_back({u[k], v[k]});
  all.check_known<"known_records">({total, by_a}, 1e-14, value_and_gradient(records, wrt<0>), 0.3, rows);
}
