// expect: asin, relu, prod, amax, sort, softmax, solve and the like are for real numbers
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <complex>

using namespace tapeless;
const auto g = gradient([](auto z) { return abs(asin(z)); })(std::complex{1.0, 2.0});
