// expect: a lambda or another function object
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
double parabola(double a) { return a * a; }

const auto g = gradient(&parabola);
