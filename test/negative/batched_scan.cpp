// expect: batched needs one sequence per element for each sequence that a scan reads
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

constexpr auto path = [](auto a, auto xs) {
  return tapeless::scan([&](auto c, auto x) { return c * a + x; }, 0.0, xs);
};
auto call(const std::vector<double>& as, const std::vector<double>& xs) {
  return tapeless::batched(tapeless::value_and_gradient(path, tapeless::wrt<0>))(as, xs);
}
