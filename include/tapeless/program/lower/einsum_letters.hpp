#pragma once

#include <tapeless/program/graph/growing_array.hpp>

#include <cstddef>
#include <string_view>

namespace tapeless::program {

/// The letters of two operands and of their sum of products, those of the result first, and where each stands in either
/// operand; -1 where it does not.
struct einsum_letters {
  int size = 0;
  /// The letters of the result.
  int kept = 0;
  growing_array<int> in_first, in_second;

  constexpr einsum_letters(std::string_view first, std::string_view second, std::string_view result)
      : fits_(distinct(first) && distinct(second) && distinct(result)),
        rank_of_first_(static_cast<int>(first.size())),
        rank_of_second_(static_cast<int>(second.size())) {
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
  /// Whether they are letters of operands of these ranks.
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

/// A subscript of NumPy's einsum, `ij,jk,kl->il`, operand by operand.
class einsum_subscript {
  std::string_view operands_, result_;
  int count_ = 0;

 public:
  constexpr explicit einsum_subscript(std::string_view subscript) {
    const std::size_t arrow = subscript.find("->");
    if (arrow == subscript.npos) return;
    operands_ = subscript.substr(0, arrow), result_ = subscript.substr(arrow + 2);
    count_ = 1;
    for (const char letter : operands_) count_ += letter == ',';
  }
  /// How many operands there are; none of what is no subscript.
  constexpr int operands() const { return count_; }
  constexpr std::string_view result() const { return result_; }
  /// The letters of the next operand.
  constexpr std::string_view next() {
    const std::size_t comma = operands_.find(',');
    const std::string_view found = operands_.substr(0, comma);
    operands_ = comma == operands_.npos ? std::string_view() : operands_.substr(comma + 1);
    return found;
  }
  /// The letters of a product of operands: the result's if no further operand is left, else those of the two that it or
  /// a further operand has.
  constexpr growing_array<char> kept(std::string_view first, std::string_view second) const {
    growing_array<char> result;
    if (operands_.empty()) {
      for (const char letter : result_) result.push_back(letter);
      return result;
    }
    const auto keep = [&](char letter) {
      if (result_.find(letter) != result_.npos || operands_.find(letter) != operands_.npos) result.push_back(letter);
    };
    for (const char letter : first) keep(letter);
    for (const char letter : second)
      if (first.find(letter) == first.npos) keep(letter);
    return result;
  }
};

}  // namespace tapeless::program
