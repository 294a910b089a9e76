// expect: a Jacobian or Hessian is one of an element
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <xtensor/xtensor.hpp>

#include <vector>

auto wrong(const std::vector<double>& w, const xt::xtensor<double, 2>& x) {
  return tapeless::batched(tapeless::jacobian([](const auto& v, const auto& e) { return e * v; }))(w,
                                                                                                   tapeless::each(x));
}
