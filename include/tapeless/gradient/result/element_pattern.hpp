#ifndef TAPELESS_GRADIENT_RESULT_ELEMENT_PATTERN_HPP
#define TAPELESS_GRADIENT_RESULT_ELEMENT_PATTERN_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace tapeless {

/// A sparse matrix in compressed rows: row i has the numbers `values[k]` in the columns `columns[k]`, ascending, for k
/// from `row_begin[i]` to `row_begin[i + 1]`. Indices have the type `Index` that elements are given with.
template <class T, class Index>
struct compressed_rows {
  std::vector<T> values;
  std::vector<Index> row_begin, columns;

  /// Entry (i, j), 0 where none is stored. Cost: a search in the row.
  T operator()(std::size_t i, std::size_t j) const {
    const auto first = columns.begin() + static_cast<std::ptrdiff_t>(row_begin[i]),
               last = columns.begin() + static_cast<std::ptrdiff_t>(row_begin[i + 1]);
    const auto found = std::lower_bound(first, last, static_cast<Index>(j));
    return found != last && *found == static_cast<Index>(j) ? values[static_cast<std::size_t>(found - columns.begin())]
                                                            : T(0);
  }
};

namespace detail {

/// Where the numbers of each element go in a matrix of compressed rows.
template <class Index>
class element_pattern {
  std::vector<Index> elements_;
  std::size_t nodes_ = 0;

 public:
  /// For each element, where the columns of each of its nodes begin: of a Hessian, in the rows of each of its nodes,
  /// counted from the row's begin; of a Jacobian in each of its rows.
  std::vector<Index> offsets;

  /// Whether it was made of these elements, and the matrix of `rows` rows still stands as it was made: it may have been
  /// moved from.
  template <class T>
  bool is_of(std::span<const Index> elements, std::size_t nodes, std::size_t rows,
             const compressed_rows<T, Index>& matrix) const {
    return matrix.row_begin.size() == rows + 1 && matrix.columns.size() == matrix.values.size() &&
           matrix.columns.size() == static_cast<std::size_t>(matrix.row_begin.back()) && nodes == nodes_ &&
           std::ranges::equal(elements, elements_);
  }

  /// The pattern of a Hessian: nodes of `size` numbers that meet in an element share their rows and columns, `each`
  /// nodes an element. Linear in elements.
  template <class T>
  void make_hessian(std::span<const Index> elements, std::size_t nodes, std::size_t each, std::size_t size,
                    compressed_rows<T, Index>& to) {
    // The elements of each node, by counting.
    std::vector<std::size_t> begin(nodes + 1);
    for (const Index node : elements) ++begin[static_cast<std::size_t>(node) + 1];
    for (std::size_t node = 0; node < nodes; ++node) begin[node + 1] += begin[node];
    std::vector<std::size_t> uses(elements.size()), next(begin.begin(), begin.end() - 1);
    for (std::size_t use = 0; use < elements.size(); ++use) uses[next[static_cast<std::size_t>(elements[use])]++] = use;

    elements_.clear();
    offsets.resize(elements.size() * each);
    to.row_begin.assign(1, Index(0));
    to.row_begin.reserve(nodes * size + 1);
    to.columns.clear();
    std::vector<Index> neighbours;
    std::vector<std::size_t> place(nodes, nodes);
    std::size_t entries = 0;
    for (std::size_t node = 0; node < nodes; ++node) {
      neighbours.clear();
      const auto elements_of_node = std::span(uses).subspan(begin[node], begin[node + 1] - begin[node]);
      for (const std::size_t use : elements_of_node)
        for (std::size_t i = 0; i < each; ++i) {
          const Index other = elements[use / each * each + i];
          if (place[static_cast<std::size_t>(other)] != nodes) continue;
          place[static_cast<std::size_t>(other)] = 0;
          neighbours.push_back(other);
        }
      std::sort(neighbours.begin(), neighbours.end());
      for (std::size_t i = 0; i < neighbours.size(); ++i) place[static_cast<std::size_t>(neighbours[i])] = i * size;
      for (const std::size_t use : elements_of_node)
        for (std::size_t i = 0; i < each; ++i)
          offsets[use * each + i] =
              static_cast<Index>(place[static_cast<std::size_t>(elements[use / each * each + i])]);
      for (const Index other : neighbours) place[static_cast<std::size_t>(other)] = nodes;
      for (std::size_t row = 0; row < size; ++row) entries = append_row(neighbours, size, entries, to);
    }
    to.values.resize(entries);
    keep(elements, nodes);
  }

  /// The pattern of a Jacobian with `rows` rows an element.
  template <class T>
  void make_jacobian(std::span<const Index> elements, std::size_t nodes, std::size_t each, std::size_t size,
                     std::size_t rows, compressed_rows<T, Index>& to) {
    elements_.clear();
    offsets.resize(elements.size());
    to.row_begin.assign(1, Index(0));
    to.row_begin.reserve(elements.size() / each * rows + 1);
    to.columns.clear();
    std::vector<Index> sorted;
    std::size_t entries = 0;
    for (std::size_t first = 0; first < elements.size(); first += each) {
      const auto element = elements.subspan(first, each);
      sorted.assign(element.begin(), element.end());
      std::sort(sorted.begin(), sorted.end());
      sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
      for (std::size_t i = 0; i < each; ++i)
        offsets[first + i] = static_cast<Index>(
            static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), element[i]) - sorted.begin()) *
            size);
      for (std::size_t row = 0; row < rows; ++row) entries = append_row(sorted, size, entries, to);
    }
    to.values.resize(entries);
    keep(elements, nodes);
  }

 private:
  template <class T>
  static std::size_t append_row(const std::vector<Index>& nodes, std::size_t size, std::size_t entries,
                                compressed_rows<T, Index>& to) {
    entries += nodes.size() * size;
    if (entries > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
      throw std::invalid_argument(
          "tapeless: assemble: the matrix has more entries than the elements' index type counts");
    for (const Index node : nodes)
      for (std::size_t i = 0; i < size; ++i)
        to.columns.push_back(static_cast<Index>(static_cast<std::size_t>(node) * size + i));
    to.row_begin.push_back(static_cast<Index>(entries));
    return entries;
  }
  void keep(std::span<const Index> elements, std::size_t nodes) {
    elements_.assign(elements.begin(), elements.end());
    nodes_ = nodes;
  }
};

}  // namespace detail

}  // namespace tapeless

#endif
