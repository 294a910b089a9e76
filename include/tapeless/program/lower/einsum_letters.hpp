#pragma once

#include <tapeless/program/graph/growing_array.hpp>

#include <string_view>

namespace tapeless::program {

/// A subscript of NumPy's einsum for two operands, `ij,jk->ik`: its letters, those of the result first, and where each
/// stands in either operand; -1 where it does not.
struct einsum_letters {
  int size = 0;
  /// The letters of the result.
  int kept = 0;
  growing_array<int> in_first, in_second;

  constexpr einsum_letters(std::string_view subscript) {
    const std::size_t comma = subscript.find(','), arrow = subscript.find("->");
    if (comma == subscript.npos || arrow == subscript.npos || arrow < comma) return;
    const std::string_view first = subscript.substr(0, comma), second = subscript.substr(comma + 1, arrow - comma - 1),
                           result = subscript.substr(arrow + 2);
    fits_ = distinct(first) && distinct(second) && distinct(result);
    rank_of_first_ = static_cast<int>(first.size()), rank_of_second_ = static_cast<int>(second.size());
    const auto place = [](std::string_view in, char letter) {
      const std::size_t at = in.find(letter);
      return at == in.npos ? -1 : static_cast<int>(at);
    };
    const auto add = [&](char letter) {
      in_first.push_back(place(first, letter)), in_second.push_back(place(second, letter));
      fits_ = fits_ && (in_first[size] >= 0 || in_second[size] >= 0);
      ++size;
    };
    for (const char letter : result) add(letter);
    kept = size;
    for (const char letter : first)
      if (result.find(letter) == result.npos) add(letter);
    for (const char letter : second)
      if (result.find(letter) == result.npos && first.find(letter) == first.npos) add(letter);
  }
  /// Whether the subscript is one, for operands of these ranks.
  constexpr bool fit(int first, int second) const {
    return fits_ && first == rank_of_first_ && second == rank_of_second_;
  }

 private:
  bool fits_ = false;
  int rank_of_first_ = 0, rank_of_second_ = 0;

  static constexpr bool distinct(std::string_view letters) {
    for (std::size_t i = 0; i < letters.size(); ++i)
      if (letters[i] < 'A' || letters.find(letters[i], i + 1) != letters.npos) return false;
    return true;
  }
};

}  // namespace tapeless::program
