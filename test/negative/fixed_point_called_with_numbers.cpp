// expect: fixed_point and implicit_root take functions of `auto` parameters, and need one to run in
// expect-at-most-lines: 15
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const double root = fixed_point([](double x, double q) { return (x + q / x) / 2; }, 1.0, 2.0);
