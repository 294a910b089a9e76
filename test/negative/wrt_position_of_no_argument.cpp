// expect: wrt<...> names an argument that the function does not have
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto a) { return a * a; }, wrt<3>)(1.0);
