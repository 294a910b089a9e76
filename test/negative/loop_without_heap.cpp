// expect: this scan keeps its steps on the heap, which TAPELESS_NO_HEAP forbids: use scan<checkpoints<n>>, or a small
// expect-at-most-lines: 60
// options: -DTAPELESS_NO_HEAP
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto power = [](auto p, auto n) { return scan([&](auto c, auto) { return p * c; }, 1.0, steps(n)); };
double slope(double p, int n) { return gradient(power, wrt<0>)(p, n); }
