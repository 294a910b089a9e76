#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/verbs.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Functions of parameter blocks in the memory of a solver, as solvers call them.
namespace tapeless::detail::inline TAPELESS_TARGET {

/// The extent of a block whose size is known (not negative), or of one with a size at run time.
constexpr std::size_t block_extent(int size) { return size < 0 ? std::dynamic_extent : static_cast<std::size_t>(size); }

template <class T>
inline constexpr std::size_t array_size = 0;
template <class T, std::size_t N>
inline constexpr std::size_t array_size<std::array<T, N>> = N;

/// What an argument is that is given as it is or by `std::ref`.
template <class T>
using unwrapped = std::remove_cvref_t<std::unwrap_reference_t<T>>;

/// A function as a solver keeps it: with its data, copied, or by `std::ref` where they lie.
template <class F, class... Data>
constexpr auto with_data(const F& f, const Data&... data) {
  if constexpr (Function_with_data<F> && sizeof...(Data) == 0)
    return as_bound(f);
  else
    return bind_back(f, data...);
}
template <class F, class... Data>
using with_data_t = decltype(with_data(std::declval<const F&>(), std::declval<const Data&>()...));

/// The calls of a function with data, and with a span of numbers for each of `Blocks`: of so many numbers, or if that
/// is negative of as many as there are at run time.
template <class Bound, int... Blocks>
struct block_call;
template <class F, class... Data, int... Blocks>
struct block_call<bound_function<F, Data...>, Blocks...> {
  static_assert(((Blocks != 0) && ...), "tapeless: a parameter block needs at least one number [TL223]");
  using sizes_type = std::array<int, sizeof...(Blocks)>;
  static constexpr sizes_type sizes{Blocks...};
  using positions = std::make_index_sequence<sizeof...(Blocks)>;

  using function = bound_function<F, Data...>;

  template <class Verb>
  TAPELESS_ALWAYS_INLINE static auto run(const function& f, const Verb& verb, const double* const* x,
                                         const sizes_type& n) {
    return f.hand_over([&](const auto&... data) TAPELESS_INLINE_LAMBDA {
      return [&]<std::size_t... B>(std::index_sequence<B...>) TAPELESS_INLINE_LAMBDA {
        return verb(std::span<const double, block_extent(Blocks)>(x[B], static_cast<std::size_t>(n[B]))..., data...);
      }(positions{});
    });
  }
  using result =
      decltype(value(std::declval<const F&>())(std::declval<const std::span<const double, block_extent(Blocks)>&>()...,
                                               std::declval<const unwrapped<Data>&>()...));
  /// Whether the function can be called so; if not, the verb has said why.
  static constexpr bool fits = !is_reported<result>;
  /// How many numbers it returns, 0 if that is known at run time.
  static constexpr std::size_t rows = Real<result> ? 1 : array_size<result>;

  /// How many numbers the function returns for blocks of these sizes. Throws if the sizes of the data do not fit: a
  /// solver would hide the exception. Where sizes are known at run time, the function is called with zeros for that.
  static std::size_t count_rows(const function& f, const sizes_type& n) {
    if constexpr (((Blocks > 0) && ...) && (shape_of<unwrapped<Data>>::valid && ...)) {
      return rows;
    } else {
      const std::vector<double> zeros(static_cast<std::size_t>(std::ranges::max(n)));
      std::array<const double*, sizeof...(Blocks)> x;
      x.fill(zeros.data());
      return size_of(run(f, value(F{}), x.data(), n));
    }
  }

  /// Writes the `count` numbers that the function returns and, if there are `jacobians`, the Jacobian by each block
  /// that has one, row by row.
  static void evaluate(const function& f, const double* const* x, const sizes_type& n, double* to, std::size_t count,
                       double* const* jacobians) {
    constexpr auto by = detail::positions<F>(positions{});
    if (!jacobians) {
      write_values(run(f, value(F{}), x, n), to, count);
    } else if constexpr (Real<result>) {
      const auto done = run(f, value_and_gradient(F{}, by), x, n);
      write_values(done.value, to, count);
      write_row(done.gradient, 0, n, jacobians);
    } else {
      const auto done = run(f, value_and_jacobian(F{}, by), x, n);
      write_values(done.value, to, count);
      if constexpr (rows > 0)
        for (std::size_t i = 0; i < count; ++i) write_row(done.jacobian[i], i, n, jacobians);
      else
        write_columns(done.jacobian, count, n, jacobians);
    }
  }

 private:
  template <class V>
  static std::size_t size_of(const V& values) {
    if constexpr (Real<V>)
      return 1;
    else
      return static_cast<std::size_t>(values.size());
  }
  template <class V>
  TAPELESS_ALWAYS_INLINE static void write_values(const V& values, double* to, std::size_t count) {
    if (size_of(values) != count)
      raise<std::invalid_argument>(
          {"the function returns ", size_of(values), " numbers, and the solver has memory for ", count});
    if constexpr (Real<V>)
      *to = static_cast<double>(values);
    else
      for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<double>(values[i]);
  }
  /// What is by one block in what is by all: a tuple, or if there is one block that of this block.
  template <std::size_t B, class All>
  TAPELESS_ALWAYS_INLINE static const auto& by_block(const All& all) {
    if constexpr (is_tuple<All>)
      return std::get<B>(all);
    else
      return all;
  }
  /// A row of a Jacobian: of numbers an array by all blocks one after the other.
  template <class Row>
  TAPELESS_ALWAYS_INLINE static void write_row(const Row& row, std::size_t i, const sizes_type& n,
                                               double* const* jacobians) {
    std::size_t before = 0;
    [&]<std::size_t... B>(std::index_sequence<B...>) TAPELESS_INLINE_LAMBDA {
      const auto write = [&](const auto& part, double* matrix, std::size_t size) TAPELESS_INLINE_LAMBDA {
        if (matrix)
          for (std::size_t k = 0; k < size; ++k) matrix[i * size + k] = static_cast<double>(part[before + k]);
        if constexpr (!is_tuple<Row>) before += size;
      };
      (write(by_block<B>(row), jacobians[B], Blocks < 0 ? static_cast<std::size_t>(n[B]) : block_extent(Blocks)), ...);
    }(positions{});
  }
  /// The Jacobian of a vector: by a block of numbers an array of vectors, by a vector a matrix.
  template <class Columns>
  static void write_columns(const Columns& columns, std::size_t count, const sizes_type& n, double* const* jacobians) {
    const auto write = [&](const auto& part, double* matrix, std::size_t size) {
      for (std::size_t i = 0; matrix && i < count; ++i)
        for (std::size_t k = 0; k < size; ++k)
          if constexpr (array_size<std::remove_cvref_t<decltype(part)>> > 0)
            matrix[i * size + k] = static_cast<double>(part[k](i));
          else
            matrix[i * size + k] = static_cast<double>(part(i, k));
    };
    [&]<std::size_t... B>(std::index_sequence<B...>) {
      (write(by_block<B>(columns), jacobians[B], static_cast<std::size_t>(n[B])), ...);
    }(positions{});
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
