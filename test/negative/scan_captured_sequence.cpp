// expect: sequence that the body of another loop captures, or a branch
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient(
    [](auto p, auto xs) {
      const auto ys = scan([&](auto c, auto x) { return std::pair{c, c * x}; }, p, xs).second;
      return scan([&](auto d, auto) { return d + scan([&](auto e, auto y) { return e + y; }, d, ys); }, p, steps(3));
    },
    wrt<0>)(1.0, std::vector<double>{1});
