// What functions of elements may contain: loops, branches, calls, small systems of equations. The values are closed
// forms; a block has elements that take different branches and numbers of steps.
#include "../message_of.hpp"

#include <tapeless/assemble.hpp>
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace tapeless;

namespace {

/// Value and derivatives of one element's function of two numbers.
struct term {
  double value, by_a, by_b, by_aa, by_ab, by_bb;
};

/// Eleven elements, more than are computed together, between entries of a vector of six; one has an entry twice.
const std::vector<double> x{1.5, 2.25, 1.75, 3, 2.5, 1.25};
const std::vector<std::array<int, 2>> pairs{{0, 1}, {1, 0}, {2, 3}, {3, 1}, {4, 2}, {5, 5},
                                            {0, 4}, {4, 3}, {2, 0}, {1, 5}, {3, 2}};

/// Compares the verbs of the sum of `f` with the sums of what `by_hand(a, b, data)` gives for each element.
template <class F, class ByHand>
void check(F f, ByHand by_hand) {
  std::vector<double> data;
  for (std::size_t e = 0; e < pairs.size(); ++e) data.push_back(0.5 + 0.25 * static_cast<double>(e));
  double value = 0, g[6] = {}, h[6][6] = {};
  std::vector<std::array<double, 3>> rows;
  for (std::size_t e = 0; e < pairs.size(); ++e) {
    const auto i = static_cast<std::size_t>(pairs[e][0]), j = static_cast<std::size_t>(pairs[e][1]);
    const term t = by_hand(x[i], x[j], data[e]);
    value += t.value;
    g[i] += t.by_a, g[j] += t.by_b;
    h[i][i] += t.by_aa, h[i][j] += t.by_ab, h[j][i] += t.by_ab, h[j][j] += t.by_bb;
    rows.push_back({t.value, t.by_a, t.by_b});
  }
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b)); };
  const auto first = assemble(value_and_gradient(f))(x, pairs, data);
  const auto second = assemble(hessian(f))(x, pairs, data);
  const auto each = assemble(jacobian(f))(x, pairs, data);
  BOOST_TEST(near(first.value, value));
  BOOST_TEST(near(second.value, value));
  for (std::size_t i = 0; i < 6; ++i) {
    BOOST_TEST(near(first.gradient[i], g[i]));
    BOOST_TEST(near(second.gradient[i], g[i]));
    for (std::size_t j = 0; j < 6; ++j) BOOST_TEST(near(second.hessian(i, j), h[i][j]));
  }
  for (std::size_t e = 0; e < pairs.size(); ++e) {
    const auto i = static_cast<std::size_t>(pairs[e][0]), j = static_cast<std::size_t>(pairs[e][1]);
    BOOST_TEST(near(each.value[e], rows[e][0]));
    BOOST_TEST(near(each.jacobian(e, i), i == j ? rows[e][1] + rows[e][2] : rows[e][1]));
    BOOST_TEST(near(each.jacobian(e, j), i == j ? rows[e][1] + rows[e][2] : rows[e][2]));
  }
}
constexpr auto product = [](auto a, auto b) { return a * a * exp(b); };
constexpr auto matrix = [](auto a, auto b) {
  using T = decltype(a * b);
  return std::array<std::array<T, 3>, 3>{std::array<T, 3>{a, T(0), T(1)}, std::array<T, 3>{T(0), b, T(0)},
                                         std::array<T, 3>{T(1), T(0), T(2)}};
};

}  // namespace

BOOST_AUTO_TEST_CASE(scans) {
  check([](auto a, auto b, auto w) { return w * scan([&](auto c, auto) { return c * a; }, b, steps(3)); },
        [](double a, double b, double w) {
          return term{w * a * a * a * b, w * 3 * a * a * b, w * a * a * a, w * 6 * a * b, w * 3 * a * a, 0};
        });
}

// Horner's scheme over the coefficients among the element's data: b a^2 + c a + d.
BOOST_AUTO_TEST_CASE(scans_over_arrays_of_data) {
  std::vector<std::array<double, 2>> coefficients;
  for (std::size_t e = 0; e < pairs.size(); ++e) coefficients.push_back({0.5 * static_cast<double>(e), -1.25});
  constexpr auto f = [](auto a, auto b, const auto& all) {
    return scan([&](auto s, auto c) { return s * a + c; }, b, all);
  };
  const auto r = assemble(hessian(f))(x, pairs, coefficients);
  double value = 0, g[6] = {}, h[6][6] = {};
  for (std::size_t e = 0; e < pairs.size(); ++e) {
    const auto i = static_cast<std::size_t>(pairs[e][0]), j = static_cast<std::size_t>(pairs[e][1]);
    const double a = x[i], b = x[j], c = coefficients[e][0];
    value += b * a * a + c * a - 1.25;
    g[i] += 2 * a * b + c, g[j] += a * a;
    h[i][i] += 2 * b, h[i][j] += 2 * a, h[j][i] += 2 * a;
  }
  // All numbers are exact.
  BOOST_TEST(r.value == value);
  for (std::size_t i = 0; i < 6; ++i) {
    BOOST_TEST(r.gradient[i] == g[i]);
    for (std::size_t j = 0; j < 6; ++j) BOOST_TEST(r.hessian(i, j) == h[i][j]);
  }
}

// Halves until below 1: each element with its own number of steps, a / 2^n.
BOOST_AUTO_TEST_CASE(loops_that_end_by_values) {
  check(
      [](auto a, auto b, auto w) {
        return b * square(while_loop([](auto c) { return c >= 1.0; }, [](auto c) { return c / 2; }, a * w, 20));
      },
      [](double a, double b, double w) {
        double factor = w;
        while (a * factor >= 1) factor /= 2;
        const double s = factor * factor;
        return term{b * s * a * a, 2 * b * s * a, s * a * a, 2 * b * s, 2 * s * a, 0};
      });
}

// As many steps as the element's data say.
BOOST_AUTO_TEST_CASE(loops_as_long_as_data_say) {
  check([](auto a, auto b, auto w) { return scan([&](auto c, auto) { return c * a; }, b, steps(floor(4 * w))); },
        [](double a, double b, double w) {
          const double n = std::floor(4 * w), p = std::pow(a, n);
          return term{p * b, n * p / a * b, p, n * (n - 1) * p / (a * a) * b, n * p / a, 0};
        });
}

// A number of steps that is none is found while elements are computed: the result is as it was.
BOOST_AUTO_TEST_CASE(a_loop_is_refused) {
  constexpr auto repeated = [](auto a, auto n) {
    return scan([&](auto s, auto i) { return s * a + i; }, 1.0, steps(n));
  };
  const std::vector<double> vector{0.5, 2.0, 3.0};
  const auto refused = [&](const auto& verb, const std::vector<int>& elements) {
    return tapeless_test::message_of<std::invalid_argument>(
        [&] { verb(elements, std::vector<int>(elements.size(), -1)); });
  };
  const auto check = [&](const auto& verb, const auto& same) {
    const std::vector<int> elements{0, 1}, others{2, 1, 0};
    auto r = verb(vector, elements, std::vector{2, 3});
    const auto before = r;
    const auto again = [&](const std::vector<int>& of, const std::vector<int>& n) { verb(into(r), vector, of, n); };
    for (const std::vector<int>& of : {elements, others}) {
      BOOST_TEST(refused(again, of) == "tapeless: the number of steps of a loop must be a nonnegative integer, not -1");
      same(r, before);
    }
    // One step from 1: a + 0.
    again({0, 2}, {1, 1});
    same(r, verb(vector, std::vector{0, 2}, std::vector{1, 1}));
    if constexpr (requires { r.gradient; })
      BOOST_TEST((r.value == 3.5 && r.gradient[0] == 1 && r.gradient[1] == 0 && r.gradient[2] == 1));
  };
  check(assemble(value_and_gradient(repeated)),
        [](const auto& r, const auto& s) { BOOST_TEST((r.value == s.value && r.gradient == s.gradient)); });
  check(assemble(hessian(repeated)), [](const auto& r, const auto& s) {
    BOOST_TEST((r.value == s.value && r.gradient == s.gradient && r.hessian.values == s.hessian.values &&
                r.hessian.row_begin == s.hessian.row_begin && r.hessian.columns == s.hessian.columns));
  });
  check(assemble(jacobian(repeated)), [](const auto& r, const auto& s) {
    BOOST_TEST((r.value == s.value && r.jacobian.values == s.jacobian.values &&
                r.jacobian.row_begin == s.jacobian.row_begin && r.jacobian.columns == s.jacobian.columns));
  });
}

// A rope takes no compression.
BOOST_AUTO_TEST_CASE(branches) {
  check(
      [](auto a, auto b, auto w) {
        return cond(b - a > 0.5, [&] { return w * square(b - a - 0.5) / 2; }, [&] { return log(a) * 0.25; });
      },
      [](double a, double b, double w) {
        const double d = b - a - 0.5;
        return d > 0 ? term{w * d * d / 2, -w * d, w * d, w, -w, w}
                     : term{std::log(a) / 4, 0.25 / a, 0, -0.25 / (a * a), 0, 0};
      });
}

BOOST_AUTO_TEST_CASE(functions_compiled_once) {
  check([](auto a, auto b, auto w) { return w * call(product, a, b) + call(product, b, a); },
        [](double a, double b, double w) {
          const double p = w * std::exp(b), q = std::exp(a);
          return term{p * a * a + q * b * b, 2 * p * a + q * b * b, p * a * a + 2 * q * b,
                      2 * p + q * b * b,     2 * p * a + 2 * q * b, p * a * a + 2 * q};
        });
}

// The energy f'K^-1 f / 2 of a spring with an inner degree of freedom, eliminated.
BOOST_AUTO_TEST_CASE(systems_of_two) {
  check(
      [](auto a, auto b, auto w) {
        using T = decltype(a * b);
        const std::array<std::array<T, 2>, 2> k{std::array<T, 2>{a, T(1)}, std::array<T, 2>{T(1), b}};
        return w * solve(k, std::array{1.0, 0.0})[0];
      },
      [](double a, double b, double w) {
        const double d = a * b - 1, cube = d * d * d;
        return term{w * b / d,
                    -w * b * b / (d * d),
                    -w / (d * d),
                    2 * w * b * b * b / cube,
                    w * (2 * b * a * b - 2 * b * d) / cube,
                    2 * w * a / cube};
      });
}

BOOST_AUTO_TEST_CASE(systems_of_three) {
  const auto by_hand = [](double a, double b, double w) {
    const double d = 2 * a - 1;
    return term{w * (2 / d + 1 / b), -4 * w / (d * d), -w / (b * b), 16 * w / (d * d * d), 0, 2 * w / (b * b * b)};
  };
  check(
      [](auto a, auto b, auto w) {
        const auto y = solve(matrix(a, b), std::array{1.0, 1.0, 0.0});
        return w * (y[0] + y[1]);
      },
      by_hand);
  check(
      [](auto a, auto b, auto w) {
        const auto y = solve<positive_definite>(matrix(a, b), std::array{1.0, 1.0, 0.0});
        return w * (y[0] + y[1]);
      },
      by_hand);
}
