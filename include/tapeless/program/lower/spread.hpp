#pragma once

#include <tapeless/program/graph/program.hpp>
#include <tapeless/program/rewrite/copy.hpp>

#include <array>
#include <cstddef>

namespace tapeless::program {

/// An array, or a number, that a variable of a program of numbers is bound to: its extents, -1 where only the call
/// tells.
struct array_leaf {
  int variable = -1;
  int rank = 0;
  std::array<std::ptrdiff_t, max_rank> extents{};
};

/// The finished program `P` of numbers over arrays, element by element: the variables are bound as `Leaves`, an array,
/// says and broadcast, and every output has the shape they are broadcast to.
template <class P, auto Leaves>
struct spread_over_arrays {
  static constexpr int rank = [] {
    int largest = 0;
    for (const array_leaf& leaf : Leaves) largest = leaf.rank > largest ? leaf.rank : largest;
    return largest;
  }();

  static constexpr tensor_access access_of(int variable) {
    tensor_access result{access_kind::variable, variable, 0, {}};
    for (const array_leaf& leaf : Leaves) {
      if (leaf.variable != variable) continue;
      result.rank = leaf.rank;
      for (std::size_t i = 0; i < static_cast<std::size_t>(leaf.rank); ++i)
        result.axes[i] = leaf.extents[i] == 1 ? -1 : rank - leaf.rank + static_cast<int>(i);
    }
    return result;
  }

  struct read_as_arrays : copied_as_is {
    constexpr int read(builder& to, graph_view, const node& n) const { return to.read(access_of(n.leaf)); }
    constexpr int stop(builder&, int operand) const { return operand; }
  };
  static constexpr builder run() {
    builder to;
    to.variables = {P::value.variables.data(), static_cast<int>(P::value.variables.size())};
    to.numbers = P::value.numbers;
    constexpr graph_view from = P::view();
    growing_array<int> moved(from.size, -1);
    copy_nodes(to, from, growing_array<char>(from.size, 1), moved, read_as_arrays());
    for (const int output : P::value.outputs) to.outputs.push_back(moved[output]);
    // What no output depends on is broadcast all the same.
    for (int variable = 0; variable < to.variables.size; ++variable)
      if (const tensor_access access = access_of(variable); access.rank > 0) to.read(access);
    tensor_access all{access_kind::output, 0, rank, {}};
    for (int i = 0; i < rank; ++i) all.axes[static_cast<std::size_t>(i)] = i;
    to.accesses.push_back(all);
    return to;
  }
};

}  // namespace tapeless::program
