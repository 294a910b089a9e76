// expect: arguments of a traced function must be floating-point numbers
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto a) { return a; })("text");
