// Loops that add up make several steps at a time: against sums in long double, for numbers of steps that fill lanes and
// that do not.
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace {

using namespace tapeless;
using types = std::tuple<float, double>;
constexpr std::size_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 64, 100};

/// Numbers between 0 and 2.
template <class T>
std::vector<T> numbers(std::size_t n, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<T> all(n);
  for (T& each : all) each = std::uniform_real_distribution<T>(0, 2)(generator);
  return all;
}
template <class T>
void check(T got, long double expected) {
  BOOST_TEST_INFO(got << " " << expected);
  BOOST_TEST(std::abs(got - expected) <= 300 * std::numeric_limits<T>::epsilon() * (1 + std::abs(expected)));
}

#ifdef TAPELESS_HAS_PACKS
// Each lane has a sum of its own: 1e20 and -1e20 meet in one, and the 1 of another is not lost.
BOOST_AUTO_TEST_CASE(lanes_are_in_use) {
  std::vector<double> x(32, 0.0);
  x[0] = 1e20, x[1] = 1, x[16] = -1e20;
  BOOST_TEST(value([](auto xs) { return scan([](auto sum, auto xi) { return sum + xi; }, 0.0, xs); })(x) == 1);
}
#endif

// Smooth functions of elements side by side.
constexpr auto decay = [](auto p, auto ts, auto ys) {
  return scan([&](auto sum, auto t, auto y) { return sum + square(p[0] * exp(-p[1] * t) + p[2] - y); }, p[2], ts, ys);
};
BOOST_AUTO_TEST_CASE_TEMPLATE(values_and_gradients, T, types) {
  const std::array<T, 3> p{T(1.5), T(0.7), T(0.1)};
  for (const std::size_t n : lengths) {
    const auto t = numbers<T>(n, 1), y = numbers<T>(n, 2);
    long double sum = p[2], by_0 = 0, by_1 = 0, by_2 = 1;
    for (std::size_t i = 0; i < n; ++i) {
      const long double e = std::exp(-static_cast<long double>(p[1]) * t[i]), r = p[0] * e + p[2] - y[i];
      sum += r * r, by_0 += 2 * r * e, by_1 -= 2 * r * p[0] * t[i] * e, by_2 += 2 * r;
    }
    const auto [value, gradient] = value_and_gradient(decay, wrt<0>)(p, t, y);
    check(value, sum), check(gradient[0], by_0), check(gradient[1], by_1), check(gradient[2], by_2);
  }
}

// What steps emit beside the sums: derivatives by elements, in the order of the steps and against it.
BOOST_AUTO_TEST_CASE_TEMPLATE(derivatives_by_elements, T, types) {
  for (const std::size_t n : lengths) {
    const auto t = numbers<T>(n, 3), y = numbers<T>(n, 4);
    const auto [by_t, by_y] = gradient(
        [](auto ts, auto ys) {
          return scan([](auto sum, auto a, auto b) { return sum + log1p(a) * sqrt(b + 1) + b / (a + 1); }, 0.0, ts, ys);
        },
        wrt<0, 1>)(t, y);
    BOOST_REQUIRE(by_t.size() == n && by_y.size() == n);
    for (std::size_t i = 0; i < n; ++i) {
      const long double a = t[i], b = y[i];
      check(by_t[i], std::sqrt(b + 1) / (1 + a) - b / ((a + 1) * (a + 1)));
      check(by_y[i], std::log1p(a) / (2 * std::sqrt(b + 1)) + 1 / (a + 1));
    }
  }
}
// A way back that needs the whole sum first, and so goes from the last step to the first.
BOOST_AUTO_TEST_CASE_TEMPLATE(backward, T, types) {
  for (const std::size_t n : lengths) {
    const auto x = numbers<T>(n, 10);
    long double sum = 0, by_p = 0;
    for (const T xi : x) sum += std::exp(-0.5L * xi) * xi, by_p -= std::exp(-0.5L * xi) * xi * xi;
    const auto [value, gradient] = value_and_gradient(
        [](auto p, auto xs) { return square(scan([&](auto s, auto xi) { return s + exp(-p * xi) * xi; }, 0.0, xs)); },
        wrt<0, 1>)(T(0.5), x);
    check(value, sum * sum), check(get<0>(gradient), 2 * sum * by_p);
    for (std::size_t i = 0; i < n; ++i)
      check(get<1>(gradient)[i], 2 * sum * std::exp(-0.5L * x[i]) * (1 - 0.5L * x[i]));
  }
}
// Operations of sequences, whose way back goes from the last element to the first.
BOOST_AUTO_TEST_CASE_TEMPLATE(sequences, T, types) {
  for (const std::size_t n : lengths) {
    const auto x = numbers<T>(n, 11);
    const auto [value, gradient] = value_and_gradient(
        [](auto p, auto xs) { return scan([](auto c, auto y) { return 0.5 * c + y; }, 0.0, exp(p * xs) + xs); },
        wrt<0, 1>)(T(0.5), x);
    long double sum = 0, by_p = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const long double e = std::exp(0.5L * x[i]),
                        weight = std::ldexp(1.0L, static_cast<int>(i + 1) - static_cast<int>(n));
      sum += weight * (e + x[i]), by_p += weight * e * x[i];
      check(get<1>(gradient)[i], weight * (0.5L * e + 1));
    }
    check(value, sum), check(get<0>(gradient), by_p);
  }
}
BOOST_AUTO_TEST_CASE_TEMPLATE(emitted_steps, T, types) {
  for (const std::size_t n : lengths) {
    const auto x = numbers<T>(n, 5);
    const auto filtered = value([](auto xs) {
      const auto [sum, ys] =
          scan([](auto s, auto xi) { return std::pair{s + xi, std::array{xi * xi, 1 / (xi + 1)}}; }, 0.0, xs);
      return sum + scan([](auto c, auto y) { return 0.5 * c * y[1] + y[0]; }, 1.0, ys);
    })(x);
    long double sum = 0, state = 1;
    for (const T xi : x) sum += xi, state = 0.5L * state / (1.0L + xi) + static_cast<long double>(xi) * xi;
    check(filtered, sum + state);
  }
}

// Elements of structs, which stand apart in memory.
BOOST_AUTO_TEST_CASE(elements_apart) {
  for (const std::size_t n : lengths) {
    const auto x = numbers<double>(3 * n, 6);
    std::vector<std::array<double, 3>> points(n);
    long double sum = 0, by_center = 0;
    for (std::size_t i = 0; i < n; ++i) {
      points[i] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
      sum += (points[i][0] - 0.5L) * points[i][1] / (1 + points[i][2]),
          by_center -= points[i][1] / (1.0L + points[i][2]);
    }
    const auto [value, gradient] = value_and_gradient(
        [](auto center, auto all) {
          return scan([&](auto so_far, auto at) { return so_far + (at[0] - center) * at[1] / (1 + at[2]); }, 0.0, all);
        },
        wrt<0>)(0.5, points);
    check(value, sum), check(gradient, by_center);
  }
}

// One element that counts, at each place: conditions that hold in a single lane, and what they keep out.
BOOST_AUTO_TEST_CASE(one_element_that_counts) {
  constexpr auto loss = [](auto scale, auto xs) {
    return scan([&](auto sum, auto x) { return sum + where(x > 0, log(scale * x), 0.0) - max(x, 0.0); }, 0.0, xs);
  };
  for (const std::size_t n : lengths)
    for (std::size_t place = 0; place < n; ++place) {
      std::vector<double> x(n, -1.0);
      x[place] = 3;
      const auto [value, gradient] = value_and_gradient(loss, wrt<0, 1>)(2.0, x);
      check(value, std::log(6.0L) - 3), check(get<0>(gradient), 0.5L);
      for (std::size_t i = 0; i < n; ++i) check(get<1>(gradient)[i], i == place ? 1 / 3.0L - 1 : 0);
    }
  // None: the derivative of log(scale x) by the scale, infinite for a scale of 0, does not count.
  for (const std::size_t n : lengths) {
    const auto [value, gradient] = value_and_gradient(loss, wrt<0>)(0.0, std::vector<double>(n, -1.0));
    BOOST_TEST(value == 0);
    BOOST_TEST(gradient == 0);
  }
}
// A carry that steps set to a constant.
BOOST_AUTO_TEST_CASE(flags) {
  constexpr auto has_large = [](auto first, auto xs) {
    return scan([](auto found, auto x) { return where(x > 1, 7.0, found); }, first, xs);
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t n : lengths) {
    BOOST_TEST(value(has_large)(2.5, std::vector<double>(n, 0.0)) == 2.5);
    BOOST_TEST(std::isnan(value(has_large)(nan, std::vector<double>(n, 0.0))));
    for (std::size_t place = 0; place < n; ++place) {
      std::vector<double> x(n, 0.0);
      x[place] = 2;
      for (const double first : {2.5, nan, 7.0}) BOOST_TEST(value(has_large)(first, x) == 7);
    }
  }
}

BOOST_AUTO_TEST_CASE(special_values) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  constexpr auto sum = [](auto first, auto xs) { return scan([](auto s, auto x) { return s + x; }, first, xs); };
  constexpr auto minus = [](auto first, auto xs) { return scan([](auto s, auto x) { return s - x; }, first, xs); };
  for (const std::size_t n : lengths) {
    // The zeros that lanes begin with are not seen.
    BOOST_TEST(std::signbit(value(sum)(-0.0, std::vector<double>(n, -0.0))));
    BOOST_TEST(!std::signbit(value(sum)(0.0, std::vector<double>(n, -0.0))));
    BOOST_TEST(value(minus)(1e6, std::vector<double>(n, 3.0)) == 1e6 - 3.0 * static_cast<double>(n));
    for (std::size_t place = 0; place < n; ++place) {
      std::vector<double> x(n, 1.0);
      x[place] = inf;
      BOOST_TEST(value(sum)(0.0, x) == inf);
      BOOST_TEST(value(minus)(0.0, x) == -inf);
      BOOST_TEST(std::isnan(value(sum)(-inf, x)));
      x[place] = nan;
      BOOST_TEST(std::isnan(value(sum)(0.0, x)));
      // NaN in an element does not reach the derivatives by others.
      const auto by_x =
          gradient([](auto xs) { return scan([](auto s, auto xi) { return s + log(xi) * xi; }, 0.0, xs); }, wrt<0>)(x);
      for (std::size_t i = 0; i < n; ++i) BOOST_TEST(std::isnan(by_x[i]) == (i == place));
      // The ends of the domain.
      x[place] = 0;
      BOOST_TEST(value([](auto xs) {
                   return scan([](auto s, auto xi) { return s + log(xi) + log1p(-xi / 2); }, 0.0, xs);
                 })(x) == -inf);
    }
  }
}

// More carries than stay in registers, and steps that are counted.
BOOST_AUTO_TEST_CASE(many_sums) {
  constexpr auto loss = [](auto w, auto xs) {
    return scan(
        [&](auto sum, auto x) {
          auto z = w[0] * x;
          for (std::size_t k = 1; k < w.size(); ++k) z = z + w[k] * (x + static_cast<double>(k));
          return sum + square(z);
        },
        0.0, xs);
  };
  std::array<double, 40> w{};
  for (std::size_t k = 0; k < w.size(); ++k) w[k] = 0.01 * static_cast<double>(k % 7);
  for (const std::size_t n : lengths) {
    const auto x = numbers<double>(n, 7);
    const auto g = gradient(loss, wrt<0>)(w, x);
    for (std::size_t k = 0; k < w.size(); ++k) {
      long double expected = 0;
      for (const double xi : x) {
        long double z = 0;
        for (std::size_t j = 0; j < w.size(); ++j) z += w[j] * (xi + static_cast<long double>(j));
        expected += 2 * z * (xi + static_cast<long double>(k));
      }
      check(g[k], expected);
    }
  }
}
BOOST_AUTO_TEST_CASE(counted_steps) {
  constexpr auto series = [](auto x, auto n) {
    return scan([&](auto sum, auto i) { return sum + x / ((i + 1) * (i + 2)); }, 0.0, steps(n));
  };
  for (const std::size_t n : lengths) {
    const long double expected = static_cast<long double>(n) / (static_cast<long double>(n) + 1);
    check(value(series)(2.0, static_cast<int>(n)), 2 * expected);
    check(gradient(series, wrt<0>)(2.0, static_cast<int>(n)), expected);
  }
}

// Second order, and constant evaluation, which makes one step after the other.
BOOST_AUTO_TEST_CASE(second_order) {
  for (const std::size_t n : lengths) {
    const auto t = numbers<double>(n, 8), y = numbers<double>(n, 9);
    const std::array<double, 3> p{1.5, 0.7, 0.1};
    const auto h = hessian(decay, wrt<0>)(p, t, y);
    long double by_11 = 0, by_01 = 0, by_22 = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const long double ti = t[i], e = std::exp(-0.7L * ti), r = 1.5L * e + 0.1L - y[i];
      by_11 += 2 * (1.5L * ti * e * 1.5L * ti * e + r * 1.5L * ti * ti * e);
      by_01 -= 2 * ti * e * (1.5L * e + r), by_22 += 2;
    }
    check(h[0][1], by_01), check(h[1][1], by_11), check(h[2][2], by_22);
  }
}
constexpr auto decay_at_steps = [](auto p) {
  return scan([&](auto sum, auto i) { return sum + square(p[0] * exp(-p[1] * i) + p[2] - i); }, p[2], steps(21));
};
BOOST_AUTO_TEST_CASE(constant_evaluation) {
  constexpr std::array p{1.5, 0.7, 0.1};
  constexpr auto at_compile_time = gradient(decay_at_steps)(p);
  const auto at_run_time = gradient(decay_at_steps)(p);
  for (std::size_t k = 0; k < 3; ++k) check(at_run_time[k], static_cast<long double>(at_compile_time[k]));
}

}  // namespace
