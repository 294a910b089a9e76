#pragma once

#include "../common/csv.hpp"
#include "../common/random.hpp"
#include "model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace softmax_classifier {

using example::Error;

struct Examples {
  Matrix features;  ///< in standard deviations from the mean of the training examples
  Matrix one_hot;
  std::vector<std::size_t> classes;
};

struct Data {
  std::vector<std::string> features;
  std::vector<std::string> classes;
  std::vector<double> mean;  ///< of each feature
  std::vector<double> sd;
  Examples training;
  Examples held_out;
};

inline std::vector<std::string> classes_of(const example::Table& table) {
  std::vector<std::string> classes = table.labels;
  std::ranges::sort(classes);
  const auto repeated = std::ranges::unique(classes);
  classes.erase(repeated.begin(), repeated.end());
  if (classes.size() < 2) {
    throw Error("column '" + table.label_name + "': only one class, '" + example::printable(classes.front()) + "'");
  }
  if (classes.size() > 100) {
    throw Error("column '" + table.label_name + "': " + std::to_string(classes.size()) +
                " classes; at most 100: does the last column hold labels?");
  }
  return classes;
}

inline Examples examples(const example::Table& table, const std::vector<std::size_t>& class_of_row,
                         const std::vector<std::size_t>& rows, const Data& data) {
  const std::size_t d = table.names.size();
  Examples result{Matrix::from_shape({rows.size(), d}), xt::zeros<double>({rows.size(), data.classes.size()}), {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      result.features(i, j) = (table.numbers[rows[i] * d + j] - data.mean[j]) / data.sd[j];
    }
    result.classes.push_back(class_of_row[rows[i]]);
    result.one_hot(i, class_of_row[rows[i]]) = 1;
  }
  return result;
}

/// Splits the table at random: of each class the share `held_out`, but at least one row, and not all.
inline Data split(const example::Table& table, double held_out, std::uint64_t seed) {
  Data data{table.names, classes_of(table), {}, {}, {}, {}};
  std::vector<std::vector<std::size_t>> rows_of(data.classes.size());
  std::vector<std::size_t> class_of_row;
  for (std::size_t i = 0; i < table.rows; ++i) {
    const auto found = std::ranges::lower_bound(data.classes, table.labels[i]);
    class_of_row.push_back(static_cast<std::size_t>(found - data.classes.begin()));
    rows_of[class_of_row.back()].push_back(i);
  }
  example::Random random(seed);
  std::vector<std::size_t> training;
  std::vector<std::size_t> rest;
  for (std::size_t c = 0; c < rows_of.size(); ++c) {
    std::vector<std::size_t>& rows = rows_of[c];
    if (rows.size() < 2) {
      throw Error("class '" + example::printable(data.classes[c]) +
                  "' has one row only; one to learn from and one "
                  "to test with are needed");
    }
    random.shuffle(rows);
    const auto share = static_cast<std::ptrdiff_t>(held_out * static_cast<double>(rows.size()));
    const auto middle = rows.begin() + std::clamp<std::ptrdiff_t>(share, 1, std::ssize(rows) - 1);
    rest.insert(rest.end(), rows.begin(), middle);
    training.insert(training.end(), middle, rows.end());
  }
  const std::size_t d = table.names.size();
  const auto n = static_cast<double>(training.size());
  for (std::size_t j = 0; j < d; ++j) {
    double mean = 0;
    for (const std::size_t row : training) {
      mean += table.numbers[row * d + j] / n;
    }
    double variance = 0;
    for (const std::size_t row : training) {
      const double deviation = table.numbers[row * d + j] - mean;
      variance += deviation * deviation / n;
    }
    const double sd = std::sqrt(variance);
    if (!std::isfinite(mean) || !std::isfinite(sd)) {
      throw Error("column '" + table.names[j] + "': the values are too large");
    }
    data.mean.push_back(mean);
    // Rounding makes a spread of equal values too.
    data.sd.push_back(sd > 1e-12 * std::abs(mean) ? sd : 1);
  }
  data.training = examples(table, class_of_row, training, data);
  data.held_out = examples(table, class_of_row, rest, data);
  return data;
}

}  // namespace softmax_classifier
