// expect: it calls or reads what is not constexpr
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <vector>

using namespace tapeless;

const std::vector<double> data{1, 2};
constexpr auto h = [](auto u) { return u * data[0]; };
const auto r = gradient(h)(1.0);
