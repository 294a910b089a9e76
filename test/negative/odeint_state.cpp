// expect: odeint.f, y0, t0, t1, n, args.... starts from a number, or an array, tuple or adapted struct
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto starts) { return odeint([](auto, auto y) { return y; }, starts, 0.0, 1.0, 5); })(
    std::vector<std::array<double, 2>>{});
