// expect: tangent needs one number for each number of the arguments
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto d = jvp([](auto a, auto b) { return a * b; }, tangent(1.0))(1.0, 2.0);
