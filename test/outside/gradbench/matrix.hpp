#pragma once

#include "tool.hpp"

#include <xtensor/xtensor.hpp>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace gradbench {

using Vector = std::vector<double>;
using Matrix = xt::xtensor<double, 2>;

/// The matrix whose rows `rows` has.
inline Matrix matrix(const json& rows) {
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  Matrix m = xt::zeros<double>({rows.size(), columns});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != columns) throw std::invalid_argument("rows of different lengths");
    for (std::size_t j = 0; j < columns; ++j) m(i, j) = rows[i][j];
  }
  return m;
}

inline json rows(const Matrix& m) {
  json all = json::array();
  for (std::size_t i = 0; i < m.shape(0); ++i) {
    json row = json::array();
    for (std::size_t j = 0; j < m.shape(1); ++j) row.push_back(m(i, j));
    all.push_back(std::move(row));
  }
  return all;
}

}  // namespace gradbench
