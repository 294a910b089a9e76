// Times of a gradient through Runge-Kutta steps of run-time number, of the Lorenz system with a forcing and a damping,
// next to hand-written code with the same storage; then the problems of the other files. Medians of interleaved runs in
// one process; each line ends with the ratio.
#include "compare.hpp"
#include "scan_problems.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

using state = std::array<double, 3>;
using parameters = std::array<double, 5>;

constexpr auto lorenz = [](const auto&, const auto& y, const auto& p) {
  return std::array{p[0] * (y[1] - y[0]) + p[3], y[0] * (p[1] - y[2]) - y[1], y[0] * y[1] - p[2] * y[2] - p[4] * y[0]};
};
template <class Memory>
constexpr auto path = [](auto p, auto n, auto end) {
  const auto y = tapeless::odeint<Memory>(lorenz, std::array{1.0, 1.0, 1.0}, 0.0, end, n, p);
  return y[0] * y[0] + y[1] + y[2];
};

state slope(const state& y, const parameters& p) { return lorenz(0.0, y, p); }
/// Adds the adjoints of the slope's arguments.
void pull_slope(const state& y, const parameters& p, const state& k, state& by_y, parameters& by_p) {
  by_y[0] += -p[0] * k[0] + (p[1] - y[2]) * k[1] + (y[1] - p[4]) * k[2];
  by_y[1] += p[0] * k[0] - k[1] + y[0] * k[2];
  by_y[2] += -y[0] * k[1] - p[2] * k[2];
  by_p[0] += (y[1] - y[0]) * k[0];
  by_p[1] += y[0] * k[1];
  by_p[2] -= y[2] * k[2];
  by_p[3] += k[0];
  by_p[4] -= y[0] * k[2];
}
state moved(const state& y, double h, const state& k) { return {y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2]}; }
struct stages {
  state y2, y3, y4, k1, k2, k3, k4;
  stages(const state& y, const parameters& p, double h) {
    k1 = slope(y, p), y2 = moved(y, h / 2, k1);
    k2 = slope(y2, p), y3 = moved(y, h / 2, k2);
    k3 = slope(y3, p), y4 = moved(y, h, k3);
    k4 = slope(y4, p);
  }
};
state step(const state& y, const parameters& p, double h) {
  const stages s(y, p, h);
  state next = y;
  for (std::size_t i = 0; i < 3; ++i) next[i] += h / 6 * (s.k1[i] + 2 * s.k2[i] + 2 * s.k3[i] + s.k4[i]);
  return next;
}
void pull_step(const state& y, const parameters& p, double h, state& by_y, parameters& by_p) {
  const stages s(y, p, h);
  const auto times = [](double a, const state& e) { return state{a * e[0], a * e[1], a * e[2]}; };
  const state end = by_y;
  const auto pull = [&](const state& at, const state& k) {
    state by_at{};
    pull_slope(at, p, k, by_at, by_p);
    for (std::size_t i = 0; i < 3; ++i) by_y[i] += by_at[i];
    return by_at;
  };
  const state by_y4 = pull(s.y4, times(h / 6, end));
  const state by_y3 = pull(s.y3, moved(times(h / 3, end), h, by_y4));
  const state by_y2 = pull(s.y2, moved(times(h / 3, end), h / 2, by_y3));
  pull(y, moved(times(h / 6, end), h / 2, by_y2));
}

struct by_hand {
  double value;
  parameters gradient;
};
by_hand of_end(const state& y) { return {y[0] * y[0] + y[1] + y[2], {}}; }
double forward(const parameters& p, int n, double end) {
  state y{1, 1, 1};
  for (int i = 0; i < n; ++i) y = step(y, p, end / n);
  return of_end(y).value;
}
by_hand stored(const parameters& p, int n, double end, std::vector<state>& all) {
  state y{1, 1, 1};
  all.resize(static_cast<std::size_t>(n));
  for (auto& each : all) each = y, y = step(y, p, end / n);
  by_hand result = of_end(y);
  state by_y{2 * y[0], 1, 1};
  for (std::size_t i = all.size(); i-- > 0;) pull_step(all[i], p, end / n, by_y, result.gradient);
  return result;
}
/// The same with 32 states and the schedule of the library.
by_hand recomputed(const parameters& p, int n, double end) {
  const state first{1, 1, 1};
  state y = first;
  tapeless::scalar::checkpoint_stack<state, 32> stack;
  stack.begin(static_cast<std::size_t>(n), first);
  for (int i = 0; i < n; ++i) stack.visit(static_cast<std::size_t>(i), y), y = step(y, p, end / n);
  by_hand result = of_end(y);
  state by_y{2 * y[0], 1, 1};
  for (int i = n - 1; i >= 0; --i) {
    const state at =
        stack.state_before(static_cast<std::size_t>(i), [&](state& s, std::size_t) { s = step(s, p, end / n); });
    pull_step(at, p, end / n, by_y, result.gradient);
  }
  return result;
}

void check(const by_hand& hand, double value, const parameters& gradient) {
  check_equal(std::array{value / hand.value}, std::array{1.0});
  check_equal(gradient, hand.gradient);
}

}  // namespace

int main() {
  using namespace tapeless;
  volatile double growth = 20;
  const parameters p{8, growth, 8.0 / 3, 0.1, 0.2};
  const double end = 1;
  double sink = 0;
  std::vector<state> all;
  const auto store = value_and_gradient(path<store_all>, wrt<0>);
  for (const int n : {1000, 1000000}) {
    const int repetitions = n == 1000 ? 2001 : 15;
    auto r = store(p, n, end);
    check(stored(p, n, end, all), r.value, r.gradient);
    compare(
        "gradient, all states stored, and by hand", n, repetitions, [&] { store(into(r), p, n, end); },
        [&] { sink += stored(p, n, end, all).gradient[0]; });
    compare(
        "the same, and the value alone by hand", n, repetitions, [&] { store(into(r), p, n, end); },
        [&] { sink += forward(p, n, end); });
    sink += r.value;
  }
  const auto again = value_and_gradient(path<checkpoints<32>>, wrt<0>);
  const int n = 10000;
  auto r = again(p, n, end);
  check(recomputed(p, n, end), r.value, r.gradient);
  compare(
      "gradient, 32 states kept, and by hand", n, 201, [&] { again(into(r), p, n, end); },
      [&] { sink += recomputed(p, n, end).gradient[0]; });
  sink += r.value;
  sink += time_ode() + time_lstm() + time_heston();
  return std::isnan(sink);
}
