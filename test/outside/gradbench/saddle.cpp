#include "descent.hpp"
#include "tool.hpp"

#include <tapeless/tapeless.hpp>

#include <array>

namespace gradbench {
namespace {

using Point = std::array<double, 2>;

constexpr auto objective = [](const auto& x, const auto& y) {
  return x[0] * x[0] + x[1] * x[1] - (y[0] * y[0] + y[1] * y[1]);
};
constexpr auto lowered = [](const auto& y, const auto& x) { return -objective(x, y); };

template <char Inner>
constexpr auto highest = [](const auto& x, const auto& start) {  // where the objective by y is
  return descend([&](const auto& y) { return lowered(y, x); },
                 [&](const auto& y) { return slope_by<Inner>(lowered, y, x); }, start);
};
template <char Inner>
constexpr auto height = [](const auto& x, const auto& start) { return objective(x, highest<Inner>(x, start)); };

template <char Outer, char Inner>
constexpr auto saddle_point = [](const auto& start) {
  const auto x = descend([&](const auto& at) { return height<Inner>(at, start); },
                         [&](const auto& at) { return slope_by<Outer>(height<Inner>, at, start); }, start);
  const auto y = highest<Outer>(x, start);
  return std::array{x[0], x[1], y[0], y[1]};
};

template <char Outer, char Inner>
json solve(const json& input, Runs& runs) {
  const auto start = input.at("start").get<Point>();
  const auto verb = tapeless::value(saddle_point<Outer, Inner>);
  return runs([&] { return verb(start); });
}

}  // namespace

const Module saddle{{"ff", solve<'f', 'f'>}, {"fr", solve<'f', 'r'>}, {"rf", solve<'r', 'f'>}, {"rr", solve<'r', 'r'>}};

}  // namespace gradbench
