#pragma once

#include "csv.hpp"
#include "error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace example {

/// A text file of lines of words between blanks, numbers among them. What is wrong is an error that names the line.
class Lines {
 public:
  explicit Lines(const std::string& path) : path_(path), text_(read_file(path)) {}

  /// Goes to the next line that is not blank; false at the end.
  bool next() {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      const std::string_view line = std::string_view(text_).substr(at_, end - at_);
      at_ = end + 1;
      ++line_;
      words_.clear();
      constexpr const char* blanks = " \t\r\v\f";
      for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;) {
        const std::size_t stop = std::min(line.find_first_of(blanks, begin), line.size());
        words_.push_back(line.substr(begin, stop - begin));
        begin = line.find_first_not_of(blanks, stop);
      }
      if (!words_.empty()) {
        return true;
      }
    }
    return false;
  }
  /// The same where the file must not end; `what` should follow.
  void require_next(const std::string& what) {
    if (!next()) {
      throw Error(path_ + ": ends before " + what);
    }
  }
  /// Throws unless the line has this many words.
  void require_size(std::size_t size) const {
    if (words_.size() != size) {
      fail(std::to_string(words_.size()) + " words where " + std::to_string(size) + " belong");
    }
  }

  std::size_t size() const { return words_.size(); }
  std::string_view word(std::size_t i) const {
    if (i >= words_.size()) {
      fail("cut short after " + std::to_string(words_.size()) + " words");
    }
    return words_[i];
  }
  double number(std::size_t i) const {
    const auto value = example::number(word(i));
    if (!value) {
      fail("'" + printable(words_[i]) + "' is not a finite number");
    }
    return *value;
  }
  /// From 0 on.
  int integer(std::size_t i) const {
    const double value = number(i);
    if (!(value >= 0 && value <= std::numeric_limits<int>::max()) || value != std::floor(value)) {
      fail("'" + printable(words_[i]) + "' is not an integer from 0 on");
    }
    return static_cast<int>(value);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(path_ + ": line " + std::to_string(line_) + ": " + what);
  }

 private:
  std::string path_;
  std::string text_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  std::vector<std::string_view> words_;
};

}  // namespace example
