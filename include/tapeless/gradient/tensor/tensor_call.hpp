#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/core/thread_memory.hpp>
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/evaluate/kernels/tensor.hpp>
#include <tapeless/evaluate/memory/workspace.hpp>
#include <tapeless/evaluate/node_by_node.hpp>
#include <tapeless/gradient/number_type.hpp>
#include <tapeless/gradient/outputs.hpp>
#include <tapeless/gradient/problem.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/gradient/tensor/bound_tensor.hpp>
#include <tapeless/gradient/tensor/storage.hpp>
#include <tapeless/gradient/tensor/tensor_inputs.hpp>
#include <tapeless/gradient/unconnected.hpp>
#include <tapeless/gradient/verb.hpp>
#include <tapeless/program/lower/lower_tensors.hpp>
#include <tapeless/program/pass/verbs_inside.hpp>
#include <tapeless/program/schedule/sharding.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

template <class Binding, class Traits = tensor_traits<bound_t<Binding>>,
          class Leaf = typename leaf_of_traits<typename Binding::variable_type, Traits>::type>
using bound_leaf = std::conditional_t<requires { requires Traits::of_batch; }, program::batch_leaf<Leaf>, Leaf>;
/// The formulas of an operand over tensors.
template <class F>
using formulas_of = std::conditional_t<is_outputs<F>, F, output_list<F>>;
template <class F, class... Bindings>
using tensor_lowering = program::lower_tensors<formulas_of<F>, bound_leaf<Bindings>...>;

template <class... Bindings>
struct tensor_number {
  template <class B>
  using element = typename tensor_traits<bound_t<B>>::element;
  template <class B>
  using tensor_element = std::conditional_t<tensor_traits<bound_t<B>>::rank == 0, int, element<B>>;
  static constexpr bool any_real_tensor = (Real<tensor_element<Bindings>> || ...);
  using type = std::conditional_t<any_real_tensor, common_real_t<tensor_element<Bindings>...>,
                                  common_real_t<element<Bindings>...>>;
};

template <program::fault Problem, class F>
constexpr bool has_no_problem() {
  if constexpr (Problem != program::fault::none) report<error::at<Problem, F>>();
  return true;
}

/// What the verbs have in common for the formulas, or the function, `F` with tensors bound to its variables.
template <class F, class... Bindings>
struct tensor_program {
  using lowering = tensor_lowering<F, Bindings...>;
  // The public function reports what is wrong with its operand; here, what only a derivative of a loop's step has.
  static_assert(has_no_problem<program::problem_of<program::frozen<lowering>>, F>());

  using source = program::verbs_resolved_t<program::frozen<lowering>>;
  /// The same program with explicit axes, for calls whose extents do not fit the loops.
  using explicit_lowering = program::lower_tensors_explicitly<formulas_of<F>, bound_leaf<Bindings>...>;
  static constexpr bool is_explicit = program::problem_of<program::frozen<explicit_lowering>> == program::fault::none;
  static constexpr bool resolves_explicitly() {
    if constexpr (std::is_same_v<source, program::frozen<lowering>>)
      return false;
    else
      return program::has_verbs_inside<program::frozen<explicit_lowering>>;
  }
  using explicit_source =
      typename program::verbs_resolved<program::frozen<explicit_lowering>, resolves_explicitly()>::type;
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

  template <class V, class B>
  static constexpr auto pick() {
    if constexpr (std::is_same_v<typename B::variable_type, V>)
      return std::type_identity<typename tensor_traits<bound_t<B>>::template result<T>>{};
    else
      return std::type_identity<void>{};
  }
  /// A container of the shape of a variable; a number if it is not bound.
  template <class V>
  using shaped = typename decltype(first_problem(pick<V, Bindings>()..., std::type_identity<T>{}))::type;
};

/// A container of the shape of output number `K` of `Operand`.
template <class Operand, std::size_t K>
using output_container = typename value_container<typename Operand::T, Operand::rank_of(K)>::type;

/// Whether cotangents have the shapes of the outputs of `Operand`, as far as the types tell. A fixed extent of 1 is
/// left to the call: an output that is broadcast elsewhere may have it too.
template <class Operand, class Cotangent>
constexpr bool has_shape_of(std::size_t output) {
  using traits = tensor_traits<Cotangent>;
  bool result = traits::rank == Operand::rank_of(output);
  for (std::size_t i = 0; result && i < traits::extents.size(); ++i)
    if (const std::ptrdiff_t extent = Operand::extent_of(output, i); extent >= 0 && traits::extents[i] >= 0)
      result = traits::extents[i] == 1 || traits::extents[i] == extent;
  return result;
}
template <class Operand, class Seeds>
inline constexpr bool have_shapes_of = true;
template <class Operand, class... Seeds>
inline constexpr bool have_shapes_of<Operand, std::tuple<Seeds...>> = [] {
  std::size_t output = 0;
  return (has_shape_of<Operand, bound_t<Seeds>>(output++) && ...);
}();

/// The memory of a call besides its result: for what the loops leave for each other, for conversions of what is bound
/// in another number type, and for derivatives that are added up to their variable's shape.
template <class T, std::size_t Variables, std::size_t Outputs>
struct call_memory {
  loops::workspace<T> buffers;
  loops::workspace<T> parts;
  loops::node_memory<T> arrays;
  loops::workspace<T> indices;
  std::array<loops::workspace<std::ptrdiff_t>, Variables> chosen;
  std::array<loops::workspace<T>, Variables> converted;
  std::array<loops::workspace<T>, Outputs> pieces;
};

template <class Memory>
struct kept_memory {
  Memory memory;
  bool used = false;
};
struct use_of_memory {
  bool& used;
  explicit use_of_memory(bool& flag) : used(flag) { used = true; }
  use_of_memory(const use_of_memory&) = delete;
  use_of_memory& operator=(const use_of_memory&) = delete;
  ~use_of_memory() { used = false; }
};
/// Memory that stays for the next call on this thread: of calls into results that have no place for it. A call that the
/// thread makes before another has ended has its own.
template <class Memory, class F>
auto with_memory_of_thread(const F& f) {
  auto& all = of_thread<kept_memory<Memory>, F>();
  if (all.used) {
    Memory own;
    return f(own);
  }
  const use_of_memory lock(all.used);
  return f(all.memory);
}

/// The same for calls into results that exist; others have memory of their own.
template <bool Existing, class Memory, class F>
auto with_memory_for(const F& f) {
  if constexpr (Existing) {
    return with_memory_of_thread<Memory>(f);
  } else {
    Memory own;
    return f(own);
  }
}

/// `compute(r)` for a result that exists: at once where that may be written early, else by way of another.
template <class R, class Compute>
void write_into(R& r, bool early, const Compute& compute) {
  if (early) [[likely]]
    return compute(r);
  with_memory_of_thread<R>([&](R& apart) {
    compute(apart);
    r = apart;
  });
}

// What is done along one axis of an output, the program's axis number `axis` if it is one of the program's, and with
// one output of a program that is run node by node: calls share it.
TAPELESS_ALWAYS_INLINE bool is_broadcast(const bound_tensor& tensor, std::size_t position,
                                         const std::ptrdiff_t* extents, int axis) {
  return axis >= 0 && tensor.extents[position] != extents[axis];
}
template <class T, std::size_t Axes>
TAPELESS_ALWAYS_INLINE void set_stride(loops::reference<T, Axes>& to, int axis, std::ptrdiff_t stride) {
  if (axis >= 0) to.stride[axis] = stride;
}
/// The sum of pieces; what was broadcast along an axis where the whole has the extent 1 is added up.
template <class T>
void write_sum(loops::strided<T> whole, const loops::strided<T>* pieces, std::size_t count) {
  fill(whole, T(0));
  for (std::size_t k = 0; k < static_cast<std::size_t>(whole.rank); ++k)
    if (whole.extents[k] == 1) whole.strides[k] = 0;
  for (std::size_t i = 0; i < count; ++i) {
    whole.extents = pieces[i].extents;
    if (pieces[i].data) add(whole, pieces[i]);
  }
}
template <class To, class Shape, class T>
void write_pieces(To& to, const Shape& shape, std::initializer_list<loops::strided<T>> pieces) {
  tensor_traits<To>::resize(to, shape);
  write_sum(strided_of(to), pieces.begin(), pieces.size());
}
template <class T>
void run_with(loops::node_by_node<T>& all, const bound_tensor* tensors) {
  all.run([&](int i) { all.read(i, tensors[all.at(i).leaf]); });
}
struct visit_nothing {
  template <class X>
  void operator()(const X&) const {}
};

/// What the verb `V` by `Vs` makes of the program `Lowered`: one `finished`, to be run, and the uses of the variables
/// in it. The variables of `Seeds` are those that have tangents.
template <verb V, class Lowered, class Variables, class Seeds>
struct tensor_verb_program;
template <verb V, class Lowered, class... Vs, class... Seeds>
struct tensor_verb_program<V, Lowered, wrt_variables<Vs...>, std::tuple<Seeds...>> {
  using uses =
      std::conditional_t<V.by_variables(), program::uses_of<Lowered, variable_index(Lowered::value, Vs::name)...>,
                         program::uses_of<Lowered>>;
  using finished =
      typename verb_program<V, Lowered, indices_in_t<Lowered, wrt_variables<Vs...>>,
                            indices_in_t<Lowered, wrt_variables<typename Seeds::variable_type...>>, uses::count>::type;
};

/// The verb `V` of the formulas, or the function, `F` with tensors bound to its variables: a program whose outputs are
/// values, each of the shape of an output of the operand, and the derivatives by `Vs`, of which each use of a variable
/// has one piece. `Seeds`, tangents or cotangents, are bound to further variables. Of the tensors bound to `Sharded`
/// variables each process has some rows.
template <verb V, class F, class Variables, class Policy, class Sharded, class Seeds, class... Bindings>
struct tensor_call;
template <verb V, class F, class... Vs, class Policy, class... Sharded, class... Seeds, class... Bindings>
struct tensor_call<V, F, wrt_variables<Vs...>, Policy, wrt_variables<Sharded...>, std::tuple<Seeds...>, Bindings...> {
  using operand = tensor_program<F, Bindings...>;
  using source = typename operand::source;
  using T = typename operand::T;
  static constexpr std::size_t outputs = operand::outputs;
  static constexpr bool by_variables = V.by_variables();

  template <class Lowered>
  using made = tensor_verb_program<V, Lowered, wrt_variables<Vs...>, std::tuple<Seeds...>>;
  using P = typename made<source>::finished;
  using uses = typename made<source>::uses;

  /// The outputs that are values: those of the operand, and their tangents.
  static constexpr std::size_t first = outputs * ((V.with_value ? 1 : 0) + (V.what == derives::tangent ? 1 : 0));
  static constexpr auto output_accesses = [] {
    std::array<int, first + uses::count> result{};
    for (std::size_t i = 0; i < first; ++i) result[i] = program::access_of_output<source>(i % outputs);
    for (std::size_t i = 0; i < uses::count; ++i) result[first + i] = uses::value[i].access;
    return result;
  }();
  static constexpr std::array<int, sizeof...(Sharded)> sharded{variable_index(source::value, Sharded::name)...};
  /// The variable along which each seed is a tangent, -1 of cotangents.
  static constexpr std::array<int, sizeof...(Seeds)> seeded{
      variable_index(source::value, Seeds::variable_type::name)...};
  using S = loops::plan<P, output_accesses, program::sharded_axes<source>(sharded)>;
  using tables = loops::tables<S, T>;
  using inputs_type = tensor_inputs<S, source, T>;
  /// The same where each process has some rows of what is bound to the variables `Ss`.
  template <class Ss>
  using with_shards = tensor_call<V, F, wrt_variables<Vs...>, Policy, Ss, std::tuple<Seeds...>, Bindings...>;

  template <class U>
  static constexpr int index = variable_index(source::value, U::name);
  template <class U>
  static constexpr bool is_zero_by_structure = [] {
    for (std::size_t i = 0; i < uses::count; ++i)
      if (uses::value[i].variable == index<U> && !P::value.is_absolute_zero(P::value.output(first + i))) return false;
    return true;
  }();
  template <class U>
  static constexpr std::size_t pieces = [] {
    std::size_t count = 0;
    for (std::size_t i = 0; i < uses::count; ++i) count += uses::value[i].variable == index<U>;
    return count;
  }();
  template <class U, class Found = uses>
  static constexpr std::size_t first_piece = [] {
    std::size_t i = 0;
    while (i < Found::count && Found::value[i].variable != index<U>) ++i;
    return first + i;
  }();

  template <class U>
  using derivative =
      std::conditional_t<is_zero_by_structure<U> && !std::is_same_v<Policy, unconnected::materialise_policy>, Zero,
                         typename operand::template shaped<U>>;
  template <std::size_t K>
  using value_type = output_container<operand, K % outputs>;

  using memory_type = call_memory<T, S::program.variables.size(), first + uses::count>;
  /// What a call gives, by value number and by variable.
  struct containers {
    template <std::size_t... K>
    static std::tuple<value_type<K>...> all_values(std::index_sequence<K...>);
    decltype(all_values(std::make_index_sequence<first>{})) values;
    std::tuple<gradient_entry<Vs, derivative<Vs>>...> derivatives;
  };
  struct targets {
    containers& all;
    template <std::size_t K>
    auto& value() const {
      return std::get<K>(all.values);
    }
    template <class U>
    auto& derivative() const {
      return std::get<gradient_entry<U, tensor_call::derivative<U>>>(all.derivatives).value;
    }
  };

  /// Computes for these values and seeds. `to.value<K>()` and `to.derivative<U>()` are the containers that are filled.
  template <class Engine, class To>
  static void compute(const Engine& engine, memory_type& memory, const To& to, const F& f,
                      const std::tuple<Seeds...>& seeds, const Bindings&... bindings) {
    if constexpr (is_distributed<Engine>) {
      using shared = with_shards<typename Engine::sharded>;
      // The public call has checked its own program; a matrix has others.
      static_assert(program::sharding_problem<source, typename shared::P>(shared::sharded) == program::fault::none,
                    "tapeless: this derivative needs rows of other processes [TL208]");
      engine.template call<typename shared::S>([&] { shared::run_loops(engine, memory, to, f, seeds, bindings...); });
    } else if constexpr (is_compared<Engine>) {
      run_loops(engine.fast(), memory, to, f, seeds, bindings...);
      engine.template compare_arrays<tensor_call>(to, f, seeds, bindings...);
    } else {
      run_loops(engine, memory, to, f, seeds, bindings...);
    }
  }
  TAPELESS_ALWAYS_INLINE static void bind(inputs_type& inputs, memory_type& memory, tables& t, const F& f,
                                          const std::tuple<Seeds...>& seeds, const Bindings&... bindings) {
    inputs.bind(memory, bindings...);
    if constexpr (sizeof...(Seeds) > 0) inputs.bind_seeds(memory, seeds);
    if constexpr (S::has_bounds) inputs.take_bounds(f);
    if constexpr (S::numbers > 0) {
      T* numbers = t.numbers;
      numbers_of(f, numbers);
    }
  }
  template <class Engine, class To>
  TAPELESS_ALWAYS_INLINE static void run_loops(const Engine& engine, memory_type& memory, const To& to, const F& f,
                                               const std::tuple<Seeds...>& seeds, const Bindings&... bindings) {
    inputs_type inputs;
    tables t;
    bind(inputs, memory, t, f, seeds, bindings...);
    if constexpr (V.what == derives::pullback) check_cotangents(inputs);
    if (!inputs.measure(t)) [[unlikely]] {
      if constexpr (S::sharded == 0 && has_explicit()) {
        if (run_node_by_node<explicit_source, true>(memory, to, inputs, t, visit_nothing{})) return;
      }
      inputs_type::fail(inputs, t);
    }
    if constexpr (sizeof...(Sharded) > 0) engine.template agree<S, source>(inputs, t, sharded);
    inputs.place(t, memory);
    place_values(to, t, std::make_index_sequence<first>{});
    (prepare<Vs>(memory, to, inputs, t), ...);
    using code = loops::executor<S, T>;
    code::run(t, memory.buffers, memory.parts, engine, code::groups);
    (add_pieces<Vs>(to, inputs, t), ...);
  }
  /// Whether the loops may write to the containers before they have read and checked everything: none lies where
  /// something bound does, and no index is computed that the loops could refuse.
  template <class To>
  static bool may_write_early(const To& to, const std::tuple<Seeds...>& seeds, const Bindings&... bindings) {
    if constexpr (S::computes_indices) return false;
    const auto meets_input = [&](const memory_range& written) {
      return std::apply([&](const auto&... more) { return meets(written, bindings..., more...); }, seeds);
    };
    // Numbers lie side by side in a result, so that they are looked at together.
    memory_range numbers{};
    bool found = false;
    for_each_container(to, [&]<class X>(const auto&, const X& output) {
      if constexpr (tensor_traits<X>::rank == 0)
        numbers = hull(numbers, range_of(output));
      else
        found = meets_input(range_of(output)) || found;
    });
    return !found && !meets_input(numbers);
  }

  /// visit(name, number of the output of `Lowered`, its elements) for each output that has a container in `to`.
  template <class Lowered, class To, class Visit>
  static void for_each_output(const To& to, const Visit& visit) {
    for_each_container(to, [&]<class Which>(Which, const auto& container) {
      if constexpr (!is_variable<Which>)
        visit(message({"value ", Which::value}), Which::value, strided_of(container));
      else if constexpr (pieces<Which> > 0)
        visit(message({"derivative by ", Which::name}), first_piece<Which, typename made<Lowered>::uses>,
              strided_of(container));
    });
  }
  /// The same by a program that is run node by node: the plain one, or that of the loops. visit(the computation) comes
  /// after.
  template <class Lowered, bool Explicit, class Visit, class To>
  [[gnu::cold]] static void compute_node_by_node(const Visit& visit, const To& to, const F& f,
                                                 const std::tuple<Seeds...>& seeds, const Bindings&... bindings) {
    memory_type memory;
    inputs_type inputs;
    tables t;
    bind(inputs, memory, t, f, seeds, bindings...);
    static_cast<void>(inputs.measure(t));
    static_cast<void>(run_node_by_node<Lowered, Explicit>(memory, to, inputs, t, visit));
  }

 private:
  /// visit(which, container) for each container in `to`: which is the number of a value, or a variable.
  template <class To, class Visit>
  static void for_each_container(const To& to, const Visit& visit) {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (visit(std::integral_constant<std::size_t, K>{}, to.template value<K>()), ...);
    }(std::make_index_sequence<first>{});
    [[maybe_unused]] const auto visit_derivative = [&]<class U>(U by) {
      if constexpr (!std::is_same_v<derivative<U>, Zero>) visit(by, to.template derivative<U>());
    };
    (visit_derivative(Vs{}), ...);
  }

  static constexpr bool has_explicit() {
    if constexpr (!source::value.compares_extents) {
      return false;
    } else if constexpr (program::problem_of<explicit_source> != program::fault::none) {
      return false;
    } else {
      return program::problem_of<typename made<explicit_source>::finished> == program::fault::none;
    }
  }
  template <class Lowered>
  using extents_of =
      std::array<std::ptrdiff_t, std::max<std::size_t>({Lowered::value.axis_sources.size(), S::axes, 1})>;
  using explicit_source = typename operand::explicit_source;

  /// A cotangent is not broadcast, and nothing is broadcast to it: the operand alone tells the shapes of its outputs.
  [[gnu::noinline]] static void check_cotangents(const inputs_type& inputs) {
    if (has_shapes_of<source, false>(inputs)) [[likely]]
      return;
    if constexpr (has_explicit())
      if (has_shapes_of<explicit_source, true>(inputs)) return;
    extents_of<source> extent;
    inputs.template at_call<program::finished<source, 0, outputs>>(extent.data()).fail(extent.size());
  }
  /// Whether the operand's program `Lowered` can run with what is bound.
  template <class Lowered, bool Explicit>
  static bool has_shapes_of(const inputs_type& inputs) {
    extents_of<Lowered> extent;
    extent.fill(1);
    const auto at_call = inputs.template at_call<program::finished<Lowered, 0, outputs>, Lowered>(extent.data());
    if (!(Explicit ? at_call.measure_explicit() : at_call.measure(S::sharded))) return false;
    for_each_index<outputs>([&](auto o) {
      constexpr int access = program::access_of_output<Lowered>(o);
      at_call.check_cotangent(inputs.tensors[inputs_type::of_operand + o], program_at_call<Lowered>::accesses[access]);
    });
    return true;
  }
  /// Computes the result by the program `Lowered`, node by node; says if the extents do not fit even so. Its axes are
  /// `Explicit`, or those of the loops.
  template <class Lowered, bool Explicit, class To, class Visit>
  [[gnu::noinline, gnu::cold]] static bool run_node_by_node(memory_type& memory, const To& to, inputs_type inputs,
                                                            loops::tables_argument<S, T> t, const Visit& visit) {
    using run = typename made<Lowered>::finished;
    extents_of<Lowered> extent;
    extent.fill(1);
    if constexpr (Explicit) {
      if (!inputs.template at_call<run, Lowered>(extent.data()).measure_explicit()) return false;
    } else {
      std::copy_n(t.extent, S::axes, extent.data());
    }
    loops::node_by_node<T> all = loops::computation_of<run, T>(memory.arrays);
    all.numbers = t.numbers, all.axes = extent.size(), all.extent = extent.data();
    all.bounds = inputs.bounds.data(), all.indices = inputs.indices.data();
    run_with(all, inputs.tensors.data());
    visit(all);
    const auto output = [&](std::size_t o, int access) {
      return all.place(run::value.output(o), run::value.accesses[static_cast<std::size_t>(access)]);
    };
    for_each_container(to, [&]<class Which>(Which, auto& container) {
      if constexpr (!is_variable<Which>) {
        constexpr int access = program::access_of_output<Lowered>(Which::value % outputs);
        const loops::strided<T> value = output(Which::value, access);
        write_pieces(container, value.extents, {value});
      } else {
        using lowered_uses = typename made<Lowered>::uses;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          // Of another variable nothing is added.
          const std::initializer_list<loops::strided<T>> pieces = {
              lowered_uses::value[I].variable == index<Which> ? output(first + I, lowered_uses::value[I].access)
                                                              : loops::strided<T>{nullptr, 1, {}, {}}...};
          write_pieces(container, bound_shape<Which>(inputs), pieces);
        }(std::make_index_sequence<lowered_uses::count>{});
      }
    });
    return true;
  }

  template <std::size_t O>
  static constexpr program::tensor_access output_access = S::output_access(O);
  /// The positions of the axes of output number `O`.
  template <std::size_t O>
  static constexpr std::make_index_sequence<static_cast<std::size_t>(output_access<O>.rank)> axes_of{};

  /// Where output number `O` goes.
  template <std::size_t O, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void place_output(
      tables& t, T* data, [[maybe_unused]] const std::array<std::ptrdiff_t, program::max_rank>& strides,
      std::index_sequence<I...>) {
    constexpr auto reference = static_cast<std::size_t>(S::output_reference(static_cast<int>(O)));
    t.references[reference].data = not_null(data);
    (set_stride(t.references[reference], output_access<O>.axes[I], strides[I]), ...);
  }

  template <class To, std::size_t... K>
  TAPELESS_ALWAYS_INLINE static void place_values(const To& to, [[maybe_unused]] tables& t, std::index_sequence<K...>) {
    (place_value<K>(to.template value<K>(), t), ...);
  }
  template <std::size_t K, class Value>
  TAPELESS_ALWAYS_INLINE static void place_value(Value& value, tables& t) {
    std::array<std::ptrdiff_t, program::max_rank> shape{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(tensor_traits<Value>::rank); ++i)
      shape[i] = loops::extent_of(t.extent, output_access<K>.axes[i]);
    tensor_traits<Value>::resize(value, shape);
    place_output<K>(t, data_of(value), strides_of(value), axes_of<K>);
  }

  /// Whether the pieces of a derivative are added up after the loops: where the variable is read in several ways, or
  /// was broadcast along an axis of extent 1.
  template <class U>
  TAPELESS_ALWAYS_INLINE static bool adds_up(const inputs_type& inputs, const tables& t) {
    if constexpr (pieces<U> != 1) {
      return true;
    } else {
      return [&]<std::size_t... I>(std::index_sequence<I...>) TAPELESS_INLINE_LAMBDA {
        return (is_broadcast(inputs.tensors[static_cast<std::size_t>(index<U>)], I, t.extent,
                             output_access<first_piece<U>>.axes[I]) ||
                ...);
      }(axes_of<first_piece<U>>);
    }
  }

  template <class U, class To>
  TAPELESS_ALWAYS_INLINE static void prepare(memory_type& memory, const To& g, const inputs_type& inputs, tables& t) {
    if constexpr (!std::is_same_v<derivative<U>, Zero>)
      tensor_traits<derivative<U>>::resize(g.template derivative<U>(), bound_shape<U>(inputs));
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (place_piece<U, first_piece<U> + I>(memory, g, inputs, t), ...);
    }(std::make_index_sequence<pieces<U>>{});
  }
  template <class U>
  TAPELESS_ALWAYS_INLINE static auto bound_shape(const inputs_type& inputs) {
    constexpr std::size_t rank = static_cast<std::size_t>(tensor_traits<derivative<U>>::rank);
    std::array<std::ptrdiff_t, rank> result{};
    if constexpr (index<U> >= 0)
      for (std::size_t i = 0; i < rank; ++i) result[i] = inputs.tensors[static_cast<std::size_t>(index<U>)].extents[i];
    return result;
  }
  template <class U, std::size_t O, class To>
  TAPELESS_ALWAYS_INLINE static void place_piece(memory_type& memory, const To& g, const inputs_type& inputs,
                                                 tables& t) {
    if constexpr (!std::is_same_v<derivative<U>, Zero>)
      if (!adds_up<U>(inputs, t)) {
        auto& to = g.template derivative<U>();
        return place_output<O>(t, data_of(to), strides_of(to), axes_of<O>);
      }
    std::array<std::ptrdiff_t, program::max_rank> strides{};
    std::ptrdiff_t count = 1;
    for (std::size_t i = static_cast<std::size_t>(output_access<O>.rank); i-- > 0;) {
      strides[i] = count;
      count *= loops::extent_of(t.extent, output_access<O>.axes[i]);
    }
    place_output<O>(t, memory.pieces[O].reserve(static_cast<std::size_t>(count)), strides, axes_of<O>);
  }

  template <class U, class To>
  TAPELESS_ALWAYS_INLINE static void add_pieces(const To& g, const inputs_type& inputs, const tables& t) {
    if constexpr (!std::is_same_v<derivative<U>, Zero>)
      if (adds_up<U>(inputs, t)) add_all_pieces<U>(g, t);
  }
  template <class U, class To>
  [[gnu::noinline]] static void add_all_pieces(To g, loops::tables_argument<S, T> t) {
    std::array<loops::strided<T>, pieces<U>> all;
    for (std::size_t o = first_piece<U>; loops::strided<T> & to : all) {
      const auto& piece = t.references[static_cast<std::size_t>(S::output_reference(static_cast<int>(o)))];
      to = loops::strided_by(S::output_access(o++), piece.data, t.extent, piece.stride);
    }
    write_sum(strided_of(g.template derivative<U>()), all.data(), all.size());
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
