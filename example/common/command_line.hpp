#pragma once

#include "error.hpp"

#include <cstdio>
#include <exception>
#include <map>
#include <string>

namespace example {

/// What `value`, given for `--option`, stands for.
template <class T>
const T& choice(const std::string& option, const std::string& value, const std::map<std::string, T>& choices) {
  if (const auto found = choices.find(value); found != choices.end()) {
    return found->second;
  }
  std::string known;
  for (const auto& [name, meaning] : choices) {
    known += (known.empty() ? "" : ", ") + name;
  }
  throw Error("--" + option + " " + printable(value) + ": must be one of " + known);
}

/// The exit status of a program that does `work`, which returns it: 2, after one line, where it throws instead.
template <class Work>
int exit_status(const char* program, Work work) {
  try {
    const int status = work();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw Error("standard output cannot be written");
    }
    return status;
  } catch (const std::exception& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s: %s\n", program, printable(error.what(), 1000).c_str());
    return 2;
  }
}

/// The exit status of a program whose arguments `parse(argc, argv)` gives, or nothing where the command line only asks
/// for help, and whose work is `run(arguments)`.
template <class Parse, class Run>
int exit_status(const char* program, int argc, char** argv, const Parse& parse, const Run& run) {
  return exit_status(program, [&] {
    const auto arguments = parse(argc, argv);
    return arguments ? run(*arguments) : 0;
  });
}

}  // namespace example
