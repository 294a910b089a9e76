// expect: assemble takes value_and_gradient\(f\), hessian\(f\) or jacobian\(f\).* of several functions the same verb
// expect-at-most-lines: 14
#include <tapeless/assemble.hpp>

using namespace tapeless;

const auto verb =
    assemble(hessian([](auto a, auto b) { return a * b; }), value_and_gradient([](auto a) { return a * a; }));
