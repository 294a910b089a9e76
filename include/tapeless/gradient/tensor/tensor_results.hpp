#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/evaluate/kernels/tensor.hpp>
#include <tapeless/evaluate/node_by_node.hpp>
#include <tapeless/gradient/problem.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/gradient/tensor/bound_memory.hpp>
#include <tapeless/gradient/tensor/tensor_inputs.hpp>
#include <tapeless/gradient/unconnected.hpp>
#include <tapeless/program/pass/as_recorded.hpp>
#include <tapeless/program/schedule/sharding.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

template <class Binding>
using bound_leaf = typename leaf_of_traits<typename Binding::variable_type, tensor_traits<bound_t<Binding>>>::type;
/// The formulas of an operand over tensors.
template <class F>
struct formulas_of {
  using type = formulas<F>;
};
template <class... Fs>
struct formulas_of<output_list<Fs...>> {
  using type = formulas<Fs...>;
};
template <class F, class... Bindings>
using tensor_lowering = program::lower_tensors<typename formulas_of<F>::type, bound_leaf<Bindings>...>;

/// What the verbs have in common for the formula `F` with tensors bound to its variables: the programs, and how they
/// are run.
template <class F, class... Bindings>
struct tensor_program {
  using lowering = tensor_lowering<F, Bindings...>;
  static_assert(lowering::problem == program::tensor_problem::none,
                "tapeless: the shapes of the tensors do not fit the formula");

  using source = program::frozen<lowering>;
  /// The same program with explicit axes, for calls whose extents do not fit the loops.
  using explicit_lowering = program::lower_tensors_explicitly<typename formulas_of<F>::type, bound_leaf<Bindings>...>;
  using T = typename tensor_number<Bindings...>::type;
  static constexpr std::size_t outputs = source::value.outputs.size();
  static constexpr int rank_of(std::size_t output) {
    return source::value.accesses[static_cast<std::size_t>(program::access_of_output<source>(output))].rank;
  }
  /// The extent of an output that the types tell: -1 where only the call knows.
  static constexpr std::ptrdiff_t extent_of(std::size_t output, std::size_t position) {
    const int id =
        source::value.accesses[static_cast<std::size_t>(program::access_of_output<source>(output))].axes[position];
    std::ptrdiff_t result = id < 0 ? 1 : -1;
    const auto look = [&](int variable, const auto& extents) {
      for (const program::tensor_access& access : source::value.accesses)
        for (std::size_t i = 0; access.is_variable() && access.of == variable && i < extents.size(); ++i)
          if (access.axes[i] == id && extents[i] > 1) result = extents[i];
    };
    if (id >= 0)
      (look(variable_index(source::value, Bindings::variable_type::name), bound_leaf<Bindings>::extents), ...);
    return result;
  }
  static constexpr std::size_t variables = source::value.variables.size();
};

/// Containers of several values, an array where all have one type.
template <class T, class... Ts>
struct values_of_types {
  using type =
      std::conditional_t<(std::is_same_v<T, Ts> && ...), std::array<T, 1 + sizeof...(Ts)>, std::tuple<T, Ts...>>;
};

/// What several calls give, by value number and by variable.
template <class Results, class Variables, class Values>
struct collected;
template <class Results, class... Vs, std::size_t... K>
struct collected<Results, wrt_variables<Vs...>, std::index_sequence<K...>> {
  std::tuple<typename Results::template value_type<K>...> values;
  std::tuple<gradient_entry<Vs, typename Results::template derivative<Vs>>...> derivatives;

  struct targets {
    collected& all;
    template <std::size_t J>
    auto& value() const {
      return std::get<J>(all.values);
    }
    template <class V>
    auto& derivative() const {
      return std::get<gradient_entry<V, typename Results::template derivative<V>>>(all.derivatives).value;
    }
  };
};

/// The outputs of a program over tensors as containers: values, and the derivatives by `Vs`, of which each use of a
/// variable has one piece. `Made<Source>` tells what is made from the program of `Program`: `finished`, to be run,
/// `values`, the output of the operand that each value has the shape of, and `uses` of the variables. Of the tensors
/// bound to `Sharded` variables each process has some rows.
template <class Program, template <class> class Made, class Policy, class Variables, class Sharded, class... Bindings>
struct tensor_results;
template <class Program, template <class> class Made, class Policy, class... Vs, class... Sharded, class... Bindings>
struct tensor_results<Program, Made, Policy, wrt_variables<Vs...>, wrt_variables<Sharded...>, Bindings...> {
  using program_type = Program;
  using source = typename Program::source;
  template <class Lowered>
  using made = typename Made<Lowered>::finished;
  using P = made<source>;
  using Uses = typename Made<source>::uses;
  using T = typename Program::T;
  static constexpr auto values = Made<source>::values;
  static constexpr std::size_t first = values.size();
  static constexpr auto output_accesses = [] {
    std::array<int, first + Uses::count> result{};
    for (std::size_t i = 0; i < first; ++i) result[i] = program::access_of_output<source>(values[i]);
    for (std::size_t i = 0; i < Uses::count; ++i) result[first + i] = Uses::value[i].access;
    return result;
  }();
  static constexpr std::array<int, sizeof...(Sharded)> sharded{variable_index(source::value, Sharded::name)...};
  using S = loops::plan<P, output_accesses, program::sharded_axes<source>(sharded)>;
  using tables = loops::tables<S, T>;
  using inputs_type = tensor_inputs<S, source, T>;

  template <class V>
  static constexpr int index = variable_index(source::value, V::name);
  template <class V>
  static constexpr bool is_zero_by_structure = [] {
    for (std::size_t i = 0; i < Uses::count; ++i)
      if (Uses::value[i].variable == index<V> && !P::value.is_absolute_zero(P::value.output(first + i))) return false;
    return true;
  }();
  template <class V>
  static constexpr std::size_t pieces = [] {
    std::size_t count = 0;
    for (std::size_t i = 0; i < Uses::count; ++i) count += Uses::value[i].variable == index<V>;
    return count;
  }();
  template <class V, class Found = Uses>
  static constexpr std::size_t first_piece = [] {
    std::size_t i = 0;
    while (i < Found::count && Found::value[i].variable != index<V>) ++i;
    return first + i;
  }();

  template <class V, class B>
  static constexpr auto pick() {
    if constexpr (std::is_same_v<typename B::variable_type, V>)
      return std::type_identity<bound_t<B>>{};
    else
      return std::type_identity<void>{};
  }
  template <class V>
  using bound_type = typename decltype(first_problem(pick<V, Bindings>()...))::type;
  template <class V>
  static constexpr auto derivative_type() {
    if constexpr (is_zero_by_structure<V> && !std::is_same_v<Policy, unconnected::materialise_policy>)
      return std::type_identity<Zero>{};
    else if constexpr (std::is_void_v<bound_type<V>>)
      return std::type_identity<T>{};
    else
      return std::type_identity<typename tensor_traits<bound_type<V>>::template result<T>>{};
  }
  template <class V>
  using derivative = typename decltype(derivative_type<V>())::type;

  using memory_type = call_memory<T, S::program.variables.size(), first + Uses::count>;
  template <std::size_t K>
  using value_type = typename value_container<T, Program::rank_of(values[K])>::type;

  /// Computes for these values and, of the variables that follow those of the formulas, `seeds`. `to.value<K>()` and
  /// `to.derivative<V>()` are the containers that are filled.
  template <class Engine, class To, class F, class... Seeds>
  TAPELESS_ALWAYS_INLINE static void compute(const Engine& engine, memory_type& memory, const To& to, const F& f,
                                             const std::tuple<Seeds...>& seeds, const Bindings&... bindings) {
    if constexpr (is_compared<Engine>) {
      run_loops(engine.fast(), memory, to, f, seeds, bindings...);
      engine.template compare_arrays<tensor_results>(to, f, seeds, bindings...);
    } else {
      run_loops(engine, memory, to, f, seeds, bindings...);
    }
  }
  template <class F, class... Seeds>
  TAPELESS_ALWAYS_INLINE static void bind(inputs_type& inputs, memory_type& memory, tables& t, const F& f,
                                          const std::tuple<Seeds...>& seeds, const Bindings&... bindings) {
    inputs.bind(memory, bindings...);
    inputs.bind_seeds(memory, seeds);
    inputs.take_bounds(f);
    if constexpr (S::numbers > 0) {
      T* numbers = t.numbers;
      numbers_of(f, numbers);
    }
  }
  template <class Engine, class To, class F, class... Seeds>
  TAPELESS_ALWAYS_INLINE static void run_loops(const Engine& engine, memory_type& memory, const To& to, const F& f,
                                               const std::tuple<Seeds...>& seeds, const Bindings&... bindings) {
    inputs_type inputs;
    tables t;
    bind(inputs, memory, t, f, seeds, bindings...);
    if (!inputs.measure(t)) [[unlikely]] {
      if constexpr (S::sharded == 0 && has_explicit()) {
        if (run_node_by_node<program::frozen<typename Program::explicit_lowering>, true>(memory, to, inputs, t)) return;
      }
      inputs.fail(t);
    }
    if constexpr (sizeof...(Sharded) > 0) engine.template agree<S, source>(inputs, t, sharded);
    inputs.place(t, memory);
    place_values(to, t, std::make_index_sequence<first>{});
    (prepare<Vs>(memory, to, inputs, t), ...);
    loops::executor<S, T>::run(t, memory.buffers, memory.parts, engine);
    (add_pieces<Vs>(to, inputs, t), ...);
  }
  /// Whether the loops may write to the containers before they have read and checked everything: none lies where
  /// something bound does, and no index is computed that the loops could refuse.
  template <class To, class... All>
  static bool may_write_early(const To& to, const All&... bindings) {
    if constexpr (S::computes_indices) return false;
    const auto tensors = memory_of(bindings...);
    // Numbers lie side by side in a result, so that they are looked at together.
    memory_range numbers{};
    bool found = false;
    const auto look = [&]<class X>(const X& output) {
      if constexpr (tensor_traits<X>::rank == 0)
        numbers = hull(numbers, range_of(output));
      else
        found = tensors.meets(range_of(output)) || found;
    };
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (look(to.template value<K>()), ...);
    }(std::make_index_sequence<first>{});
    [[maybe_unused]] const auto look_at_derivative = [&]<class U>(std::type_identity<U>) {
      if constexpr (!std::same_as<derivative<U>, Zero>) look(to.template derivative<U>());
    };
    (look_at_derivative(std::type_identity<Vs>{}), ...);
    return !found && !tensors.meets(numbers);
  }

  using collected_results = collected<tensor_results, wrt_variables<Vs...>, std::make_index_sequence<first>>;
  /// visit(name, number of the output of `Lowered`, its elements) for each output that has a container in `to`.
  template <class Lowered, class To, class Visit>
  static void for_each_output(const To& to, const Visit& visit) {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (visit("value " + std::to_string(K), K, strided_of(to.template value<K>())), ...);
    }(std::make_index_sequence<first>{});
    [[maybe_unused]] const auto visit_derivative = [&]<class V>(V) {
      if constexpr (!std::is_same_v<derivative<V>, Zero> && pieces<V> > 0)
        visit("derivative by " + std::string(V::name), first_piece<V, typename Made<Lowered>::uses>,
              strided_of(to.template derivative<V>()));
    };
    (visit_derivative(Vs{}), ...);
  }
  /// The same by a program that is run node by node: the plain one, or that of the loops.
  template <class Lowered, bool Explicit, class To, class F, class... Seeds>
  [[gnu::cold]] static void compute_node_by_node(const To& to, const F& f, const std::tuple<Seeds...>& seeds,
                                                 const Bindings&... bindings) {
    memory_type memory;
    inputs_type inputs;
    tables t;
    bind(inputs, memory, t, f, seeds, bindings...);
    static_cast<void>(inputs.measure(t));
    static_cast<void>(run_node_by_node<Lowered, Explicit>(memory, to, inputs, t));
  }

 private:
  static constexpr bool has_explicit() {
    if constexpr (!source::value.compares_extents) {
      return false;
    } else if constexpr (Program::explicit_lowering::problem != program::tensor_problem::none) {
      return false;
    } else {
      using explicit_program = program::frozen<typename Program::explicit_lowering>;
      if constexpr (program::problem_of<explicit_program> != program::fault::none)
        return false;
      else
        return program::problem_of<typename Made<explicit_program>::finished> == program::fault::none;
    }
  }
  /// Computes the result by the program `Lowered`, node by node; says if the extents do not fit even so. Its axes are
  /// `Explicit`, or those of the loops.
  template <class Lowered, bool Explicit, class To>
  [[gnu::noinline, gnu::cold]] static bool run_node_by_node(memory_type& memory, const To& to, inputs_type inputs,
                                                            loops::tables_argument<S, T> t) {
    using run = made<Lowered>;
    std::array<std::ptrdiff_t, std::max<std::size_t>({Lowered::value.axis_sources.size(), S::axes, 1})> extent;
    extent.fill(1);
    if constexpr (Explicit) {
      if (!inputs.template measure_explicit<Lowered, run>(extent.data())) return false;
    } else {
      std::copy_n(t.extent, S::axes, extent.data());
    }
    loops::node_by_node<T> all = loops::computation_of<run, T>(memory.arrays);
    all.numbers = t.numbers, all.axes = extent.size(), all.extent = extent.data();
    all.bounds = inputs.bounds.data(), all.indices = inputs.indices.data();
    all.run([&](int i) { all.read(i, inputs.tensors[static_cast<std::size_t>(all.at(i).leaf)]); });
    const auto output = [&](std::size_t o, int access) {
      return all.place(run::value.output(o), run::value.accesses[static_cast<std::size_t>(access)]);
    };
    // What was broadcast along an axis where a container has the extent 1 is added up.
    const auto write = [&](auto& container, const auto& shape, std::initializer_list<loops::strided<T>> pieces) {
      tensor_traits<std::remove_cvref_t<decltype(container)>>::resize(container, shape);
      const loops::strided<T> whole = strided_of(container);
      whole.for_each([&](const auto& at) { whole.data[whole.offset(at)] = T(0); });
      for (const loops::strided<T>& piece : pieces)
        piece.for_each([&](const auto& at) {
          auto there = at;
          for (std::size_t k = 0; k < static_cast<std::size_t>(whole.rank); ++k)
            if (whole.extents[k] == 1) there[k] = 0;
          whole.data[whole.offset(there)] += piece.data[piece.offset(at)];
        });
    };
    using uses = typename Made<Lowered>::uses;
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      [[maybe_unused]] const auto write_value = [&](auto& value, const loops::strided<T>& from) {
        write(value, from.extents, {from});
      };
      (write_value(to.template value<K>(), output(K, program::access_of_output<Lowered>(values[K]))), ...);
    }(std::make_index_sequence<first>{});
    [[maybe_unused]] const auto write_derivative = [&]<class V>(V) {
      if constexpr (!std::is_same_v<derivative<V>, Zero>)
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          // Of another variable nothing is added.
          write(to.template derivative<V>(), bound_shape<V>(inputs),
                {uses::value[I].variable == index<V> ? output(first + I, uses::value[I].access)
                                                     : loops::strided<T>{nullptr, 1, {}, {}}...});
        }(std::make_index_sequence<uses::count>{});
    };
    (write_derivative(Vs{}), ...);
    return true;
  }

  /// Where output number `O` goes.
  template <std::size_t O, class Strides>
  TAPELESS_ALWAYS_INLINE static void place_output(tables& t, T* data, const Strides& strides) {
    auto& to = t.references[static_cast<std::size_t>(S::output_reference(static_cast<int>(O)))];
    to.data = not_null(data);
    for_each_axis<S, output_access<O>>([&](std::size_t axis, std::size_t id)
                                           TAPELESS_INLINE_LAMBDA { to.stride[id] = strides[axis]; });
  }
  template <std::size_t O>
  static constexpr std::size_t output_access = static_cast<std::size_t>(output_accesses[O]);
  static std::ptrdiff_t extent_of(const tables& t, int id) {
    return id < 0 ? 1 : t.extent[static_cast<std::size_t>(id)];
  }

  template <class To, std::size_t... K>
  TAPELESS_ALWAYS_INLINE static void place_values(const To& to, tables& t, std::index_sequence<K...>) {
    (place_value<K>(to.template value<K>(), t), ...);
  }
  template <std::size_t K>
  TAPELESS_ALWAYS_INLINE static void place_value(value_type<K>& value, tables& t) {
    std::array<std::ptrdiff_t, program::max_rank> shape{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(tensor_traits<value_type<K>>::rank); ++i)
      shape[i] = extent_of(t, S::output_access(K).axes[i]);
    tensor_traits<value_type<K>>::resize(value, shape);
    place_output<K>(t, data_of(value), strides_of(value));
  }

  /// Whether the pieces of a derivative are added up after the loops: where the variable is read in several ways, or
  /// was broadcast along an axis of extent 1.
  template <class V>
  TAPELESS_ALWAYS_INLINE static bool adds_up(const inputs_type& inputs, const tables& t) {
    if constexpr (pieces<V> != 1) {
      return true;
    } else {
      const auto& tensor = inputs.tensors[static_cast<std::size_t>(index<V>)];
      bool result = false;
      for_each_axis<S, output_access<first_piece<V>>>([&](std::size_t axis, std::size_t id) TAPELESS_INLINE_LAMBDA {
        result = result || tensor.extents[axis] != t.extent[id];
      });
      return result;
    }
  }

  template <class V, class To>
  TAPELESS_ALWAYS_INLINE static void prepare(memory_type& memory, const To& g, const inputs_type& inputs, tables& t) {
    if constexpr (!std::is_same_v<derivative<V>, Zero>)
      tensor_traits<derivative<V>>::resize(g.template derivative<V>(), bound_shape<V>(inputs));
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (place_piece<V, first_piece<V> + I>(memory, g, inputs, t), ...);
    }(std::make_index_sequence<pieces<V>>{});
  }
  template <class V>
  TAPELESS_ALWAYS_INLINE static auto bound_shape(const inputs_type& inputs) {
    constexpr std::size_t rank = static_cast<std::size_t>(tensor_traits<derivative<V>>::rank);
    std::array<std::ptrdiff_t, rank> result{};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (index<V> >= 0) ((result[I] = inputs.tensors[static_cast<std::size_t>(index<V>)].extents[I]), ...);
    }(std::make_index_sequence<rank>{});
    return result;
  }
  template <class V, std::size_t O, class To>
  TAPELESS_ALWAYS_INLINE static void place_piece(memory_type& memory, const To& g, const inputs_type& inputs,
                                                 tables& t) {
    if constexpr (!std::is_same_v<derivative<V>, Zero>)
      if (!adds_up<V>(inputs, t)) {
        auto& to = g.template derivative<V>();
        return place_output<O>(t, data_of(to), strides_of(to));
      }
    constexpr program::tensor_access access = S::output_access(O);
    std::array<std::ptrdiff_t, program::max_rank> strides{};
    std::ptrdiff_t count = 1;
    for (std::size_t i = static_cast<std::size_t>(access.rank); i-- > 0;) {
      strides[i] = count;
      count *= extent_of(t, access.axes[i]);
    }
    place_output<O>(t, memory.pieces[O].reserve(static_cast<std::size_t>(count)), strides);
  }

  template <class V, class To>
  TAPELESS_ALWAYS_INLINE static void add_pieces(const To& g, const inputs_type& inputs, const tables& t) {
    if constexpr (!std::is_same_v<derivative<V>, Zero>)
      if (adds_up<V>(inputs, t)) add_all_pieces<V>(g, t);
  }
  template <class V, class To>
  [[gnu::noinline]] static void add_all_pieces(To g, loops::tables_argument<S, T> t) {
    loops::strided<T> to = strided_of(g.template derivative<V>());
    fill(to, T(0));
    for (std::size_t k = 0; k < static_cast<std::size_t>(to.rank); ++k)
      if (to.extents[k] == 1) to.strides[k] = 0;
    for (std::size_t o = first_piece<V>; o < first_piece<V> + pieces<V>; ++o) {
      const program::tensor_access& access = S::output_access(o);
      const auto& piece = t.references[static_cast<std::size_t>(S::output_reference(static_cast<int>(o)))];
      loops::strided<T> from{piece.data, to.rank, {}, {}};
      for (std::size_t k = 0; k < static_cast<std::size_t>(to.rank); ++k) {
        const int id = access.axes[k];
        from.extents[k] = extent_of(t, id);
        from.strides[k] = id < 0 ? 0 : piece.stride[static_cast<std::size_t>(id)];
      }
      to.extents = from.extents;
      add(to, from);
    }
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
