#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/core/thread_memory.hpp>
#include <tapeless/evaluate/kernels/loops.hpp>
#include <tapeless/evaluate/memory/workspace.hpp>

#include <cstddef>
#include <utility>

/// Products of matrices by a library, where a kernel is nothing else.
namespace tapeless::loops::inline TAPELESS_TARGET {

/// A matrix in memory: element (i, j) at data[i * row + j * column].
template <class T>
struct matrix {
  T* data;
  std::ptrdiff_t rows, columns, row, column;

  /// Where an extent of 1 makes a stride idle it is given the one that rows without gaps have.
  matrix with_used_strides() const {
    matrix result = *this;
    if (columns == 1) result.column = 1;
    if (rows == 1) result.row = result.column == 1 ? columns : 1;
    return result;
  }
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
  using lanes_type = simd::lanes_t<T>;
  static constexpr auto width = static_cast<std::ptrdiff_t>(simd::width<T>);

  static constexpr const program::node& node(int i) { return S::program[i]; }
  static constexpr int operand(int i, int j) { return S::program.operand(i, j); }

  /// The terms of a sum: products, or `where(mask, product, 0)`.
  struct terms {
    int product;
    int mask;
  };
  static constexpr terms terms_of(int sum) {
    const int term = operand(sum, 0);
    if (node(term).opcode != program::opcode::where || !is_zero(operand(term, 2))) return {term, -1};
    return {operand(term, 1), operand(term, 0)};
  }
  static constexpr bool is_zero(int i) {
    return node(i).kind == program::node_kind::constant && S::program.constant(i).template as<double>() == 0;
  }
  /// Which factor has the axes of the mask: 0 or 1; 2 where neither has.
  static constexpr int masked_factor(const terms& of) {
    int which = 0;
    while (which < 2 && node(operand(of.product, which)).axes != node(of.mask).axes) ++which;
    return which;
  }

  /// The axes of a factor that the sum `i` keeps.
  static constexpr axis_set kept_of(int factor, int i) { return node(factor).axes & ~node(i).reduced; }
  static constexpr bool is_matrix(int factor, int i) {
    return S::node_reference(factor) >= 0 && !node(factor).condition && kept_of(factor, i) != 0 &&
           (node(i).reduced & ~node(factor).axes) == 0;
  }
  static constexpr bool is_product(const program::step& s) {
    const program::node& sum = node(s.node);
    if (s.kind != step_kind::reduce || !program::applies(sum, program::info<operation::Sum>) || sum.reduced == 0 ||
        (sum.axes | sum.reduced) != n::plan.axes)
      return false;
    const terms of = terms_of(s.node);
    if (node(of.product).opcode != program::opcode::multiply || node(of.product).axes != n::plan.axes) return false;
    const int a = operand(of.product, 0), b = operand(of.product, 1);
    return is_matrix(a, s.node) && is_matrix(b, s.node) && (kept_of(a, s.node) & kept_of(b, s.node)) == 0 &&
           (of.mask < 0 || (S::node_reference(of.mask) >= 0 && masked_factor(of) < 2));
  }

 public:
  static constexpr bool all = [] {
    bool any = false;
    for (std::size_t i = 0; i < n::steps; ++i) {
      const program::step s = n::step(i);
      const bool product = is_product(s);
      const bool part = s.kind == step_kind::load ||
                        (s.kind == step_kind::compute && (node(s.node).opcode == program::opcode::multiply ||
                                                          node(s.node).opcode == program::opcode::where));
      if (!product && !part) return false;
      any = any || product;
    }
    return any;
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
    if constexpr (n::step(I).kind != step_kind::reduce) {
      return true;
    } else {
      constexpr int sum = n::step(I).node;
      constexpr terms of = terms_of(sum);
      if (!product_of<sum>(t, factor<sum, 0>(t), factor<sum, 1>(t)).runs()) return false;
      // Zeros in the place of what is masked make the same sum, unless they meet infinity.
      if constexpr (of.mask >= 0) {
        const matrix<T> mask = mask_of<sum, masked_factor(of)>(t);
        return (factor<sum, masked_factor(of)>(t).by_rows() ? mask : mask.transposed()).by_rows() &&
               is_finite(factor<sum, 1 - masked_factor(of)>(t));
      } else {
        return true;
      }
    }
  }
  static lanes_type load(const T* from, std::ptrdiff_t left) {
    return left < width ? simd::load_first<T>(from, static_cast<std::size_t>(left)) : simd::load<T>(from);
  }
  static bool is_finite(const matrix<T>& m) {
    const matrix<T> rows = m.by_rows() ? m : m.transposed();
    lanes_type sum(T(0));
    for (std::ptrdiff_t i = 0; i < rows.rows; ++i)
      for (std::ptrdiff_t j = 0; j < rows.columns; j += width)
        sum = sum + lanes_type(T(0)) * load(rows.data + i * rows.row + j, rows.columns - j);
    return simd::add_lanes<T>(sum) == T(0);
  }
  template <std::size_t I>
  static void multiply(const tables<S, T>& t) {
    if constexpr (n::step(I).kind == step_kind::reduce) {
      constexpr int sum = n::step(I).node;
      const product p = product_of<sum>(t, with_mask<sum, 0>(t), with_mask<sum, 1>(t));
      blas<T>::product(p.a, p.b, n::loops.accumulates(node(sum).reduced) ? T(1) : T(0), p.c);
    }
  }

  /// A factor of a sum of products, or its mask, as a matrix: the columns of the first one and the rows of the second
  /// one are those summed.
  template <int Sum, int Which, int Node>
  static matrix<T> matrix_of(const tables<S, T>& t) {
    constexpr axis_set inner = node(Sum).reduced, outer = kept_of(Node, Sum);
    return Which == 0 ? place<Node>(t, outer, inner) : place<Node>(t, inner, outer);
  }
  template <int Sum, int Which>
  static matrix<T> factor(const tables<S, T>& t) {
    return matrix_of<Sum, Which, operand(terms_of(Sum).product, Which)>(t);
  }
  template <int Sum, int Which>
  static matrix<T> mask_of(const tables<S, T>& t) {
    return matrix_of<Sum, Which, terms_of(Sum).mask>(t);
  }
  /// The same with zeros where the mask does not hold, in memory of this thread.
  template <int Sum, int Which>
  static matrix<T> with_mask(const tables<S, T>& t) {
    const matrix<T> from = factor<Sum, Which>(t);
    constexpr terms of = terms_of(Sum);
    if constexpr (of.mask < 0 || masked_factor(of) != Which) {
      return from;
    } else {
      const matrix<T> mask = mask_of<Sum, Which>(t);
      matrix<T> to = from.by_rows() ? from : from.transposed();
      const matrix<T> holds = from.by_rows() ? mask : mask.transposed();
      const T* number = to.data;
      const std::ptrdiff_t between = std::exchange(to.row, to.columns);
      to.data = tapeless::detail::of_thread<workspace<T>, matrix_products>().reserve(
          static_cast<std::size_t>(to.rows * to.columns));
      for (std::ptrdiff_t i = 0; i < to.rows; ++i, number += between)
        for (std::ptrdiff_t j = 0; j < to.columns; j += width) {
          const std::ptrdiff_t left = to.columns - j;
          const auto held = load(holds.data + i * holds.row + j, left) != lanes_type(T(0));
          const lanes_type x = math::select(held, load(number + j, left), lanes_type(T(0)));
          T* const at = to.data + i * to.row + j;
          left < width ? simd::store_first<T>(x, at, static_cast<std::size_t>(left)) : simd::store<T>(x, at);
        }
      return from.by_rows() ? to : to.transposed();
    }
  }
  template <int Sum>
  static product product_of(const tables<S, T>& t, const matrix<T>& a, const matrix<T>& b) {
    constexpr int left = operand(terms_of(Sum).product, 0), right = operand(terms_of(Sum).product, 1);
    const matrix<T> c = place<Sum>(t, kept_of(left, Sum), kept_of(right, Sum));
    return c.by_rows() ? product{a, b, c} : product{b.transposed(), a.transposed(), c.transposed()};
  }
  /// Some axes of a tensor as one, from the outermost to the innermost; the stride is -1 where they do not lie like
  /// one.
  struct joined_axes {
    std::ptrdiff_t extent = 1, stride = 1;
    template <class Reference>
    joined_axes(const tables<S, T>& t, const Reference& from, axis_set left) {
      for (; left; left &= ~axis(program::last_axis(left))) {
        const int id = program::last_axis(left);
        const std::ptrdiff_t length = matrix_products::extent(t, id), own = from.stride[id];
        if (length > 1) stride = extent == 1 ? own : own == stride * extent ? stride : -1;
        extent *= length;
      }
    }
  };
  template <int I>
  static matrix<T> place(const tables<S, T>& t, axis_set row, axis_set column) {
    constexpr int reference = S::node_reference(I);
    const auto& from = t.references[reference];
    T* data = from.data;
    // The buffer of a block begins with the block.
    if constexpr ((node(I).axes & n::group_axis) != 0 && !S::is_block(reference))
      data += t.begin * from.stride[program::first_axis(n::group_axis)];
    const joined_axes rows(t, from, row), columns(t, from, column);
    return matrix<T>{data, rows.extent, columns.extent, rows.stride, columns.stride}.with_used_strides();
  }
  static std::ptrdiff_t extent(const tables<S, T>& t, int id) {
    return axis(id) == n::group_axis ? t.end - t.begin : t.extent[static_cast<std::size_t>(id)];
  }
};

}  // namespace detail

}  // namespace tapeless::loops::inline TAPELESS_TARGET
