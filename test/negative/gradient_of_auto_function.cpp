// expect: a function template is not an object; give gradient a lambda
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

constexpr auto parabola(auto a) { return a * a; }
const auto g = gradient(parabola)(1.0);
