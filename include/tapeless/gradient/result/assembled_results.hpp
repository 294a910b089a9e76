#pragma once

/// What verbs of sums over elements return.
#include <tapeless/core/message.hpp>
#include <tapeless/core/target.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

namespace tapeless {

/// A sparse matrix in compressed rows: row i has the numbers `values[k]` in the ascending columns `columns[k]`, for k
/// from `row_begin[i]` to `row_begin[i + 1]`. Its indices have the same type, `Index`, as those of the elements.
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

namespace detail::inline TAPELESS_TARGET {

/// How many elements a group has, with how many rows of a Jacobian each; and of one kind of nodes, how many there are,
/// how many of them each element names, and how many numbers a node has.
struct node_counts {
  std::size_t group, elements, rows, nodes, each, size;

  friend bool operator==(const node_counts&, const node_counts&) = default;
};
/// The nodes of one kind and those that the elements of one group name, `each` an element.
template <class Index>
struct node_picks {
  node_counts counts;
  std::span<const Index> picks;
};

/// All nodes that elements name, and which of their numbers are held: a flag each, or none. `lists` has one of picks
/// for each of the `kinds` kinds of nodes, group after group.
template <class Index>
struct named_nodes {
  std::span<const node_picks<Index>> lists;
  std::size_t kinds;
  std::span<const char> held;
};

/// Where the numbers of each element go in a matrix of compressed rows. Rows and columns are the numbers of all nodes,
/// one kind after the other, without those that are held.
template <class Index>
class element_pattern {
  std::vector<node_counts> counts_;
  std::vector<Index> picks_;
  std::vector<char> held_;

 public:
  /// For each element, group after group, where the columns of each of its nodes begin: of a Hessian, in the rows of
  /// each of its nodes, counted from the row's begin; of a Jacobian in each of its rows.
  std::vector<Index> offsets;
  /// The number that each row and column of a Hessian, each column of a Jacobian, is.
  std::vector<Index> unknowns;
  /// For each number, how many of those before it are not held; then of all.
  std::vector<Index> unknowns_before;
  /// The uses of nodes, counted through the elements, of which one thread adds each share: those of one node are in
  /// one share, in their order.
  std::vector<std::vector<std::size_t>> shares;
  /// Of which elements of several processes it was made, a hash that each of them has; 0 for those of one.
  double of_processes = 0;

  /// Whether it was made of these elements, and the matrix still stands as it was made, with `rows` rows or one for
  /// each unknown: it may have been moved from.
  template <class T>
  bool is_of(const named_nodes<Index>& nodes, const compressed_rows<T, Index>& matrix, std::size_t rows) const {
    if (matrix.row_begin.size() != rows + 1 || matrix.columns.size() != matrix.values.size() ||
        matrix.columns.size() != static_cast<std::size_t>(matrix.row_begin[rows]) ||
        !std::ranges::equal(nodes.lists, counts_, {}, &node_picks<Index>::counts) ||
        !std::ranges::equal(nodes.held, held_))
      return false;
    std::span<const Index> left = picks_;
    for (const auto& list : nodes.lists) {
      if (left.size() < list.picks.size() || !std::ranges::equal(list.picks, left.first(list.picks.size())))
        return false;
      left = left.subspan(list.picks.size());
    }
    return left.empty();
  }

  /// The pattern of a Hessian: nodes that meet in an element share their rows and columns. Linear in elements. After
  /// the first lists, `own` of them, come those of other processes.
  template <class T>
  void make_hessian(const named_nodes<Index>& named, std::size_t own, compressed_rows<T, Index>& to) {
    numbered_nodes all(named);
    const std::size_t nodes = all.first_number.size() - 1;
    // The elements of each node, by counting.
    std::vector<std::size_t> begin(nodes + 1);
    for (const std::size_t node : all.picks) ++begin[node + 1];
    for (std::size_t node = 0; node < nodes; ++node) begin[node + 1] += begin[node];
    std::vector<std::size_t> uses(all.picks.size()), next(begin.begin(), begin.end() - 1);
    for (std::size_t use = 0; use < all.picks.size(); ++use) uses[next[all.picks[use]]++] = use;

    start(all.first_number.back(), all.blocks, to);
    for (std::size_t node = 0; node < nodes; ++node)
      append_rows(std::span(uses).subspan(begin[node], begin[node + 1] - begin[node]), all.size(node),
                  &element::first_block, all, to);
    to.values.resize(to.columns.size());
    const std::size_t groups = own / named.kinds;
    if (groups < all.groups.size()) offsets.resize(all.groups[groups].first_block);
    keep({named.lists.first(own), named.kinds, named.held});
  }

  /// The pattern of a Jacobian with `rows` rows, of which each element has its own.
  template <class T>
  void make_jacobian(const named_nodes<Index>& named, std::size_t rows, compressed_rows<T, Index>& to) {
    numbered_nodes all(named);
    start(rows, all.picks.size(), to);
    for (std::size_t use = 0; use < all.picks.size();) {
      const element of = all.element_of(use);
      append_rows(std::span(&use, 1), of.rows, &element::first_use, all, to);
      use += of.nodes.size();
    }
    to.values.resize(to.columns.size());
    keep(named);
  }

  /// Divides the uses of nodes among `count` shares, unless they are.
  void share(const named_nodes<Index>& named, std::size_t count) {
    if (shares.size() == count) return;
    shares.assign(count, {});
    const numbered_nodes all(named);
    // Nodes that follow each other meet in elements: they stay together, but not all that a thread adds at a time.
    constexpr std::size_t together = 32;
    for (std::size_t use = 0; use < all.picks.size(); ++use) shares[all.picks[use] / together % count].push_back(use);
  }

 private:
  /// The elements of one group, from `first_use` and `first_block` on.
  struct group {
    std::size_t first_use, first_block, elements, each, rows;
  };
  /// An element's nodes, the first use of one, and where the blocks of one of them begin in a Hessian's `offsets`.
  struct element {
    std::span<const std::size_t> nodes;
    std::size_t first_use, first_block, rows;
  };
  /// The nodes of all kinds in one row, and the first unknown of each; those that elements name, group after group.
  struct numbered_nodes {
    std::size_t blocks = 0;
    std::vector<std::size_t> picks, first_number{0};
    std::vector<group> groups;
    /// Of nodes that share rows, their numbers, and where the columns of each begin: `nowhere` of others.
    static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> together, place;

    explicit numbered_nodes(const named_nodes<Index>& all) {
      std::size_t number = 0;
      for (const auto& [counts, named] : all.lists.first(all.kinds))
        for (std::size_t i = 0; i < counts.nodes; ++i, number += counts.size) {
          const auto held = all.held.empty() ? 0 : std::ranges::count(all.held.subspan(number, counts.size), 1);
          first_number.push_back(first_number.back() + counts.size - static_cast<std::size_t>(held));
        }
      for (std::size_t list = 0; list < all.lists.size(); list += all.kinds) {
        const auto lists = all.lists.subspan(list, all.kinds);
        std::size_t each = 0, slot = picks.size(), before = 0;
        for (const auto& [counts, named] : lists) each += counts.each;
        const std::size_t elements = lists[0].counts.elements;
        groups.push_back({slot, blocks, elements, each, lists[0].counts.rows});
        blocks += elements * each * each;
        picks.resize(slot + elements * each);
        for (const auto& [counts, named] : lists) {
          for (std::size_t k = 0; k < counts.each; ++k, ++slot)
            for (std::size_t e = 0; e < elements; ++e)
              picks[slot + e * each] = before + static_cast<std::size_t>(named[e * counts.each + k]);
          before += counts.nodes;
        }
      }
      place = std::vector<std::size_t>(first_number.size() - 1, nowhere);
    }
    std::size_t size(std::size_t node) const { return first_number[node + 1] - first_number[node]; }
    /// The element of which this is a use.
    element element_of(std::size_t use) const {
      const group& of = *std::prev(std::ranges::upper_bound(groups, use, {}, &group::first_use));
      const std::size_t in_group = use - of.first_use, slot = in_group % of.each;
      return {std::span(picks).subspan(use - slot, of.each), use - slot, of.first_block + in_group * of.each, of.rows};
    }
  };

  template <class T>
  void start(std::size_t rows, std::size_t places, compressed_rows<T, Index>& to) {
    counts_.clear();  // no pattern, should what follows throw
    offsets.resize(places);
    to.row_begin.assign(1, Index(0));
    to.row_begin.reserve(rows + 1);
    to.columns.clear();
  }
  /// Rows with the columns of all nodes that the elements of these uses name. The offsets of each element are those
  /// from its number `first` on.
  template <class T>
  void append_rows(std::span<const std::size_t> uses, std::size_t rows, std::size_t element::* first,
                   numbered_nodes& all, compressed_rows<T, Index>& to) {
    all.together.clear();
    for (const std::size_t use : uses)
      for (const std::size_t node : all.element_of(use).nodes) {
        if (all.place[node] != all.nowhere) continue;
        all.place[node] = 0;
        all.together.push_back(node);
      }
    std::sort(all.together.begin(), all.together.end());
    std::size_t width = 0;
    for (const std::size_t node : all.together) {
      all.place[node] = width;
      width += all.size(node);
    }
    for (const std::size_t use : uses) {
      const element of = all.element_of(use);
      for (std::size_t i = 0; i < of.nodes.size(); ++i)
        offsets[of.*first + i] = static_cast<Index>(all.place[of.nodes[i]]);
    }
    for (; rows > 0; --rows) {
      for (const std::size_t node : all.together)
        for (std::size_t i = all.first_number[node]; i < all.first_number[node + 1]; ++i)
          to.columns.push_back(static_cast<Index>(i));
      if (to.columns.size() > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
        raise<std::invalid_argument>({"assemble: the matrix has more entries than the elements' index type can count"});
      to.row_begin.push_back(static_cast<Index>(to.columns.size()));
    }
    for (const std::size_t node : all.together) all.place[node] = all.nowhere;
  }
  void keep(const named_nodes<Index>& named) {
    picks_.clear();
    std::size_t numbers = 0;
    for (const auto& [counts, picks] : named.lists) {
      counts_.push_back(counts);
      picks_.insert(picks_.end(), picks.begin(), picks.end());
      if (counts.group == 0) numbers += counts.nodes * counts.size;
    }
    held_.assign(named.held.begin(), named.held.end());
    unknowns.clear();
    unknowns_before.assign(1, Index(0));
    for (std::size_t i = 0; i < numbers; ++i) {
      if (held_.empty() || !held_[i]) unknowns.push_back(static_cast<Index>(i));
      unknowns_before.push_back(static_cast<Index>(unknowns.size()));
    }
    shares.clear();
  }
};

}  // namespace detail::inline TAPELESS_TARGET

/// The sum over elements and its gradient, an entry for each of the vector's; a tuple of such gradients where there are
/// several vectors.
template <class T, class Gradient>
struct assembled_gradient {
  T value{};
  Gradient gradient;
};

inline namespace TAPELESS_TARGET {

/// The sum over elements, its gradient and its Hessian, all of a symmetric matrix. Rows and columns are the vectors'
/// numbers, one vector after the other, without those that are held.
template <class T, class Gradient, class Index>
struct assembled_hessian {
  T value{};
  Gradient gradient;
  compressed_rows<T, Index> hessian;
  detail::element_pattern<Index> pattern;

  /// Which number of the vectors each row and column is.
  const std::vector<Index>& unknowns() const { return pattern.unknowns; }
};
/// The values of all elements, one element after the other, and their Jacobian.
template <class T, class Index>
struct assembled_jacobian {
  std::vector<T> value;
  compressed_rows<T, Index> jacobian;
  detail::element_pattern<Index> pattern;

  /// Which number of the vectors each column is.
  const std::vector<Index>& unknowns() const { return pattern.unknowns; }
};

}  // namespace TAPELESS_TARGET

}  // namespace tapeless
