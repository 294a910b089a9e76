// expect: a sequence, and here one stands where a number does
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto f = [](auto w, auto xs) { return sum(scan([](auto c, auto x) { return c * x; }, w, xs)); };
auto call(const std::vector<double>& w, const std::vector<double>& xs) { return gradient(f, wrt<0>)(w, xs); }
