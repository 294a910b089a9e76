// The way back of a loop keeps its steps in memory of the host's thread.
#include <tapeless/tapeless.hpp>

struct logistic_map {
  template <class A, class N>
  constexpr auto operator()(A state, N count) const {
    return tapeless::scan([](auto x, auto) { return 3 * x * (1 - x); }, state, tapeless::steps(count));
  }
};

// In constant evaluation it stays allowed.
static_assert(tapeless::gradient(logistic_map{}, tapeless::wrt<0>)(0.5, 1) == 0);

__global__ void kernel(const double* from, double* to) {
  to[threadIdx.x] = tapeless::gradient(logistic_map{}, tapeless::wrt<0>)(from[threadIdx.x], 20);
}
