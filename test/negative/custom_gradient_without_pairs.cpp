// expect: give custom_gradient partials by name, without braces
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

const auto g = gradient([](auto a) { return custom_gradient(a * a, {a}); })(1.0);
