#ifndef TAPELESS_INTEROP_PARAMETER_BLOCKS_HPP
#define TAPELESS_INTEROP_PARAMETER_BLOCKS_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/evaluate/scalar.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/function/function_call.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/gradient/jacobian.hpp>
#include <tapeless/program/pair_rows.hpp>
#include <tapeless/program/pass.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// Functions of parameter blocks in the memory of a solver, as solvers call them.
namespace tapeless::detail {

template <class F, class Data, int... Blocks>
struct block_call;
template <class F, class... Data, int... Blocks>
struct block_call<F, std::tuple<Data...>, Blocks...> {
  static_assert(((Blocks > 0) && ...), "tapeless: a parameter block needs at least one number");
  template <int Size>
  using block = std::array<double, static_cast<std::size_t>(Size)>;
  using layout = argument_layout<block<Blocks>..., Data...>;
  using positions = std::make_index_sequence<sizeof...(Blocks)>;
  using derivatives =
      function_verb<value_and_jacobian_verb, F, positions, unconnected::structural_policy, nothing_further>;
  static constexpr bool fits =
      std::is_void_v<typename decltype(function_call_problem<derivatives, F, block<Blocks>..., Data...>(
          positions{}))::type>;
  static constexpr std::array<std::size_t, sizeof...(Blocks)> sizes{static_cast<std::size_t>(Blocks)...};
  static constexpr std::size_t columns = (static_cast<std::size_t>(Blocks) + ... + 0);

  using source = traced_program<F, block<Blocks>..., Data...>;
  static constexpr std::size_t count_rows() {
    if constexpr (fits)
      return source::value.outputs.size();
    else
      return 0;
  }
  static constexpr std::size_t rows = count_rows();

  template <std::size_t... P>
  static constexpr auto find_derived(std::index_sequence<P...>) {
    return []<int... V>(std::integer_sequence<int, V...>) {
      return std::type_identity<
          program::finished<program::frozen<program::append_jacobian<source, V...>>, 0, rows * (1 + sizeof...(V))>>{};
    }(typename layout::template variables<P...>{});
  }

  struct inputs {
    const double* const* parameters;
    const std::tuple<Data...>& data;

    template <int I>
    TAPELESS_ALWAYS_INLINE double variable() const {
      constexpr std::size_t index = static_cast<std::size_t>(I), position = layout::position(index);
      constexpr std::size_t offset = index - layout::first(position);
      if constexpr (position < sizeof...(Blocks))
        return parameters[position][offset];
      else
        return immediate<double>(
            layout::template shape<position>::template element<offset>(std::get<position - sizeof...(Blocks)>(data)));
    }
  };

  template <class Evaluation>
  TAPELESS_ALWAYS_INLINE static void write_values(const Evaluation& done, double* to) {
    [&]<std::size_t... R>(std::index_sequence<R...>) {
      ((to[R] = static_cast<double>(done.template output<R>())), ...);
    }(std::make_index_sequence<rows>{});
  }

  static void values(const double* const* parameters, const std::tuple<Data...>& data, double* to) {
    write_values(scalar::evaluation<program::finished<source, 0, rows>, double>(inputs{parameters, data}), to);
  }

  /// Writes the Jacobian of each block to a row-major matrix, if there is one.
  static void values_and_jacobian(const double* const* parameters, const std::tuple<Data...>& data, double* to,
                                  double* const* jacobians) {
    using derived = typename decltype(find_derived(positions{}))::type;
    const scalar::evaluation<typename program::paired<derived, double>::type, double> done(inputs{parameters, data});
    write_values(done, to);
    const auto write_block = [&]<std::size_t B, std::size_t... E>(std::index_sequence<B>, std::index_sequence<E...>) {
      double* const matrix = jacobians[B];
      if (!matrix) return;
      constexpr std::size_t first = rows + layout::first(B), size = sizes[B];
      ((matrix[E] = static_cast<double>(done.template output<first + E / size * columns + E % size>())), ...);
    };
    [&]<std::size_t... B>(std::index_sequence<B...>) {
      (write_block(std::index_sequence<B>{}, std::make_index_sequence<rows * sizes[B]>{}), ...);
    }(positions{});
  }
};

}  // namespace tapeless::detail

#endif
