// Loops over tensors as text, and Jacobians and Hessians, against plain loops, closed forms and the library's own
// calls.
#include "tensor_cases.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using namespace tapeless;

namespace {

template <class Memory>
inline constexpr auto recurrent_with = [](const auto& w, const auto& u, const auto& h0, const auto& xs) {
  return sum(square(scan<Memory>([&](auto h, auto x) { return tanh(dot(w, h) + dot(u, x)); }, h0, xs)));
};
inline constexpr auto& recurrent = recurrent_with<store_all>;
/// The value and the gradient, step by step and back.
template <fixed_string Name, class T, class Memory = store_all>
void check_recurrent(tensor_cases& all, std::size_t steps, std::size_t n, std::size_t m) {
  const auto w = numbers<T>(1, n, n), u = numbers<T>(2, n, m), xs = numbers<T>(4, steps, m);
  const auto h0 = numbers<T>(3, n);
  std::vector<std::vector<double>> h(steps + 1, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) h[0][i] = static_cast<double>(h0(i));
  for (std::size_t t = 0; t < steps; ++t)
    for (std::size_t i = 0; i < n; ++i) {
      double z = 0;
      for (std::size_t j = 0; j < n; ++j) z += static_cast<double>(w(i, j)) * h[t][j];
      for (std::size_t j = 0; j < m; ++j) z += static_cast<double>(u(i, j)) * static_cast<double>(xs(t, j));
      h[t + 1][i] = std::tanh(z);
    }
  parts<double> exact{
      {0}, std::vector<double>(w.size()), std::vector<double>(u.size()), {}, std::vector<double>(xs.size())};
  std::vector<double> adjoint(n);
  for (std::size_t i = 0; i < n; ++i) exact[0][0] += h[steps][i] * h[steps][i], adjoint[i] = 2 * h[steps][i];
  for (std::size_t t = steps; t-- > 0;) {
    std::vector<double> before(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double slope = adjoint[i] * (1 - h[t + 1][i] * h[t + 1][i]);
      for (std::size_t j = 0; j < n; ++j)
        before[j] += slope * static_cast<double>(w(i, j)), exact[1][i * n + j] += slope * h[t][j];
      for (std::size_t j = 0; j < m; ++j)
        exact[2][i * m + j] += slope * static_cast<double>(xs(t, j)),
            exact[4][t * m + j] += slope * static_cast<double>(u(i, j));
    }
    adjoint = before;
  }
  exact[3] = adjoint;
  parts<T> expected;
  for (const auto& part : exact) expected.emplace_back(part.begin(), part.end());
  all.known<Name, T>(expected, value_and_gradient(recurrent_with<Memory>), w, u, h0, xs);
}

/// Slices side by side, whose adjoints are moved at once or computed where they lie, and sums of products that begin
/// with what is carried.
inline constexpr auto gated = [](const auto& w, const auto& h0, const auto& xs) {
  const auto [last, all] = scan(
      [&](auto h, auto x) {
        const auto gate = tanh(slice<1>(x, 1, 4) + dot(h, w));
        const auto next = gate * h + slice<1>(x, 4, 7) * tanh(dot(gate * h, transpose(w)));
        return std::pair(next, next);
      },
      h0, xs);
  return sum(square(all)) + sum(last * slice<1>(exp(xs[0]), 2, 5));
};

/// Numbers and tensors that are carried, sequences, and what steps stack: also as results.
inline constexpr auto states = [](const auto& w, const auto& h0, const auto& xs, const auto& ys) {
  return scan(
      [&](auto c, auto x, auto y) {
        const auto& [h, total] = c;
        const auto next = sin(dot(w, h)) + x * y;
        return std::pair(std::pair(next, total + y * sum(h)), next * amax(x));
      },
      std::pair(h0, 0.5), xs, ys);
};
inline constexpr auto of_states = [](const auto& w, const auto& h0, const auto& xs, const auto& ys) {
  const auto [last, stacked] = states(w, h0, xs, ys);
  return sum(last.first) * last.second + mean(square(stacked));
};
/// Carries that change places.
inline constexpr auto swapped = [](const auto& a, const auto& b, const auto& p, const auto& q, const auto& xs) {
  return scan(
      [](auto c, auto x) {
        const auto& [first, second, number, other] = c;
        return std::tuple(second, first * x, other, number + x);
      },
      std::tuple(a, b, p, q), xs);
};

/// What a tensor is until its norm is small; at most so many times.
inline constexpr auto shrunk = [](const auto& w, const auto& x0) {
  const auto last =
      while_loop([](auto x) { return sum(square(x)) > 0.5; }, [&](auto x) { return 0.8 * tanh(dot(w, x)); }, x0, 40);
  return sum(last * x0);
};
/// Of the branch that is not taken, no NaN.
inline constexpr auto branches = [](const auto& w, const auto& x) {
  return scan([&](auto h, auto e) { return cond(e > 0, [&] { return sqrt(e) * dot(w, h); }, [&] { return h * e; }); },
              x, x);
};
inline constexpr auto of_branches = [](const auto& w, const auto& x) { return sum(sin(branches(w, x))); };

/// Elements at integers of a sequence, in a loop.
inline constexpr auto walk = [](const auto& table, const auto& v, const auto& at) {
  return scan([&](auto s, auto k) { return s * v[k] + sum(square(table[k])) + sum(s * table[k]); }, 1.0, at);
};
/// A loop in a loop, whose steps read what is around both.
inline constexpr auto nested = [](const auto& w, const auto& x, const auto& ys) {
  return sum(scan(
      [&](auto h, auto y) {
        const auto inner = scan([&](auto g, auto t) { return sin(dot(w, g)) + (1 + t) * h * y; }, x, steps(3));
        return 0.5 * h + inner;
      },
      x, ys));
};
/// Matrices that are carried, reductions, moves and stops.
inline constexpr auto matrices = [](const auto& w, const auto& x0, const auto& gates) {
  const auto [last, rows] = scan(
      [&](auto x, auto g) {
        const auto y = softmax<1>(dot(x, transpose(w))) * expand_dims<1>(g);
        const auto next = where(y > 0.2, y, stop_gradient(x) * 0.5) + roll<0>(tril(x), 1) * cumsum<1>(y);
        return std::pair(next, prod<0>(next + 1.0));
      },
      x0, gates);
  return sum(square(last)) + sum(logsumexp<1>(rows));
};
/// A tensor and a number that are carried with checkpoints, all of which are kept in C, and such a loop in another.
inline constexpr auto kept = [](const auto& w, const auto& h0, const auto& xs, const auto& ys) {
  const auto last = scan<checkpoints<2>>(
      [&](auto c, auto x, auto y) {
        const auto& [h, total] = c;
        return std::pair(sin(dot(w, h)) * total + x * y, total * 0.5 + y * sum(h));
      },
      std::pair(h0, 0.5), xs, ys);
  return sum(square(last.first)) * last.second;
};
inline constexpr auto kept_inside = [](const auto& w, const auto& x, const auto& ys) {
  return sum(scan<checkpoints<1>>(
      [&](auto h, auto y) {
        return 0.5 * h +
               scan<checkpoints<2>>([&](auto g, auto t) { return sin(dot(w, g)) + (1 + t) * h * y; }, x, steps(3));
      },
      x, ys));
};
/// With more extents than there are nodes before the loop.
inline constexpr auto of_many_extents = [](const auto& x, const auto& y, const auto& a) {
  const auto all = scan([](auto c, auto e) { return std::pair(0.6 * (tanh(mean(e)) - c), slice<1>(e, 1, -1)); }, x, y);
  return (sum(all.first) + sum(all.second)) - mean(reshape<-1>(a));
};
/// A sum over steps that is no loop, and one whose steps have a loop.
inline constexpr auto sums = [](const auto& w, const auto& xs) {
  return scan([&](auto s, auto x) { return s + scan([&](auto p, auto e) { return sin(p * e); }, sum(w * x), x); }, 0.0,
              xs);
};
inline constexpr auto decay = [](auto, const auto& y, const auto& w) { return -dot(w, y); };
inline constexpr auto flow = [](const auto& w, const auto& y0) {
  return sum(square(odeint(decay, y0, 0.0, 1.0, 5, w)));
};
/// Over the numbers of another loop's steps.
inline constexpr auto numbered = [](const auto& x, const auto& ys) {
  const auto [last, numbers] = scan([](auto c, auto k) { return std::pair(k + c, k); }, x, steps(4));
  return last + sum(scan([](auto c, auto y) { return tanh(y * c); }, numbers, ys));
};
/// A verb in a step.
inline constexpr auto descended = [](const auto& w, const auto& x0) {
  constexpr auto energy = [](const auto& x, const auto& m) { return sum(square(tanh(dot(m, x)))); };
  return sum(scan([&](auto x, auto) { return x - 0.1 * gradient(energy, wrt<0>)(x, w); }, x0, steps(4)));
};

void check_loops(tensor_cases& all) {
  for (const auto& [steps, n, m] : {std::array<std::size_t, 3>{5, 3, 2}, {1, 2, 4}, {4, 1, 1}, {0, 2, 3}}) {
    check_recurrent<"recurrent", double>(all, steps, n, m);
    check_recurrent<"recurrent_f", float>(all, steps, n, m);
    check_recurrent<"recurrent_c", double, checkpoints<2>>(all, steps, n, m);
  }
  const auto w = numbers<double>(5, 3, 3);
  const auto h = numbers<double>(6, 3), v = numbers<double>(7, 3);
  for (const std::size_t steps : {std::size_t(4), std::size_t(1), std::size_t(0)}) {
    const auto xs = numbers<double>(8, steps, 3);
    const auto ys = numbers<double>(9, steps);
    all.own<"states", double>(value(states), w, h, xs, ys);
    all.own<"of_states", double>(value_and_gradient(of_states), w, h, xs, ys);
    all.own<"nested_g", double>(value_and_gradient(nested), w, h, ys);
    all.own<"swapped", double>(value(swapped), h, v, 0.5, -0.25, ys);
    all.own<"sums", double>(value_and_gradient(sums), v, xs);
    all.own<"kept", double>(value_and_gradient(kept), w, h, xs, ys);
    all.own<"kept_inside", double>(value_and_gradient(kept_inside), w, h, ys);
  }
  all.own<"shrunk", double>(value_and_gradient(shrunk), w, vector<double>{3, -2, 1});
  all.own<"shrunk", double>(value_and_gradient(shrunk), w, vector<double>{0.1, 0.2, 0.3});
  all.own<"branches", double>(value(branches), w, h);
  all.own<"of_branches", double>(value_and_gradient(of_branches), w, h);
  const auto table = numbers<double>(10, 4, 3);
  all.own<"walk", double>(value_and_gradient(walk, wrt<0, 1>), table, numbers<double>(11, 4),
                          xt::xtensor<int, 1>{2, 0, -1, 2});
  all.own<"matrices", double>(value_and_gradient(matrices), w, numbers<double>(12, 4, 3), numbers<double>(13, 5, 4));
  all.own<"gated", double>(value_and_gradient(gated), w, numbers<double>(21, 2, 3), numbers<double>(22, 4, 2, 7));
  all.own<"begun", double>(value([](const auto& a, const auto& b) { return a + sum<0>(exp(b)); }),
                           numbers<double>(23, 3), numbers<double>(24, 5, 3));
  all.own<"numbered", double>(value_and_gradient(numbered), 0.5, numbers<double>(25, 3, 4));
  all.own<"flow", double>(value_and_gradient(flow), w, h);
  all.own<"descended", double>(value_and_gradient(descended), w, h);
  all.own<"of_many_extents", double>(value(of_many_extents), numbers<double>(18, 2, 3, 1), numbers<double>(19, 4, 2, 5),
                                     numbers<double>(20, 1, 2, 3));
  // Along a direction, from a cotangent, and second derivatives.
  const auto u = numbers<double>(14, 3, 2), xs = numbers<double>(15, 4, 2);
  const auto dw = numbers<double>(16, 3, 3);
  const auto c = numbers<double>(17, 3);
  all.seeded<"curved", double>(hvp(recurrent, wrt<0>, tangent(dw)), dw, w, u, h, xs);
  all.seeded<"kept_curved", double>(hvp(kept, wrt<0>, tangent(dw)), dw, w, h, numbers<double>(8, 4, 3),
                                    numbers<double>(9, 4));
  all.seeded<"along", double>(value_and_jvp(branches, wrt<0>, tangent(dw)), dw, w, h);
  all.seeded<"back", double>(vjp(branches, wrt<0, 1>, cotangent(c)), c, w, h);
}
}  // namespace
int main(int count, char** arguments) {
  if (count != 2) return 2;
  tensor_cases all(arguments[1]);
  check_loops(all);
}
