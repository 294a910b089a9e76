#ifndef TAPELESS_EVALUATE_MATRIX_PRODUCT_HPP
#define TAPELESS_EVALUATE_MATRIX_PRODUCT_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/loops.hpp>

#include <cstddef>
#include <utility>

/// Products of matrices by a library, where a kernel is nothing else.
namespace tapeless::loops::inline TAPELESS_TARGET {

/// A matrix in memory: element (i, j) at data[i * row + j * column].
template <class T>
struct matrix {
  T* data;
  std::ptrdiff_t rows, columns, row, column;

  matrix transposed() const { return {data, columns, rows, column, row}; }
  /// Whether it is stored row after row.
  bool by_rows() const { return column == 1 && row >= (columns > 1 ? columns : 1); }
};

/// Whether a library multiplies matrices of `T`: `product(a, b, scale, c)` makes c = a b + scale c, where c is stored
/// by rows, and a and b by rows or by columns. cblas.hpp has it for float and double.
template <class T>
struct blas {
  static constexpr bool available = false;
};

namespace detail {

/// The kernel number `K` of the plan `S` as products of matrices: whether it is, and how it runs.
template <class S, class T, std::size_t K>
class matrix_products {
  using n = nest<S, K>;

  static constexpr const program::node& node(int i) { return S::nodes[static_cast<std::size_t>(i)]; }
  static constexpr int operand(int i, int j) { return S::edges[static_cast<std::size_t>(node(i).first + j)]; }

  static constexpr bool is_matrix(int i, axis_set reduced) {
    return S::node_reference(i) >= 0 && !node(i).condition && program::count_axes(node(i).axes) == 2 &&
           (node(i).axes & reduced) != 0;
  }
  static constexpr bool is_product(const program::step& s) {
    const program::node& sum = node(s.node);
    if (s.kind != step_kind::reduce || !program::applies(sum, program::info<operation::Sum>) ||
        program::count_axes(sum.axes) != 2 || program::count_axes(sum.reduced) != 1)
      return false;
    const int product = operand(s.node, 0);
    return node(product).algebra == program::algebra::multiply && node(product).axes == (sum.axes | sum.reduced) &&
           is_matrix(operand(product, 0), sum.reduced) && is_matrix(operand(product, 1), sum.reduced);
  }

 public:
  static constexpr bool all = [] {
    bool any = false;
    for (std::size_t i = 0; i < n::steps; ++i) {
      const program::step s = n::step(i);
      const bool product = is_product(s);
      const bool part = s.kind == step_kind::load ||
                        (s.kind == step_kind::compute && node(s.node).algebra == program::algebra::multiply);
      if (!product && !part) return false;
      any = any || product;
    }
    return any && n::depth == 3;
  }();

  /// Runs the kernel, or says that its loops should: where matrices are small or neither rows nor columns are
  /// contiguous.
  static bool run(const tables<S, T>& t) {
    std::ptrdiff_t size = 1;
    for (axis_set left = n::plan.axes; left; left &= left - 1) size *= extent(t, program::first_axis(left));
    return size >= tuning::product && each(t, std::make_index_sequence<n::steps>{});
  }

 private:
  struct product {
    matrix<T> a, b, c;
    bool runs() const {
      return c.by_rows() && (a.by_rows() || a.transposed().by_rows()) && (b.by_rows() || b.transposed().by_rows());
    }
  };

  template <std::size_t... I>
  static bool each(const tables<S, T>& t, std::index_sequence<I...>) {
    if (!(runs<I>(t) && ...)) return false;
    (multiply<I>(t), ...);
    return true;
  }
  template <std::size_t I>
  static bool runs(const tables<S, T>& t) {
    if constexpr (n::step(I).kind == step_kind::reduce)
      return product_of<n::step(I).node>(t).runs();
    else
      return true;
  }
  template <std::size_t I>
  static void multiply(const tables<S, T>& t) {
    if constexpr (n::step(I).kind == step_kind::reduce) {
      const product p = product_of<n::step(I).node>(t);
      blas<T>::product(p.a, p.b, n::accumulates(node(n::step(I).node).reduced) ? T(1) : T(0), p.c);
    }
  }

  template <int Sum>
  static product product_of(const tables<S, T>& t) {
    constexpr int left = operand(operand(Sum, 0), 0), right = operand(operand(Sum, 0), 1);
    constexpr axis_set over = node(Sum).reduced;
    constexpr int inner = program::first_axis(over), row = program::first_axis(node(left).axes & ~over),
                  column = program::first_axis(node(right).axes & ~over);
    const product result{place<left>(t, row, inner), place<right>(t, inner, column), place<Sum>(t, row, column)};
    return result.c.by_rows() ? result : product{result.b.transposed(), result.a.transposed(), result.c.transposed()};
  }
  template <int I>
  static matrix<T> place(const tables<S, T>& t, int row, int column) {
    constexpr int reference = S::node_reference(I);
    const auto& from = t.references[reference];
    T* data = from.data;
    // The buffer of a block begins with the block.
    if constexpr ((node(I).axes & n::group_axis) != 0 && !S::is_block(reference))
      data += t.begin * from.stride[program::first_axis(n::group_axis)];
    return {data, extent(t, row), extent(t, column), from.stride[row], from.stride[column]};
  }
  static std::ptrdiff_t extent(const tables<S, T>& t, int id) {
    return axis(id) == n::group_axis ? t.end - t.begin : t.extent[static_cast<std::size_t>(id)];
  }
};

}  // namespace detail

}  // namespace tapeless::loops::inline TAPELESS_TARGET

#endif
