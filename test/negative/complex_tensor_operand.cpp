// expect: asin, relu, prod, amax, sort, softmax, solve and the like are for real numbers
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <complex>

const xt::xtensor<std::complex<double>, 1> zs{{1, 2}};
const auto g = tapeless::gradient([](auto z) { return abs(sum(softmax<0>(z))); })(zs);
