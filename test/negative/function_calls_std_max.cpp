// expect: write where\(condition, a, b\), max\(a, b\)
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <algorithm>

using namespace tapeless;
const auto g = gradient([](auto a, auto b) { return std::max(a, b); })(1.0, 2.0);
