#include "descent.hpp"
#include "tool.hpp"

#include <tapeless/tapeless.hpp>

#include <array>

namespace gradbench {
namespace {

constexpr auto potential = [](const auto& at, const auto& w) {
  const auto x = at[0] - 10.0;
  return 1.0 / norm(x, at[1]) + 1.0 / norm(x, at[1] - (10.0 - w[0]));
};

// The square of where a particle of speed 3/4, which starts 8 above the origin, crosses the line of the two charges'.
template <char Force>
constexpr auto miss = [](const auto& w) {
  using namespace tapeless;
  constexpr double dt = 0.1;
  using T = std::remove_cvref_t<decltype(w[0])>;
  const auto last =
      while_loop([&](const auto& s) { return s[1] + dt * s[3] >= 0.0; },
                 [&](const auto& s) {
                   const auto force = slope_by<Force>(potential, std::array{s[0], s[1]}, w);
                   return std::array{s[0] + dt * s[2], s[1] + dt * s[3], s[2] - dt * force[0], s[3] - dt * force[1]};
                 },
                 std::array<T, 4>{0.0, 8.0, 0.75, 0.0}, 100000);
  return square(last[0] - last[1] / last[3] * last[2]);
};

template <char Outer, char Force>
constexpr auto aimed = [](const auto& w) {
  return descend(miss<Force>, [](const auto& at) { return slope_by<Outer>(miss<Force>, at); }, w);
};

template <char Outer, char Force>
json solve(const json& input, Runs& runs) {
  const std::array<double, 1> start{input.at("w")};
  const auto verb = tapeless::value(aimed<Outer, Force>);
  return runs([&] { return verb(start); });
}

}  // namespace

const Module particle{
    {"ff", solve<'f', 'f'>}, {"fr", solve<'f', 'r'>}, {"rf", solve<'r', 'f'>}, {"rr", solve<'r', 'r'>}};

}  // namespace gradbench
