// expect: nor has over tensors a Jacobian by a sequence of arrays or structs
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <xtensor/xtensor.hpp>

#include <array>
#include <vector>

using namespace tapeless;
constexpr auto f = [](const auto& w, const auto& all) {
  return sum(scan([](auto carry, auto each) { return carry * each[0] + each[1]; }, w, all));
};
auto wrong(const xt::xtensor<double, 2>& w, const std::vector<std::array<double, 2>>& all) {
  return jacobian(f, wrt<1>)(w, all);
}
