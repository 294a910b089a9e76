// The program fits the compiler's limit, its loops do not.
// options: -fconstexpr-steps=100000
// expect: raise its limit, clang -fconstexpr-steps=100000000, g\+\+ -fconstexpr-ops-limit=1000000000
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <cstddef>

using namespace tapeless;
double f(const xt::xtensor<double, 1>& x) {
  return value_and_gradient([](auto y) {
           auto s = y;
           for (std::size_t i = 0; i < 40; ++i) s = s * y + tanh(s);
           return sum(s);
         })(x)
      .value;
}
