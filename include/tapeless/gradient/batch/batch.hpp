#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/batch/placed_results.hpp>
#include <tapeless/gradient/tensor/tensor_formula.hpp>
#include <tapeless/program/lower/spread.hpp>
#include <tapeless/program/pass/as_recorded.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// The shape that arrays with these leaves are broadcast to.
template <auto Leaves>
struct broadcast {
  static constexpr program::array_leaf leaf = [] {
    program::array_leaf result;
    for (const program::array_leaf& from : Leaves) result.rank = std::max(result.rank, from.rank);
    std::fill_n(result.extents.begin(), result.rank, 1);
    for (const program::array_leaf& from : Leaves)
      for (int i = 0; i < from.rank; ++i) {
        const std::ptrdiff_t extent = from.extents[static_cast<std::size_t>(i)];
        std::ptrdiff_t& to = result.extents[static_cast<std::size_t>(result.rank - from.rank + i)];
        if (extent != 1 && (to == 1 || to == -1)) to = extent;
      }
    return result;
  }();
};

/// An array of results of the type of the first tensor that has the shape `Shape`, or the rank and extents that the
/// call tells; if none has, as a formula's value.
template <class T, class Shape, class Tensor>
constexpr auto array_like() {
  using traits = tensor_traits<Tensor>;
  constexpr bool fits = [] {
    bool result = traits::rank == Shape::leaf.rank;
    for (std::size_t i = 0; result && i < traits::extents.size(); ++i)
      result = traits::extents[i] == -1 || traits::extents[i] == Shape::leaf.extents[i];
    return result;
  }();
  if constexpr (fits)
    return std::type_identity<typename traits::template result<T>>{};
  else
    return std::type_identity<void>{};
}
template <class T, class Shape, class... Tensors>
using result_array =
    typename decltype(first_problem(array_like<T, Shape, Tensors>()...,
                                    std::type_identity<typename value_container<T, Shape::leaf.rank>::type>{}))::type;

/// The finished program `P` of numbers, run over arrays of numbers `T`: `Leaves` says what its variables are bound to.
/// `Container` holds results.
template <class P, class T, class Container, auto Leaves>
struct batch {
  using spread = program::spread_over_arrays<P, Leaves>;
  using spread_program = program::frozen<spread>;
  using plain_program = program::frozen<program::spread_over_arrays<program::plainly_t<P>, Leaves>>;
  using number = T;
  using container = Container;
  static constexpr int rank = spread::rank;
  static constexpr std::size_t outputs = P::value.outputs.size();
  static constexpr auto output_accesses = [] {
    std::array<int, outputs> result{};
    result.fill(program::access_of_output<spread_program>(0));
    return result;
  }();
  using S = loops::plan<spread_program, output_accesses>;
  using tables = loops::tables<S, T>;
  using inputs = tensor_inputs<S, spread_program, T>;
  using memory_type = call_memory<T, P::value.variables.size(), 0>;

  template <std::size_t Output>
  static constexpr bool is_zero = P::value.is_absolute_zero(P::value.output(Output));

  /// Where the outputs are written.
  struct outputs_of_call {
    using number = T;
    static constexpr int rank = spread::rank;

    tables& to;
    const std::array<std::ptrdiff_t, program::max_rank>& shape;
    std::ptrdiff_t count;

    TAPELESS_ALWAYS_INLINE void resize(Container& container) const {
      tensor_traits<Container>::resize(container, shape);
    }
    TAPELESS_ALWAYS_INLINE void write(std::size_t o, T* data,
                                      const std::array<std::ptrdiff_t, program::max_rank>& strides) const {
      auto& reference = to.references[static_cast<std::size_t>(S::output_reference(static_cast<int>(o)))];
      reference.data = data;
      for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) reference.stride[i] = strides[i];
    }
  };

  /// In the place of the outputs: finds out whether they lie where something bound does.
  struct outputs_search {
    const inputs& bound;
    bool& found;
    void look(const memory_range& output) const { found = found || bound.lies_in(output); }
  };

  /// Binds the numbers in `all`, which an `Argument` visits, to their variables.
  template <template <class> class Argument, class... All>
  TAPELESS_ALWAYS_INLINE static void bind(inputs& to, memory_type& memory,
                                          const std::array<std::string_view, sizeof...(All)>& names,
                                          const All&... all) {
    std::size_t position = 0, number = 0;
    const auto read = [&](const auto* from, const auto& extents, const auto& strides) TAPELESS_INLINE_LAMBDA {
      const int variable = Leaves[number++].variable;
      if (variable < 0) return;
      bound_tensor& tensor = to.tensors[static_cast<std::size_t>(variable)];
      tensor.name = names[position];
      tensor.tangent = false;
      tensor.rank = static_cast<int>(extents.size());
      std::ptrdiff_t count = 1;
      for (std::size_t i = 0; i < extents.size(); ++i) {
        tensor.extents[i] = extents[i];
        tensor.strides[i] = strides[i];
        count *= extents[i];
      }
      read_from(memory.converted[static_cast<std::size_t>(variable)], from, tensor, count);
    };
    ((Argument<All>::visit(all, read), ++position), ...);
  }

  /// Runs the program over `all`, named `names`, with the numbers that the formula `wrapped` carries, and fills `r` as
  /// `Results` says. Outputs in an `Existing` result may lie where something bound does, and are resized and written
  /// before all is read: then nothing is done, and the answer is false.
  template <bool Existing, class Results, template <class> class Argument, class Engine, class Result, class F,
            class Names, class... All>
  static bool run(const Engine& engine, Result& r, const F& wrapped, const Names& names, const All&... all) {
    const auto run_in = [&](memory_type& memory) TAPELESS_INLINE_LAMBDA {
      inputs bound;
      bind<Argument>(bound, memory, names, all...);
      if constexpr (Existing) {
        bool found = false;
        Results::place(outputs_search{bound, found}, r);
        if (found) return false;
      }
      // In a lambda g++ warns of names that a user gives a global, such as t.
      tables loop_tables;
      if constexpr (S::numbers > 0) {
        T* to = loop_tables.numbers;
        numbers_of(wrapped, to);
      }
      if (!bound.measure(loop_tables)) inputs::fail(bound, loop_tables);
      bound.place(loop_tables, memory);
      std::array<std::ptrdiff_t, program::max_rank> shape{};
      std::ptrdiff_t count = 1;
      for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) count *= shape[i] = loop_tables.extent[i];
      const outputs_of_call written{loop_tables, shape, count};
      // An absolute zero is written too; where the result is `Zero` that goes nowhere.
      [&]<std::size_t... O>(std::index_sequence<O...>) TAPELESS_INLINE_LAMBDA {
        ((is_zero<O> ? written.write(O, memory.indices.reserve(static_cast<std::size_t>(count)), {}) : void()), ...);
      }(std::make_index_sequence<outputs>{});
      Results::place(written, r);
      using code = loops::executor<S, T>;
      code::run(loop_tables, memory.buffers, memory.buffers, loops::sequential{}, code::groups);
      if constexpr (is_compared<Engine>) engine.template compare_batch<batch>(bound, loop_tables, shape);
      return true;
    };
    if constexpr (requires { r.memory; })
      return run_in(r.memory);
    else
      return with_memory_for<Existing, memory_type>(run_in);
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
