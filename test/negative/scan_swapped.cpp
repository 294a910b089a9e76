// expect: a scan runs over a vector or a tensor of rank 1, not over a number
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <vector>

using namespace tapeless;

const std::vector<double> v{1, 2};
constexpr auto h = [](auto u, auto s) { return scan([](auto c, auto e) { return c + e; }, s, u); };
const auto r = gradient(h, wrt<0>)(1.0, v);
