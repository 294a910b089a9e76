#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/tables.hpp>
#include <tapeless/evaluate/memory/index.hpp>
#include <tapeless/evaluate/memory/range.hpp>
#include <tapeless/evaluate/memory/workspace.hpp>
#include <tapeless/gradient/formula/lowered_formula.hpp>
#include <tapeless/gradient/tensor/bound_tensor.hpp>
#include <tapeless/gradient/tensor/extents_at_call.hpp>
#include <tapeless/gradient/tensor/storage.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// What a call reads of the program `P`. Copies: whoever reads the program itself has its nodes in the object file, and
/// with them the functions of the passes that they lead to, three quarters of the code of a small loss.
template <class P>
struct program_at_call {
  static constexpr auto accesses = P::value.accesses;
  static constexpr auto moves = P::value.moves;
  static constexpr auto axis_rules = P::value.axis_rules;
  static constexpr auto axis_sources = P::value.axis_sources;
  static constexpr auto extent_uses = P::value.extent_uses;
  static constexpr auto edges = P::value.edges;
  static constexpr auto nodes = [] {
    std::array<node_in_message, P::value.nodes.size()> result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
      const program::node& n = P::value.nodes[i];
      result[i] = {{}, n.axes, n.reduced, n.first, n.count};
      if (n.kind == program::node_kind::apply) result[i].operation = n.operation->name;
      if (n.kind == program::node_kind::apply) result[i].moves = n.operation->moves;
      if (n.kind == program::node_kind::variable) result[i].access = n.access;
    }
    return result;
  }();
  static constexpr auto chosen = program::as_array([] {
    program::growing_array<chosen_move> found;
    for (int i = 0; i < static_cast<int>(P::value.nodes.size()); ++i) {
      const program::node& n = P::value[i];
      if (n.kind != program::node_kind::apply || !n.operation->moves || !P::value.move(i).has_indices()) continue;
      const program::node& from = P::value[P::value.operand(i, 1)];
      if (from.kind == program::node_kind::variable) found.push_back({n.access, from.leaf});
    }
    return found;
  });
};

/// The program `P` that runs and `Source` that was lowered, as extents see them.
template <class P, class Source, class Own = program_at_call<P>, class Lowered = program_at_call<Source>>
inline constexpr program_of_extents extents_of_programs{{Own::accesses.data(), Own::accesses.size()},
                                                        {Own::axis_rules.data(), Own::axis_rules.size()},
                                                        {Own::moves.data(), Own::moves.size()},
                                                        {Own::chosen.data(), Own::chosen.size()},
                                                        {Lowered::accesses.data(), Lowered::accesses.size()},
                                                        {Lowered::axis_sources.data(), Lowered::axis_sources.size()},
                                                        {Lowered::extent_uses.data(), Lowered::extent_uses.size()},
                                                        {Lowered::nodes.data(), Lowered::nodes.size()},
                                                        {Lowered::edges.data(), Lowered::edges.size()}};

/// What an access reads: the variable `tensor`, and which axis of the program its axis at `position` is.
struct access_read {
  std::size_t access, tensor, position, axis;
};

// What is done with one access needs little of the call's types, so that calls share it.
TAPELESS_ALWAYS_INLINE void measure_axis(const access_read& of, const bound_tensor* tensors, std::ptrdiff_t* extents,
                                         bool& fits) {
  const std::ptrdiff_t extent = tensors[of.tensor].extents[of.position];
  if (extents[of.axis] == 1)
    extents[of.axis] = extent;
  else if (extent != 1 && extent != extents[of.axis])
    fits = false;
}
TAPELESS_ALWAYS_INLINE void compare_axis(const access_read& of, const bound_tensor* tensors,
                                         const std::ptrdiff_t* extents, bool& exact) {
  exact = exact && tensors[of.tensor].extents[of.position] == extents[of.axis];
}
/// An index along an axis is a vector.
template <class T, std::size_t Axes>
TAPELESS_ALWAYS_INLINE void place_index(const access_read& of, loops::workspace<T>& indices,
                                        const std::ptrdiff_t (&extents)[Axes], loops::reference<T, Axes>* references) {
  std::ptrdiff_t longest = 0;
  for (const std::ptrdiff_t extent : extents) longest = std::max(longest, extent);
  loops::reference<T, Axes>& to = references[of.access];
  to.data = indices.reserve(static_cast<std::size_t>(longest));
  for (std::ptrdiff_t i = 0; i < longest; ++i) to.data[i] = static_cast<T>(i);
  if (const std::ptrdiff_t extent = extents[of.axis]; extent > 0 && !loops::is_integer(static_cast<T>(extent)))
    raise<std::length_error>(
        {"argmax or one_hot along an axis of extent ", extent, ": the number type cannot represent its indices"});
  to.stride[of.axis] = 1;
}
template <class T, std::size_t Axes>
TAPELESS_ALWAYS_INLINE void place_data(const access_read& of, const bound_tensor* tensors,
                                       loops::reference<T, Axes>* references) {
  references[of.access].data = static_cast<T*>(tensors[of.tensor].data);
}
template <class T, std::size_t Axes>
TAPELESS_ALWAYS_INLINE void place_axis(const access_read& of, const bound_tensor* tensors,
                                       loops::reference<T, Axes>* references) {
  const bound_tensor& from = tensors[of.tensor];
  references[of.access].stride[of.axis] = from.extents[of.position] == 1 ? 0 : from.strides[of.position];
}

/// Lets `to` read a copy in `converted`, side by side.
template <class T, class U>
void copy_from(loops::workspace<T>& converted, const U* from, bound_tensor& to, std::ptrdiff_t count) {
  T* const copied = converted.reserve(static_cast<std::size_t>(count));
  if (to.rank == 0) {
    *copied = static_cast<T>(*from);
    to.data = copied;
    return;
  }
  to.data = const_cast<U*>(from);
  const loops::strided<U> given = elements_of<U>(to);
  to.data = copied;
  std::ptrdiff_t stride = 1;
  for (std::size_t i = static_cast<std::size_t>(to.rank); i-- > 0; stride *= to.extents[i]) to.strides[i] = stride;
  loops::copy(elements_of<T>(to), given);
}
/// Lets `to`, whose shape is known, read `count` numbers from where they lie, or from a copy in `converted`.
template <class T, class U>
TAPELESS_ALWAYS_INLINE void read_from(loops::workspace<T>& converted, const U* from, bound_tensor& to,
                                      std::ptrdiff_t count) {
  if constexpr (std::is_same_v<U, T>) {
    // The loops read it only.
    to.data = not_null(const_cast<T*>(from));
  } else {
    static_assert(
        !Complex_number<U>,
        "tapeless: the variables of formulas are real; pass tensors of complex numbers to a function [TL250]");
    if constexpr (!Complex_number<U>) copy_from(converted, from, to, count);
  }
}
/// Takes the shape of a container, and gives its size.
template <class X>
TAPELESS_ALWAYS_INLINE std::ptrdiff_t take_shape(const X& x, bound_tensor& to) {
  using traits = tensor_traits<X>;
  to.rank = traits::rank;
  std::ptrdiff_t count = 1;
  for (int i = 0; i < traits::rank; ++i) {
    to.extents[static_cast<std::size_t>(i)] = traits::extent(x, i);
    to.strides[static_cast<std::size_t>(i)] = traits::stride(x, i);
    count *= traits::extent(x, i);
  }
  return count;
}

/// What the variables of the program `Source` are bound to, in numbers of type `T`; `S` is the plan of its loops. A
/// call binds, measures the extents, and tells the loops where their accesses lie; `std::invalid_argument` names what
/// is bound, and its shape, where that does not fit.
template <class S, class Source, class T>
class tensor_inputs {
  static constexpr std::size_t variables = S::program.variables.size();
  using tables_type = loops::tables<S, T>;
  static constexpr bool moves_elements = S::program.axis_rules.size() > 0 || S::program.moves.size() > 0;
  static constexpr bool compares = [] {
    for (const program::extent_use& use : Source::value.extent_uses)
      if (use.compared) return true;
    return false;
  }();
  /// The axes along which a largest element is looked for; of sharded ones other processes may have some.
  static constexpr program::axis_set needs_elements = [] {
    program::axis_set result = 0;
    for (const program::extent_use& use : Source::value.extent_uses)
      if (!use.reduction.empty()) result |= program::axis(use.axis);
    return result & ~S::sharded;
  }();

 public:
  /// The variables of the operand, before those of tangents and cotangents.
  static constexpr std::size_t of_operand = Source::value.variables.size();
  std::array<bound_tensor, variables> tensors;
  std::array<loops::indices_at_call, variables> indices;
  std::array<loops::bound_number, std::max<std::size_t>(S::numbers, 1)> bounds;

  template <class Memory, class... Bindings>
  void bind(Memory& memory, const Bindings&... bindings) {
    (bind_as<variable_of<Bindings>>(memory, bindings), ...);
  }
  /// Binds the variables that follow those of the formula: tangents.
  template <class Memory, class... Bindings>
  void bind_seeds(Memory& memory, const std::tuple<Bindings...>& bindings) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (bind_as<static_cast<int>(of_operand + I)>(memory, std::get<I>(bindings)), ...);
      (check_tangent(tensors[of_operand + I], variable_of<Bindings>), ...);
    }(std::index_sequence_for<Bindings...>{});
  }

  /// Whether something that is bound, and was not copied, lies there.
  bool lies_in(const memory_range& output) const {
    bool result = false;
    for (const bound_tensor& tensor : tensors) result = result || overlap(output, elements_of<T>(tensor).bytes());
    return result;
  }

  /// The numbers of the formula that are bounds and extents.
  template <class F>
  void take_bounds(const F& f) {
    loops::bound_number* to = bounds.data();
    numbers_of(f, to);
    for (std::size_t i = 0; i < S::numbers; ++i)
      if (S::is_bound(static_cast<int>(i)) && !bounds[i].exact)
        raise<std::invalid_argument>(
            {"bounds and extents must be integers, not ", loops::number_text(bounds[i].given)});
  }

  template <class Memory>
  TAPELESS_ALWAYS_INLINE void place(tables_type& t, Memory& memory) {
    if constexpr (moves_elements) t.indices = indices.data();
    // An extent is among the tables.
    if constexpr (reads<program::access_kind::index>.size() > 0)
      for_each<reads<program::access_kind::index>, place_index<T, S::axes>>(each<reads<program::access_kind::index>>,
                                                                            memory.indices, t.extent, t.references);
    for_each<reads<program::access_kind::variable>, place_data<T, S::axes>>(each<reads<program::access_kind::variable>>,
                                                                            tensors.data(), t.references);
    for_each<axes_read, place_axis<T, S::axes>>(each<axes_read>, tensors.data(), t.references);
  }

  /// Takes the extent of each axis of the program from the tensors that have it, where those of extent 1 are broadcast;
  /// whether the loops can run with them. Where they cannot, the arrays may still be computed one by one, or `fail`
  /// says what does not fit.
  TAPELESS_ALWAYS_INLINE bool measure(tables_type& t) const {
    if constexpr (moves_elements) t.bounds = bounds.data();
    for (std::ptrdiff_t& extent : t.extent) extent = 1;
    bool fits = true, exact = true;
    for_each<axes_read, measure_axis>(each<axes_read>, tensors.data(), t.extent, fits);
    if constexpr (S::program.axis_rules.size() > 0) fits = fits && measure_rules(t);
    if constexpr (compares) {
      for_each<axes_read, compare_axis>(each<axes_read>, tensors.data(), t.extent, exact);
      if (!exact) [[unlikely]]
        fits = fits && compare(*this, t);
    }
    if constexpr (S::program.moves.size() > 0) fits = fits && check_moves(t);
    if constexpr (needs_elements != 0)
      if (fits && !have_elements(t, std::make_index_sequence<S::axes>{})) [[unlikely]]
        check_elements(*this, t);
    return fits;
  }
  /// The same of any program, in memory: of the finished program `P` that is made from `Lowered`.
  template <class P = typename S::source, class Lowered = Source>
  extents_at_call at_call(std::ptrdiff_t* extent) const {
    return {extents_of_programs<P, Lowered>, tensors.data(), indices.data(), bounds.data(), extent};
  }
  // Functions that are not part of the caller's get copies: what they refer to is not kept in registers.
  [[noreturn, gnu::noinline, gnu::cold]] static void fail(tensor_inputs inputs, loops::tables_argument<S, T> given) {
    tables_type t(given);
    inputs.at_call(t.extent).fail(S::axes);
  }

 private:
  /// The variable of the operand that is bound: a constant, since a program that is read at run time is compiled.
  template <class Binding>
  static constexpr int variable_of = variable_index(Source::value, Binding::variable_type::name);
  /// The accesses of a kind, with their first axis.
  template <program::access_kind Kind>
  static constexpr auto reads = program::as_array([] {
    program::growing_array<access_read> found;
    for (std::size_t a = 0; a < S::accesses; ++a)
      if (const program::tensor_access& access = S::program.accesses[a]; access.kind == Kind)
        found.push_back({a, static_cast<std::size_t>(access.of), 0, static_cast<std::size_t>(access.axes[0])});
    return found;
  });
  static constexpr auto axes_read = program::as_array([] {
    program::growing_array<access_read> found;
    for (std::size_t a = 0; a < S::accesses; ++a)
      if (const program::tensor_access& access = S::program.accesses[a]; access.is_variable())
        for (int i = 0; i < access.rank; ++i)
          if (access.axes[i] >= 0)
            found.push_back({a, static_cast<std::size_t>(access.of), static_cast<std::size_t>(i),
                             static_cast<std::size_t>(access.axes[i])});
    return found;
  });
  template <const auto& List>
  static constexpr std::make_index_sequence<List.size()> each{};
  /// Visit(element, arguments...) for each of `List`; one by one where what they are about is in registers.
  template <const auto& List, auto Visit, std::size_t... I, class... Arguments>
  TAPELESS_ALWAYS_INLINE static void for_each(std::index_sequence<I...>, Arguments&&... arguments) {
    if constexpr (loops::has_few_nests<S>)
      (Visit(List[I], arguments...), ...);
    else
      for (const access_read& element : List) Visit(element, arguments...);
  }

  /// A tangent is not broadcast: it is a direction in the space of its variable.
  void check_tangent(const bound_tensor& tangent, int variable) const {
    if (variable < 0) return;
    const bound_tensor& of = tensors[static_cast<std::size_t>(variable)];
    bool same = of.rank == tangent.rank;
    for (std::size_t i = 0; same && i < static_cast<std::size_t>(tangent.rank); ++i)
      same = of.extents[i] == tangent.extents[i];
    if (!same)
      raise<std::invalid_argument>(
          {"a tangent must have the shape of its variable: ", shape_text(of), " and ", shape_text(tangent)});
  }

  template <int v, class Memory, class B>
  TAPELESS_ALWAYS_INLINE void bind_as(Memory& memory, const B& given) {
    if constexpr (v >= 0) {
      using X = bound_t<B>;
      using traits = tensor_traits<X>;
      const X& x = bound<typename B::value_type>::get(given.value);
      bound_tensor& to = tensors[static_cast<std::size_t>(v)];
      to.name = B::variable_type::name;
      to.tangent = v >= static_cast<int>(of_operand) && variable_of<B> >= 0;
      const std::ptrdiff_t count = take_shape(x, to);
      if constexpr (S::is_indices(v) && traits::rank == 1)
        take_indices<v>(memory.chosen[static_cast<std::size_t>(v)], traits::data(x), to);
      auto& copied = memory.converted[static_cast<std::size_t>(v)];
      // Loops over every second number would compute one number at a time.
      if constexpr (is_complex_part<X>)
        copy_from(copied, traits::data(x), to, count);
      else
        read_from(copied, traits::data(x), to, count);
    }
  }
  /// Indices stay integers: the numbers of the call could not hold large ones.
  template <int v, class U>
  void take_indices(loops::workspace<std::ptrdiff_t>& memory, const U* from, const bound_tensor& tensor) {
    const std::ptrdiff_t count = tensor.extents[0];
    std::ptrdiff_t* const to = memory.reserve(static_cast<std::size_t>(count));
    indices[static_cast<std::size_t>(v)] = {to, count == 1 ? 0 : 1};
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const U& index = from[i * tensor.strides[0]];
      if (!loops::is_integer(index))
        raise<std::out_of_range>({"take: index ", loops::number_text(index), " in ", shape_text(tensor),
                                  std::is_integral_v<U> ? " is out of range" : " is not an integer"});
      to[i] = static_cast<std::ptrdiff_t>(index);
    }
  }
  [[gnu::noinline]] static bool compare(tensor_inputs inputs, loops::tables_argument<S, T> given) {
    tables_type t(given);
    return inputs.at_call(t.extent).compare();
  }
  [[gnu::noinline, gnu::cold]] static void check_elements(tensor_inputs inputs, loops::tables_argument<S, T> given) {
    tables_type t(given);
    inputs.at_call(t.extent).check_elements(S::sharded);
  }
  [[gnu::noinline]] bool measure_rules(tables_type& t) const { return at_call(t.extent).measure_rules(); }
  [[gnu::noinline]] bool check_moves(tables_type& t) const { return at_call(t.extent).check_moves(); }

  template <std::size_t... Axis>
  TAPELESS_ALWAYS_INLINE static bool have_elements(const tables_type& t, std::index_sequence<Axis...>) {
    return (((needs_elements & program::axis(static_cast<int>(Axis))) == 0 || t.extent[Axis] != 0) && ...);
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
