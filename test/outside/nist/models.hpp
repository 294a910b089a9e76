#pragma once

#include <tapeless/tapeless.hpp>

#include <numbers>

/// The models of NIST's nonlinear regression problems: y as a function of the parameters b and of x.
namespace nist {

constexpr auto misra1a = [](auto b, auto x) { return b[0] * (1.0 - exp(-b[1] * x)); };
constexpr auto misra1b = [](auto b, auto x) {
  const auto base = 1.0 + b[1] * x / 2.0;
  return b[0] * (1.0 - 1.0 / (base * base));
};
constexpr auto misra1c = [](auto b, auto x) { return b[0] * (1.0 - 1.0 / sqrt(1.0 + 2.0 * b[1] * x)); };
constexpr auto misra1d = [](auto b, auto x) { return b[0] * b[1] * x / (1.0 + b[1] * x); };
constexpr auto chwirut = [](auto b, auto x) { return exp(-b[0] * x) / (b[1] + b[2] * x); };
constexpr auto dan_wood = [](auto b, auto x) { return b[0] * pow(x, b[1]); };
constexpr auto lanczos = [](auto b, auto x) {
  return b[0] * exp(-b[1] * x) + b[2] * exp(-b[3] * x) + b[4] * exp(-b[5] * x);
};
constexpr auto gauss = [](auto b, auto x) {
  const auto u = (x - b[3]) / b[4];
  const auto v = (x - b[6]) / b[7];
  return b[0] * exp(-b[1] * x) + b[2] * exp(-u * u) + b[5] * exp(-v * v);
};
constexpr auto kirby2 = [](auto b, auto x) { return (b[0] + x * (b[1] + x * b[2])) / (1.0 + x * (b[3] + x * b[4])); };
constexpr auto cubic_ratio = [](auto b, auto x) {  // Hahn1, Thurber
  return (b[0] + x * (b[1] + x * (b[2] + x * b[3]))) / (1.0 + x * (b[4] + x * (b[5] + x * b[6])));
};
constexpr auto nelson = [](auto b, auto x) { return b[0] - b[1] * x[0] * exp(-b[2] * x[1]); };  // the logarithm of y
constexpr auto mgh09 = [](auto b, auto x) { return b[0] * (x * x + x * b[1]) / (x * x + x * b[2] + b[3]); };
constexpr auto mgh10 = [](auto b, auto x) { return b[0] * exp(b[1] / (x + b[2])); };
constexpr auto mgh17 = [](auto b, auto x) { return b[0] + b[1] * exp(-x * b[3]) + b[2] * exp(-x * b[4]); };
constexpr auto roszman1 = [](auto b, auto x) { return b[0] - b[1] * x - atan(b[2] / (x - b[3])) / std::numbers::pi; };
constexpr auto enso = [](auto b, auto x) {
  const auto year = 2.0 * std::numbers::pi * x / 12.0;
  const auto first = 2.0 * std::numbers::pi * x / b[3];
  const auto second = 2.0 * std::numbers::pi * x / b[6];
  return b[0] + b[1] * cos(year) + b[2] * sin(year) + b[4] * cos(first) + b[5] * sin(first) + b[7] * cos(second) +
         b[8] * sin(second);
};
constexpr auto rat42 = [](auto b, auto x) { return b[0] / (1.0 + exp(b[1] - b[2] * x)); };
constexpr auto rat43 = [](auto b, auto x) { return b[0] / pow(1.0 + exp(b[1] - b[2] * x), 1.0 / b[3]); };
constexpr auto eckerle4 = [](auto b, auto x) {
  const auto u = (x - b[2]) / b[1];
  return b[0] / b[1] * exp(-0.5 * u * u);
};
constexpr auto bennett5 = [](auto b, auto x) { return b[0] * pow(b[1] + x, -1.0 / b[2]); };

}  // namespace nist
