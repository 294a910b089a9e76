#pragma once

#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>
#include <xtensor/xrandom.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

/// Derivatives of functions over tensors against differences of the same written by hand.
namespace tapeless_test {

using row = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;
using cube = xt::xtensor<double, 3>;

template <class X>
X random(const typename X::shape_type& shape, unsigned seed) {
  xt::random::seed(seed);
  return 0.5 * xt::random::randn<double>(shape);
}

inline row times(const matrix& w, const row& x) {
  row result = xt::zeros<double>({w.shape(0)});
  for (std::size_t i = 0; i < w.shape(0); ++i)
    for (std::size_t j = 0; j < w.shape(1); ++j) result(i) += w(i, j) * x(j);
  return result;
}

inline matrix product(const matrix& a, const matrix& b) {
  matrix result = xt::zeros<double>({a.shape(0), b.shape(1)});
  for (std::size_t i = 0; i < a.shape(0); ++i)
    for (std::size_t j = 0; j < a.shape(1); ++j)
      for (std::size_t k = 0; k < b.shape(1); ++k) result(i, k) += a(i, j) * b(j, k);
  return result;
}

inline void nearly(double a, double b, const std::string& what, double tolerance) {
  BOOST_TEST(std::abs(a - b) <= tolerance * (1 + std::abs(b)), what << ": " << a << " is not " << b);
}

inline double* numbers(double& x) { return &x; }
template <class X>
double* numbers(X& x) {
  return x.data();
}
inline std::size_t size_of(double) { return 1; }
template <class X>
std::size_t size_of(const X& x) {
  return x.size();
}
/// visit(x, ...) for the tuples' members.
template <class Visit, class First, class... Tuples>
void for_each(const Visit& visit, First&& first, Tuples&&... rest) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto at = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      visit(std::get<J>(first), std::get<J>(rest)...);
    };
    (at(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<First>>>{});
}

/// Value and gradient of `f` by all arguments, two or more, against those of `by_hand`; to the order 2 tangents and
/// second derivatives too, against differences of gradients.
template <int Order = 1, class F, class ByHand, class... Xs>
void check_against(const std::string& what, F f, const ByHand& by_hand, const Xs&... xs) {
  using namespace tapeless;
  const double h = 1e-5;
  std::tuple<Xs...> at(xs...), direction(xs...), zero(xs...);
  double angle = 7;
  for_each(
      [&](auto& d, auto& z) {
        for (std::size_t i = 0; i < size_of(d); ++i) numbers(d)[i] = std::sin(angle += 1.7), numbers(z)[i] = 0;
      },
      direction, zero);
  const auto moved = [&](const auto& g, double step, std::tuple<Xs...> along) {
    std::tuple<Xs...> there = at;
    for_each(
        [&](auto& x, auto& d) {
          for (std::size_t i = 0; i < size_of(x); ++i) numbers(x)[i] += step * numbers(d)[i];
        },
        there, along);
    return std::apply(g, there);
  };
  auto both = value_and_gradient(f)(xs...);
  nearly(both.value, by_hand(xs...), what, 1e-13);
  double slope = 0;
  for_each(
      [&](auto& one, auto& g, auto& d) {
        for (std::size_t i = 0; i < size_of(g); ++i) {
          numbers(one)[i] = 1;
          nearly(numbers(g)[i], (moved(by_hand, h, zero) - moved(by_hand, -h, zero)) / (2 * h), what + " gradient",
                 1e-7);
          numbers(one)[i] = 0;
          slope += numbers(g)[i] * numbers(d)[i];
        }
      },
      zero, both.gradient, direction);
  if constexpr (Order > 1) {
    const auto along = std::apply([](const auto&... d) { return tangent(d...); }, direction);
    nearly(jvp(f, along)(xs...), slope, what + " tangent", 1e-12);
    auto curved = hvp(f, along)(xs...);
    const auto slopes = [&](const auto&... all) { return value_and_gradient(f)(all...).gradient; };
    auto up = moved(slopes, h, direction), down = moved(slopes, -h, direction);
    for_each(
        [&](auto& got, auto& above, auto& below) {
          for (std::size_t i = 0; i < size_of(got); ++i)
            nearly(numbers(got)[i], (numbers(above)[i] - numbers(below)[i]) / (2 * h), what + " hvp", 1e-6);
        },
        curved, up, down);
  }
}

}  // namespace tapeless_test
