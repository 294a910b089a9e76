// expect: assemble needs a vector of numbers, or of arrays of numbers, all of the same type
// expect-at-most-lines: 14
#include <tapeless/assemble.hpp>

#include <array>
#include <tuple>
#include <vector>

using namespace tapeless;

// As large as two doubles.
const std::vector<std::tuple<double, float>> x{{1, 2.0F}, {3, 4.0F}};
const std::vector<std::array<int, 2>> pairs{{0, 1}};
const auto r = assemble(
    value_and_gradient([](const auto& a, const auto& b) { return std::get<0>(a) * std::get<1>(b); }))(x, pairs);
