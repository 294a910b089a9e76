// expect: the compiler cannot run the Ceres functor
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <cmath>

struct residual {
  template <class T>
  constexpr bool operator()(const T* x, T* r) const {
    r[0] = std::sqrt(x[0]);
    return true;
  }
};
const auto j = tapeless::jacobian(tapeless::from_ceres<1, 1>(residual{}))(std::array{3.0});
