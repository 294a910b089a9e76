// expect: write exp\(x\), not std::exp\(x\)
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto a) { return std::exp(a); })(1.0);
