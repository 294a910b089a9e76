// expect: a traced function must return a number, or an array, tuple or struct of numbers
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto) { return "text"; })(1.0);
