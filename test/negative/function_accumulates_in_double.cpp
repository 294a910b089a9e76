// expect: sum in the type of an ar
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <array>
#include <numeric>

using namespace tapeless;

constexpr auto h = [](auto p) { return std::accumulate(p.begin(), p.end(), 0.0); };
const auto r = gradient(h)(std::array{1.0, 2.0});
