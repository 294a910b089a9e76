// expect: must return the next carry, of the shape of the first
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto p, auto xs) { return scan([&](auto c, auto x) { return std::array{c, x}; }, p, xs); },
                        wrt<0>)(1.0, std::vector<double>{1});
