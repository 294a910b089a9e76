#pragma once

#include <tapeless/core/transform_leaves.hpp>
#include <tapeless/gradient/function/verb_inside.hpp>
#include <tapeless/operation/tensor/indexing.hpp>
#include <tapeless/program/lower/trace.hpp>

#include <array>
#include <cstddef>
#include <tuple>

namespace tapeless {

/// In a function over tensors, the elements of a tensor in row-major order as a small matrix, whose operations they
/// then have: `det(as_matrix<3, 3>(x))`. Throws unless there are as many.
template <std::size_t Rows, std::size_t Columns, class X>
  requires is_traced<X>
constexpr auto as_matrix(const X& x) {
  const X all = reshape<static_cast<std::ptrdiff_t>(Rows), static_cast<std::ptrdiff_t>(Columns)>(x);
  std::array<std::array<X, Columns>, Rows> result{};
  for (std::size_t i = 0; i < Rows; ++i)
    for (std::size_t j = 0; j < Columns; ++j) result[i][j] = all(i, j);
  return result;
}

namespace detail {

template <class X>
constexpr auto stack_rows(const X& x) {
  if constexpr (is_traced<X>)
    return x;
  else
    return std::apply([](const auto&... row) { return stack<0>(stack_rows(row)...); }, x);
}

}  // namespace detail

/// And back: a small matrix or vector as a tensor. Not all of its elements are constants.
template <class X, std::size_t N>
constexpr auto as_tensor(const std::array<X, N>& rows) {
  program::builder& graph = *detail::find_graph(rows);
  return detail::stack_rows(
      transform_leaves([&](const traced& leaf) { return traced(graph, leaf.node_in(graph)); }, rows));
}

}  // namespace tapeless
