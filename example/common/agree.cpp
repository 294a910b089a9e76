// agree FILE FILE: whether two files have the same words, where numbers may differ by 1e-9 of the second one, or by
// 1e-9 if that is smaller than 1.
#include "command_line.hpp"
#include "lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

namespace {

bool agree(std::string_view word, std::string_view expected) {
  if (word.ends_with(',') && expected.ends_with(',')) {
    word.remove_suffix(1), expected.remove_suffix(1);
  }
  const auto a = example::number(word), b = example::number(expected);
  return a && b ? std::abs(*a - *b) <= 1e-9 * std::max(1.0, std::abs(*b)) : word == expected;
}

}  // namespace

int main(int argc, char** argv) {
  return example::exit_status("agree", [&] {
    if (argc != 3) {
      throw example::Error("usage: agree FILE FILE");
    }
    example::Lines got(argv[1]), expected(argv[2]);
    while (expected.next()) {
      got.require_next("line '" + std::string(expected.word(0)) + " ...'");
      got.require_size(expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!agree(got.word(i), expected.word(i))) {
          got.fail("'" + example::printable(got.word(i)) + "' is not '" + example::printable(expected.word(i)) + "'");
        }
      }
    }
    if (got.next()) {
      got.fail("the other file has no such line");
    }
    return 0;
  });
}
