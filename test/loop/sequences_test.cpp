#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

// Operations of tensors of rank 1 on sequences: values against the same by hand, derivatives against closed forms and
// differences.
using namespace tapeless;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN(),
                 h = 1e-5;
using numbers = std::vector<double>;

void check(double got, double wanted, double tolerance = 1e-8) {
  BOOST_TEST_INFO(got << " " << wanted);
  BOOST_TEST(std::abs(got - wanted) <= tolerance * (1 + std::abs(wanted)));
}
void check(const numbers& got, const numbers& wanted, double tolerance = 1e-8) {
  BOOST_TEST(got.size() == wanted.size());
  for (std::size_t i = 0; i < got.size() && i < wanted.size(); ++i) check(got[i], wanted[i], tolerance);
}

/// Value, gradient, tangent and product of `f` by two sequences against those of `by_hand`.
template <class F, class ByHand>
void check_derivatives(F f, ByHand by_hand, const numbers& x, const numbers& y) {
  const auto [value, gradient] = value_and_gradient(f)(x, y);
  check(value, by_hand(x, y), 1e-13);
  const auto moved = [](numbers at, std::size_t i, double by) { return at[i] += by, at; };
  numbers by_x, by_y, along_x, along_y;
  for (std::size_t i = 0; i < x.size(); ++i) {
    by_x.push_back((by_hand(moved(x, i, h), y) - by_hand(moved(x, i, -h), y)) / (2 * h));
    along_x.push_back(std::cos(3.0 + static_cast<double>(i)));
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    by_y.push_back((by_hand(x, moved(y, i, h)) - by_hand(x, moved(y, i, -h))) / (2 * h));
    along_y.push_back(std::sin(1.0 + static_cast<double>(i)));
  }
  check(std::get<0>(gradient), by_x);
  check(std::get<1>(gradient), by_y);
  double slope = 0;
  for (std::size_t i = 0; i < x.size(); ++i) slope += by_x[i] * along_x[i];
  for (std::size_t i = 0; i < y.size(); ++i) slope += by_y[i] * along_y[i];
  check(jvp(f, tangent(along_x, along_y))(x, y), slope);
  const auto at = [&](double t) {
    numbers p = x, q = y;
    for (std::size_t i = 0; i < x.size(); ++i) p[i] += t * along_x[i];
    for (std::size_t i = 0; i < y.size(); ++i) q[i] += t * along_y[i];
    return value_and_gradient(f)(p, q).gradient;
  };
  const auto product = hvp(f, tangent(along_x, along_y))(x, y);
  const auto high = at(h), low = at(-h);
  for (std::size_t i = 0; i < x.size(); ++i)
    check(std::get<0>(product)[i], (std::get<0>(high)[i] - std::get<0>(low)[i]) / (2 * h), 1e-7);
  for (std::size_t i = 0; i < y.size(); ++i)
    check(std::get<1>(product)[i], (std::get<1>(high)[i] - std::get<1>(low)[i]) / (2 * h), 1e-7);
}

const numbers xs{1, -2, 0.5, 3, -0.25}, ys{0.3, 0.7, -1.2, 0.4, 2};

template <class Term>
double total(const numbers& x, const numbers& y, const Term& term) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += term(x[i], y[i]);
  return sum;
}

BOOST_AUTO_TEST_CASE(reductions) {
  const auto add = [](double a, double) { return a; };
  check_derivatives([](auto x, auto y) { return sum(x) * mean(y * y) + sum<0>(x * y); },
                    [&](const numbers& x, const numbers& y) {
                      const auto squares = total(y, y, [](double a, double) { return a * a; });
                      return total(x, y, add) * squares / static_cast<double>(y.size()) +
                             total(x, y, [](double a, double b) { return a * b; });
                    },
                    xs, ys);
  check_derivatives([](auto x, auto y) { return prod(x) * norm(y) + logsumexp(x) * logsumexp(2 * y); },
                    [&](const numbers& x, const numbers& y) {
                      double product = 1;
                      for (const double a : x) product *= a;
                      return product * std::sqrt(total(y, y, [](double a, double) { return a * a; })) +
                             std::log(total(x, y, [](double a, double) { return std::exp(a); })) *
                                 std::log(total(y, y, [](double a, double) { return std::exp(2 * a); }));
                    },
                    xs, ys);
  check_derivatives([](auto x, auto y) { return amax(x) * amin(y) * min(x) + square(max(y)) * dot(x, y); },
                    [&](const numbers& x, const numbers& y) {
                      const auto [least, most] = std::minmax_element(x.begin(), x.end());
                      const auto [low, high] = std::minmax_element(y.begin(), y.end());
                      return *most * *low * *least +
                             *high * *high * total(x, y, [](double a, double b) { return a * b; });
                    },
                    xs, ys);
  check_derivatives([](auto x, auto y) { return sum(softmax(x) * y) + dot(log_softmax(y), x) * argmax(y); },
                    [&](const numbers& x, const numbers& y) {
                      const double ex = total(x, x, [](double a, double) { return std::exp(a); }),
                                   ey = total(y, y, [](double a, double) { return std::exp(a); });
                      return total(
                          x, y, [&](double a, double b) { return std::exp(a) / ex * b + 4 * (b - std::log(ey)) * a; });
                    },
                    xs, ys);
}

constexpr auto horner = [](auto p, auto x) { return scan([&](auto c, auto a) { return c * p + a; }, 0.0, x); };
constexpr auto weighted = [](auto p, auto x) { return p * sum(exp(0.3 * x)); };
constexpr auto both = [](auto p, auto x) { return call(horner, p, x) + call(weighted, p * p, x); };

BOOST_AUTO_TEST_CASE(calls_take_sequences) {
  check_derivatives(
      [](auto x, auto y) { return call(horner, y[0], x) + call(weighted, x[1], 2.0 * y) * call(both, y[0], x); },
      [](const numbers& x, const numbers& y) {
        const auto polynomial = [](double p, const numbers& of) {
          double value = 0;
          for (const double a : of) value = value * p + a;
          return value;
        };
        const auto exponentials = [](double factor, const numbers& of) {
          return total(of, of, [=](double a, double) { return std::exp(factor * a); });
        };
        return polynomial(y[0], x) +
               x[1] * exponentials(0.6, y) * (polynomial(y[0], x) + y[0] * y[0] * exponentials(0.3, x));
      },
      xs, ys);
  // Of a sequence of arrays: the derivative of p sum(a b^2) by p, and by a and b.
  constexpr auto of_arrays = [](auto p, auto records) {
    return call(
        [](auto q, auto all) { return scan([&](auto c, auto r) { return c + q * r[0] * square(r[1]); }, 0.0, all); }, p,
        records);
  };
  const std::vector<std::array<double, 2>> records{{2, 3}, {-1, 0.5}};
  const auto [by_p, by_records] = gradient(of_arrays)(4.0, records);
  check(by_p, 17.75);
  check(by_records[0][0], 36), check(by_records[0][1], 48), check(by_records[1][0], 1), check(by_records[1][1], -4);
}

BOOST_AUTO_TEST_CASE(operations_element_by_element) {
  check_derivatives(
      [](auto x, auto y) {
        const auto p = x[1] * y[-1];
        return sum(exp(0.3 * x) * y - x / (2 + p * p) + where(x > y && !(y < 0), sin(x), max(x, y) * p));
      },
      [](const numbers& x, const numbers& y) {
        const double p = x[1] * y.back();
        return total(x, y, [&](double a, double b) {
          return std::exp(0.3 * a) * b - a / (2 + p * p) + (a > b && !(b < 0) ? std::sin(a) : std::max(a, b) * p);
        });
      },
      xs, ys);
  // Of what a scan stacks, in the body of another one, and with what that carries.
  check_derivatives(
      [](auto x, auto y) {
        const auto [last, stacked] = scan([](auto c, auto e) { return std::pair{0.5 * c + e, c * e}; }, 0.1, x);
        const auto all = stacked * y;
        return scan([&](auto c, auto e, auto i) { return sin(c) * e + i * all[2] + mean(all); }, last, all + y, 2 * y);
      },
      [](const numbers& x, const numbers& y) {
        double c = 0.1, mean = 0;
        numbers all;
        for (std::size_t i = 0; i < x.size(); ++i) {
          all.push_back(c * x[i] * y[i]);
          mean += all.back() / static_cast<double>(x.size());
          c = 0.5 * c + x[i];
        }
        for (std::size_t i = 0; i < x.size(); ++i) c = std::sin(c) * (all[i] + y[i]) + 2 * y[i] * all[2] + mean;
        return c;
      },
      xs, ys);
}

BOOST_AUTO_TEST_CASE(other_numbers_and_constant_evaluation) {
  constexpr auto f = [](auto x) { return sum(x * x) + x[0] * amax(x); };
  const std::vector<float> floats{1, 2, 3};
  const auto by_floats = gradient(f)(floats);
  static_assert(std::is_same_v<decltype(by_floats), const std::vector<float>>);
  BOOST_TEST((by_floats == std::vector<float>{5, 4, 7}));
  BOOST_TEST(value(f)(std::vector<int>{1, 2, 3}) == 17);
  const std::array<double, 3> fixed{1, 2, 3};
  BOOST_TEST((gradient(f)(std::span<const double>(fixed)) == numbers{5, 4, 7}));
  static_assert(value([](auto p) {
                  const auto squares =
                      scan([&](auto c, auto i) { return std::pair{c, square(p + i)}; }, p, steps(4)).second;
                  return sum(squares) + squares[-1] * amin(squares);
                })(1.0) == 30 + 16);
  static_assert(gradient([](auto p) {
                  return prod(scan([&](auto c, auto i) { return std::pair{c, p + i}; }, p, steps(3)).second);
                })(1.0) == 11);
}

BOOST_AUTO_TEST_CASE(equal_elements_share) {
  const auto tie = gradient([](auto x) { return amax(x); })(numbers{1, 3, 3, 2, 3});
  check(tie, numbers{0, 1. / 3, 1. / 3, 0, 1. / 3}, 1e-15);
  check(gradient([](auto x) { return amin(x) * 2; })(numbers{1, 1, 3, 2, 3}), numbers{1, 1, 0, 0, 0}, 1e-15);
  check(gradient([](auto x) { return amin(x); })(numbers{inf, inf}), numbers{0.5, 0.5}, 1e-15);
  BOOST_TEST(value([](auto x) { return amax(x); })(numbers{-inf, -inf}) == -inf);
  BOOST_TEST(value([](auto x) { return amax(x); })(numbers{-3, -0.1, -7}) == -0.1);
  for (const numbers& x : {numbers{nan, 1, 2}, numbers{1, nan, 2}, numbers{1, 2, nan}}) {
    BOOST_TEST(std::isnan(value([](auto e) { return amax(e); })(x)));
    BOOST_TEST(std::isnan(value([](auto e) { return amin(e); })(x)));
  }
  BOOST_TEST(value([](auto x) { return argmax(x); })(numbers{1, 3, 3}) == 1);
  check(gradient([](auto x) { return norm(x); })(numbers{0, 0}), numbers{0, 0}, 0);
  BOOST_TEST(value([](auto x) { return logsumexp(x); })(numbers{-inf, 1000, 1000}) == 1000 + std::log(2.0));
}

BOOST_AUTO_TEST_CASE(products_with_zeros) {
  constexpr auto f = [](auto x) { return prod(x); };
  check(gradient(f)(numbers{2, 0, 3}), numbers{0, 6, 0}, 1e-15);
  check(gradient(f)(numbers{2, 0, 0}), numbers{0, 0, 0}, 1e-15);
  // d2/(dx_i dx_j) is the product of the others.
  check(hvp(f, tangent(numbers{1, 0, 0, 0}))(numbers{2, 0, 3, 5}), numbers{0, 15, 0, 0}, 1e-15);
  check(hvp(f, tangent(numbers{0, 1, 0, 0}))(numbers{2, 0, 0, 5}), numbers{0, 0, 10, 0}, 1e-15);
  check(hvp(f, tangent(numbers{0, 1, 0, 0}))(numbers{2, 0, 0, 0}), numbers{0, 0, 0, 0}, 1e-15);
}

BOOST_AUTO_TEST_CASE(no_elements_and_wrong_indices) {
  const numbers none;
  BOOST_TEST(value([](auto x) { return sum(x) + 10 * prod(x); })(none) == 10);
  BOOST_TEST(gradient([](auto x) { return sum(x) + 10 * prod(x); })(none).empty());
  BOOST_TEST(std::isnan(value([](auto x) { return mean(x); })(none)));
  BOOST_CHECK_THROW(value([](auto x) { return amax(x); })(none), std::invalid_argument);
  BOOST_CHECK_THROW(value([](auto x) { return amin(x); })(none), std::invalid_argument);
  BOOST_CHECK_THROW(value([](auto x) { return logsumexp(x); })(none), std::invalid_argument);
  BOOST_CHECK_THROW(gradient([](auto x) { return amax(x); })(none), std::invalid_argument);
  BOOST_CHECK_THROW(value([](auto x) { return x[0]; })(none), std::out_of_range);
  BOOST_CHECK_THROW(value([](auto x) { return x[5]; })(xs), std::out_of_range);
  BOOST_CHECK_THROW(gradient([](auto x) { return x[-6]; })(xs), std::out_of_range);
  BOOST_CHECK_THROW(value([](auto x) { return x[0.5]; })(xs), std::out_of_range);
  BOOST_TEST(value([](auto x) { return x[-5]; })(xs) == 1);
  constexpr auto at = [](auto x, auto i) { return square(x[i]); };
  for (int i = 0; i < 5; ++i) {
    numbers wanted(5, 0.0);
    wanted[static_cast<std::size_t>(i)] = 2 * xs[static_cast<std::size_t>(i)];
    check(gradient(at, wrt<0>)(xs, i), wanted, 1e-15);
  }
  BOOST_CHECK_THROW(value(at)(xs, 5), std::out_of_range);
  // Floats round 2^24 + 1 to 2^24.
  BOOST_CHECK_THROW(value(at)(std::vector<float>(16777218), 16777217), std::out_of_range);
  BOOST_CHECK_THROW(value([](auto x, auto y) { return sum(x * y); })(xs, numbers{1, 2}), std::invalid_argument);
  // Not of a branch that is not taken.
  constexpr auto guarded = [](auto x, auto i) { return cond(i < 3, [&] { return x[i]; }, [&] { return 0 * i; }); };
  BOOST_TEST(value(guarded)(xs, 2) == 0.5);
  BOOST_TEST(value(guarded)(numbers{1}, 7) == 0);
  // NaN and infinity of other elements stay where they are.
  check(gradient([](auto x) { return x[1]; })(numbers{nan, 1, inf}), numbers{0, 1, 0}, 0);
  BOOST_TEST(value([](auto x) { return x[1]; })(numbers{nan, 1, inf}) == 1);
}

BOOST_AUTO_TEST_CASE(jacobians_by_sequences) {
  constexpr auto f = [](auto x, auto p) {
    return std::array{sum(x * x) * p, x[0] * x[-1], p * p, scan([&](auto c, auto e) { return c * p + e; }, p, x)};
  };
  const auto j = jacobian(f, wrt<0>)(numbers{1, 2, 3}, 2.0);
  static_assert(std::is_same_v<decltype(j), const std::array<numbers, 4>>);
  check(j[0], numbers{4, 8, 12}, 1e-15);
  check(j[1], numbers{3, 0, 1}, 1e-15);
  check(j[2], numbers{0, 0, 0}, 1e-15);
  check(j[3], numbers{4, 2, 1}, 1e-15);
  // ((p^2 + 1) p + 2) p + 3 by p.
  const auto [values, all] = value_and_jacobian(f)(numbers{1, 2, 3}, 2.0);
  const double by_p[] = {14, 0, 4, 38}, wanted[] = {28, 3, 4, 27};
  for (std::size_t i = 0; i < 4; ++i) {
    check(values[i], wanted[i], 1e-15);
    check(std::get<0>(all[i]), j[i], 0);
    check(std::get<1>(all[i]), by_p[i], 1e-15);
  }
  const auto row = jacobian([](auto x) { return amax(x) * x[1]; })(std::vector<float>{5, 7, 2});
  static_assert(std::is_same_v<decltype(row), const std::array<std::vector<float>, 1>>);
  BOOST_TEST((row[0] == std::vector<float>{0, 14, 0}));
  // Of arrays, and of none.
  constexpr auto of_records = [](auto pairs) {
    const auto last =
        scan([](auto c, auto e) { return std::array{c[0] + e[0] * e[1], c[1] * e[1]}; }, std::array{0.0, 1.0}, pairs);
    return std::array{last[0], last[1], last[0] * last[1]};
  };
  const auto pairs = jacobian(of_records)(std::vector<std::array<double, 2>>{{1, 2}, {3, 4}});
  BOOST_TEST((pairs[0] == std::vector<std::array<double, 2>>{{2, 1}, {4, 3}}));
  BOOST_TEST((pairs[1] == std::vector<std::array<double, 2>>{{0, 4}, {0, 2}}));
  BOOST_TEST((pairs[2] == std::vector<std::array<double, 2>>{{16, 64}, {32, 52}}));
  BOOST_TEST(jacobian(of_records)(std::vector<std::array<double, 2>>{})[2].empty());
}

}  // namespace
