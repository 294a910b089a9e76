// expect: the variables of formulas are real; pass tensors of complex numbers to a function
// expect-at-most-lines: 42
#include <tapeless/xtensor.hpp>

#include <complex>

using namespace tapeless;

constexpr auto X = variable<"X">;
const xt::xtensor<std::complex<double>, 1> z{{1, 2}};
const auto g = gradient(sum(X * X))(X = z);
