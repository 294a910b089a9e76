#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

// Branches and numbers of steps that differ between elements that are computed together: each against a call of its
// own.
using namespace tapeless;

namespace {

template <class T>
void check(T got, T wanted) {
  BOOST_TEST_INFO(got << " " << wanted);
  BOOST_TEST((std::abs(got - wanted) <= T(sizeof(T) == 8 ? 1e-13 : 1e-5) * (1 + std::abs(wanted)) ||
              (std::isinf(wanted) && got == wanted)));
}

/// 37 elements: some packs, and one that is not full.
template <class T>
std::vector<T> numbers(double first, double step) {
  std::vector<T> result;
  for (int i = 0; i < 37; ++i) result.push_back(static_cast<T>(first + step * ((i * 11) % 37)));
  return result;
}

/// Values, gradients and Hessians of `f` by two numbers of each element, beside `rest` of which each element has one.
template <class T, class F, class Rest, class... Shared>
void check_elements(F f, const std::vector<T>& x, const std::vector<T>& y, const std::vector<Rest>& rest,
                    const Shared&... shared) {
  const auto all = batched(value_and_gradient(f, wrt<0, 1>))(x, y, rest, for_all(shared)...);
  const auto second = batched(hessian(f, wrt<0, 1>))(x, y, rest, for_all(shared)...);
  const auto along = batched(hvp(f, wrt<0, 1>, tangent(T(1), T(2))))(x, y, rest, for_all(shared)...);
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto [value, gradient] = value_and_gradient(f, wrt<0, 1>)(x[k], y[k], rest[k], shared...);
    check(all.value[k], value);
    check(std::get<0>(all.gradient)[k], std::get<0>(gradient));
    check(std::get<1>(all.gradient)[k], std::get<1>(gradient));
    const auto hessian_here = hessian(f, wrt<0, 1>)(x[k], y[k], rest[k], shared...);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) check(second[i][j][k], hessian_here[i][j]);
    check(std::get<0>(along)[k], hessian_here[0][0] + 2 * hessian_here[0][1]);
    check(std::get<1>(along)[k], hessian_here[1][0] + 2 * hessian_here[1][1]);
  }
}

constexpr auto branches = [](auto x, auto y, auto z) {
  const auto root = sqrt(x);
  const auto first = cond(
      x > 0, [&] { return std::array{log(x) * root * y, x / z}; },
      [&] { return std::array{y * y * y, 1 / (1 + y * y)}; });
  return first[0] * first[1] * cond(y > z, [&] { return exp(-first[1]); }, [&] { return z * y; });
};

BOOST_AUTO_TEST_CASE(each_element_takes_its_branch) {
  check_elements(branches, numbers<double>(-3, 0.25), numbers<double>(2, -0.1), numbers<double>(0.5, 0.05));
  check_elements(branches, numbers<float>(-3, 0.25), numbers<float>(2, -0.1), numbers<float>(0.5, 0.05));
  // All of a pack in one branch.
  check_elements(branches, numbers<double>(1, 0.25), numbers<double>(-9, 0.1), numbers<double>(0.5, 0.05));
  check_elements(branches, numbers<double>(-30, 0.25), numbers<double>(9, 0.1), numbers<double>(0.5, 0.05));
}

BOOST_AUTO_TEST_CASE(in_every_step_too) {
  constexpr auto f = [](auto a, auto b, auto c, auto xs) {
    return scan(
        [&](auto s, auto x) {
          return cond(
              s * x > c, [&] { return sin(a * s) + b * x; },
              [&] { return cond(s > 0, [&] { return sqrt(s) * b; }, [&] { return s * s + a * x; }); });
        },
        b, xs);
  };
  const std::vector<double> xs{1, -2, 0.5, 0.3, -0.2, 0.7, 1.5};
  check_elements(f, numbers<double>(-1, 0.05), numbers<double>(1, -0.04), numbers<double>(-0.3, 0.02), xs);
}

BOOST_AUTO_TEST_CASE(numbers_of_steps_come_from_what_loops_carry) {
  // The inner loop has as many steps as the carry says, to which a number of each element is added in every step.
  constexpr auto f = [](auto a, auto b, auto n) {
    return scan(
        [&](auto carry, auto) {
          const auto [count, c] = carry;
          return std::array{count + n, scan([&](auto s, auto i) { return s * a + sin(b + i); }, c, steps(count))};
        },
        std::array<decltype(a), 2>{0, b}, steps(3))[1];
  };
  std::vector<int> counts;
  for (int i = 0; i < 37; ++i) counts.push_back(i < 16 ? 2 : i % 3);
  check_elements(f, numbers<double>(-1, 0.05), numbers<double>(1, -0.04), counts);
  // As many as an element of its sequence says.
  constexpr auto g = [](auto a, auto lengths) {
    return scan([&](auto s, auto length) { return scan([&](auto c, auto) { return c * a; }, s, steps(length)); },
                1.0 + 0 * a, lengths);
  };
  const std::vector<std::vector<double>> lengths{{1, 2}, {0, 0}, {3, 1}, {2, 2}, {1, 1}};
  const auto slopes = batched(gradient(g, wrt<0>))(std::vector<double>(5, 2.0), lengths);
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const double n = lengths[k][0] + lengths[k][1];
    check(slopes[k], n * std::pow(2.0, n - 1));
  }
}

BOOST_AUTO_TEST_CASE(each_element_ends_by_itself) {
  constexpr auto f = [](auto a, auto b, auto c, auto xs) {
    return scan(
        [&](auto s, auto x) {
          return cond(
              s < c,
              [&] {
                return while_loop([](auto d) { return d < 2; },
                                  [&](auto d) { return d + 0.1 + square(a) * x * sin(d); }, s * b, 50);
              },
              [&] { return s * b - a; });
        },
        b, xs);
  };
  check_elements(f, numbers<double>(-1, 0.05), numbers<double>(0.9, -0.04), numbers<double>(-0.3, 0.1),
                 std::vector<double>{1, 0.5, 0.2, 0.9});
}

BOOST_AUTO_TEST_CASE(operations_on_sequences) {
  constexpr auto f = [](auto a, auto b, auto i, auto xs) {
    const auto last = scan([&](auto c, auto x) { return sin(c * a) + x; }, b, xs);
    return last * sum(exp(a * xs) * xs) + xs[i] * b * b +
           amax(xs * b) * cond(i < 2, [&] { return xs[i + 2] * a; }, [&] { return prod(xs + a); });
  };
  std::vector<int> indices;
  for (int i = 0; i < 37; ++i) indices.push_back(i < 16 ? 1 : i % 4);
  check_elements(f, numbers<double>(-1, 0.05), numbers<double>(1, -0.04), indices,
                 std::vector<double>{1, -2, 0.5, 0.3});
  // Sequences of their own, with their gradients.
  constexpr auto g = [](auto x, auto p) {
    return scan([&](auto c, auto e) { return c + e * p; }, 0.0, x) * norm(x) + x[-1] * mean(x);
  };
  const std::vector<std::vector<double>> all{{1, 2}, {0, 0.5, 1}, {3, 1}, {2, 2}, {1, 1, 4, 5}};
  const std::vector<double> ps{1, 2, 3, 4, 5};
  const auto gradients = batched(gradient(g))(all, ps);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto [by_x, by_p] = gradient(g)(all[k], ps[k]);
    for (std::size_t i = 0; i < by_x.size(); ++i) check(std::get<0>(gradients)[k][i], by_x[i]);
    check(std::get<1>(gradients)[k], by_p);
  }
}

}  // namespace
