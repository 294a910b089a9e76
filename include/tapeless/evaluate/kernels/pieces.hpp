#pragma once

#include <cstddef>
#include <vector>

/// Sums whose order depends on how many parts there are, not on who has them. The parts are the leaves of a binary
/// tree; neighbours are added up where together they are a node of the tree.
namespace tapeless::loops {

/// The parts from `begin` on, `size` of them, a power of two that divides `begin`.
struct piece {
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t size = 1;
};
using piece_list = std::vector<piece>;

/// Adds a piece after those on the stack; merge(i, j) takes number j into number i, the one before it.
template <class Merge>
void push(piece_list& stack, piece next, const Merge& merge) {
  stack.push_back(next);
  while (stack.size() > 1) {
    const piece last = stack.back();
    piece& before = stack[stack.size() - 2];
    if (before.size != last.size || before.begin % (2 * last.size) != 0) return;
    merge(stack.size() - 2, stack.size() - 1);
    before.size *= 2;
    stack.pop_back();
  }
}
/// Takes all that is left together, the last pieces first.
template <class Merge>
void fold(piece_list& stack, const Merge& merge) {
  for (; stack.size() > 1; stack.pop_back()) merge(stack.size() - 2, stack.size() - 1);
}

}  // namespace tapeless::loops
