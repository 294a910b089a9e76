// The third side of the matrix of verbs: every operand inside a loop, a call, a branch, a batch or a verb.
#ifndef TAPELESS_TEST_VERBS_INSIDE_INSIDE_HPP
#define TAPELESS_TEST_VERBS_INSIDE_INSIDE_HPP

#include "reference.hpp"

#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless_test {

using namespace tapeless;

using numbers = std::vector<double>;

/// What a verb gives with the value.
template <class R>
  requires requires(const R& r) { r.value; }
constexpr auto members(const R& r) {
  if constexpr (requires { r.hessian; })
    return std::tie(r.value, r.gradient, r.hessian);
  else if constexpr (requires { r.gradient; })
    return std::tie(r.value, r.gradient);
  else if constexpr (requires { r.jacobian; })
    return std::tie(r.value, r.jacobian);
  else
    return std::tie(r.value, r.tangent);
}

/// The sum of `square(leaf)` for all numbers or tensors in a result.
template <class R, class Square>
constexpr auto sum_of(const R& r, const Square& square) {
  if constexpr (requires { members(r); })
    return sum_of(members(r), square);
  else if constexpr (requires { std::tuple_size<R>::value; })
    return std::apply([&](const auto&... each) { return (sum_of(each, square) + ...); }, r);
  else
    return square(r);
}
template <class T>
T sum_of_squares(const std::vector<T>& all) {
  T sum{};
  for (const T& each : all) sum = sum + each * each;
  return sum;
}

/// The numbers in results, in the order in which they are written.
inline void append(numbers& to, double x) { to.push_back(x); }
template <class R>
void append(numbers& to, const R& r) {
  if constexpr (requires { members(r); })
    append(to, members(r));
  else if constexpr (std::is_convertible_v<R, double>)
    to.push_back(static_cast<double>(r));
  else if constexpr (requires { r.storage(); })
    for (const double each : r.storage()) to.push_back(each);
  else if constexpr (requires { r.begin(); })
    for (const auto& each : r) append(to, each);
  else
    std::apply([&](const auto&... each) { (append(to, each), ...); }, r);
}
inline numbers together(numbers a, const numbers& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Notes that the cell works.
void mark_inside(const std::string& verb, const std::string& operand, const std::string& context);

/// The cells of an operand in a context: `cell(verb, result, expected numbers)`.
struct cells {
  std::string operand, context;

  template <class R>
  void operator()(const char* verb, const R& result, const numbers& expected) const {
    numbers got;
    append(got, result);
    const std::string where = std::string(verb) + " of " + operand + " " + context;
    BOOST_TEST(got.size() == expected.size(), where << ": " << got.size() << " numbers, not " << expected.size());
    for (std::size_t i = 0; i < got.size() && i < expected.size(); ++i)
      BOOST_TEST(std::abs(got[i] - expected[i]) <= 1e-10 * (1 + std::abs(expected[i])),
                 where << ", number " << i << ": " << got[i] << ", not " << expected[i]);
    mark_inside(verb, operand, context);
  }
};

constexpr auto by = wrt<0, 1>;

}  // namespace tapeless_test

#endif
