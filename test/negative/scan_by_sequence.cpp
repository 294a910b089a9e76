// expect: a Jacobian or Hessian with respect to a sequence has no fixed number of columns
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto h = hessian([](auto p, auto xs) { return scan([&](auto c, auto x) { return c * x; }, p, xs); })(
    1.0, std::vector<double>{1});
