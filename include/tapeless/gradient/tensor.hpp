#ifndef TAPELESS_GRADIENT_TENSOR_HPP
#define TAPELESS_GRADIENT_TENSOR_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/array_by_array.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/gradient/into.hpp>
#include <tapeless/gradient/tensor_inputs.hpp>
#include <tapeless/interop/storage.hpp>
#include <tapeless/program/tensor_pass.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// The gradient over tensors, by variable: `g[w]` is a container of the shape of `w`.
template <class Map, class Memory>
struct tensor_gradient_map : Map {
  using Map::Map;
  Memory memory;
};

}  // namespace tapeless

template <class Map, class Memory>
struct std::tuple_size<tapeless::tensor_gradient_map<Map, Memory>> : std::tuple_size<Map> {};
template <std::size_t I, class Map, class Memory>
struct std::tuple_element<I, tapeless::tensor_gradient_map<Map, Memory>> : std::tuple_element<I, Map> {};

namespace tapeless {

/// A value and the derivatives there; a structured binding takes it apart.
template <class Value, class Gradient>
struct value_and_tensor_gradient {
  Value value{};
  Gradient gradient{};
};

namespace detail::inline TAPELESS_TARGET {

template <class Binding>
using leaf_of = typename leaf_of_traits<typename Binding::variable_type, tensor_traits<bound_t<Binding>>>::type;
template <class F, class... Bindings>
using tensor_lowering = program::lower_tensors<formulas<F>, leaf_of<Bindings>...>;

/// What the verbs have in common for the formula `F` with tensors bound to its variables: the programs, and how they
/// are run.
template <class F, class... Bindings>
struct tensor_program {
  using lowering = tensor_lowering<F, Bindings...>;
  static_assert(lowering::problem == program::tensor_problem::none, "tapeless: the tensors do not fit the formula");

  using source = program::frozen<lowering>;
  /// The same program with axes apart, for calls whose extents do not fit the loops.
  using lowering_apart = program::lower_tensors_apart<formulas<F>, leaf_of<Bindings>...>;
  using T = typename tensor_number<Bindings...>::type;
  static constexpr int value_access = program::access_of_output<source>(0);
  static constexpr int value_rank = source::value.accesses[static_cast<std::size_t>(value_access)].rank;
  static constexpr std::size_t variables = source::value.variables.size();
};

template <class X>
auto strides_of(const X& x) {
  using traits = tensor_traits<X>;
  std::array<std::ptrdiff_t, program::max_rank> result{};
  for (int i = 0; i < traits::rank; ++i) result[static_cast<std::size_t>(i)] = traits::stride(x, i);
  return result;
}
template <class X>
auto* data_of(const X& x) {
  using element = typename tensor_traits<X>::element;
  return const_cast<element*>(tensor_traits<X>::data(x));
}

/// A container, or a number, as it lies in memory.
template <class X>
auto strided_of(const X& x) {
  using traits = tensor_traits<X>;
  loops::strided<typename traits::element> result{data_of(x), traits::rank, {}, strides_of(x)};
  for (int i = 0; i < traits::rank; ++i) result.extents[static_cast<std::size_t>(i)] = traits::extent(x, i);
  return result;
}

/// The outputs of a program over tensors as a result: its value, if `HasValue`, which is output 0, and the derivatives
/// by `Vs`, of which each use of a variable has one piece. `Made<Source>` tells what is made from the program of
/// `Program`: `finished`, to be run, and `uses` of the variables.
template <class Program, template <class> class Made, bool HasValue, class Policy, class Variables, class... Bindings>
struct tensor_results;
template <class Program, template <class> class Made, bool HasValue, class Policy, class... Vs, class... Bindings>
struct tensor_results<Program, Made, HasValue, Policy, wrt_variables<Vs...>, Bindings...> {
  using source = typename Program::source;
  using P = typename Made<source>::finished;
  using Uses = typename Made<source>::uses;
  using T = typename Program::T;
  static constexpr std::size_t first = HasValue ? 1 : 0;
  static constexpr auto output_accesses = [] {
    std::array<int, first + Uses::count> result{};
    if (HasValue) result[0] = Program::value_access;
    for (std::size_t i = 0; i < Uses::count; ++i) result[first + i] = Uses::value[i].access;
    return result;
  }();
  using S = loops::plan<P, output_accesses>;
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
  template <class V>
  static constexpr std::size_t first_piece = [] {
    std::size_t i = 0;
    while (i < Uses::count && Uses::value[i].variable != index<V>) ++i;
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
  using map = tensor_gradient_map<gradient_map<wrt_variables<Vs...>, derivative<Vs>...>, memory_type>;
  using value_type = typename value_container<T, Program::value_rank>::type;
  using result = std::conditional_t<sizeof...(Vs) == 0, value_type,
                                    std::conditional_t<HasValue, value_and_tensor_gradient<value_type, map>, map>>;

  /// The shape of the value, which is computed only where the loops cannot run with the extents of the call.
  template <class F>
  static auto value_shape(const F& f, const Bindings&... bindings) {
    memory_type memory;
    inputs_type inputs;
    inputs.bind(memory, bindings...);
    inputs.take_bounds(f);
    tables t;
    if (inputs.measure(t)) [[likely]]
      return value_shape(t);
    result value{};
    run(loops::sequential{}, value, f, std::tuple<>{}, bindings...);
    std::array<std::ptrdiff_t, program::max_rank> shape{};
    for (int i = 0; i < Program::value_rank; ++i)
      shape[static_cast<std::size_t>(i)] = tensor_traits<value_type>::extent(value, i);
    return shape;
  }

  /// Computes the result for these values and, of the variables that follow those of the formula, `further`.
  template <class Engine, class F, class... Further>
  static void run(const Engine& engine, result& r, const F& f, const std::tuple<Further...>& further,
                  const Bindings&... bindings) {
    if constexpr (sizeof...(Vs) == 0) {
      memory_type memory;
      compute(engine, memory, r, map{}, f, further, bindings...);
    } else if constexpr (HasValue) {
      compute(engine, r.gradient.memory, r.value, r.gradient, f, further, bindings...);
    } else {
      compute(engine, r.memory, no_value, r, f, further, bindings...);
    }
  }
  /// The same for a result that may lie where something bound does: the loops write before they have read everything.
  template <class Engine, class F>
  static void run_into(const Engine& engine, result& r, const F& f, const Bindings&... bindings) {
    bool overlap = false;
    const auto look = [&](const auto& output) { overlap = overlap || (overlaps(output, bindings) || ...); };
    if constexpr (HasValue) look(r.value);
    const auto& g = gradient_of(r);
    (look(g[Vs{}]), ...);
    if (!overlap) [[likely]]
      return run(engine, r, f, std::tuple<>{}, bindings...);
    result apart{};
    run(engine, apart, f, std::tuple<>{}, bindings...);
    r = apart;
  }

  static constexpr struct {
  } no_value{};
  /// Computes the value, `no_value` if there is none, and the derivatives into the entries of `g`.
  template <class Engine, class Value, class Map, class F, class... Further>
  TAPELESS_ALWAYS_INLINE static void compute(const Engine& engine, memory_type& memory, Value& value, Map&& g,
                                             const F& f, const std::tuple<Further...>& further,
                                             const Bindings&... bindings) {
    inputs_type inputs;
    inputs.bind(memory, bindings...);
    inputs.bind_further(memory, further);
    inputs.take_bounds(f);
    tables t;
    if constexpr (S::numbers > 0) {
      T* to = t.numbers;
      numbers_of(f, to);
    }
    if (!inputs.measure(t)) [[unlikely]] {
      if constexpr (runs_apart()) {
        if (run_apart(memory, value, g, inputs, t)) return;
      }
      inputs.fail(t);
    }
    inputs.place(t, memory);
    if constexpr (HasValue) place_value(value, t);
    (prepare<Vs>(memory, g, inputs, t), ...);
    loops::executor<S, T>::run(t, memory.buffers, memory.parts, engine);
    (add_pieces<Vs>(g, inputs, t), ...);
  }
  /// Whether an output lies where something bound does.
  template <class Output, class B>
  static bool overlaps(const Output& output, const B& given) {
    // A number may lie in a tensor as well.
    if constexpr (!std::is_same_v<Output, Zero> && is_bound_tensor<typename B::value_type>)
      return overlap(strided_of(output).bytes(), strided_of(bound<typename B::value_type>::get(given.value)).bytes());
    else
      return false;
  }

 private:
  static const auto& gradient_of(const result& r) {
    if constexpr (HasValue)
      return r.gradient;
    else
      return r;
  }
  static constexpr bool runs_apart() {
    if constexpr (!source::value.compares_extents) {
      return false;
    } else if constexpr (Program::lowering_apart::problem != program::tensor_problem::none) {
      return false;
    } else {
      using apart = program::frozen<typename Program::lowering_apart>;
      if constexpr (program::problem_of<apart> != program::fault::none)
        return false;
      else
        return program::problem_of<typename Made<apart>::finished> == program::fault::none;
    }
  }
  /// Computes the result array by array; says if the extents do not fit even so.
  template <class Value, class Map>
  [[gnu::noinline, gnu::cold]] static bool run_apart(memory_type& memory, Value& value, Map& g, inputs_type inputs,
                                                     loops::tables_argument<S, T> t) {
    using apart = program::frozen<typename Program::lowering_apart>;
    using made = typename Made<apart>::finished;
    constexpr auto& p = made::value;
    constexpr std::size_t axes = std::max<std::size_t>(apart::value.axis_sources.size(), 1);
    std::array<std::ptrdiff_t, axes> extent;
    extent.fill(1);
    if (!inputs.template measure_apart<apart, made>(extent.data())) return false;
    loops::array_by_array<T> all{made::view(),
                                 p.accesses.data(),
                                 p.moves.data(),
                                 loops::node_codes<made, T>.data(),
                                 axes,
                                 inputs.bounds.data(),
                                 extent.data(),
                                 t.numbers,
                                 inputs.indices.data()};
    all.run(memory.arrays,
            [&](int v) -> const bound_tensor<T>& { return inputs.tensors[static_cast<std::size_t>(v)]; });
    const auto output = [&](std::size_t o, int access) {
      return all.place(p.output(o), p.accesses[static_cast<std::size_t>(access)]);
    };
    if constexpr (HasValue) {
      constexpr int access = program::access_of_output<apart>(0);
      const auto from = output(0, access);
      tensor_traits<value_type>::resize(value, from.extents);
      copy(strided_of(value), from);
    }
    using uses = typename Made<apart>::uses;
    [[maybe_unused]] const auto write = [&]<class V>(V) {
      if constexpr (!std::is_same_v<derivative<V>, Zero>) {
        auto& to = entry<V>(g);
        tensor_traits<derivative<V>>::resize(to, bound_shape<V>(inputs));
        const auto place = strided_of(to);
        fill(place, T(0));
        for (std::size_t i = 0; i < uses::count; ++i)
          if (uses::value[i].variable == index<V>) add(place, output(first + i, uses::value[i].access));
      }
    };
    (write(Vs{}), ...);
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

  TAPELESS_ALWAYS_INLINE static auto value_shape(const tables& t) {
    std::array<std::ptrdiff_t, program::max_rank> shape{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(Program::value_rank); ++i)
      shape[i] = extent_of(t, S::output_access(0).axes[i]);
    return shape;
  }
  TAPELESS_ALWAYS_INLINE static void place_value(value_type& value, tables& t) {
    tensor_traits<value_type>::resize(value, value_shape(t));
    place_output<0>(t, data_of(value), strides_of(value));
  }

  template <class V, class Map>
  static auto& entry(Map& g) {
    if constexpr (requires { g.template target<V>(); })
      return g.template target<V>();
    else
      return static_cast<gradient_entry<V, derivative<V>>&>(g).value;
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

  template <class V, class Map>
  TAPELESS_ALWAYS_INLINE static void prepare(memory_type& memory, Map& g, const inputs_type& inputs, tables& t) {
    if constexpr (!std::is_same_v<derivative<V>, Zero>)
      tensor_traits<derivative<V>>::resize(entry<V>(g), bound_shape<V>(inputs));
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
  template <class V, std::size_t O, class Map>
  TAPELESS_ALWAYS_INLINE static void place_piece(memory_type& memory, Map& g, const inputs_type& inputs, tables& t) {
    if constexpr (!std::is_same_v<derivative<V>, Zero>)
      if (!adds_up<V>(inputs, t)) {
        auto& to = entry<V>(g);
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

  template <class V, class Map>
  TAPELESS_ALWAYS_INLINE static void add_pieces(Map& g, const inputs_type& inputs, const tables& t) {
    if constexpr (!std::is_same_v<derivative<V>, Zero>)
      if (adds_up<V>(inputs, t)) add_all_pieces<V>(g, t);
  }
  template <class V, class Map>
  [[gnu::noinline]] static void add_all_pieces(Map& g, loops::tables_argument<S, T> t) {
    loops::strided<T> to = strided_of(entry<V>(g));
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

/// Runs a call whose results `Results` describes.
template <class Results, class F, class... Further, class... Bindings>
auto tensor_result(const F& f, const std::tuple<Further...>& further, const Bindings&... bindings) {
  typename Results::result r{};
  Results::run(loops::sequential{}, r, f, further, bindings...);
  return r;
}

template <class Source>
struct formula_of;
template <class F>
struct formula_of<program::frozen<program::lower_formulas<F>>> {
  using type = F;
};
template <class G, class... Bindings>
struct tensor_call_problem {
  static constexpr auto find() {
    if constexpr (requires { typename formula_of<typename G::source>::type; }) {
      using F = typename formula_of<typename G::source>::type;
      using enum program::tensor_problem;
      constexpr auto found = tensor_lowering<F, Bindings...>::problem;
      if constexpr (found != none)
        return std::type_identity<error::tensors_do_not_fit<found>>{};
      else if constexpr (requires { G::of_one_number; }) {
        if constexpr (tensor_program<F, Bindings...>::value_rank != 0)
          return std::type_identity<error::tensors_do_not_fit<value_is_no_number>>{};
        else
          return std::type_identity<void>{};
      } else
        return std::type_identity<void>{};
    } else
      return std::type_identity<void>{};
  }
  using type = typename decltype(find())::type;
};

/// The value of a formula over tensors.
template <class F>
struct tensor_evaluation {
  template <class... Bindings>
  struct call {
    using values = tensor_program<F, Bindings...>;
    template <class Source>
    struct made {
      using uses = program::uses_of<Source>;
      using finished = program::finished<Source, 0, 1>;
    };
    using results = tensor_results<values, made, true, unconnected::structural_policy, wrt_variables<>, Bindings...>;
  };

  template <class... Bindings>
  static auto run(const F& f, const Bindings&... bindings) {
    return tensor_result<typename call<Bindings...>::results>(f, std::tuple<>{}, bindings...);
  }
};

template <class Source, class Variables>
struct tensor_gradient_program;
template <class Source, class... Vs>
struct tensor_gradient_program<Source, wrt_variables<Vs...>> {
  using uses = program::uses_of<Source, variable_index(Source::value, Vs::name)...>;
  using type = program::frozen<program::append_tensor_gradient<Source, variable_index(Source::value, Vs::name)...>>;
};
template <class Source, std::size_t Begin, class Variables>
struct tensor_tangent_program;
template <class Source, std::size_t Begin, class... Vs>
struct tensor_tangent_program<Source, Begin, wrt_variables<Vs...>> {
  using type =
      program::frozen<program::append_tensor_tangents<Source, Begin, variable_index(Source::value, Vs::name)...>>;
};

/// The gradient of a formula over tensors, with its value or without.
template <class F, class Variables, bool WithValue, class Policy>
struct tensor_gradient {
  template <class... Bindings>
  struct call {
    using values = tensor_program<F, Bindings...>;
    template <class Source>
    struct made {
      using all = tensor_gradient_program<Source, Variables>;
      using uses = typename all::uses;
      using finished = program::finished<typename all::type, WithValue ? 0 : 1, 1 + uses::count>;
    };
    using finished = typename made<typename values::source>::finished;
    using results = tensor_results<values, made, WithValue, Policy, Variables, Bindings...>;
  };

  template <class Engine, class... Bindings>
  static auto run(const Engine& engine, const F& f, const Bindings&... bindings) {
    using results = typename call<Bindings...>::results;
    typename results::result r{};
    results::run(engine, r, f, std::tuple<>{}, bindings...);
    return r;
  }
  template <class... Bindings>
  using result = typename call<Bindings...>::results::result;
  template <class Engine, class R, class... Bindings>
  static void run(const Engine& engine, const F& f, const into_result<R>& to, const Bindings&... bindings) {
    using results = typename call<Bindings...>::results;
    static_assert(std::is_same_v<R, typename results::result>,
                  "tapeless: into(r) takes the result of the same call: variables bound to the same types");
    results::run_into(engine, *to.result, f, bindings...);
  }
};

/// The directional derivative of a formula over tensors along `Tangents`: of the shape of its value.
template <class F, class... Tangents>
struct tensor_jvp {
  template <class... Bindings>
  struct call {
    template <class Source>
    struct made {
      using uses = program::uses_of<Source>;
      using all = typename tensor_tangent_program<Source, 0, wrt_variables<typename Tangents::variable_type...>>::type;
      using finished = program::finished<all, 1, 2>;
    };
    using results = tensor_results<tensor_program<F, Bindings...>, made, true, unconnected::structural_policy,
                                   wrt_variables<>, Bindings...>;
  };

  template <class... Bindings>
  static auto run(const F& f, const std::tuple<Tangents...>& along, const Bindings&... bindings) {
    using results = typename call<Bindings...>::results;
    return tensor_result<results>(f, along, bindings...);
  }
};

/// The product of the Hessian of a formula over tensors and `Tangents`, by variable.
template <class F, class Variables, class... Tangents>
struct tensor_hvp {
  template <class... Bindings>
  struct call {
    using values = tensor_program<F, Bindings...>;
    template <class Source>
    struct made {
      using gradient = tensor_gradient_program<Source, Variables>;
      using uses = typename gradient::uses;
      using all = typename tensor_tangent_program<typename gradient::type, 1,
                                                  wrt_variables<typename Tangents::variable_type...>>::type;
      using finished = program::finished<all, 1 + uses::count, 1 + 2 * uses::count>;
    };
    using results = tensor_results<values, made, false, unconnected::structural_policy, Variables, Bindings...>;
  };

  template <class... Bindings>
  static auto run(const F& f, const std::tuple<Tangents...>& along, const Bindings&... bindings) {
    return tensor_result<typename call<Bindings...>::results>(f, along, bindings...);
  }
};

}  // namespace detail::inline TAPELESS_TARGET

}  // namespace tapeless

#endif
