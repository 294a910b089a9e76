#pragma once

#include "error.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

namespace example {

/// A file that appears under its name only when it is complete: written beside it, renamed by publish(), and
/// removed if it never gets that far.
class StagedFile {
 public:
  explicit StagedFile(std::filesystem::path path)
      : path_(std::move(path)),
        staged_(path_.parent_path() / ('.' + path_.filename().string() + '.' + std::to_string(::getpid()))) {}
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;
  ~StagedFile() {
    std::error_code ignored;
    std::filesystem::remove(staged_, ignored);
  }

  /// Where to write until publish().
  const std::filesystem::path& staged() const { return staged_; }
  const std::filesystem::path& path() const { return path_; }

  void write(const std::string& text) {
    std::FILE* file = std::fopen(staged_.c_str(), "wb");
    const bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = file != nullptr && std::fclose(file) == 0;
    if (!written || !closed) {
      throw Error(path_.string() + ": cannot be written: " + std::strerror(errno));
    }
  }

  void publish() {
    std::error_code failure;
    std::filesystem::rename(staged_, path_, failure);
    if (failure) {
      throw Error(path_.string() + ": cannot be written: " + failure.message());
    }
  }

 private:
  std::filesystem::path path_;
  std::filesystem::path staged_;
};

/// Writes a file that appears when it is complete.
inline void write_file(const std::filesystem::path& path, const std::string& text) {
  StagedFile file(path);
  file.write(text);
  file.publish();
}

/// Creates the directory if need be and makes sure, before any long work, that files can be written into it.
inline void prepare_directory(const std::filesystem::path& directory) {
  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  if (!failure && !std::filesystem::is_directory(directory, failure)) {
    failure = std::make_error_code(std::errc::not_a_directory);
  }
  if (!failure && ::access(directory.c_str(), W_OK | X_OK) != 0) {
    failure = std::error_code(errno, std::generic_category());
  }
  if (failure) {
    throw Error("output directory " + directory.string() + " cannot be written: " + failure.message());
  }
}

}  // namespace example
