#include <boost/test/unit_test.hpp>
#include <xtensor/xview.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <tuple>

#include "check_against.hpp"

/// Loops that carry tensors. Values come from loops written by hand; derivatives from differences of these, and second
/// ones from differences of gradients.
using namespace tapeless;
using namespace tapeless_test;

BOOST_AUTO_TEST_SUITE(scans_of_tensors)

BOOST_AUTO_TEST_CASE(a_vector_is_carried) {
  constexpr auto f = [](const auto& w, const auto& h0, const auto& xs) {
    return sum(square(scan([&](auto h, auto x) { return tanh(dot(w, h) + x); }, h0, xs)));
  };
  const auto by_hand = [](const matrix& w, row h, const matrix& xs) {
    for (std::size_t t = 0; t < xs.shape(0); ++t) h = xt::tanh(times(w, h) + xt::view(xs, t, xt::all()));
    return xt::sum(h * h)();
  };
  for (const std::size_t steps : {std::size_t(0), std::size_t(1), std::size_t(2), std::size_t(5)})
    check_against<2>("vector", f, by_hand, random<matrix>({3, 3}, 1), random<row>({3}, 2),
                     random<matrix>({steps, 3}, 3));
  check_against("of one element", f, by_hand, random<matrix>({1, 1}, 1), random<row>({1}, 2),
                random<matrix>({4, 1}, 3));
}

// Loops of numbers would read its first row as a sequence.
struct layer {
  matrix w;
  row b;
};
BOOST_AUTO_TEST_CASE(a_matrix_in_a_struct) {
  constexpr auto branch = [](const auto& p, const auto& x) {
    const auto& [v, c] = p;
    return cond(sum(x) > 0, [&w = v, &b = c, &x] { return sum(tanh(dot(w, x) + b)); }, [&b = c] { return sum(b); });
  };
  constexpr auto loop = [](const auto& ps, const auto& xs) {
    const auto& [v, c] = ps[1];
    return scan([&w = v, &b = c, &xs](auto s, auto x) { return s + x * sum(tanh(dot(w, xs) + b)); }, 0.0, xs);
  };
  const layer p{random<matrix>({3, 3}, 1), random<row>({3}, 2)};
  const row x{0.9, 0.3, -0.5};
  const double expected = xt::sum(xt::tanh(times(p.w, x) + p.b))();
  nearly(value(branch)(p, x), expected, "taken", 1e-13);
  nearly(value(branch)(p, row(-x)), xt::sum(p.b)(), "not taken", 1e-13);
  nearly(value(loop)(std::array{p, p}, x), xt::sum(x)() * expected, "loop", 1e-13);
}

BOOST_AUTO_TEST_CASE(what_steps_give_is_a_tensor) {
  constexpr auto f = [](const auto& w, const auto& h0, const auto& xs) {
    const auto [last, ys] = scan(
        [&](auto h, auto x) {
          const auto next = tanh(dot(w, h) + x);
          return std::pair(next, next * x);
        },
        h0, xs);
    return sum(square(ys)) + sum(last * ys[-1]) + mean(ys * xs);
  };
  const auto by_hand = [](const matrix& w, row h, const matrix& xs) {
    double result = 0;
    row y = xt::zeros<double>({h.size()});
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      const row x = xt::view(xs, t, xt::all());
      h = xt::tanh(times(w, h) + x);
      y = h * x;
      result += xt::sum(y * y)() + xt::sum(y * x)() / static_cast<double>(xs.size());
    }
    return result + xt::sum(h * y)();
  };
  check_against("stacked", f, by_hand, random<matrix>({2, 2}, 1), random<row>({2}, 2), random<matrix>({4, 2}, 3));
  // As many steps as elements, so that nothing may mix the two up.
  check_against<2>("square", f, by_hand, random<matrix>({3, 3}, 1), random<row>({3}, 2), random<matrix>({3, 3}, 3));
}

BOOST_AUTO_TEST_CASE(what_steps_give_is_taken_apart) {
  constexpr auto f = [](const auto& w, const auto& h0, const auto& xs) {
    const auto [last, ys] = scan(
        [&](auto h, auto x) {
          const auto next = tanh(w * x + h);
          return std::pair{next, std::tuple{next * next, std::pair{dot(next, w), x}, std::array{sum(next), 2 * x[0]}}};
        },
        h0, xs);
    const auto& [squares, nested, numbers] = ys;
    const auto [dots, same] = nested;
    const auto [sums, firsts] = numbers;
    return sum(squares * xs) + dot(dots, sums) + sum(square(same)) + amax(firsts) + sum(get<0>(ys)[-1] * last);
  };
  const auto by_hand = [](const row& w, row h, const matrix& xs) {
    double result = 0, largest = -1e9;
    row x;
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      x = xt::view(xs, t, xt::all());
      h = xt::tanh(w * x + h);
      result += xt::sum(h * h * x)() + xt::sum(h * w)() * xt::sum(h)() + xt::sum(x * x)();
      largest = std::max(largest, 2 * x(0));
    }
    return result + largest + xt::sum(h * h * h)();
  };
  check_against<2>("parts", f, by_hand, random<row>({2}, 1), random<row>({2}, 2), random<matrix>({4, 2}, 3));
}

BOOST_AUTO_TEST_CASE(several_carries_of_other_ranks) {
  constexpr auto f = [](const auto& w, const auto& h0, const auto& xs) {
    const auto [last_h, last_c, last_n] = scan(
        [&](const auto& carry, auto x) {
          const auto& [h, c, n] = carry;
          const auto next = tanh(dot(c, h) + x) * w;
          return std::tuple(next, c * 0.9 + outer(x, h) * n, n * 0.5 + sum(x * next));
        },
        std::tuple(h0, outer(w, w), 1.0), xs);
    return sum(last_h) + sum(square(last_c)) + last_n * last_n;
  };
  const auto by_hand = [](const row& w, row h, const matrix& xs) {
    matrix c = xt::view(w, xt::all(), xt::newaxis()) * xt::view(w, xt::newaxis(), xt::all());
    double n = 1;
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      const row x = xt::view(xs, t, xt::all());
      const row next = xt::tanh(times(c, h) + x) * w;
      c = matrix(c * 0.9 + xt::view(x, xt::all(), xt::newaxis()) * xt::view(h, xt::newaxis(), xt::all()) * n);
      n = n * 0.5 + xt::sum(x * next)();
      h = next;
    }
    return xt::sum(h)() + xt::sum(c * c)() + n * n;
  };
  check_against<2>("several", f, by_hand, random<row>({3}, 1), random<row>({3}, 2), random<matrix>({4, 3}, 3));
}

BOOST_AUTO_TEST_CASE(a_batch_of_gated_units) {
  // h, x: batch x units; as in a gated recurrent unit.
  constexpr auto f = [](const auto& w, const auto& u, const auto& xs) {
    const auto h0 = 0 * dot(xs[0], u);
    const auto [last, hs] = scan(
        [&](auto h, auto x) {
          const auto z = sigmoid(dot(x, u) + dot(h, w));
          const auto next = (1 - z) * h + z * tanh(dot(x, u) + dot(z * h, w));
          return std::pair(next, next);
        },
        h0, xs);
    return mean(square(hs)) + sum(last);
  };
  const auto by_hand = [](const matrix& w, const matrix& u, const cube& xs) {
    const auto dot = [](const matrix& a, const matrix& b) {
      matrix c = xt::zeros<double>({a.shape(0), b.shape(1)});
      for (std::size_t i = 0; i < a.shape(0); ++i)
        for (std::size_t j = 0; j < b.shape(1); ++j)
          for (std::size_t k = 0; k < a.shape(1); ++k) c(i, j) += a(i, k) * b(k, j);
      return c;
    };
    matrix h = xt::zeros<double>({xs.shape(1), w.shape(0)});
    double sum = 0;
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      const matrix x = xt::view(xs, t, xt::all(), xt::all());
      const matrix z = 1 / (1 + xt::exp(-(dot(x, u) + dot(h, w))));
      h = (1 - z) * h + z * xt::tanh(dot(x, u) + dot(z * h, w));
      sum += xt::sum(h * h)();
    }
    return sum / static_cast<double>(xs.shape(0) * h.size()) + xt::sum(h)();
  };
  check_against("gated", f, by_hand, random<matrix>({3, 3}, 1), random<matrix>({2, 3}, 2), random<cube>({4, 5, 2}, 3));
  // One stream, one step, one unit.
  check_against("gated", f, by_hand, random<matrix>({3, 3}, 1), random<matrix>({2, 3}, 2), random<cube>({4, 1, 2}, 3));
  check_against("gated", f, by_hand, random<matrix>({3, 3}, 1), random<matrix>({2, 3}, 2), random<cube>({1, 5, 2}, 3));
  check_against("gated", f, by_hand, random<matrix>({1, 1}, 1), random<matrix>({2, 1}, 2), random<cube>({4, 5, 2}, 3));
}

// The way back takes the products of the way there: behind a stop, for each element, and with no steps.
BOOST_AUTO_TEST_CASE(products_of_steps) {
  static constexpr auto f = [](const auto& w, const auto& xs) {
    return scan(
        [&](auto c, auto x) {
          const auto product = dot(x, w);
          return c + sum(stop_gradient(product) * product);
        },
        0 * sum(w), xs);
  };
  constexpr auto squares = [](const auto& w, const auto& xs) { return sum(square(gradient(f, wrt<0>)(w, xs))); };
  // The sum of x^T x w.
  const auto check = [](const auto& found, const auto& w, const cube& xs) {
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t j = 0; j < 4; ++j) {
        double expected = 0;
        for (std::size_t t = 0; t < xs.shape(0); ++t)
          for (std::size_t i = 0; i < xs.shape(1); ++i)
            for (std::size_t m = 0; m < 3; ++m) expected += xs(t, i, k) * xs(t, i, m) * w(m, j);
        nearly(found(k, j), expected, "by w", 1e-12);
      }
  };
  for (const std::size_t steps : {0u, 1u, 5u}) {
    const cube xs = random<cube>({steps, 2, 3}, 4), ws = random<cube>({2, 3, 4}, 5);
    const matrix w = xt::view(ws, 0, xt::all(), xt::all());
    check(gradient(f, wrt<0>)(w, xs), w, xs);
    const cube all = batched(gradient(f, wrt<0>))(each(ws), xs);
    for (std::size_t e = 0; e < 2; ++e)
      check(xt::view(all, e, xt::all(), xt::all()), xt::view(ws, e, xt::all(), xt::all()), xs);
    const matrix second = gradient(squares, wrt<0>)(w, xs);
    for (const double element : second) nearly(element, 0, "behind the stop", 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(a_scan_in_a_scan) {
  // The rows of each matrix in turn, and the matrices in turn.
  constexpr auto f = [](const auto& w, const auto& h0, const auto& xs) {
    return sum(
        scan([&](auto h,
                 const auto& x) { return scan([&](auto g, auto y) { return sin(g * w + y); }, h, x) + 0.1 * sum(x); },
             h0, xs));
  };
  const auto by_hand = [](const row& w, row h, const cube& xs) {
    for (std::size_t s = 0; s < xs.shape(0); ++s) {
      for (std::size_t t = 0; t < xs.shape(1); ++t) h = xt::sin(h * w + xt::view(xs, s, t, xt::all()));
      h += 0.1 * xt::sum(xt::view(xs, s, xt::all(), xt::all()))();
    }
    return xt::sum(h)();
  };
  check_against<2>("nested", f, by_hand, random<row>({2}, 1), random<row>({2}, 2), random<cube>({3, 4, 2}, 3));
}

BOOST_AUTO_TEST_CASE(a_vector_is_scanned_summed_and_indexed) {
  constexpr auto f = [](const auto& w, const auto& x) {
    const auto m = mean(x);
    return scan([&](auto s, auto e) { return tanh(s + w * (e - m)) * x[0]; }, 0.5, x) + sum(square(x)) * w;
  };
  const auto by_hand = [](double w, const row& x) {
    const double m = xt::mean(x)();
    double s = 0.5;
    for (const double e : x) s = std::tanh(s + w * (e - m)) * x(0);
    return s + xt::sum(x * x)() * w;
  };
  check_against("vector and number", f, by_hand, 0.7, random<row>({5}, 1));
}

BOOST_AUTO_TEST_CASE(a_number_of_steps) {
  constexpr auto f = [](const auto& w, const auto& h0) {
    const auto [last, all] = scan(
        [&](auto h, auto k) {
          const auto next = cos(dot(w, h)) * (1 + 0.1 * k);
          return std::pair(next, sum(next));
        },
        h0, steps(4));
    return sum(last) + prod(all);
  };
  const auto by_hand = [](const matrix& w, row h) {
    double product = 1;
    for (int k = 0; k < 4; ++k) h = xt::cos(times(w, h)) * (1 + 0.1 * k), product *= xt::sum(h)();
    return xt::sum(h)() + product;
  };
  check_against("steps", f, by_hand, random<matrix>({3, 3}, 1), random<row>({3}, 2));
}

// Carries lie where they begin or end only if they have no gaps there.
BOOST_AUTO_TEST_CASE(carries_in_columns) {
  constexpr auto f = [](const auto& x, const auto& w, const auto& n) {
    return scan([&](auto power, auto) { return power * w; }, x, steps(n));
  };
  constexpr auto both = [](const auto& x, const auto& w, const auto& n) {
    const auto [last, all] = scan([&](auto power, auto) { return std::pair(power * w, power); }, x, steps(n));
    return sum(last) + sum(all);
  };
  const xt::xtensor<double, 2, xt::layout_type::column_major> x = random<matrix>({3, 2}, 1),
                                                              w = random<matrix>({3, 2}, 2);
  for (const int n : {0, 1, 2, 3}) {
    const auto last = value(f)(x, w, n);
    const auto r = gradient(both, wrt<0, 1>)(x, w, n);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        double by_x = 0, by_w = 0;
        for (int k = 0; k <= n; ++k) by_x += std::pow(w(i, j), k), by_w += k * std::pow(w(i, j), k - 1) * x(i, j);
        nearly(last(i, j), std::pow(w(i, j), n) * x(i, j), "last", 1e-13);
        nearly(std::get<0>(r)(i, j), by_x, "by the first", 1e-13);
        nearly(std::get<1>(r)(i, j), by_w, "by the factor", 1e-13);
      }
  }
}

template <int Count>
constexpr auto times_all(const auto& matrices, const auto& h) {
  if constexpr (Count == 0)
    return h;
  else
    return dot(matrices[Count - 1], times_all<Count - 1>(matrices, h));
}

// A step in which each value has its own axes needs more than a machine word has bits.
BOOST_AUTO_TEST_CASE(a_step_of_many_axes) {
  constexpr auto f = [](const auto& matrices, const auto& h0, const auto& rows, const auto& shift) {
    return sum(scan([&](auto h, auto x) { return tanh(times_all<20>(matrices, h) + x + shift); }, h0, rows));
  };
  std::array<matrix, 20> matrices;
  for (unsigned k = 0; k < 20; ++k) matrices[k] = random<matrix>({3, 3}, k + 1);
  const row h0 = random<row>({3}, 21);
  const matrix rows = random<matrix>({2, 3}, 23);
  const auto by_hand = [&](const row& start, const row& shift) {
    row h = start;
    for (std::size_t k = 0; k < 2; ++k) {
      for (const matrix& m : matrices) h = times(m, h);
      h = xt::tanh(h + xt::view(rows, k) + shift);
    }
    return xt::sum(h)();
  };
  for (const row& shift : {random<row>({3}, 22), random<row>({1}, 22)}) {
    const row slopes = gradient(f, wrt<1>)(matrices, h0, rows, shift);
    for (std::size_t i = 0; i < 3; ++i) {
      row up = h0, down = h0;
      up(i) += 1e-5, down(i) -= 1e-5;
      nearly(slopes(i), (by_hand(up, shift) - by_hand(down, shift)) / 2e-5, "a step of many axes", 1e-7);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
