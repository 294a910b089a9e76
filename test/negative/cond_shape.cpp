// expect: tapeless: both functions of cond.c, f, g, args.... must return a number, or an array
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto x) { return cond(x > 0, [&] { return std::array{x, x}; }, [&] { return x; }); })(1.0);
