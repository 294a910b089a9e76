// Once, the text read carries that nothing had stored.
// expect: tapeless: emit has no text for an operation of the function; operation_without_text<...> names it
// expect-at-most-lines: 20
#include <tapeless/xtensor.hpp>

#include <tapeless/emit.hpp>

#include <xtensor/xtensor.hpp>

using namespace tapeless;
const auto g = emit<c99, "slope", xt::xtensor<double, 2>, xt::xtensor<double, 1>>(gradient(
    [](const auto& w, const auto& h) {
      return sum(scan<checkpoints<3>>([&](const auto& c, auto) { return tanh(dot(w, c)); }, h, steps(9)));
    },
    wrt<0>));
