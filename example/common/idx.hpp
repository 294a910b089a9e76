#pragma once

#include "error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace example {

/// An array of bytes as MNIST's files hold them: in row-major order, after a header of two zeros, the type of the
/// elements (8: unsigned bytes), the number of dimensions, and the dimensions in 32 bits, big end first.
struct Idx {
  std::vector<std::size_t> shape;
  std::vector<unsigned char> values;
};

inline constexpr unsigned char idx_unsigned_bytes = 8;

/// Reads an array of `rank` dimensions, none of them 0; `what` says what it should be, for the messages.
inline Idx read_idx(const std::string& path, std::size_t rank, const std::string& what) {
  const auto fail = [&](const std::string& reason) { throw Error(path + ": " + reason); };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) {
    fail(std::string("cannot be opened: ") + std::strerror(errno));
  }
  const auto read = [&](unsigned char* to, std::size_t size) {
    const std::size_t got = std::fread(to, 1, size, file.get());
    if (got < size && std::ferror(file.get()) != 0) {
      fail(std::string("cannot be read: ") + std::strerror(errno));
    }
    return got;
  };

  std::array<unsigned char, 4> magic{};
  const std::size_t got = read(magic.data(), magic.size());
  if (got == 0) {
    fail("the file is empty");
  }
  if (magic[0] == 0x1f && magic[1] == 0x8b) {
    fail("compressed by gzip; decompress it first: gunzip -k FILE");
  }
  if (got < magic.size() || magic[0] != 0 || magic[1] != 0) {
    fail("no IDX file: it does not start with two zero bytes");
  }
  if (magic[2] != idx_unsigned_bytes) {
    fail("elements of type " + std::to_string(magic[2]) + ", only unsigned bytes (8) are read");
  }
  if (magic[3] != rank) {
    fail(std::to_string(magic[3]) + " dimensions, " + what + " have " + std::to_string(rank));
  }
  Idx result;
  std::size_t size = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    std::array<unsigned char, 4> bytes{};
    if (read(bytes.data(), bytes.size()) < bytes.size()) {
      fail("cut short in its header");
    }
    std::size_t extent = 0;
    for (const unsigned char byte : bytes) {
      extent = extent << 8 | byte;
    }
    if (extent == 0) {
      fail("dimension " + std::to_string(i + 1) + " is 0");
    }
    if (extent > (std::size_t{1} << 32) / size) {
      fail("too large: more than 4294967296 elements");
    }
    result.shape.push_back(extent);
    size *= extent;
  }
  // In parts: a header may promise more than there is, or than there is memory for.
  while (result.values.size() < size) {
    const std::size_t before = result.values.size();
    const std::size_t part = std::min(size - before, std::size_t{1} << 20);
    result.values.resize(before + part);
    if (const std::size_t there = read(&result.values[before], part); there < part) {
      fail("cut short: " + std::to_string(before + there) + " of " + std::to_string(size) + " elements");
    }
  }
  if (unsigned char more = 0; read(&more, 1) != 0) {
    fail("longer than its header says (" + std::to_string(size) + " elements)");
  }
  return result;
}

/// The file that `read_idx` reads.
inline std::string idx_file(const Idx& array) {
  std::string text{'\0', '\0', static_cast<char>(idx_unsigned_bytes), static_cast<char>(array.shape.size())};
  for (const std::size_t extent : array.shape) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      text += static_cast<char>(static_cast<unsigned char>(extent >> shift & 0xff));
    }
  }
  return text.append(array.values.begin(), array.values.end());
}

}  // namespace example
