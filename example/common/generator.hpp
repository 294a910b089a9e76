#pragma once

#include <charconv>
#include <cstdio>
#include <cstring>

namespace example {

/// The exit status of a program `generate ROWS`, where `print(rows)` writes so many rows to standard output.
template <class Print>
int generate(int argc, char** argv, Print print) {
  int rows = 0;
  const char* const end = argc == 2 ? argv[1] + std::strlen(argv[1]) : nullptr;
  if (argc != 2 || std::from_chars(argv[1], end, rows).ptr != end || rows < 1) {
    std::fputs("usage: generate ROWS > FILE\n", stderr);
    return 2;
  }
  print(rows);
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : 1;
}

}  // namespace example
