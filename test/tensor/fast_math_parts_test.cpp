// Compiled with parts of -ffast-math, of which clang has no macros: tensors and scans keep their digits.
#include "check.hpp"

#include <array>
#include <string>
#include <vector>

using namespace tapeless;
using namespace tapeless_test;

BOOST_AUTO_TEST_CASE(tensors_keep_their_digits) {
  const vector numbers{0.6, 0.25, -0.3, 0.125, -0.9, 0.95, 0.5, -0.75, 0.7};
  const auto ours = stack<0>(exp(w), expm1(w), log(w * w), log1p(w), sin(2000_c * w), cosh(w), tanh(w), asinh(w),
                             atanh(w), erf(w), round(9_c * w), floor(40_c * w))(w = numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double x = numbers(i);
    const double theirs[] = {std::exp(x),        std::expm1(x), std::log(x * x),   std::log1p(x),
                             std::sin(2000 * x), std::cosh(x),  std::tanh(x),      std::asinh(x),
                             std::atanh(x),      std::erf(x),   std::round(9 * x), std::floor(40 * x)};
    for (std::size_t f = 0; f < std::size(theirs); ++f)
      nearly(ours(f, i), theirs[f], ("function " + std::to_string(f)).c_str());
  }
}

BOOST_AUTO_TEST_CASE(scans_keep_their_digits) {
  constexpr auto f = [](auto p, auto xs) {
    return scan([&](auto s, auto x) { return s + exp(p * x) + log(p + x) + log1p(x) + tanh(p * x); }, 0.0, xs);
  };
  const std::vector<double> xs{0.6, 0.25, 0.3, 0.125, 0.9, 0.95, 0.5, 0.75, 0.7};
  const auto [value, slope] = value_and_gradient(f, wrt<0>)(0.5, xs);
  double sum = 0, by_p = 0;
  for (const double x : xs) {
    const double y = std::tanh(0.5 * x);
    sum += std::exp(0.5 * x) + std::log(0.5 + x) + std::log1p(x) + y;
    by_p += x * std::exp(0.5 * x) + 1 / (0.5 + x) + x * (1 - y * y);
  }
  nearly(value, sum, "sum");
  nearly(slope, by_p, "by the factor");
}
