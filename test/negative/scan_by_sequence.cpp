// expect: a Hessian or sparse matrix with respect to a sequence, or in batched a Jacobian, has no fixed number
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto h = hessian([](auto p, auto xs) { return scan([&](auto c, auto x) { return c * x; }, p, xs); })(
    1.0, std::vector<double>{1});
