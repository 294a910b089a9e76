#pragma once

#include "../common/idx.hpp"
#include "machine.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace boltzmann_machine {

/// Pictures of `rows` x `columns` pixels, a row of `pixels` each, from 0 to 1.
struct Pictures {
  std::size_t rows = 0;
  std::size_t columns = 0;
  matrix pixels;
};

/// The size x size pictures made of full rows only or of full columns only: 2 * 2^size - 2, each once.
inline Pictures bars_and_stripes(std::size_t size) {
  const std::size_t half = std::size_t{1} << size;
  Pictures result{size, size, matrix::from_shape({2 * half - 2, size * size})};
  std::size_t n = 0;
  for (const bool stripes : {false, true}) {
    for (std::size_t full = 0; full < half; ++full) {
      if (stripes && (full == 0 || full == half - 1)) {
        continue;  // nothing and everything are among the bars
      }
      for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t column = 0; column < size; ++column) {
          result.pixels(n, row * size + column) = static_cast<double>(full >> (stripes ? column : row) & 1);
        }
      }
      ++n;
    }
  }
  return result;
}

/// The first pictures of an IDX file.
inline Pictures read_pictures(const std::string& path, std::size_t most) {
  const example::Idx file = example::read_idx(path, 3, "images");
  const std::size_t count = std::min(file.shape[0], most);
  const std::size_t size = file.shape[1] * file.shape[2];
  if (size > 4096) {
    throw example::Error(path + ": pictures of " + std::to_string(file.shape[1]) + " x " +
                         std::to_string(file.shape[2]) + " pixels; at most 4096 pixels are taken");
  }
  Pictures result{file.shape[1], file.shape[2], matrix::from_shape({count, size})};
  for (std::size_t i = 0; i < count * size; ++i) {
    result.pixels.data()[i] = file.values[i] / 255.0;
  }
  return result;
}

inline std::string idx_file(const Pictures& pictures) {
  example::Idx file{{pictures.pixels.shape(0), pictures.rows, pictures.columns}, {}};
  for (const double pixel : pictures.pixels) {
    file.values.push_back(static_cast<unsigned char>(pixel * 255 + 0.5));
  }
  return example::idx_file(file);
}

}  // namespace boltzmann_machine
