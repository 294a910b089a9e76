#pragma once

#include "../common/idx.hpp"
#include "../common/random.hpp"
#include "network.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace adversarial_training {

/// Points and their classes, +1 or -1.
struct Points {
  matrix points;
  vector classes;
};

struct Data {
  Points train;
  Points test;
  std::size_t rows = 0;  ///< of pixels, if the points are images
  std::size_t columns = 0;
};

/// Two half circles of radius 1 that reach into each other, with noise.
inline Points two_moons(std::size_t count, double noise, example::Random& random) {
  Points result{matrix::from_shape({count, 2}), vector::from_shape({count})};
  for (std::size_t i = 0; i < count; ++i) {
    const bool upper = i % 2 == 0;
    const double angle = std::numbers::pi * random.uniform();
    const double x = upper ? std::cos(angle) : 1 - std::cos(angle);
    const double y = upper ? std::sin(angle) : 0.5 - std::sin(angle);
    result.points(i, 0) = random.normal(x, noise);
    result.points(i, 1) = random.normal(y, noise);
    result.classes[i] = upper ? 1 : -1;
  }
  return result;
}

inline Data generated_moons(std::size_t train, std::size_t test, double noise, example::Random& random) {
  Points first = two_moons(train, noise, random);
  return {std::move(first), two_moons(test, noise, random)};
}

/// Images of `size` x `size` pixels with a bright line, in class 0 horizontal, in class 1 vertical, in class 2
/// diagonal, and noise: files like MNIST's.
struct LineFiles {
  example::Idx images;
  example::Idx labels;
};
inline LineFiles generated_lines(std::size_t count, std::size_t size, example::Random& random) {
  LineFiles result{{{count, size, size}, {}}, {{count}, {}}};
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t kind = n % 3;
    const std::size_t place = random.below(size);
    result.labels.values.push_back(static_cast<unsigned char>(kind));
    for (std::size_t row = 0; row < size; ++row) {
      for (std::size_t column = 0; column < size; ++column) {
        const bool bright = kind == 0 ? row == place : kind == 1 ? column == place : (row + column) % size == place;
        const double value = random.normal(bright ? 190 : 50, 40);
        result.images.values.push_back(static_cast<unsigned char>(std::clamp(value, 0.0, 255.0)));
      }
    }
  }
  return result;
}

/// Of the first `most` images of an IDX file those whose label, in another, is `first` (class +1) or `second` (-1), in
/// another order; a fifth of them to test.
inline Data read_images(const std::string& images_path, const std::string& labels_path, std::size_t most,
                        unsigned first, unsigned second, example::Random& random) {
  const example::Idx images = example::read_idx(images_path, 3, "images");
  const example::Idx labels = example::read_idx(labels_path, 1, "labels");
  if (images.shape[0] != labels.shape[0]) {
    throw example::Error(labels_path + ": " + std::to_string(labels.shape[0]) + " labels of " +
                         std::to_string(images.shape[0]) + " images");
  }
  const std::size_t size = images.shape[1] * images.shape[2];
  if (size > 4096) {
    throw example::Error(images_path + ": images of " + std::to_string(size) + " pixels; at most 4096 are taken");
  }
  std::vector<std::size_t> chosen;
  for (const unsigned label : {first, second}) {
    const std::size_t before = chosen.size();
    for (std::size_t n = 0; n < std::min(labels.shape[0], most); ++n) {
      if (labels.values[n] == label) {
        chosen.push_back(n);
      }
    }
    if (chosen.size() < before + 5) {
      throw example::Error(labels_path + ": " + std::to_string(chosen.size() - before) + " images of class " +
                           std::to_string(label) + ", at least 5 are needed");
    }
  }
  random.shuffle(chosen);
  const auto part = [&](std::size_t begin, std::size_t end) {
    Points result{matrix::from_shape({end - begin, size}), vector::from_shape({end - begin})};
    for (std::size_t n = begin; n < end; ++n) {
      for (std::size_t i = 0; i < size; ++i) {
        result.points(n - begin, i) = images.values[chosen[n] * size + i] / 255.0;
      }
      result.classes[n - begin] = labels.values[chosen[n]] == first ? 1 : -1;
    }
    return result;
  };
  const std::size_t to_train = chosen.size() - chosen.size() / 5;
  return {part(0, to_train), part(to_train, chosen.size()), images.shape[1], images.shape[2]};
}

}  // namespace adversarial_training
