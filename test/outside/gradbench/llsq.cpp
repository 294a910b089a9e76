#include "matrix.hpp"

#include <tapeless/xtensor.hpp>

#include <cstddef>
#include <utility>

namespace gradbench {
namespace {

// Half the sum of the squares by which a polynomial misses the sign of t. Of its coefficients the constant is first.
constexpr auto misfit = [](const auto& coefficients, const auto& t, auto count) {
  using namespace tapeless;
  const auto powers =
      scan([&](auto power, auto) { return std::pair(power * t, power); }, 1.0 + 0.0 * t, steps(count)).second;
  return 0.5 * sum(square(sign(t) - dot(coefficients, powers)));
};

Vector between_ends(std::size_t n) {
  Vector t(n);
  for (std::size_t i = 0; i < n; ++i) t[i] = -1 + 2 * static_cast<double>(i) / (static_cast<double>(n) - 1);
  return t;
}

json primal(const json& input, Runs& runs) {
  const Vector x = input.at("x"), t = between_ends(input.at("n"));
  const int count = static_cast<int>(x.size());
  const auto verb = tapeless::value(misfit);
  return runs([&] { return verb(x, t, count); });
}

json gradient(const json& input, Runs& runs) {
  const Vector x = input.at("x"), t = between_ends(input.at("n"));
  const int count = static_cast<int>(x.size());
  const auto verb = tapeless::value_and_gradient(misfit, tapeless::wrt<0>);
  auto r = verb(x, t, count);
  runs([&] { verb(into(r), x, t, count); });
  return r.gradient;
}

}  // namespace

const Module llsq{{"primal", primal}, {"gradient", gradient}};

}  // namespace gradbench
