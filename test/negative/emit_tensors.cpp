// expect: tapeless: emit writes no Jacobian or Hessian over tensors; write jvp, vjp or hvp
// expect-at-most-lines: 20
#include <tapeless/xtensor.hpp>

#include <tapeless/emit.hpp>

#include <vector>

using namespace tapeless;
const auto g = emit<c99, "total", std::vector<double>>(hessian([](const auto& x) { return sum(sin(x)); }));
