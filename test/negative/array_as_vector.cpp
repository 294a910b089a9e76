// expect: operations do not apply to a std::array as a whole
// expect-at-most-lines: 10
#include <tapeless/tapeless.hpp>

using namespace tapeless;

const auto g = gradient([](auto a) { return dot(2.0 * a + a, a); })(std::array<double, 2>{1, 2});
