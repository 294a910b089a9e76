// expect: a vector is a sequence, and here one stands where a number does
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto p, auto xs) { return p * xs; }, wrt<0>)(1.0, std::vector<double>{1});
