// expect: declare the parameters of a traced function `auto`
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](double a) { return a * a; })(1.0);
