// expect: the function of a fixed_point cannot have captures
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto a) { return fixed_point([a](auto x, auto) { return a * cos(x); }, a, a); })(0.5);
