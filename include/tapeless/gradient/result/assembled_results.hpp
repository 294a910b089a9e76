#pragma once

/// What verbs of sums over elements return.
#include <tapeless/gradient/result/element_pattern.hpp>

#include <vector>

namespace tapeless {

/// The sum over elements and its gradient, an entry for each of the vector's; a tuple of such gradients where there are
/// several vectors.
template <class T, class Gradient>
struct assembled_gradient {
  T value{};
  Gradient gradient;
};
/// The same with the Hessian, all of a symmetric matrix. Rows and columns are the vectors' numbers, one vector after
/// the other, without those that are held.
template <class T, class Gradient, class Index>
struct assembled_hessian {
  T value{};
  Gradient gradient;
  compressed_rows<T, Index> hessian;
  detail::element_pattern<Index> pattern;

  /// Which number of the vectors each row and column is.
  const std::vector<Index>& unknowns() const { return pattern.unknowns; }
};
/// The values of all elements, one element after the other, and their Jacobian.
template <class T, class Index>
struct assembled_jacobian {
  std::vector<T> value;
  compressed_rows<T, Index> jacobian;
  detail::element_pattern<Index> pattern;

  /// Which number of the vectors each column is.
  const std::vector<Index>& unknowns() const { return pattern.unknowns; }
};

}  // namespace tapeless
