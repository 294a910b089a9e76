// expect: which batched hands to functions that .scan. it
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
auto call(const std::vector<double>& as, const std::vector<double>& xs) {
  return batched(gradient([](auto a, auto) { return a * a; }, wrt<0>))(as, for_all(xs));
}
