// expect: tapeless: emit has no text for an operation of the function; operation_without_text<...> names it
// expect-at-most-lines: 20
#include <tapeless/xtensor.hpp>

#include <tapeless/emit.hpp>
#include <tapeless/sort.hpp>

#include <xtensor/xtensor.hpp>

using namespace tapeless;
// In the step of a loop.
const auto g = emit<c99, "total", xt::xtensor<double, 1>>(
    value([](const auto& b) { return sum(scan([](auto x, auto e) { return sort(x) * e; }, b, b)); }));
