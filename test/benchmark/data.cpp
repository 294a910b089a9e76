// The value and the gradient of a sum over data in each way that doc/sum_over_data.md names, next to a loop by hand.
#include "compare.hpp"

#include <tapeless/assemble.hpp>
#include <tapeless/xtensor.hpp>

#include <array>
#include <cstddef>
#include <random>
#include <vector>

namespace {

using namespace tapeless;
inline constexpr auto a = variable<"a">;
inline constexpr auto b = variable<"b">;
inline constexpr auto c = variable<"c">;
inline constexpr auto t = variable<"t">;
inline constexpr auto y = variable<"y">;

using parameters = std::array<double, 3>;

// What one observation costs.
constexpr auto cost_of = [](auto p0, auto p1, auto p2, auto at, auto seen) {
  return square(p0 * exp(-p1 * at) + p2 - seen);
};
inline constexpr auto by_formula = sum(cost_of(a, b, c, t, y));
constexpr auto by_function = [](const auto& p0, const auto& p1, const auto& p2, const auto& at, const auto& seen) {
  return sum(cost_of(p0, p1, p2, at, seen));
};
constexpr auto by_scan = [](auto p, auto ts, auto ys) {
  return scan([&](auto sum, auto at, auto seen) { return sum + cost_of(p[0], p[1], p[2], at, seen); }, 0.0, ts, ys);
};
constexpr auto of_one = [](auto p, auto at, auto seen) { return cost_of(p[0], p[1], p[2], at, seen); };

void measure(int n) {
  const auto size = static_cast<std::size_t>(n);
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> times(size), seen(size);
  for (std::size_t i = 0; i < size; ++i) times[i] = 4 * uniform(generator), seen[i] = uniform(generator);
  const parameters p{1.5, 0.7, 0.1};
  const int calls = 2000000 / n, repetitions = 41;

  std::array<double, 4> hand{};
  const auto by_hand = [&] {
    double value = 0, g0 = 0, g1 = 0, g2 = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double e = std::exp(-p[1] * times[i]), r = p[0] * e + p[2] - seen[i];
      value += r * r, g0 += r * e, g1 -= r * e * times[i], g2 += r;
    }
    hand = {value, 2 * g0, 2 * p[0] * g1, 2 * g2};
  };
  by_hand();
  const auto against_hand = [&](const char* way, const auto& run, const auto& result) {
    run();
    const std::array<double, 4> found = result();
    check_equal(found, hand);
    compare_calls(way, n, calls, repetitions, run, by_hand);
  };

  const auto formula = value_and_gradient(by_formula, wrt(a, b, c));
  auto f = formula(a = p[0], b = p[1], c = p[2], t = times, y = seen);
  against_hand(
      "formula over tensors", [&] { formula(into(f), a = p[0], b = p[1], c = p[2], t = times, y = seen); },
      [&] { return std::array{f.value, f.gradient[a], f.gradient[b], f.gradient[c]}; });

  const auto function = value_and_gradient(by_function, wrt<0, 1, 2>);
  auto g = function(p[0], p[1], p[2], times, seen);
  against_hand(
      "function over tensors", [&] { function(into(g), p[0], p[1], p[2], times, seen); },
      [&] { return std::array{g.value, get<0>(g.gradient), get<1>(g.gradient), get<2>(g.gradient)}; });

  const auto loop = value_and_gradient(by_scan, wrt<0>);
  auto s = loop(p, times, seen);
  against_hand(
      "scan", [&] { s = loop(p, times, seen); },
      [&] { return std::array{s.value, s.gradient[0], s.gradient[1], s.gradient[2]}; });

  const std::vector<parameters> nodes{p};
  const std::vector<std::array<int, 1>> elements(size, {0});
  const auto assembly = assemble(value_and_gradient(of_one));
  auto r = assembly(nodes, elements, times, seen);
  against_hand(
      "assemble", [&] { assembly(into(r), nodes, elements, times, seen); },
      [&] { return std::array{r.value, r.gradient[0][0], r.gradient[0][1], r.gradient[0][2]}; });

  const auto each_one = batched(value_and_gradient(of_one, wrt<0>));
  auto e = each_one(p, times, seen);
  std::array<double, 4> total{};
  against_hand(
      "batched, and sums of its results",
      [&] {
        each_one(into(e), p, times, seen);
        total = {};
        for (std::size_t i = 0; i < size; ++i) {
          total[0] += e.value[i];
          for (std::size_t k = 0; k < 3; ++k) total[k + 1] += e.gradient[i][k];
        }
      },
      [&] { return total; });
}

}  // namespace

int main() {
  for (const int n : {1000, 100000}) measure(n);
}
