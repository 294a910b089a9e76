#include "matrix.hpp"

#include <tapeless/xtensor.hpp>

#include <cstddef>

namespace gradbench {
namespace {

// Half the sum of the squares by which a polynomial misses the sign of t. Of its coefficients the constant is first.
constexpr auto misfit = [](const auto& coefficients, const auto& t) {
  using namespace tapeless;
  const auto polynomial = scan([&](auto value, auto next) { return value * t + next; }, 0.0 * t, flip(coefficients));
  return 0.5 * sum(square(sign(t) - polynomial));
};

Vector between_ends(std::size_t n) {
  Vector t(n);
  for (std::size_t i = 0; i < n; ++i) t[i] = -1 + 2 * static_cast<double>(i) / (static_cast<double>(n) - 1);
  return t;
}

json primal(const json& input, Runs& runs) {
  const Vector x = input.at("x"), t = between_ends(input.at("n"));
  const auto verb = tapeless::value(misfit);
  double result = 0;
  runs([&] { result = verb(x, t); });
  return result;
}

json gradient(const json& input, Runs& runs) {
  const Vector x = input.at("x"), t = between_ends(input.at("n"));
  const auto verb = tapeless::value_and_gradient(misfit, tapeless::wrt<0>);
  auto r = verb(x, t);
  runs([&] { verb(into(r), x, t); });
  return r.gradient;
}

}  // namespace

const Module llsq{{"primal", primal}, {"gradient", gradient}};

}  // namespace gradbench
