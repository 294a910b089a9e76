// Eigen's AutoDiffScalar with as many derivatives as inputs, on the stack, as its documentation has it.
#include "forward.hpp"

#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>

namespace Eigen {

// AutoDiffScalar has no erf; written like the functions that it has.
template <class Derivatives>
auto erf(const AutoDiffScalar<Derivatives>& x) {
  return MakeAutoDiffScalar(std::erf(x.value()),
                            x.derivatives() * (1.12837916709551257390 * std::exp(-x.value() * x.value())));
}

}  // namespace Eigen

namespace peers {
namespace {

template <std::size_t N>
struct eigen {
  using type = Eigen::AutoDiffScalar<Eigen::Matrix<double, N, 1>>;
  static type variable(double value, std::size_t i) { return type(value, N, static_cast<int>(i)); }
  static double value(const type& x) { return x.value(); }
  static double derivative(const type& x, std::size_t i) { return x.derivatives()[static_cast<int>(i)]; }
};

const forward<eigen> all("Eigen AutoDiffScalar");

}  // namespace
}  // namespace peers
