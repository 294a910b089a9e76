// expect: gradient and hessian need a function that returns one number
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

constexpr auto h = [](auto u) { return std::tuple{u, u * u}; };
const auto r = gradient(h)(1.0);
