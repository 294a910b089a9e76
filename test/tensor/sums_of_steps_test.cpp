#include <boost/test/unit_test.hpp>
#include <xtensor/xview.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "check_against.hpp"

/// Loops over tensors whose steps only add to what they carry, which become sums over an axis, and loops that come near
/// to that and do not. Values come from loops written by hand; derivatives from differences of these, and second ones
/// from differences of gradients.
using namespace tapeless;
using namespace tapeless_test;

BOOST_AUTO_TEST_SUITE(sums_of_steps)

// All lanes have a sum of their own, so 1e20 and -1e20 meet, and the 1 beside them is not lost. One after the other it
// is. All arguments are matrices: vectors alone would run in the loops of numbers.
BOOST_AUTO_TEST_CASE(steps_are_made_at_once) {
  matrix x = xt::zeros<double>({64, 1});
  x(0, 0) = 1e20, x(1, 0) = 1, x(32, 0) = -1e20;
  constexpr auto added = [](const auto& xs) { return scan([](auto s, auto xi) { return s + xi[0]; }, 0.0, xs); };
  BOOST_TEST(value(added)(x) == 1);
  constexpr auto numbered = [](const auto& xs) {
    return scan(
        [&](auto s, auto i) { return s - where(i == 0, -1e20, where(i == 1, -1, where(i == 32, 1e20, 0))) * xs(1, 0); },
        0.0, steps(64));
  };
  BOOST_TEST(value(numbered)(x) == 1);
  // Beside a product of what stays the same, which a loop would keep for its derivative.
  constexpr auto beside = [](const auto& v, const auto& xs) {
    const auto add = [](auto carry, auto xi) {
      const auto& [s, same] = carry;
      return std::tuple(s + xi[0] * dot(same, same), same);
    };
    return std::get<0>(scan(add, std::tuple(0.0, v), xs));
  };
  BOOST_TEST(value(beside)(row{1}, x) == 1);
  constexpr auto met = [](const auto& xs) {
    return scan([](auto s, auto xi) { return s + xi[0] + 0.0 * s; }, 0.0, xs);
  };
  BOOST_TEST(value(met)(x) == 0);
  // A vector that is a sum would be in memory for each step.
  constexpr auto of_vectors = [](const auto& w, const auto& xs) {
    return scan([&](auto s, auto xi) { return s + sum(dot(w, xi)); }, 0.0, xs);
  };
  BOOST_TEST(value(of_vectors)(matrix{{1}}, x) == 0);
  // So would what branches compute.
  constexpr auto branches = [](const auto& xs) {
    return scan([](auto s, auto xi) { return s + cond(xi[0] < 9, [&] { return xi[0]; }, [&] { return 1.0 * xi[0]; }); },
                0.0, xs);
  };
  BOOST_TEST(value(branches)(x) == 0);
}

// By the rows of a matrix; a function of numbers for each, and one of vectors.
BOOST_AUTO_TEST_CASE(rows_of_a_matrix) {
  constexpr auto f = [](const auto& w, const auto& b, const auto& xs, const auto& ys) {
    return scan([&](auto loss, auto x, auto y) { return loss + log1p(exp(-y * (dot(w, x) + sum(b)))); }, 0.5, xs, ys);
  };
  const auto by_hand = [](const row& w, const row& b, const matrix& xs, const row& ys) {
    double loss = 0.5;
    for (std::size_t t = 0; t < ys.size(); ++t) {
      double margin = xt::sum(b)();
      for (std::size_t j = 0; j < w.size(); ++j) margin += w(j) * xs(t, j);
      loss += std::log1p(std::exp(-ys(t) * margin));
    }
    return loss;
  };
  constexpr auto network = [](const auto& w, const auto& c, const auto& xs, const auto& ys) {
    return scan([&](auto loss, auto x, auto y) { return loss + square(dot(c, tanh(dot(w, x))) - y); }, 0.5, xs, ys);
  };
  const auto network_by_hand = [](const matrix& w, const row& c, const matrix& xs, const row& ys) {
    double loss = 0.5;
    for (std::size_t t = 0; t < ys.size(); ++t) {
      const row units = xt::tanh(times(w, xt::view(xs, t, xt::all())));
      loss += std::pow(xt::sum(c * units)() - ys(t), 2);
    }
    return loss;
  };
  // As many steps as features and units too: nothing may take one axis for the other.
  for (const std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(2), std::size_t(3), std::size_t(17)}) {
    check_against<2>("logistic", f, by_hand, random<row>({3}, 1), random<row>({2}, 2), random<matrix>({n, 3}, 3),
                     random<row>({n}, 4));
    check_against<2>("network", network, network_by_hand, random<matrix>({2, 3}, 1), random<row>({2}, 2),
                     random<matrix>({n, 3}, 3), random<row>({n}, 4));
  }
  check_against<2>("one feature", f, by_hand, random<row>({1}, 1), random<row>({2}, 2), random<matrix>({5, 1}, 3),
                   random<row>({5}, 4));
  check_against<2>("square", network, network_by_hand, random<matrix>({2, 2}, 1), random<row>({2}, 2),
                   random<matrix>({2, 2}, 3), random<row>({2}, 4));
}

BOOST_AUTO_TEST_CASE(carries_of_all_ranks) {
  constexpr auto f = [](const auto& m0, const auto& v0, const auto& xs, const auto& ys) {
    const auto [m, v, s, n, w] = scan(
        [](auto carry, auto x, auto y) {
          const auto& [all, each, total, count, same] = carry;
          return std::tuple(all - outer(x, y), each + x * sum(y) + 1, x[0] + (total + same * y[-1]), count + 2, same);
        },
        std::tuple(m0, v0, 0.25, 0.0, 1.5 * sum(v0)), xs, ys);
    return sum(square(m)) + sum(exp(v)) + s * s * n + w;
  };
  const auto by_hand = [](matrix m, row v, const matrix& xs, const matrix& ys) {
    const double w = 1.5 * xt::sum(v)();
    double s = 0.25, n = 0;
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      for (std::size_t i = 0; i < v.size(); ++i) {
        for (std::size_t j = 0; j < m.shape(1); ++j) m(i, j) -= xs(t, i) * ys(t, j), v(i) += xs(t, i) * ys(t, j);
        v(i) += 1;
      }
      s += xs(t, 0) + w * ys(t, ys.shape(1) - 1), n += 2;
    }
    return xt::sum(m * m)() + xt::sum(xt::exp(v))() + s * s * n + w;
  };
  for (const std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(4)})
    check_against<2>("carries", f, by_hand, random<matrix>({3, 2}, 1), random<row>({3}, 2), random<matrix>({n, 3}, 3),
                     random<matrix>({n, 2}, 4));
}

// One sequence twice, one that is a column of the other, and one that the function computes.
BOOST_AUTO_TEST_CASE(related_sequences) {
  constexpr auto f = [](const auto& xs, const auto& v) {
    const auto add = [&](auto s, auto x, auto again, auto of_column, auto squared) {
      return s + sum(x * again * v) * of_column + squared[0];
    };
    return scan(add, 0.0, xs, xs, transpose(xs)[1], square(xs));
  };
  const auto by_hand = [](const matrix& xs, const row& v) {
    double s = 0;
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      for (std::size_t j = 0; j < v.size(); ++j) s += xs(t, j) * xs(t, j) * v(j) * xs(t, 1);
      s += xs(t, 0) * xs(t, 0);
    }
    return s;
  };
  check_against<2>("related", f, by_hand, random<matrix>({4, 3}, 1), random<row>({3}, 2));
  check_against<2>("related, square", f, by_hand, random<matrix>({3, 3}, 1), random<row>({3}, 2));
}
// Over the rows and the columns of one matrix at once.
BOOST_AUTO_TEST_CASE(rows_and_columns) {
  constexpr auto f = [](const auto& xs, const auto& v) {
    return scan([&](auto s, auto r, auto c) { return s + dot(r, c) * sum(r * v); }, 0.0, xs, transpose(xs));
  };
  const auto by_hand = [](const matrix& xs, const row& v) {
    double s = 0;
    for (std::size_t t = 0; t < v.size(); ++t) {
      double product = 0, weighted = 0;
      for (std::size_t j = 0; j < v.size(); ++j) product += xs(t, j) * xs(j, t), weighted += xs(t, j) * v(j);
      s += product * weighted;
    }
    return s;
  };
  check_against<2>("rows and columns", f, by_hand, random<matrix>({3, 3}, 1), random<row>({3}, 2));
  // The steps' axis is that of the rows, along which a column lies.
  constexpr auto apart = [](const auto& xs, const auto& v) {
    return scan([&](auto s, auto r, auto c) { return s + r[0] * sum(exp(c)); }, sum(v), xs, transpose(xs));
  };
  const auto apart_by_hand = [](const matrix& xs, const row& v) {
    double s = xt::sum(v)();
    for (std::size_t t = 0; t < xs.shape(0); ++t)
      for (std::size_t i = 0; i < xs.shape(0); ++i) s += xs(t, 0) * std::exp(xs(i, t));
    return s;
  };
  check_against<2>("apart", apart, apart_by_hand, random<matrix>({3, 3}, 1), random<row>({2}, 2));
}

// The body reads more of a sequence than its own element.
BOOST_AUTO_TEST_CASE(captured_sequences) {
  const matrix m = random<matrix>({2, 2}, 3);
  constexpr auto f = [](const auto& xs, const auto& v, const auto& w) {
    const auto total = sum(xs) * w(0, 1);
    const auto add = [&](auto s, auto x) { return s + x * total + sum(tanh(xs * x)) + xs[0] * sum(v * x); };
    return scan(add, 0.0, xs);
  };
  const auto by_hand = [](const row& xs, const row& v, const matrix& w) {
    double s = 0;
    for (const double x : xs) {
      for (const double other : xs) s += x * other * w(0, 1) + std::tanh(other * x);
      for (const double e : v) s += xs(0) * e * x;
    }
    return s;
  };
  check_against<2>("captured", f, by_hand, random<row>({4}, 1), random<row>({3}, 2), m);
  check_against<2>("captured, equally long", f, by_hand, random<row>({3}, 1), random<row>({3}, 2), m);
  // Met before the loop, so that their axes are one.
  constexpr auto met = [](const auto& xs, const auto& v, const auto& w) {
    return scan([&](auto s, auto x) { return s + w(1, 0) * sum(exp(x * v)); }, sum(xs * v), xs);
  };
  const auto crossed = [](const row& xs, const row& v) {
    double s = 0;
    for (const double x : xs)
      for (const double e : v) s += std::exp(x * e);
    return s;
  };
  const auto met_by_hand = [&](const row& xs, const row& v, const matrix& w) {
    return xt::sum(xs * v)() + w(1, 0) * crossed(xs, v);
  };
  check_against<2>("met before", met, met_by_hand, random<row>({3}, 1), random<row>({3}, 2), m);
  // And after it.
  constexpr auto later = [](const auto& xs, const auto& v, const auto& w) {
    return scan([&](auto s, auto x) { return s + w(1, 0) * sum(exp(x * v)); }, 0.0, xs) * sum(xs * v);
  };
  const auto later_by_hand = [&](const row& xs, const row& v, const matrix& w) {
    return w(1, 0) * crossed(xs, v) * xt::sum(xs * v)();
  };
  check_against<2>("met later", later, later_by_hand, random<row>({3}, 1), random<row>({3}, 2), m);
}

// A carry that a condition sets, one that steps replace, and one that they read.
BOOST_AUTO_TEST_CASE(carries_that_are_no_sums) {
  constexpr auto f = [](const auto& xs, const auto& v) {
    const auto [largest, seen, last, total] = scan(
        [&](auto carry, auto x) {
          const auto& [most, flag, before, all] = carry;
          return std::tuple(max(most, sum(x * v)), where(x[0] > 0.2, 1.0, flag), x[1], all + before * x[0]);
        },
        std::tuple(-10.0, 0.0, 0.5, 0.0), xs);
    return largest + 10.0 * seen + exp(last) + total;
  };
  const auto by_hand = [](const matrix& xs, const row& v) {
    double largest = -10, seen = 0, last = 0.5, total = 0;
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      double product = 0;
      for (std::size_t j = 0; j < v.size(); ++j) product += xs(t, j) * v(j);
      total += last * xs(t, 0), last = xs(t, 1), largest = std::max(largest, product);
      if (xs(t, 0) > 0.2) seen = 1;
    }
    return largest + 10 * seen + std::exp(last) + total;
  };
  for (const std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(6)})
    check_against<2>("no sums", f, by_hand, random<matrix>({n, 2}, 1), random<row>({2}, 2));
  constexpr auto flag = [](const auto& xs, const auto& v) {
    return sum(v) * scan([](auto s, auto x) { return where(x[0] > 0.2, 1.0, s); }, 0.25, xs);
  };
  const auto flag_by_hand = [](const matrix& xs, const row& v) {
    double s = 0.25;
    for (std::size_t t = 0; t < xs.shape(0); ++t)
      if (xs(t, 0) > 0.2) s = 1;
    return xt::sum(v)() * s;
  };
  check_against<2>("flag", flag, flag_by_hand, random<matrix>({6, 2}, 1), random<row>({2}, 2));
}

BOOST_AUTO_TEST_CASE(what_steps_give_is_a_tensor) {
  constexpr auto f = [](const auto& w, const auto& xs) {
    const auto [total, ys] = scan(
        [&](auto s, auto x) {
          const auto y = tanh(w[0] * x + dot(w[1], x));
          return std::pair(s + y[0], y);
        },
        0.0, xs);
    return total * sum(square(ys)) + sum(ys[-1]) + mean(ys * xs) + sum(dot(ys, transpose(xs)));
  };
  const auto by_hand = [](const matrix& w, const matrix& xs) {
    double total = 0, squares = 0, result = 0;
    matrix ys = xs;
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      for (std::size_t j = 0; j < xs.shape(1); ++j) {
        double both = w(0, j) * xs(t, j);
        for (std::size_t k = 0; k < xs.shape(1); ++k) both += w(1, k) * xs(t, k);
        ys(t, j) = std::tanh(both);
      }
      total += ys(t, 0);
    }
    squares = xt::sum(ys * ys)();
    for (std::size_t t = 0; t < xs.shape(0); ++t)
      for (std::size_t s = 0; s < xs.shape(0); ++s)
        for (std::size_t j = 0; j < xs.shape(1); ++j) result += ys(t, j) * xs(s, j);
    return result + total * squares + xt::sum(xt::view(ys, xs.shape(0) - 1, xt::all()))() + xt::mean(ys * xs)();
  };
  check_against<2>("stacked", f, by_hand, random<matrix>({2, 2}, 1), random<matrix>({5, 2}, 2));
  check_against<2>("stacked, square", f, by_hand, random<matrix>({2, 3}, 1), random<matrix>({3, 3}, 2));
}

// What all steps give alike.
BOOST_AUTO_TEST_CASE(the_same_in_each_step) {
  constexpr auto f = [](const auto& v, const auto& xs) {
    const auto [total, ys] = scan([&](auto s, auto x) { return std::pair(s + x[0], v * v); }, 0.0, xs);
    return total * sum(ys) + sum(dot(ys, v));
  };
  const auto by_hand = [](const row& v, const matrix& xs) {
    double total = 0, squares = 0, cubes = 0;
    for (const double e : v) squares += e * e, cubes += e * e * e;
    for (std::size_t t = 0; t < xs.shape(0); ++t) total += xs(t, 0);
    const auto n = static_cast<double>(xs.shape(0));
    return total * n * squares + n * cubes;
  };
  for (const std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(4)})
    check_against<2>("the same", f, by_hand, random<row>({3}, 1), random<matrix>({n, 2}, 2));
}

BOOST_AUTO_TEST_CASE(the_number_of_the_step) {
  constexpr auto f = [](const auto& v, const auto& xs, auto n) {
    return scan([&](auto s, auto i) { return s + sin(i * sum(v)); }, 0.0, steps(n)) +
           scan([&](auto s, auto x) { return s + x[0] * x[1]; }, 1.0, xs);
  };
  const row v = random<row>({3}, 1);
  const matrix xs = random<matrix>({4, 2}, 2);
  const double a = xt::sum(v)();
  double expected = 1, slope = 0;
  for (int i = 0; i < 6; ++i) expected += std::sin(i * a), slope += i * std::cos(i * a);
  for (std::size_t t = 0; t < 4; ++t) expected += xs(t, 0) * xs(t, 1);
  const auto [value, gradient] = value_and_gradient(f, wrt<0, 1>)(v, xs, 6);
  nearly(value, expected, "value", 1e-13);
  for (std::size_t i = 0; i < 3; ++i) nearly(std::get<0>(gradient)(i), slope, "by v", 1e-13);
  for (std::size_t t = 0; t < 4; ++t)
    for (std::size_t i = 0; i < 2; ++i) nearly(std::get<1>(gradient)(t, i), xs(t, 1 - i), "by xs", 1e-13);
}

// Groups: an index picks what a step uses. Loops in the steps. Neither is an axis.
BOOST_AUTO_TEST_CASE(indices_and_loops_inside) {
  constexpr auto f = [](const auto& u, const auto& xs, const auto& group) {
    return scan(
        [&](auto s, auto x, auto k) { return s + scan([&](auto t, auto e) { return t + exp(u[k] * e); }, u[k], x); },
        0.0, xs, group);
  };
  const row u = random<row>({3}, 1);
  const matrix xs = random<matrix>({4, 2}, 2);
  const std::vector<int> group{2, 0, 2, 1};
  row expected = xt::zeros<double>({3});
  double sum = 0;
  for (std::size_t t = 0; t < 4; ++t) {
    const auto k = static_cast<std::size_t>(group[t]);
    sum += u(k), expected(k) += 1;
    for (std::size_t j = 0; j < 2; ++j)
      sum += std::exp(u(k) * xs(t, j)), expected(k) += xs(t, j) * std::exp(u(k) * xs(t, j));
  }
  const auto [value, gradient] = value_and_gradient(f, wrt<0>)(u, xs, group);
  nearly(value, sum, "value", 1e-13);
  for (std::size_t k = 0; k < 3; ++k) nearly(gradient(k), expected(k), "gradient", 1e-13);
}

BOOST_AUTO_TEST_CASE(indices) {
  constexpr auto f = [](const auto& u, const auto& xs, const auto& group) {
    return scan([&](auto s, auto x, auto k) { return s + exp(u[k] * x[0]); }, 0.0, xs, group);
  };
  const row u = random<row>({3}, 1);
  const matrix xs = random<matrix>({4, 2}, 2);
  const std::vector<int> group{2, 0, 2, 1};
  row expected = xt::zeros<double>({3});
  double sum = 0;
  for (std::size_t t = 0; t < 4; ++t) {
    const auto k = static_cast<std::size_t>(group[t]);
    sum += std::exp(u(k) * xs(t, 0)), expected(k) += xs(t, 0) * std::exp(u(k) * xs(t, 0));
  }
  const auto [value, gradient] = value_and_gradient(f, wrt<0>)(u, xs, group);
  nearly(value, sum, "value", 1e-13);
  for (std::size_t k = 0; k < 3; ++k) nearly(gradient(k), expected(k), "gradient", 1e-13);
}

BOOST_AUTO_TEST_CASE(stops) {
  constexpr auto f = [](const auto& w, const auto& xs, const auto& ys) {
    const auto add = [&](auto s, auto x, auto y) { return s + square(dot(w, x) - stop_gradient(dot(w, y))); };
    return scan(add, 0.0, xs, ys);
  };
  constexpr auto carried = [](const auto& w, const auto& xs) {
    return scan([&](auto s, auto x) { return stop_gradient(s) + dot(w, x); }, 0.0, xs);
  };
  const row w = random<row>({2}, 1);
  const matrix xs = random<matrix>({5, 2}, 2), ys = random<matrix>({5, 2}, 3);
  const auto of_loss = gradient(f, wrt<0>)(w, xs, ys), of_last = gradient(carried, wrt<0>)(w, xs);
  for (std::size_t j = 0; j < 2; ++j) {
    double expected = 0;
    for (std::size_t t = 0; t < 5; ++t) {
      double difference = 0;
      for (std::size_t k = 0; k < 2; ++k) difference += w(k) * (xs(t, k) - ys(t, k));
      expected += 2 * difference * xs(t, j);
    }
    nearly(of_loss(j), expected, "stopped target", 1e-13);
    nearly(of_last(j), xs(4, j), "stopped carry", 1e-13);
  }
}

// A step's gradient as a penalty.
BOOST_AUTO_TEST_CASE(a_verb_in_the_step) {
  constexpr auto f = [](const auto& w, const auto& xs) {
    const auto add = [&](auto s, auto x) {
      return s + sum(square(gradient([](const auto& v, const auto& c) { return sum(exp(v * c)); }, wrt<0>)(x, w)));
    };
    return scan(add, 0.0, xs);
  };
  const auto by_hand = [](const row& w, const matrix& xs) {
    double s = 0;
    for (std::size_t t = 0; t < xs.shape(0); ++t)
      for (std::size_t j = 0; j < w.size(); ++j) s += std::pow(w(j) * std::exp(w(j) * xs(t, j)), 2);
    return s;
  };
  check_against<2>("penalty", f, by_hand, random<row>({2}, 1), random<matrix>({3, 2}, 2));
}

BOOST_AUTO_TEST_CASE(in_a_batch) {
  constexpr auto f = [](const auto& w, const auto& xs) {
    return scan([&](auto s, auto x) { return s + exp(dot(w, x)) * x[1]; }, 0.0, xs);
  };
  const row w = random<row>({2}, 1);
  const cube all = random<cube>({3, 4, 2}, 2);
  const auto [values, gradients] = batched(value_and_gradient(f, wrt<0>))(w, each(all));
  for (std::size_t b = 0; b < 3; ++b) {
    double sum = 0, by[2] = {};
    for (std::size_t t = 0; t < 4; ++t) {
      const double e = std::exp(w(0) * all(b, t, 0) + w(1) * all(b, t, 1));
      sum += e * all(b, t, 1);
      for (std::size_t j = 0; j < 2; ++j) by[j] += e * all(b, t, 1) * all(b, t, j);
    }
    nearly(values(b), sum, "value", 1e-13);
    nearly(gradients(b, 0), by[0], "gradient", 1e-13), nearly(gradients(b, 1), by[1], "gradient", 1e-13);
  }
}

// Extents that NumPy would broadcast are wrong in a loop.
BOOST_AUTO_TEST_CASE(sequences_of_other_lengths) {
  constexpr auto f = [](const auto& xs, const auto& ys) {
    return scan([&](auto s, auto x, auto y) { return s + sum(x) * y; }, 0.0, xs, ys);
  };
  const auto throws = [&](std::size_t n, std::size_t m) {
    const matrix xs = xt::ones<double>({n, std::size_t(2)});
    const row ys = xt::ones<double>({m});
    BOOST_CHECK_THROW(value(f)(xs, ys), std::invalid_argument);
    BOOST_CHECK_THROW(gradient(f)(xs, ys), std::invalid_argument);
  };
  throws(3, 4), throws(4, 3), throws(1, 4), throws(4, 1), throws(0, 1), throws(1, 0);
  // And where the number of the step is wanted beside an element.
  constexpr auto counted = [](const auto& all, auto n) {
    return scan([](auto s, auto i, auto x) { return s + i * x[0]; }, 0.0, steps(n), all);
  };
  const matrix ones = xt::ones<double>({4, 2});
  BOOST_TEST(value(counted)(ones, 4) == 6);
  BOOST_CHECK_THROW(value(counted)(ones, 3), std::invalid_argument);
  // So is a carry that grows.
  constexpr auto grows = [](const auto& h, const auto& xs) {
    return sum(scan([](auto c, auto x) { return c + x; }, h, xs));
  };
  BOOST_CHECK_THROW(value(grows)(row(xt::ones<double>({1})), matrix(xt::ones<double>({3, 2}))), std::invalid_argument);
  BOOST_TEST(value(grows)(row(xt::ones<double>({2})), matrix(xt::ones<double>({3, 1}))) == 8);
}

BOOST_AUTO_TEST_SUITE_END()
