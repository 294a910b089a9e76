// expect: write clamp\(x, a, b\), not std::clamp
// expect-at-most-lines: 32
#include <tapeless/tapeless.hpp>

#include <algorithm>

using namespace tapeless;
const auto g = gradient([](auto x) { return std::clamp(x, 0.0, 1.0); })(0.5);
