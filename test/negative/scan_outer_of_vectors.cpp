// expect: a vector is a sequence: there are sum, mean, prod, amax
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto f = [](auto a, auto u, auto ks) {
  return scan([&](auto c, auto k) { return c * a + sum(outer(u, u)) * k; }, 0.0, ks);
};
auto call(const std::vector<double>& u, const std::vector<int>& ks) { return gradient(f, wrt<0>)(0.5, u, ks); }
