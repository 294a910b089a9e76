// Laws that hold for every formula, on families of formulas and points.
#include "../random_sequence.hpp"
#include "check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

namespace cases {
namespace {

using tapeless::gradient;
using tapeless::hessian;
using tapeless::jvp;
using tapeless::stop_gradient;
using tapeless::tangent;
using tapeless::value_and_gradient;
using tapeless::wrt;
using tapeless_test::random_sequence;

// For long doubles.
using std::cos;
using std::exp;
using std::log;
using std::sqrt;

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr auto frozen = variable<"frozen">;

constexpr std::array<std::array<double, 2>, 4> points{{{1.7, 0.4}, {0.3, -1.2}, {-0.8, 2.5}, {2.1, 3.1}}};

// Formulas outer(x, y, c) whose third argument inner(x, y) is stopped. Both can be evaluated with plain numbers.
struct power {
  static constexpr auto outer = [](auto a, auto b, auto c) { return a * a * c + b; };
  static constexpr auto inner = [](auto a, auto) { return a; };
};
struct growth {
  static constexpr auto outer = [](auto a, auto b, auto c) { return b * exp(a * c); };
  static constexpr auto inner = [](auto a, auto b) { return sin(a * b); };
};
struct quotient {
  static constexpr auto outer = [](auto a, auto b, auto c) { return log(1.0 + a * a) / (c + b * b); };
  static constexpr auto inner = [](auto a, auto b) { return exp(a) + b * b; };
};
struct length {
  static constexpr auto outer = [](auto a, auto b, auto c) { return sqrt(a * a + b * b + c * c); };
  static constexpr auto inner = [](auto a, auto b) { return tanh(a - b); };
};
struct weighted_cube {
  static constexpr auto outer = [](auto a, auto b, auto c) { return c * c * c * a * b - cos(c * b) / (2.0 + a * a); };
  static constexpr auto inner = [](auto a, auto b) { return a * b - 1.0; };
};
using stopped_pairs = std::tuple<power, growth, quotient, length, weighted_cube>;

enum class stops { none, root, inside };

// A random expression of three arguments. Its operations depend on the seed alone, so the three ways of stopping
// compute the same value. All of them are defined everywhere and keep values in range.
template <std::uint32_t seed, stops where_stopped>
struct random_expression {
  template <class T>
  constexpr auto operator()(T a, T b, T c) const {
    constexpr std::size_t size = 15;
    std::array<T, size> nodes = with_indices<size>([&](auto... i) { return std::array{(void(i), a)...}; });
    nodes[1] = b;
    nodes[2] = c;
    random_sequence operations{0x9e37'79b9U * (seed + 1)};
    random_sequence stopped{0x85eb'ca6bU * (seed + 1)};
    for (std::uint32_t i = 3; i < size; ++i) {
      const T first = nodes[operations.below(i)];
      const T second = nodes[operations.below(i)];
      switch (operations.below(10)) {
        case 0: nodes[i] = first + second; break;
        case 1: nodes[i] = first - second; break;
        case 2: nodes[i] = tanh(first) * second; break;
        case 3: nodes[i] = first / (1.0 + second * second); break;
        case 4: nodes[i] = sin(first); break;
        case 5: nodes[i] = exp(tanh(first)); break;
        case 6: nodes[i] = sqrt(1.0 + first * first); break;
        case 7: nodes[i] = max(first, second); break;
        case 8: nodes[i] = abs(first - 0.5 * second); break;
        default: nodes[i] = where(first < second, 1.5 * first, second); break;
      }
      if (where_stopped == stops::inside && stopped.below(3) == 0) nodes[i] = stop_gradient(nodes[i]);
    }
    if (where_stopped == stops::root) nodes[size - 1] = stop_gradient(nodes[size - 1]);
    return nodes[size - 1];
  }
};

// A random expression that is chosen at run time: step i applies operation number operations[i] to two of the last
// three values. Of the steps that stopped[i] names, the value is stopped.
constexpr std::size_t steps = 6;

template <stops where_stopped>
struct chosen_expression {
  template <class T>
  static constexpr T chosen(T choice, const std::array<T, 3>& values) {
    return where(choice == 0.0, values[0], where(choice == 1.0, values[1], values[2]));
  }

  template <class T>
  constexpr T operator()(std::array<T, 3> values, std::array<T, steps> operations, std::array<T, steps> first,
                         std::array<T, steps> second, std::array<T, steps> stopped) const {
    for (std::size_t i = 0; i < steps; ++i) {
      const T a = chosen(first[i], values);
      const T b = chosen(second[i], values);
      const std::array<T, 8> results{a + b,       a - b,  a / (1.0 + b * b), exp(tanh(a)),
                                     tanh(a) * b, sin(a), max(a, b),         abs(a - 0.5 * b)};
      T result = results[0];
      for (std::size_t k = 1; k < results.size(); ++k) {
        result = where(operations[i] == static_cast<double>(k), results[k], result);
      }
      if (where_stopped == stops::inside) result = where(stopped[i] == 1.0, stop_gradient(result), result);
      values = {values[1], values[2], result};
    }
    return where_stopped == stops::root ? stop_gradient(values[2]) : values[2];
  }
};

constexpr std::uint32_t random_expressions = 8;
constexpr int points_per_expression = 160;

template <std::uint32_t seed>
void check_same_values() {
  std::mt19937_64 generator{seed};
  std::uniform_real_distribution<double> coordinate{-3.0, 3.0};
  for (int i = 0; i < points_per_expression; ++i) {
    const double a = coordinate(generator);
    const double b = coordinate(generator);
    const double c = coordinate(generator);
    const auto plain = value_and_gradient(random_expression<seed, stops::none>{})(a, b, c);
    const auto root = value_and_gradient(random_expression<seed, stops::root>{})(a, b, c);
    const auto inside = value_and_gradient(random_expression<seed, stops::inside>{})(a, b, c);
    const auto bits = std::bit_cast<std::uint64_t>(plain.value);
    BOOST_CHECK_EQUAL(std::bit_cast<std::uint64_t>(root.value), bits);
    BOOST_CHECK_EQUAL(std::bit_cast<std::uint64_t>(inside.value), bits);
    std::apply([](auto... partial) { BOOST_CHECK(((static_cast<double>(partial) == 0.0) && ...)); }, root.gradient);
  }
}

BOOST_AUTO_TEST_SUITE(cases_properties)

BOOST_AUTO_TEST_CASE_TEMPLATE(PP02_derivatives_are_those_at_frozen_stops, Pair, stopped_pairs) {
  constexpr auto stopped = Pair::outer(x, y, stop_gradient(Pair::inner(x, y)));
  constexpr auto open = Pair::outer(x, y, frozen);
  for (const auto& [a, b] : points) {
    const double c = Pair::inner(a, b);
    const auto actual = value_and_gradient(stopped, wrt(x, y))(x = a, y = b);
    const auto reference = value_and_gradient(open, wrt(x, y))(x = a, y = b, frozen = c);
    check_agree("value", static_cast<double>(actual.value), static_cast<double>(reference.value));
    check_agree("by x", static_cast<double>(actual.gradient[x]), static_cast<double>(reference.gradient[x]));
    check_agree("by y", static_cast<double>(actual.gradient[y]), static_cast<double>(reference.gradient[y]));

    const auto second = hessian(stopped, wrt(x, y))(x = a, y = b);
    const auto second_reference = hessian(open, wrt(x, y))(x = a, y = b, frozen = c);
    const auto entries = [](const auto& h) {
      return std::array{static_cast<double>(h(x, x)), static_cast<double>(h(x, y)), static_cast<double>(h(y, x)),
                        static_cast<double>(h(y, y))};
    };
    check_agree("Hessian", entries(second), entries(second_reference));
    BOOST_TEST(static_cast<double>(second(x, y)) == static_cast<double>(second(y, x)));

    // The same by central differences of plain numbers, in long double: 1e-4 squared leaves little of a double.
    const auto outer = [c](long double at_x, long double at_y) {
      return Pair::outer(at_x, at_y, static_cast<long double>(c));
    };
    const long double h = 1e-4L;
    const auto close = [](double number, long double difference) {
      BOOST_CHECK_SMALL(number - static_cast<double>(difference),
                        1e-5 * (1.0 + std::abs(static_cast<double>(difference))));
    };
    close(actual.value, outer(a, b));
    close(static_cast<double>(actual.gradient[x]), (outer(a + h, b) - outer(a - h, b)) / (2 * h));
    close(static_cast<double>(actual.gradient[y]), (outer(a, b + h) - outer(a, b - h)) / (2 * h));
    close(entries(second)[0], (outer(a + h, b) - 2 * outer(a, b) + outer(a - h, b)) / (h * h));
    close(entries(second)[3], (outer(a, b + h) - 2 * outer(a, b) + outer(a, b - h)) / (h * h));
    close(entries(second)[1],
          (outer(a + h, b + h) - outer(a + h, b - h) - outer(a - h, b + h) + outer(a - h, b - h)) / (4 * h * h));
  }
}

BOOST_AUTO_TEST_CASE(PP04_a_stopped_tangent_is_zero) {
  constexpr std::tuple stopped{stop_gradient(x * y), stop_gradient(log(x) + y), stop_gradient(y / x),
                               stop_gradient(sqrt(x) * exp(y)), stop_gradient(tanh(x - y))};
  std::mt19937_64 generator{4};
  std::uniform_real_distribution<double> seed{-1e3, 1e3};
  for (const double at : {0.0, -1.0, 0.7}) {  // where some of the stopped values are infinite or NaN
    for (int i = 0; i < 20; ++i) {
      const double by_x = seed(generator);
      const double by_y = seed(generator);
      std::apply(
          [&](auto... e) {
            const auto zero = [&](auto f) {
              return static_cast<double>(jvp(f, tangent(x = by_x, y = by_y))(x = at, y = 0.4)) == 0.0;
            };
            BOOST_CHECK((zero(e) && ...));
            const auto own = [&](auto f) {
              return static_cast<double>(jvp(x + f, tangent(x = by_x, y = by_y))(x = at, y = 0.4)) == by_x;
            };
            BOOST_CHECK((own(e) && ...));
          },
          stopped);
    }
  }
}

template <std::size_t n>
void check_tie_weights() {
  constexpr std::tuple all{variable<"x1">, variable<"x2">, variable<"x3">, variable<"x4">, variable<"x5">};
  with_indices<n>([&](auto... i) {
    const auto largest = gradient(max(std::get<i>(all)...), wrt(std::get<i>(all)...));
    const auto smallest = gradient(min(std::get<i>(all)...), wrt(std::get<i>(all)...));
    // Every choice of the arguments that tie, which covers every order of them.
    for (unsigned tied = 1; tied < 1U << n; ++tied) {
      const double weight = 1.0 / std::popcount(tied);
      const auto is_tied = [&](std::size_t argument) { return (tied >> argument & 1U) != 0; };
      const std::array<double, n> expected{(is_tied(i) ? weight : 0.0)...};
      const auto upper = largest((std::get<i>(all) = is_tied(i) ? 2.5 : -1.0)...);
      const auto lower = smallest((std::get<i>(all) = is_tied(i) ? -2.5 : 1.0)...);
      const std::array<double, n> upper_weights{static_cast<double>(upper[std::get<i>(all)])...};
      const std::array<double, n> lower_weights{static_cast<double>(lower[std::get<i>(all)])...};
      BOOST_TEST(upper_weights == expected, boost::test_tools::per_element());
      BOOST_TEST(lower_weights == expected, boost::test_tools::per_element());
      double sum = 0.0;
      for (double w : upper_weights) sum += w;
      BOOST_TEST(sum == 1.0);
    }
  });
}

BOOST_AUTO_TEST_CASE(PP06_a_tie_is_shared_evenly) {
  check_tie_weights<2>();
  check_tie_weights<3>();
  check_tie_weights<4>();
  check_tie_weights<5>();
  const double total = gradient(max(x, x, x), wrt(x))(x = 1.7)[x];
  BOOST_TEST(total == 1.0);
}

BOOST_AUTO_TEST_CASE(PP07_the_partials_of_a_softmax_sum_to_zero) {
  constexpr std::tuple inputs{variable<"x1">, variable<"x2">, variable<"x3">, variable<"x4">};
  with_indices<4>([&](auto... i) {
    const auto first_row = [&](auto m) {
      const auto of_row = exp(std::get<0>(inputs) - m) / (exp(std::get<i>(inputs) - m) + ...);
      return value_and_gradient(of_row, wrt(std::get<i>(inputs)...));
    };
    const auto with_stop = first_row(stop_gradient(max(std::get<i>(inputs)...)));
    const auto without_stop = first_row(max(std::get<i>(inputs)...));
    for (double scale : {0.5, 700.0, 7e3, 7e4, 7e8}) {
      // Every pattern of ties: each input is -1, 0 or 1 times the scale.
      for (int pattern = 0; pattern < 81; ++pattern) {
        const std::array<double, 4> input{scale * (pattern % 3 - 1), scale * (pattern / 3 % 3 - 1),
                                          scale * (pattern / 9 % 3 - 1), scale * (pattern / 27 - 1)};
        const double largest = std::max({input[i]...});
        const double sum = (std::exp(input[i] - largest) + ...);
        const std::array<double, 4> softmax{std::exp(input[i] - largest) / sum...};
        const auto check_row = [&](const auto& row) {
          const std::array<double, 4> partials{static_cast<double>(row.gradient[std::get<i>(inputs)])...};
          check_agree("softmax", static_cast<double>(row.value), softmax[0]);
          const double sum_of_partials = (partials[i] + ...);
          BOOST_CHECK_SMALL(sum_of_partials, 1e-15);
          const std::array<double, 4> expected{softmax[0] * ((i == 0 ? 1.0 : 0.0) - softmax[i])...};
          for (std::size_t k = 0; k < 4; ++k) BOOST_CHECK_SMALL(partials[k] - expected[k], 1e-15);
        };
        check_row(with_stop((std::get<i>(inputs) = input[i])...));
        check_row(without_stop((std::get<i>(inputs) = input[i])...));
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(PP08_stopping_does_not_change_a_bit_of_the_value) {
  const auto plain = value_and_gradient(chosen_expression<stops::none>{}, wrt<0>);
  const auto root = value_and_gradient(chosen_expression<stops::root>{}, wrt<0>);
  const auto inside = value_and_gradient(chosen_expression<stops::inside>{}, wrt<0>);
  std::mt19937_64 generator{8};
  std::uniform_real_distribution<double> coordinate{-3.0, 3.0};
  const auto below = [&](int limit) {
    std::array<double, steps> numbers;
    for (double& number : numbers) number = std::uniform_int_distribution{0, limit - 1}(generator);
    return numbers;
  };
  for (int i = 0; i < 10000; ++i) {
    const std::array at{coordinate(generator), coordinate(generator), coordinate(generator)};
    const auto operations = below(8);
    const auto first = below(3);
    const auto second = below(3);
    const auto stopped = below(2);
    const auto bits_of = [&](const auto& step) {
      return std::bit_cast<std::uint64_t>(step(at, operations, first, second, stopped).value);
    };
    const auto bits = bits_of(plain);
    BOOST_REQUIRE_EQUAL(bits_of(root), bits);
    BOOST_REQUIRE_EQUAL(bits_of(inside), bits);
    const std::array<double, 3> none = root(at, operations, first, second, stopped).gradient;
    BOOST_REQUIRE((none == std::array{0.0, 0.0, 0.0}));
  }
}

// The same of expressions that compilers know, whose programs are small enough to be rewritten as a whole.
BOOST_AUTO_TEST_CASE(PP08_of_expressions_known_at_compile_time) {
  with_indices<random_expressions>([](auto... seed) { (check_same_values<seed>(), ...); });
}

BOOST_AUTO_TEST_CASE(PP09_a_stop_is_evaluated_anew) {
  const auto f = y * stop_gradient(x);
  BOOST_TEST(f(x = 3.0, y = 4.0) == 12.0);
  BOOST_TEST(f(x = 6.0, y = 7.0) == 42.0);
  const auto step = value_and_gradient(f, wrt(x, y));
  BOOST_TEST(step(x = 3.0, y = 4.0).gradient[y] == 3.0);
  BOOST_TEST(step(x = 6.0, y = 7.0).gradient[y] == 6.0);
  BOOST_TEST(step(x = 6.0, y = 7.0).value == 42.0);
  const auto traced = value_and_gradient([](auto a, auto b) { return b * stop_gradient(a); });
  BOOST_TEST(std::get<1>(traced(3.0, 4.0).gradient) == 3.0);
  BOOST_TEST(std::get<1>(traced(6.0, 7.0).gradient) == 6.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
