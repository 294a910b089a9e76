#include "../allocations.hpp"
#include "../counted_exp.hpp"
#include "../random_body.hpp"

#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <span>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Loops of run-time length: values against the same loops by hand, derivatives against differences of those, closed
// forms, and unrolled functions.
using namespace tapeless;

using tapeless_test::CountedExp;
using tapeless_test::exponentials;

namespace {

template <class T>
struct pendulum {
  BOOST_HANA_DEFINE_STRUCT(pendulum, (T, angle), (T, speed));
};

constexpr double p = 0.3, q = 0.7, h = 1e-5;
const std::vector<double> xs{1, 2, 0.5, -0.3};

void check(double got, double wanted, double tolerance = 1e-8) {
  BOOST_TEST_INFO(got << " " << wanted);
  BOOST_TEST(std::abs(got - wanted) <= tolerance * (1 + std::abs(wanted)));
}

/// Value, gradient and Hessian of `f` by its first two arguments against those of `by_hand`.
template <class F, class ByHand, class... Rest>
void check_derivatives(F f, ByHand by_hand, const Rest&... rest) {
  const auto [value, gradient] = value_and_gradient(f, wrt<0, 1>)(p, q, rest...);
  check(value, by_hand(p, q), 1e-14);
  check(std::get<0>(gradient), (by_hand(p + h, q) - by_hand(p - h, q)) / (2 * h));
  check(std::get<1>(gradient), (by_hand(p, q + h) - by_hand(p, q - h)) / (2 * h));
  const auto at = [&](double a, double b) { return value_and_gradient(f, wrt<0, 1>)(a, b, rest...).gradient; };
  const auto hessian = tapeless::hessian(f, wrt<0, 1>)(p, q, rest...);
  check(hessian[0][0], (std::get<0>(at(p + h, q)) - std::get<0>(at(p - h, q))) / (2 * h));
  check(hessian[0][1], (std::get<0>(at(p, q + h)) - std::get<0>(at(p, q - h))) / (2 * h));
  check(hessian[1][1], (std::get<1>(at(p, q + h)) - std::get<1>(at(p, q - h))) / (2 * h));
}

constexpr auto power = [](auto a, auto n) { return scan([&](auto c, auto) { return c * a; }, a, steps(n)); };
static_assert(gradient(power, wrt<0>)(2.0, 5) == 6 * 32.0);
static_assert(hessian(power, wrt<0>)(2.0, 5)[0][0] == 30 * 16.0);
static_assert(gradient(power, wrt<0>)(2.0, 0) == 1.0);
// The compiler may count how often it runs a body, as long as no value depends on it.
static_assert(value([](auto a) {
                int runs = 0;
                return scan([&](auto c, auto i) { return ++runs, c + a * i; }, 0.0, steps(4));
              })(2.0) == 12.0);
static_assert(gradient([](auto a) { return scan([&](auto c, auto i) { return c + a * i; }, 0.0, steps(10)); })(2.0) ==
              45.0);

constexpr auto recursion = [](auto a, auto b, auto sequence) {
  return scan([&](auto c, auto x) { return sin(c * a) + x * b * exp(a); }, b, sequence);
};

BOOST_AUTO_TEST_CASE(sequences_are_vectors_and_spans) {
  const auto by_hand = [](double a, double b) {
    double c = b;
    for (const double x : xs) c = std::sin(c * a) + x * b * std::exp(a);
    return c;
  };
  check_derivatives(recursion, by_hand, xs);
  check(gradient(recursion, wrt<0>)(p, q, std::span(xs)), gradient(recursion, wrt<0>)(p, q, xs), 0);
  const std::vector<float> floats(xs.begin(), xs.end());
  check(gradient(recursion, wrt<0>)(p, q, floats), gradient(recursion, wrt<0>)(p, q, xs), 1e-6);
}

BOOST_AUTO_TEST_CASE(tangents_and_adjoints_agree) {
  const auto [by_a, by_b] = gradient(recursion, wrt<0, 1>)(p, q, xs);
  constexpr auto counted = [](auto a, auto b) {
    return scan([&](auto c, auto i) { return sin(c * a) + i * b; }, b, steps(3));
  };
  check(jvp(counted, tangent(1.0, 0.5))(p, q),
        std::get<0>(gradient(counted)(p, q)) + 0.5 * std::get<1>(gradient(counted)(p, q)), 1e-14);
  const auto product = hvp(counted, tangent(1.0, 0.5))(p, q);
  const auto rows = hessian(counted)(p, q);
  check(std::get<0>(product), rows[0][0] + 0.5 * rows[0][1], 1e-14);
  check(std::get<1>(product), rows[1][0] + 0.5 * rows[1][1], 1e-14);
  const auto pulled = vjp(recursion, wrt<0, 1>, cotangent(2.0))(p, q, xs);
  check(std::get<0>(pulled), 2 * by_a, 1e-14);
  check(std::get<1>(pulled), 2 * by_b, 1e-14);
  const auto columns = jacobian(
      [](auto a, auto b, auto n) {
        return scan([&](auto c, auto) { return std::array{c[1] * a, c[0] + b}; }, std::array{a, b}, steps(n));
      },
      wrt<0, 1>)(p, q, 3);
  // (a, b) -> (a b, a + b) -> (a (a + b), a b + b) -> (a (a b + b), a (a + b) + b)
  check(columns[0][0], 2 * p * q + q, 1e-14);
  check(columns[0][1], p * p + p, 1e-14);
  check(columns[1][0], 2 * p + q, 1e-14);
  check(columns[1][1], p + 1, 1e-14);
}

BOOST_AUTO_TEST_CASE(a_carry_may_be_a_pair) {
  // (a, b) -> (a + b, 2 b + x), from (p, q): after x = 1 and x = 2 (p + 3 q + 1, 4 q + 4).
  const std::vector<double> sequence{1, 2};
  constexpr auto product = [](auto u, auto v, auto all) {
    const auto next = [](auto c, auto x) { return std::pair(c.first + c.second, 2 * c.second + x); };
    const auto [a, b] = scan(next, std::pair(u, v), all);
    return a * b;
  };
  const auto [value, gradient] = value_and_gradient(product, wrt<0, 1>)(0.5, 2.0, sequence);
  check(value, 7.5 * 12, 1e-15);
  check(std::get<0>(gradient), 12, 1e-15);
  check(std::get<1>(gradient), 3 * 12 + 4 * 7.5, 1e-15);
  // The same with what is stacked beside it: the first of each carry.
  constexpr auto stacked = [](auto u, auto v, auto all) {
    const auto next = [](auto c, auto x) {
      return std::pair(std::pair(c.first + c.second, 2 * c.second + x), c.first);
    };
    return sum(scan(next, std::pair(u, v), all).second);
  };
  check(value_and_gradient(stacked, wrt<0>)(0.5, 2.0, sequence).value, 0.5 + 2.5, 1e-15);
}

BOOST_AUTO_TEST_CASE(what_is_stacked_is_a_sequence) {
  constexpr auto f = [](auto a, auto b, auto sequence) {
    const auto [last, ys] =
        scan([&](auto c, auto x) { return std::pair{sin(c * a) + x, std::tuple(c * x + b, c)}; }, b, sequence);
    return last * scan(
                      [&](auto s, auto y, auto x) {
                        const auto [first, second] = y;
                        return s + first * first * x * a + second;
                      },
                      0.0, ys, sequence);
  };
  const auto by_hand = [](double a, double b) {
    double c = b, s = 0;
    for (const double x : xs) {
      const double first = c * x + b;
      s += first * first * x * a + c;
      c = std::sin(c * a) + x;
    }
    return s * c;
  };
  check_derivatives(f, by_hand, xs);
}

BOOST_AUTO_TEST_CASE(sequences_of_structures_are_taken_apart) {
  constexpr auto f = [](auto a, auto b, auto sequence) {
    const auto next = [&](auto c, auto x) {
      return std::pair{sin(c * a) + x, std::tuple(c * x, complex{c, x}, std::pair(b, std::array{x, c}))};
    };
    const auto& [products, turned, nested] = scan(next, b, sequence).second;
    const auto [same, arrays] = nested;
    const auto [steps, carries] = arrays;
    return sum(products) + dot(real(turned), imag(turned)) + sum(same * steps) + norm(carries);
  };
  const auto by_hand = [](double a, double b) {
    double c = b, s = 0, squares = 0;
    for (const double x : xs) {
      s += 2 * c * x + b * x, squares += c * c;
      c = std::sin(c * a) + x;
    }
    return s + std::sqrt(squares);
  };
  check_derivatives(f, by_hand, xs);

  constexpr auto of_records = [](auto all) {
    const auto [angles, speeds] = all;
    return dot(angles, square(speeds));
  };
  const auto by_records = gradient(of_records)(std::vector<pendulum<double>>{{1, 0.5}, {3, 0.25}});
  check(by_records[1].angle, 0.0625), check(by_records[0].speed, 1);
}

BOOST_AUTO_TEST_CASE(loops_nest) {
  constexpr auto f = [](auto a, auto b, auto n) {
    return scan(
        [&](auto c, auto i) {
          return a * scan([&](auto d, auto j) { return cos(d * a) + 0.1 * i * c + 0.01 * j * b; }, c, steps(n));
        },
        b, steps(n));
  };
  for (const int n : {0, 1, 3, 6})
    check_derivatives(
        f,
        [n](double a, double b) {
          double c = b;
          for (int i = 0; i < n; ++i) {
            double d = c;
            for (int j = 0; j < n; ++j) d = std::cos(d * a) + 0.1 * i * c + 0.01 * j * b;
            c = a * d;
          }
          return c;
        },
        n);
}

BOOST_AUTO_TEST_CASE(a_carry_is_a_struct_and_a_verb_stands_in_the_body) {
  constexpr auto f = [](auto a, auto b, auto start, auto n) {
    const auto last = scan(
        [&](auto s, auto) {
          const auto force =
              gradient([](auto angle, auto strength) { return strength * cos(angle); }, wrt<0>)(s.angle, a);
          auto next = s;
          next.angle = s.angle + 0.1 * s.speed;
          next.speed = s.speed + 0.1 * force;
          return next;
        },
        start, steps(n));
    return last.angle * last.speed + b;
  };
  const auto by_hand = [](double a, double b) {
    double angle = 0.2, speed = 0.5;
    for (int i = 0; i < 9; ++i) {
      const double force = -a * std::sin(angle);
      angle += 0.1 * speed;
      speed += 0.1 * force;
    }
    return angle * speed + b;
  };
  check_derivatives(f, by_hand, pendulum<double>{0.2, 0.5}, 9);
  const std::vector<pendulum<double>> records{{1, 0.2}, {3, 0.4}};
  check(
      gradient([](auto a,
                  auto all) { return scan([&](auto s, auto r) { return s + a * r.angle * sin(r.speed); }, 0.0, all); },
               wrt<0>)(p, records),
      std::sin(0.2) + 3 * std::sin(0.4), 1e-15);
}

template <class F>
std::vector<double> value_and_hessian_of(F f) {
  const auto [value, gradient] = value_and_gradient(f)(0.4, 0.2);
  const auto hessian = tapeless::hessian(f)(0.4, 0.2);
  return {value, std::get<0>(gradient), std::get<1>(gradient), hessian[0][0], hessian[0][1], hessian[1][1]};
}

constexpr auto part = [](auto x, auto y) { return std::array{sin(x) * y, x * exp(y)}; };
constexpr auto chain = [](auto with) {
  return [](auto a, auto b) {
    constexpr decltype(with) step{};
    auto s = step(a, b);
    for (int i = 0; i < 4; ++i) s = step(s[0], s[1] * 0.3);
    return s[0] + s[1] * a;
  };
};
constexpr auto calling = [](auto x, auto y) { return call(part, x, y); };

BOOST_AUTO_TEST_CASE(a_called_function_has_the_derivatives_of_its_code) {
  const auto called = value_and_hessian_of(chain(calling)), inlined = value_and_hessian_of(chain(part));
  for (std::size_t i = 0; i < called.size(); ++i) check(called[i], inlined[i], 1e-13);
}

BOOST_AUTO_TEST_CASE(branches_not_taken_leak_nothing) {
  constexpr auto f = [](auto a, auto sequence) {
    const auto risky = scan([&](auto c, auto x) { return c + sqrt(a * x); }, 0.0, sequence);
    const auto inside = scan([&](auto c, auto x) { return c + where(x > 0, a * sqrt(x), 3 * a); }, 0.0, sequence);
    return where(a > 0, inside, risky);
  };
  check(gradient(f, wrt<0>)(p, xs), 1 + std::sqrt(2.0) + std::sqrt(0.5) + 3, 1e-14);
  constexpr auto flag = [](auto a, auto sequence) {
    const auto [value, done] = scan(
        [&](auto c, auto x) {
          const auto [v, ended] = c;
          return std::tuple(where(ended > 0, v, v + a * x), where(v > 0.8, 1, ended));
        },
        std::tuple(0.0, 0.0), sequence);
    return value + 0 * done;
  };
  check(gradient(flag, wrt<0>)(p, xs), 1 + 2 + 0.5, 1e-14);
}

template <class Memory>
constexpr auto keeping = [](auto a, auto b, auto sequence) {
  const auto c =
      scan<Memory>([&](auto s, auto x) { return std::array{sin(s[0] * a) + x * b * s[1], s[1] * cos(s[0])}; },
                   std::array{b, a}, sequence);
  return c[0] * c[1];
};

BOOST_AUTO_TEST_CASE(checkpoints_change_no_derivative) {
  for (const int n : {0, 1, 2, 3, 57}) {
    std::vector<double> sequence;
    for (int i = 0; i < n; ++i) sequence.push_back(0.1 * i - 2);
    const auto stored = value_and_gradient(keeping<store_all>, wrt<0, 1>)(p, q, sequence);
    const auto again = value_and_gradient(keeping<checkpoints<3>>, wrt<0, 1>)(p, q, sequence);
    check(again.value, stored.value, 0);
    check(std::get<0>(again.gradient), std::get<0>(stored.gradient), 0);
    check(std::get<1>(again.gradient), std::get<1>(stored.gradient), 0);
    const auto rows = hessian(keeping<store_all>, wrt<0, 1>)(p, q, sequence);
    const auto rows_again = hessian(keeping<checkpoints<3>>, wrt<0, 1>)(p, q, sequence);
    check(rows_again[0][0], rows[0][0], 0);
    check(rows_again[0][1], rows[0][1], 0);
    check(rows_again[1][1], rows[1][1], 0);
  }
}

template <unsigned Seed, class Memory>
constexpr auto random_loop = [](auto a, auto sequence) {
  const auto c = scan<Memory>(
      [&](const auto& carry, auto x) { return tapeless_test::random_body<Seed>{}(carry, decltype(a)(x), a); },
      std::array<decltype(a), 2>{a, 0.25}, sequence);
  return c[0] + c[1] * a;
};

/// The derivatives of a random loop by complex steps: by the parameter, then by each element.
template <unsigned Seed>
std::vector<double> gradient_by_hand(double a, const std::vector<double>& sequence) {
  using namespace tapeless_test;
  std::vector<complex_number> numbers(sequence.begin(), sequence.end());
  const auto by = [&](complex_number& moved) {
    moved += complex_number(0, complex_step);
    const double result = loop_by_hand(random_body<Seed>{}, a, numbers).imag() / complex_step;
    moved = moved.real();
    return result;
  };
  std::vector<double> result{loop_by_hand(random_body<Seed>{}, {a, complex_step}, numbers).imag() / complex_step};
  for (auto& each : numbers) result.push_back(by(each));
  return result;
}

template <class Memory, unsigned Seed>
void check_by_sequence(const std::vector<double>& sequence) {
  constexpr auto f = random_loop<Seed, Memory>;
  const std::size_t n = sequence.size();
  const auto wanted = gradient_by_hand<Seed>(p, sequence);
  const auto [value, gradient] = value_and_gradient(f)(p, sequence);
  check(value, tapeless_test::loop_by_hand(tapeless_test::random_body<Seed>{}, p, sequence).real(), 1e-13);
  BOOST_REQUIRE(std::get<1>(gradient).size() == n);
  check(std::get<0>(gradient), wanted[0], 1e-12);
  for (std::size_t i = 0; i < n; ++i) check(std::get<1>(gradient)[i], wanted[i + 1], 1e-12);
  const auto pulled = vjp(f, wrt<1>, cotangent(-2.0))(p, sequence);
  for (std::size_t i = 0; i < n; ++i) check(pulled[i], -2 * wanted[i + 1], 1e-12);
  std::vector<double> along(n);
  double sum = 0.5 * wanted[0];
  for (std::size_t i = 0; i < n; ++i)
    along[i] = std::sin(1.0 + 3.0 * static_cast<double>(i)), sum += along[i] * wanted[i + 1];
  check(jvp(f, tangent(0.5, along))(p, sequence), sum, 1e-12);
  const auto moved = [&](double by) {
    auto result = sequence;
    for (std::size_t i = 0; i < n; ++i) result[i] += by * along[i];
    return gradient_by_hand<Seed>(p + 0.5 * by, result);
  };
  const auto up = moved(h), down = moved(-h);
  const auto product = hvp(f, tangent(0.5, along))(p, sequence);
  check(std::get<0>(product), (up[0] - down[0]) / (2 * h));
  BOOST_REQUIRE(std::get<1>(product).size() == n);
  for (std::size_t i = 0; i < n; ++i) check(std::get<1>(product)[i], (up[i + 1] - down[i + 1]) / (2 * h));
}

BOOST_AUTO_TEST_CASE(derivatives_by_a_sequence_are_sequences) {
  [&]<unsigned... Seed>(std::integer_sequence<unsigned, Seed...>) {
    for (const std::size_t n : {0u, 1u, 2u, 9u}) {
      std::vector<double> sequence;
      for (std::size_t i = 0; i < n; ++i) sequence.push_back(std::cos(2.0 * static_cast<double>(i)));
      (check_by_sequence<store_all, Seed>(sequence), ...);
      check_by_sequence<checkpoints<2>, 1>(sequence);
    }
  }(std::make_integer_sequence<unsigned, 3>{});
  // What no loop reads, or only where it is not chosen, has derivatives of zero.
  constexpr auto unread = [](auto a, auto one, auto other) {
    const auto total = [&](auto sequence) { return scan([&](auto c, auto x) { return c + sqrt(x); }, a, sequence); };
    return where(a > 0, total(one), total(other));
  };
  const auto g = gradient(unread, wrt<1, 2>)(p, std::vector<double>{4, 9}, std::vector<double>{0, -1, 1});
  BOOST_TEST((std::get<0>(g) == std::vector<double>{0.25, 1.0 / 6}));
  BOOST_TEST((std::get<1>(g) == std::vector<double>{0, 0, 0}));
  BOOST_TEST((gradient([](auto a, auto) { return a * a; }, wrt<1>)(p, std::vector<double>{1, 2}) ==
              std::vector<double>{0, 0}));
  // A sequence that two loops read: the sum.
  constexpr auto twice = [](auto a, auto sequence) {
    const auto product = scan([&](auto c, auto x) { return c * x; }, a, sequence);
    return product + scan([&](auto c, auto x) { return c + x * x; }, 0.0, sequence);
  };
  BOOST_TEST((gradient(twice, wrt<1>)(1.0, std::vector<double>{2, 3}) == std::vector<double>{3 + 4, 2 + 6}));
  // Records, and the argument where the result is.
  std::vector<pendulum<double>> records{{1, 0.2}, {3, 0.4}};
  constexpr auto over_records = [](auto all) {
    return scan([&](auto s, auto r) { return s + r.angle * sin(r.speed); }, 0.0, all);
  };
  const auto by_records = gradient(over_records)(records);
  check(by_records[1].angle, std::sin(0.4), 1e-15);
  check(by_records[1].speed, 3 * std::cos(0.4), 1e-15);
  gradient(over_records)(into(records), records);
  BOOST_TEST(records[0].speed == by_records[0].speed);
  BOOST_TEST(records.size() == 2u);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto after = gradient(recursion, wrt<2>)(p, q, std::vector<double>{1, nan, 2});
  BOOST_TEST(std::isnan(after[0]));
  check(after[2], q * std::exp(p), 1e-15);
  BOOST_CHECK_THROW(jvp(recursion, wrt<2>, tangent(std::vector<double>{1}))(p, q, xs), std::invalid_argument);
}

/// Steps of a loop of `n` steps and of its way back, with `Count` checkpoints; -1 where a state is not the right one.
template <int Count>
long count_steps(int n) {
  scalar::checkpoint_stack<int, Count> stack;
  long steps = 0;
  int state = 0;
  stack.begin(static_cast<std::size_t>(n), 0);
  for (int i = 0; i < n; ++i, ++steps, ++state) stack.visit(static_cast<std::size_t>(i), state);
  for (int i = n - 1; i >= 0; --i)
    if (stack.state_before(static_cast<std::size_t>(i), [&](int& at, std::size_t) { ++at, ++steps; }) != i) return -1;
  return steps;
}

BOOST_AUTO_TEST_CASE(no_schedule_runs_fewer_steps) {
  // least[c][n]: the fewest steps to visit n states from the last to the first, the first of them there, with room for
  // c.
  constexpr int most = 200;
  std::vector<std::vector<long>> least(11, std::vector<long>(most + 1));
  for (int n = 1; n <= most; ++n) least[0][static_cast<std::size_t>(n)] = n * (n - 1) / 2;
  for (std::size_t c = 1; c <= 10; ++c)
    for (std::size_t n = 2; n <= most; ++n) {
      least[c][n] = least[0][n];
      for (std::size_t m = 1; m < n; ++m)
        least[c][n] = std::min(least[c][n], static_cast<long>(m) + least[c - 1][n - m] + least[c][m]);
    }
  bool optimal = true;
  [&]<int... C>(std::integer_sequence<int, C...>) {
    // One step more leads to the result.
    for (int n = 1; n <= most; ++n)
      ((optimal = optimal &&
                  count_steps<C + 1>(n) == least[static_cast<std::size_t>(C + 1)][static_cast<std::size_t>(n)] + 1),
       ...);
  }(std::make_integer_sequence<int, 10>{});
  BOOST_TEST(optimal);
}

// Checkpoints are used up in constant evaluation too, once by a gradient and twice by a Hessian. All numbers are exact.
constexpr auto twentieth_power = [](auto a) {
  return scan<checkpoints<3>>([&](auto c, auto) { return a * c; }, 1.0, steps(20));
};
static_assert(gradient(twentieth_power)(0.5) == 20.0 / (1 << 19));
static_assert(hessian(twentieth_power)(0.5)[0][0] == 380.0 / (1 << 18));

// What is stored of a step: carries that the way back reads, and nothing else.
using values = std::vector<double>;
constexpr auto two_carries = [](auto a, auto sequence) {
  const auto c = scan([&](auto s, auto x) { return std::array{sin(s[0] * a) + x, cos(s[1] * a) + s[0]}; },
                      std::array{a, a}, sequence);
  return c[0] * c[1];
};
static_assert(memory<double, values>(gradient(two_carries, wrt<0>)).step == 2 * sizeof(double));
// Of more nodes than clang takes in one expression.
constexpr auto long_before = [](auto a, auto sequence) {
  auto s = a;
  for (int i = 0; i < 80; ++i) s = sin(s * a) + i;
  return scan([&](auto c, auto x) { return c * s + x; }, a, sequence);
};
static_assert(memory<double, values>(gradient(long_before, wrt<0>)).step == sizeof(double));
constexpr auto one_stopped = [](auto a, auto sequence) {
  const auto c = scan([&](auto s, auto x) { return std::array{stop_gradient(sin(s[0]) + x), cos(s[1] * a) + s[0]}; },
                      std::array<decltype(a), 2>{0.5, a}, sequence);
  return c[0] * c[1];
};
static_assert(memory<double, values>(gradient(one_stopped, wrt<0>)).step == sizeof(double));
constexpr auto parameter_stopped = [](auto a, auto b, auto sequence) {
  return scan([&](auto c, auto x) { return c * 0.5 + x * sin(stop_gradient(a)) * c; }, b, sequence);
};
static_assert(memory<double, double, values>(gradient(parameter_stopped, wrt<1>)).step == 0);
// That by the stopped parameter is the constant 0, which needs no place.
static_assert(memory<double, double, values>(gradient(parameter_stopped, wrt<0, 1>)).frame ==
              memory<double, double, values>(gradient(parameter_stopped, wrt<1>)).frame);
// A stopped carry that is added, and one that is a factor.
constexpr auto stopped_term = [](auto a, auto sequence) {
  return scan([&](auto s, auto x) { return std::array{s[0] * a + s[1], stop_gradient(s[1] * a + x)}; },
              std::array{a, a}, sequence)[0];
};
constexpr auto stopped_factor = [](auto a, auto sequence) {
  return scan([&](auto s, auto x) { return std::array{s[0] * a * s[1], stop_gradient(s[1] * a + x)}; },
              std::array{a, a}, sequence)[0];
};
static_assert(memory<double, values>(gradient(stopped_term, wrt<0>)).step == sizeof(double));
static_assert(memory<double, values>(gradient(stopped_factor, wrt<0>)).step == 2 * sizeof(double));
// Stops where the loop begins, and in what it emits.
constexpr auto stopped_entrance = [](auto a, auto sequence) {
  return scan([&](auto s, auto x) { return s * a + x; }, stop_gradient(a), sequence);
};
constexpr auto stopped_emission = [](auto a, auto sequence) {
  const auto [last, all] = scan(
      [&](auto s, auto x) {
        const auto next = s * a + x;
        return std::pair(next, stop_gradient(next));
      },
      a, sequence);
  return last + sum(all);
};
static_assert(memory<double, values>(gradient(stopped_entrance, wrt<0>)).step == sizeof(double));
static_assert(memory<double, values>(gradient(stopped_emission, wrt<0>)).step == sizeof(double));
// And what of a step's values is expensive, and needed again: the cosine of the first carry.
static_assert(memory<double, double, values>(gradient(keeping<store_all>, wrt<0>)).step == 3 * sizeof(double));
static_assert(memory<double, double, values>(gradient(keeping<checkpoints<3>>, wrt<0>)).step == 0);

// What is written as `b` is `a` behind the stop: c is the stopped carry, and s and its derivatives by a follow by hand.
BOOST_AUTO_TEST_CASE(derivatives_beside_a_stopped_carry) {
  double s[] = {p, 1, 0}, t[] = {p, 1, 0}, e[] = {p, 0, 0}, m[] = {p, 1, 0}, c = p, sum = 0;
  const auto step = [](double(&y)[3], double factor, double by_a, double added) {
    const double next[] = {y[0] * factor + added, y[1] * factor + y[0] * by_a, y[2] * factor + 2 * y[1] * by_a};
    std::copy(next, next + 3, y);
  };
  // The first carry depends on a where the loop begins, and nowhere else.
  double first = p, by_a = 1;
  for (const double x : xs) {
    step(s, p, 1, first);
    s[1] += by_a;
    const double factor = p * c;
    const double next[] = {t[0] * factor, t[1] * factor + t[0] * (c + p * by_a),
                           t[2] * factor + 2 * t[1] * (c + p * by_a) + 2 * t[0] * by_a};
    std::copy(next, next + 3, t);
    c = first = c * p + x, by_a = 0;
    step(e, p, 1, x), step(m, p, 1, x);
    sum += m[0];
  }
  const auto check_all = [](auto f, const double(&wanted)[3], double more = 0) {
    check(value(f)(p, xs), wanted[0] + more, 1e-14);
    check(gradient(f, wrt<0>)(p, xs), wanted[1], 1e-14);
    check(jvp(f, wrt<0>, tangent(1.0))(p, xs), wanted[1], 1e-14);
    check(hessian(f, wrt<0>)(p, xs)[0][0], wanted[2], 1e-14);
  };
  check_all(stopped_term, s);
  check_all(stopped_factor, t);
  check_all(stopped_entrance, e);
  check_all(stopped_emission, m, sum);
}

// A loop over arrays is what is written out.
constexpr auto over_arrays = [](auto a, auto weights, auto points) {
  const auto [last, all] = scan(
      [&](auto c, auto w, const auto& point) {
        const auto next = c * point[0] + w * point[1];
        return std::pair(next, next * a);
      },
      a, weights, points);
  return last + scan([](auto total, auto each) { return total + each * each; }, 0, all);
};
constexpr auto written_out = [](auto a, auto w, auto all) {
  const auto one = a * all[0][0] + w[0] * all[0][1], two = one * all[1][0] + w[1] * all[1][1];
  return two + one * a * (one * a) + two * a * (two * a);
};
constexpr std::array two_weights{1.0, 2.0};
constexpr std::array two_points{std::array{3.0, 0.5}, std::array{0.25, 4.0}};
static_assert(value(over_arrays)(2.0, two_weights, two_points) == value(written_out)(2.0, two_weights, two_points));
static_assert(gradient(over_arrays)(2.0, two_weights, two_points) ==
              gradient(written_out)(2.0, two_weights, two_points));
static_assert(hessian(over_arrays, wrt<0>)(2.0, two_weights, two_points)[0][0] ==
              hessian(written_out, wrt<0>)(2.0, two_weights, two_points)[0][0]);
static_assert(value([](auto a) {
                return scan([](auto c, auto x) { return c * x; }, a, std::array<double, 0>{});
              })(3.0) == 3.0);

// Truncated backpropagation through time: a recurrent state behind a stop, and a loss that sums up.
constexpr auto truncated = [](auto a, auto sequence) {
  const auto c = scan(
      [&](auto s, auto x) {
        const auto state = tanh(stop_gradient(s[0]) * a + x);
        return std::array{state, s[1] + state * state};
      },
      std::array{a, 0 * a}, sequence);
  return c[1];
};
static_assert(memory<double, values>(gradient(truncated, wrt<0>)).step == 0);

template <class Memory>
constexpr auto counting = [](auto a, auto sequence) {
  return scan<Memory>([&](auto c, auto x) { return apply<CountedExp>(-(c * a)) + x; }, a, sequence);
};
static_assert(memory<double, values>(gradient(counting<store_all>, wrt<0>)).step == 2 * sizeof(double));
static_assert(memory<double, values>(gradient(counting<checkpoints<2>>, wrt<0>)).step == 0);
static_assert(memory<double, values>(value(counting<store_all>)).step == 0);

BOOST_AUTO_TEST_CASE(expensive_values_are_computed_once_a_step) {
  const auto count = [](const auto& verb) {
    exponentials = 0;
    static_cast<void>(verb(p, xs));
    return exponentials;
  };
  const int n = static_cast<int>(xs.size());
  BOOST_TEST(count(value(counting<store_all>)) == n);
  BOOST_TEST(count(gradient(counting<store_all>, wrt<0>)) == n);
  BOOST_TEST(count(value_and_gradient(counting<store_all>, wrt<0, 1>)) == n);
  // The loop of tangents has the carries beside them.
  BOOST_TEST(count(hessian(counting<store_all>, wrt<0>)) == 2 * n);
  // All four carries are there; the way back computes the rest of each step once more.
  BOOST_TEST(count(gradient(counting<checkpoints<2>>, wrt<0>)) == 2 * n);
  const double slope = gradient(counting<store_all>, wrt<0>)(p, xs);
  check(slope, gradient(counting<checkpoints<2>>, wrt<0>)(p, xs), 1e-15);
  check(slope, (value(counting<store_all>)(p + h, xs) - value(counting<store_all>)(p - h, xs)) / (2 * h));
  check(
      hessian(counting<store_all>, wrt<0>)(p, xs)[0][0],
      (gradient(counting<store_all>, wrt<0>)(p + h, xs) - gradient(counting<store_all>, wrt<0>)(p - h, xs)) / (2 * h));
}

// A sigmoid's derivative is not that of what it is computed from, whose abs has none at 0.
BOOST_AUTO_TEST_CASE(kept_values_change_no_derivative) {
  constexpr auto gated = [](auto a, auto sequence) {
    return scan([&](auto c, auto x) { return sigmoid(c * a) * x + tanh(x) / (1 + c * c); }, 0.0, sequence);
  };
  for (const double a : {0.0, 0.4, -40.0, 700.0}) {
    const double slope = gradient(gated, wrt<0>)(a, xs);
    const double again = gradient(
        [](auto w, auto sequence) {
          return scan<checkpoints<2>>([&](auto c, auto x) { return sigmoid(c * w) * x + tanh(x) / (1 + c * c); }, 0.0,
                                      sequence);
        },
        wrt<0>)(a, xs);
    check(slope, again, 1e-14);
    check(hessian(gated, wrt<0>)(a, xs)[0][0],
          (gradient(gated, wrt<0>)(a + h, xs) - gradient(gated, wrt<0>)(a - h, xs)) / (2 * h), 1e-7);
  }
}

// Nine cells that look alike are computed side by side where numbers are; in constant evaluation one after another, by
// other functions.
constexpr std::size_t cells = 9;
using cell_row = std::array<double, cells>;
constexpr auto network = [](auto weights, auto n) {
  using T = std::remove_cvref_t<decltype(weights[0][0])>;
  std::array<std::array<T, cells>, 2> start{};
  for (auto& row : start) row.fill(T(0.1));
  const auto last = scan(
      [&](const auto& carry, auto i) {
        auto [hidden, cell] = carry;
        for (std::size_t k = 0; k < cells; ++k) {
          const T gate = sigmoid(weights[0][k] * hidden[k] + i), in = tanh(weights[1][k] * hidden[(k + 1) % cells]);
          cell[k] = gate * cell[k] + (1 - gate) * in / (2 + abs(weights[2][k]));
        }
        for (std::size_t k = 0; k < cells; ++k)
          hidden[k] = where(cell[k] < weights[3][k], tanh(cell[k]), exp(-cell[k]));
        return std::array{hidden, cell};
      },
      start, steps(n));
  T total = 0.0;
  for (std::size_t k = 0; k < cells; ++k) total += last[0][k] * last[1][k];
  return total;
};
constexpr auto network_weights = [] {
  std::array<cell_row, 4> rows{};
  double next = 0.3;
  for (auto& row : rows)
    for (double& weight : row) next = 3.9 * next * (1 - next), weight = 2 * next - 0.9;
  return rows;
}();

BOOST_AUTO_TEST_CASE(cells_side_by_side_are_those_one_by_one) {
  constexpr auto exact = value_and_gradient(network, wrt<0>)(network_weights, 3);
  const auto got = value_and_gradient(network, wrt<0>)(network_weights, 3);
  check(got.value, exact.value, 1e-15);
  for (std::size_t j = 0; j < 4; ++j)
    for (std::size_t k = 0; k < cells; ++k) check(got.gradient[j][k], exact.gradient[j][k], 1e-15);
}

constexpr auto wave = [](auto a, auto sequence) {
  return scan([&](auto c, auto x) { return sin(c * a) + x; }, a, sequence);
};
// A verb inside a function takes its sequence on: by a number, by the sequence, and two deep.
constexpr auto squared_slope = [](auto a, auto sequence) {
  const auto slope = gradient(wave, wrt<0>)(a, sequence);
  return slope * slope + a;
};
constexpr auto weighted_slopes = [](auto a, auto sequence) {
  return scan([&](auto c, auto x, auto slope) { return c + x * slope * a; }, 0.0, sequence,
              gradient(wave, wrt<1>)(a, sequence));
};
constexpr auto slope_of_slope = [](auto a, auto sequence) {
  return gradient([](auto b, auto inner) { return gradient(wave, wrt<0>)(b, inner) * b; }, wrt<0>)(a, sequence);
};

BOOST_AUTO_TEST_CASE(a_verb_inside_takes_a_sequence) {
  const auto check_slopes = [](auto f, double wanted) {
    check(value(f)(p, xs), wanted, 1e-7);
    check(gradient(f, wrt<0>)(p, xs), (value(f)(p + h, xs) - value(f)(p - h, xs)) / (2 * h));
    const auto by_sequence = gradient(f, wrt<1>)(p, xs);
    for (std::size_t i = 0; i < xs.size(); ++i) {
      auto up = xs, down = xs;
      up[i] += h, down[i] -= h;
      check(by_sequence[i], (value(f)(p, up) - value(f)(p, down)) / (2 * h));
    }
  };
  const auto at = [](double a) {
    double c = a;
    for (const double x : xs) c = std::sin(c * a) + x;
    return c;
  };
  const double slope = (at(p + h) - at(p - h)) / (2 * h), curvature = (at(p + h) - 2 * at(p) + at(p - h)) / (h * h);
  check_slopes(squared_slope, slope * slope + p);
  check_slopes(slope_of_slope, slope + p * curvature);
  double sum = 0;
  const auto by_sequence = gradient(wave, wrt<1>)(p, xs);
  for (std::size_t i = 0; i < xs.size(); ++i) sum += xs[i] * by_sequence[i] * p;
  check_slopes(weighted_slopes, sum);
}

// The same with a sequence of structs, whose integers have no derivative.
template <class T>
struct sample {
  BOOST_HANA_DEFINE_STRUCT(sample, (double, time), (T, seen));
};
constexpr auto errors = [](auto a, auto samples) {
  const auto add = [&](auto c, auto s) {
    const auto& [time, seen] = s;
    return 0.9 * c + square(a * time - seen) * exp(0.1 * a * time);
  };
  return scan(add, 1.0, samples);
};
constexpr auto slope_and_curvature = [](auto a, auto samples) {
  return square(gradient(errors, wrt<0>)(a, samples)) + hvp(errors, wrt<0>, tangent(2.0))(a, samples);
};
constexpr auto along_the_gradient = [](auto a, auto samples) {
  const auto by_samples = gradient(errors, wrt<1>)(a, samples);
  const auto add = [](auto c, auto s) {
    const auto& [time, seen] = s;
    return c + time * seen;
  };
  return scan(add, jvp(errors, wrt<1>, tangent(by_samples))(a, samples),
              hvp(errors, wrt<1>, tangent(by_samples))(a, samples));
};

template <class T>
double errors_by_hand(double a, const std::vector<sample<T>>& samples) {
  double c = 1;
  for (const auto& [time, seen] : samples)
    c = 0.9 * c + (a * time - seen) * (a * time - seen) * std::exp(0.1 * a * time);
  return c;
}
/// Its derivatives by the samples, by differences.
std::vector<sample<double>> errors_by_samples(double a, const std::vector<sample<double>>& samples) {
  std::vector<sample<double>> result;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto at = [&](double by_time, double by_seen) {
      auto moved = samples;
      moved[i].time += by_time, moved[i].seen += by_seen;
      return errors_by_hand(a, moved);
    };
    result.push_back({(at(h, 0) - at(-h, 0)) / (2 * h), (at(0, h) - at(0, -h)) / (2 * h)});
  }
  return result;
}

BOOST_AUTO_TEST_CASE(a_verb_inside_takes_a_sequence_of_structs) {
  const std::vector<sample<double>> samples{{1, 2}, {3, -1}, {0.5, 2}};
  const std::vector<sample<int>> counted{{1, 2}, {3, -1}, {0.5, 2}};
  const auto at = [&](double a) { return errors_by_hand(a, samples); };
  const double wide = 1e-4;
  const double slope = (at(p + h) - at(p - h)) / (2 * h),
               curvature = (at(p + wide) - 2 * at(p) + at(p - wide)) / (wide * wide);
  check(value(slope_and_curvature)(p, samples), slope * slope + 2 * curvature, 1e-6);
  check(value(slope_and_curvature)(p, counted), value(slope_and_curvature)(p, samples), 1e-15);

  const auto by_samples = errors_by_samples(p, samples);
  double wanted = 0;
  auto up = samples, down = samples;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto& [by_time, by_seen] = by_samples[i];
    wanted += by_time * by_time + by_seen * by_seen;
    up[i].time += wide * by_time, up[i].seen += wide * by_seen;
    down[i].time -= wide * by_time, down[i].seen -= wide * by_seen;
  }
  const auto high = errors_by_samples(p, up), low = errors_by_samples(p, down);
  for (std::size_t i = 0; i < samples.size(); ++i)
    wanted += (high[i].time - low[i].time) * (high[i].seen - low[i].seen) / (4 * wide * wide);
  check(value(along_the_gradient)(p, samples), wanted, 1e-6);
  const auto f = [&](double a) { return value(along_the_gradient)(a, samples); };
  check(gradient(along_the_gradient, wrt<0>)(p, samples), (f(p + h) - f(p - h)) / (2 * h), 1e-6);
}

template <class F>
std::size_t allocations_of(const F& f) {
  const std::size_t before = tapeless_test::allocations;
  f();
  return tapeless_test::allocations - before;
}

BOOST_AUTO_TEST_CASE(the_next_call_allocates_nothing) {
  const auto step = value_and_gradient(keeping<store_all>, wrt<0, 1>);
  const std::vector<double> once(50, 0.1), twice(100, 0.1);
  auto result = step(p, q, xs);
  release_loop_memory();
  BOOST_TEST(allocations_of([&] { step(into(result), p, q, once); }) == 1u);
  BOOST_TEST(allocations_of([&] { step(into(result), p, q, once); }) == 0u);
  BOOST_TEST(allocations_of([&] { result = step(p, q, xs); }) == 0u);
  const auto small = result;
  BOOST_TEST(allocations_of([&] { step(into(result), p, q, twice); }) == 1u);
  BOOST_TEST(allocations_of([&] { step(into(result), p, q, once); }) == 0u);
  step(into(result), p, q, xs);
  BOOST_TEST(result.value == small.value);
  BOOST_TEST(std::get<1>(result.gradient) == std::get<1>(small.gradient));
  const auto again = value_and_gradient(keeping<checkpoints<3>>, wrt<0, 1>);
  release_loop_memory();
  BOOST_TEST(allocations_of([&] { static_cast<void>(again(p, q, once)); }) == 0u);
  // A throw gives the memory back too.
  constexpr auto two = [](auto a, auto one, auto other) {
    return scan([&](auto c, auto y) { return c * y * a; },
                scan([&](auto c, auto x) { return sin(c * x * a); }, 1.0, one), other) +
           scan([&](auto c, auto x, auto y) { return c + a * x * y; }, 0.0, one, other);
  };
  static_cast<void>(gradient(two, wrt<0>)(p, once, once));
  BOOST_CHECK_THROW(gradient(two, wrt<0>)(p, once, xs), std::invalid_argument);
  BOOST_TEST(allocations_of([&] { static_cast<void>(gradient(two, wrt<0>)(p, once, once)); }) == 0u);
}

BOOST_AUTO_TEST_CASE(a_stopped_carry_truncates) {
  double state = p, wanted = 0;
  for (const double x : xs) {
    const double next = std::tanh(state * p + x);
    wanted += 2 * next * (1 - next * next) * state;
    state = next;
  }
  check(gradient(truncated, wrt<0>)(p, xs), wanted, 1e-14);
}

BOOST_AUTO_TEST_CASE(bad_input) {
  constexpr auto two = [](auto a, auto one, auto other) {
    return scan([&](auto c, auto x, auto y) { return c + a * x * y; }, 0.0, one, other);
  };
  BOOST_CHECK_THROW(gradient(two, wrt<0>)(p, xs, std::vector<double>{1}), std::invalid_argument);
  BOOST_CHECK_THROW(gradient(power, wrt<0>)(p, -1), std::invalid_argument);
  BOOST_CHECK_THROW(gradient(power, wrt<0>)(p, 2.5), std::invalid_argument);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_THROW(gradient(power, wrt<0>)(p, nan), std::invalid_argument);
  BOOST_TEST(std::isnan(gradient(recursion, wrt<0>)(p, q, std::vector<double>{1, nan, 2})));
  check(gradient(recursion, wrt<1>)(p, q, std::vector<double>{}), 1, 0);
}

BOOST_AUTO_TEST_CASE(plain_numbers_are_refused) {
  const auto halved = [](auto x) { return x / 2; };
  BOOST_CHECK_THROW(static_cast<void>(scan([](auto c, auto) { return c / 2; }, p, steps(3))), std::invalid_argument);
  BOOST_CHECK_THROW(static_cast<void>(while_loop([](auto c) { return c > 1; }, halved, p, 3)), std::invalid_argument);
  BOOST_CHECK_THROW(static_cast<void>(fixed_point([](auto x, auto y) { return x * y; }, p, q)), std::invalid_argument);
  BOOST_CHECK_THROW(static_cast<void>(odeint([](auto, auto y) { return -y; }, p, 0.0, 1.0, 3)), std::invalid_argument);
}

}  // namespace
