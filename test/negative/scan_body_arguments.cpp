// expect: must take the carry and one element of each sequence
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto p, auto xs) { return scan([&](auto c) { return c; }, p, xs); }, wrt<0>)(
    1.0, std::vector<double>{1});
