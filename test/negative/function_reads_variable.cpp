// expect: reads what is not constexpr.*constexpr double k = 3, not const double
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

double one() { return 1; }
const double k = one();
const auto g = tapeless::gradient([](auto x) { return k * x; })(1.0);
