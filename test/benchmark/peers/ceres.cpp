// Ceres' Jet with as many derivatives as inputs, as ceres::AutoDiffCostFunction has it.
#include "forward.hpp"

#include <ceres/jet.h>

namespace peers {
namespace {

template <std::size_t N>
struct jets {
  using type = ceres::Jet<double, N>;
  static type variable(double value, std::size_t i) { return type(value, static_cast<int>(i)); }
  static double value(const type& x) { return x.a; }
  static double derivative(const type& x, std::size_t i) { return x.v[static_cast<int>(i)]; }
};

const forward<jets> all("Ceres Jet");

}  // namespace
}  // namespace peers
