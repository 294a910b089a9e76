// expect: tapeless: emit takes std::vector and std::span as arguments of their own, not as members, rows
// expect-at-most-lines: 20
#include <tapeless/tapeless.hpp>

#include <tapeless/emit.hpp>

#include <vector>

using namespace tapeless;
const std::vector<double> direction{1.0};
const auto g = emit<c99, "total", std::vector<double>>(
    jvp([](const auto& xs) { return scan([](auto c, auto x) { return c + x * x; }, 0.0, xs); }, tangent(direction)));
