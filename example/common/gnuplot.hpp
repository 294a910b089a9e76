#pragma once

#include "error.hpp"

#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace example {

/// printf to a std::string, for short texts.
template <class... Args>
std::string formatted(const char* format, Args... args) {
  std::array<char, 256> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, args...);
  return buffer.data();
}

/// A gnuplot string literal that stands for exactly this text.
inline std::string gnuplot_string(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    result += c == '\'' ? "''" : std::string(1, c);
  }
  return result + "'";
}

/// What scripts begin with: a picture 560 wide, in the file that gnuplot is called with, and what its parts look like.
inline std::string begin_picture(const std::string& terminal, int height) {
  return "set terminal " + terminal + formatted(" size 560,%d background '#ffffff'\n", height) + R"(set output ARG1
set border 3 linecolor '#606060'
set tics nomirror out textcolor '#404040'
set title offset 0,-0.6
)";
}

enum class Drawn { yes, no_gnuplot };

/// Whether a picture has its end: gnuplot succeeds on a full disk too.
inline bool is_complete(const std::filesystem::path& picture) {
  std::ifstream file(picture, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const auto ends_with = [&](const char* end) {
    return bytes.find(end, bytes.size() < 16 ? 0 : bytes.size() - 16) != std::string::npos;
  };
  return ends_with("</svg>") || ends_with("IEND");
}

/// Runs `gnuplot -c script picture`, without a shell. What gnuplot has to say goes to standard error.
inline Drawn draw(const std::filesystem::path& script, const std::filesystem::path& picture) {
  std::string name = "gnuplot";
  std::string without_user_settings = "-d";
  std::string option = "-c";
  std::string script_name = script.string();
  std::string picture_name = picture.string();
  std::array<char*, 6> arguments{name.data(),        without_user_settings.data(), option.data(),
                                 script_name.data(), picture_name.data(),          nullptr};
  pid_t child = 0;
  if (const int failure = ::posix_spawnp(&child, "gnuplot", nullptr, nullptr, arguments.data(), environ)) {
    if (failure == ENOENT || failure == EACCES) {
      return Drawn::no_gnuplot;
    }
    throw Error(std::string("gnuplot cannot be started: ") + std::strerror(failure));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) == -1 && errno == EINTR) {
  }
  if (status != 0 || !is_complete(picture)) {
    throw Error("gnuplot failed and drew no complete picture: is the disk full?");
  }
  return Drawn::yes;
}

}  // namespace example
