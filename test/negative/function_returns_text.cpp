// expect: a traced function returns a number or a std::array of numbers
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto) { return "text"; })(1.0);
