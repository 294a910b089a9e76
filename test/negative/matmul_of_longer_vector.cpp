// expect: tapeless: matmul needs a vector as long as the matrix has columns
// expect-at-most-lines: 22
#include <tapeless/tapeless.hpp>

#include <array>

using namespace tapeless;
constexpr auto rotated = [](const auto& a, const auto& x) { return matmul(a, x)[0]; };
const std::array<std::array<double, 3>, 2> a{};
const auto g = gradient(rotated)(a, std::array{1.0, 2.0});
