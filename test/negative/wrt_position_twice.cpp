// expect: wrt<\.\.\.> names an argument twice
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto d = jvp([](auto x, auto y) { return x * x * y; }, wrt<0, 0>, tangent(1.0, 2.0))(1.5, 2.0);
