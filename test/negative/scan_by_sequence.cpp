// expect: no derivative with respect to the sequence
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto p, auto xs) { return scan([&](auto c, auto x) { return c * x; }, p, xs); })(
    1.0, std::vector<double>{1});
