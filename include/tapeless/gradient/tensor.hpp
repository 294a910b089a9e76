#ifndef TAPELESS_GRADIENT_TENSOR_HPP
#define TAPELESS_GRADIENT_TENSOR_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/array_by_array.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/interop/storage.hpp>
#include <tapeless/program/tensor_pass.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless {

namespace error {

template <class F>
struct gradient_of_tensor {
  static_assert(detail::always_false<F>,
                "tapeless: a gradient is that of one number; reduce the formula first: sum(f), mean(f)");
};

}  // namespace error

namespace detail::inline TAPELESS_TARGET {

/// The memory of a call besides its result: for what the loops leave for each other, for conversions of what is bound
/// in another number type, and for derivatives that are added up to their variable's shape.
template <class T, std::size_t Variables, std::size_t Outputs>
struct call_memory {
  loops::workspace<T> buffers;
  loops::workspace<T> parts;
  loops::array_memory<T> arrays;
  loops::workspace<T> indices;
  std::array<loops::workspace<std::ptrdiff_t>, Variables> chosen;
  std::array<loops::workspace<T>, Variables> converted;
  std::array<loops::workspace<T>, Outputs> pieces;
};

}  // namespace detail::inline TAPELESS_TARGET

/// The gradient over tensors, by variable: `g[w]` is a container of the shape of `w`.
template <class Map, class Memory>
struct tensor_gradient_map : Map {
  using Map::Map;
  Memory memory;
};

/// A value and the derivatives there; a structured binding takes it apart.
template <class Value, class Gradient>
struct value_and_tensor_gradient {
  Value value{};
  Gradient gradient{};
};

/// An existing result that a call writes into: made by `into(r)`.
template <class R>
struct into_result {
  R* result;
};
/// `step(into(r), X = data, ...)` writes into the result `r` of an earlier call: no allocation where the shapes are
/// the same.
template <class R>
constexpr into_result<R> into(R& result) {
  return {&result};
}

namespace detail::inline TAPELESS_TARGET {

template <class... Es>
struct formulas {};

/// What is empty may lie nowhere; the loops step along its other axes all the same, and null has no neighbours.
template <class T>
T* not_null(T* data) {
  static T nothing{};
  return data ? data : &nothing;
}

/// A tensor as it is bound, in numbers of type `T`.
template <class T>
struct bound_tensor {
  T* data;
  int rank;
  // The first `rank` of each: to set all to 0 would take as long as a loop over a few elements.
  std::array<std::ptrdiff_t, program::max_rank> extents, strides;
  std::string_view name;
  bool tangent;
};

/// From the first byte to that after the last.
using memory_range = std::pair<const void*, const void*>;
inline bool overlap(const memory_range& a, const memory_range& b) {
  return std::less<>{}(a.first, b.second) && std::less<>{}(b.first, a.second);
}

template <class Extents>
std::string shape_text(const Extents& extents, int rank) {
  std::string text = "(";
  for (int i = 0; i < rank; ++i) text += (i ? ", " : "") + std::to_string(extents[static_cast<std::size_t>(i)]);
  return text + ")";
}
template <class T>
std::string shape_text(const bound_tensor<T>& tensor) {
  return (tensor.tangent ? "tangent of " : "") + std::string(tensor.name) + " " +
         shape_text(tensor.extents, tensor.rank);
}

/// Of which operation two tensors are operands along an axis, for a message.
inline std::string where_axes_meet(const program::graph_view& p, const program::tensor_access* accesses, int id,
                                   const program::tensor_access& a, const program::tensor_access& b) {
  // For each node whether it has this axis of the one, of the other.
  std::vector<unsigned> has(static_cast<std::size_t>(p.size));
  int meeting = -1;
  for (int i = 0; i < p.size; ++i) {
    const program::node& n = p.nodes[i];
    unsigned& to = has[static_cast<std::size_t>(i)];
    if (n.kind == program::node_kind::variable) to = (accesses[n.access] == a) | (accesses[n.access] == b) * 2u;
    for (int j = 0; j < n.count; ++j) to |= has[static_cast<std::size_t>(p.edges[n.first + j])];
    if (to == 3 && meeting < 0) meeting = i;
    // What dot is made of.
    if (meeting >= 0 && n.reduced == program::axis(id) && p.edges[n.first] == meeting)
      return ", operands of dot or multiply";
    if ((n.axes & program::axis(id)) == 0) to = 0;
  }
  if (meeting < 0) return "";
  const program::node& found = p.nodes[meeting];
  const program::operation_info* operation = found.operation;
  if (operation && operation->moves) return ", operands of concatenate";
  return operation ? ", operands of " + std::string(operation->name) : "";
}

/// The number type of a call: that of the tensors; where none has real numbers, that of the scalars.
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

/// visit(position, axis of the program) for each axis of access number `Access` that is one of the program's.
template <class S, std::size_t Access, class Visit>
TAPELESS_ALWAYS_INLINE void for_each_axis(Visit visit) {
  constexpr program::tensor_access access = S::program.accesses[Access];
  const auto one = [&]<std::size_t I>(std::integral_constant<std::size_t, I> position) TAPELESS_INLINE_LAMBDA {
    if constexpr (access.axes[I] >= 0)
      visit(position, std::integral_constant<std::size_t, static_cast<std::size_t>(access.axes[I])>{});
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (one(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<static_cast<std::size_t>(access.rank)>{});
}

/// Where the accesses of a program lie, and how long its axes are.
///
/// Throws `std::invalid_argument` with names and shapes where what is bound does not broadcast.
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

 public:
  std::array<bound_tensor<T>, variables> tensors;
  std::array<loops::indices_at_call, variables> indices;
  std::array<loops::bound_number, std::max<std::size_t>(S::numbers, 1)> bounds;

  template <class Memory, class... Bindings>
  void bind(Memory& memory, const Bindings&... bindings) {
    (bind_as<variable_index(Source::value, Bindings::variable_type::name)>(memory, bindings), ...);
  }
  /// Binds the variables that follow those of the formula: tangents.
  template <class Memory, class... Bindings>
  void bind_further(Memory& memory, const std::tuple<Bindings...>& bindings) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (bind_as<static_cast<int>(Source::value.variables.size() + I)>(memory, std::get<I>(bindings)), ...);
      (check_tangent(tensors[Source::value.variables.size() + I],
                     variable_index(Source::value, Bindings::variable_type::name)),
       ...);
    }(std::index_sequence_for<Bindings...>{});
  }

  /// Lets `to`, whose shape is known, read `count` numbers from where they lie, or from a copy in `converted`.
  template <class U>
  TAPELESS_ALWAYS_INLINE static void read_from(loops::workspace<T>& converted, const U* from, bound_tensor<T>& to,
                                               std::ptrdiff_t count) {
    if constexpr (std::is_same_v<U, T>) {
      // The loops read it only.
      to.data = not_null(const_cast<T*>(from));
    } else {
      to.data = converted.reserve(static_cast<std::size_t>(count));
      convert(from, to, count);
    }
  }

  /// Whether something that is bound, and was not copied, lies there.
  bool lies_in(const memory_range& output) const {
    bool result = false;
    for (const bound_tensor<T>& tensor : tensors) {
      loops::strided<T> elements{tensor.data, tensor.rank, {}, {}};
      std::copy_n(tensor.extents.begin(), tensor.rank, elements.extents.begin());
      std::copy_n(tensor.strides.begin(), tensor.rank, elements.strides.begin());
      result = result || overlap(output, elements.bytes());
    }
    return result;
  }

  /// The numbers of the formula that are bounds and extents.
  template <class F>
  void take_bounds(const F& f) {
    if constexpr (S::has_bounds) {
      loops::bound_number* to = bounds.data();
      numbers_of(f, to);
      for (std::size_t i = 0; i < S::numbers; ++i)
        if (S::is_bound(static_cast<int>(i)) && !bounds[i].exact)
          throw std::invalid_argument("tapeless: bounds and extents are integers, not " +
                                      loops::number_text(bounds[i].given));
    }
  }

  template <class Memory>
  TAPELESS_ALWAYS_INLINE void place(tables_type& t, Memory& memory) {
    if constexpr (moves_elements) t.indices = indices.data();
    [&]<std::size_t... A>(std::index_sequence<A...>) {
      (place_access<A>(t, memory), ...);
    }(std::make_index_sequence<S::accesses>{});
  }

 private:
  template <std::size_t A, class Memory>
  TAPELESS_ALWAYS_INLINE void place_access(tables_type& t, Memory& memory) {
    constexpr program::tensor_access access = S::program.accesses[A];
    loops::reference<T, S::axes>& to = t.references[A];
    if constexpr (access.variable < 0) {
      // An extent is among the tables; an index along an axis is a vector.
      if constexpr (access.rank > 0) {
        to.data = memory.indices.reserve(static_cast<std::size_t>(longest(t)));
        for (std::ptrdiff_t i = 0; i < longest(t); ++i) to.data[i] = static_cast<T>(i);
        if (const std::ptrdiff_t extent = t.extent[static_cast<std::size_t>(access.axes[0])];
            extent > 0 && !loops::is_integer(static_cast<T>(extent)))
          throw std::length_error("tapeless: argmax or one_hot along an axis of extent " + std::to_string(extent) +
                                  ": the number type does not hold its indices");
        to.stride[static_cast<std::size_t>(access.axes[0])] = 1;
      }
    } else if constexpr (access.variable < program::tensor_lowering::max_variable) {
      const bound_tensor<T>& from = tensors[static_cast<std::size_t>(access.variable)];
      to.data = from.data;
      for_each_axis<S, A>([&](auto axis, auto id) TAPELESS_INLINE_LAMBDA {
        to.stride[id] = from.extents[axis] == 1 ? 0 : from.strides[axis];
      });
    }
  }

  /// A tangent is not broadcast: it is a direction in the space of its variable.
  void check_tangent(const bound_tensor<T>& tangent, int variable) const {
    if (variable < 0) return;
    const bound_tensor<T>& of = tensors[static_cast<std::size_t>(variable)];
    for (std::size_t i = 0; i < static_cast<std::size_t>(tangent.rank); ++i)
      if (of.rank != tangent.rank || of.extents[i] != tangent.extents[i])
        throw std::invalid_argument("tapeless: a tangent has the shape of its variable: " + shape_text(of) + " and " +
                                    shape_text(tangent));
  }

  static std::ptrdiff_t longest(const tables_type& t) {
    std::ptrdiff_t result = 0;
    for (const std::ptrdiff_t extent : t.extent) result = std::max(result, extent);
    return result;
  }

  template <int v, class Memory, class B>
  TAPELESS_ALWAYS_INLINE void bind_as(Memory& memory, const B& given) {
    if constexpr (v >= 0) {
      using X = bound_t<B>;
      using traits = tensor_traits<X>;
      const X& x = bound<typename B::value_type>::get(given.value);
      bound_tensor<T>& to = tensors[static_cast<std::size_t>(v)];
      to.name = B::variable_type::name;
      to.tangent = static_cast<std::size_t>(v) >= Source::value.variables.size();
      to.rank = traits::rank;
      std::ptrdiff_t count = 1;
      for (int i = 0; i < traits::rank; ++i) {
        to.extents[static_cast<std::size_t>(i)] = traits::extent(x, i);
        to.strides[static_cast<std::size_t>(i)] = traits::stride(x, i);
        count *= traits::extent(x, i);
      }
      if constexpr (S::is_indices(v) && traits::rank == 1)
        take_indices<v>(memory.chosen[static_cast<std::size_t>(v)], traits::data(x), to);
      read_from(memory.converted[static_cast<std::size_t>(v)], traits::data(x), to, count);
    }
  }
  /// Indices stay integers: the numbers of the call could not hold large ones.
  template <int v, class U>
  void take_indices(loops::workspace<std::ptrdiff_t>& memory, const U* from, const bound_tensor<T>& tensor) {
    const std::ptrdiff_t count = tensor.extents[0];
    std::ptrdiff_t* const to = memory.reserve(static_cast<std::size_t>(count));
    indices[static_cast<std::size_t>(v)] = {to, count == 1 ? 0 : 1};
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const U& index = from[i * tensor.strides[0]];
      if (!loops::is_integer(index))
        throw std::out_of_range("tapeless: take with an index " + loops::number_text(index) + " in " +
                                shape_text(tensor) + ": indices are integers");
      to[i] = static_cast<std::ptrdiff_t>(index);
    }
  }
  template <class U>
  static void convert(const U* from, bound_tensor<T>& to, std::ptrdiff_t count) {
    std::array<std::ptrdiff_t, program::max_rank> index{};
    const std::size_t rank = static_cast<std::size_t>(to.rank);
    for (std::ptrdiff_t n = 0; n < count; ++n) {
      std::ptrdiff_t offset = 0;
      for (std::size_t i = 0; i < rank; ++i) offset += index[i] * to.strides[i];
      to.data[n] = static_cast<T>(from[offset]);
      for (std::size_t i = rank; i-- > 0 && ++index[i] == to.extents[i];) index[i] = 0;
    }
    std::ptrdiff_t stride = 1;
    for (std::size_t i = rank; i-- > 0;) {
      to.strides[i] = stride;
      stride *= to.extents[i];
    }
  }

 public:
  /// Takes the extent of each axis of the program from the tensors that have it, where those of extent 1 are broadcast;
  /// whether the loops can run with them. Where they cannot, the arrays may still be computed one by one, or `fail`
  /// says what does not fit.
  TAPELESS_ALWAYS_INLINE bool measure(tables_type& t) const {
    if constexpr (moves_elements) t.bounds = bounds.data();
    std::ranges::fill(t.extent, 1);
    bool fits = true, exact = true;
    [&]<std::size_t... A>(std::index_sequence<A...>) {
      (measure_access<A>(t, fits), ...);
    }(std::make_index_sequence<S::accesses>{});
    if constexpr (S::program.axis_rules.size() > 0) fits = fits && measure_rules(t);
    if constexpr (compares) {
      [&]<std::size_t... A>(std::index_sequence<A...>) {
        (look_for_broadcast<A>(t, exact), ...);
      }(std::make_index_sequence<S::accesses>{});
      if (!exact) [[unlikely]]
        fits = fits && compare_extents(*this, t);
    }
    if constexpr (S::program.moves.size() > 0) fits = fits && check_moves(t);
    if (fits) check_elements<Source>(t.extent, std::make_index_sequence<Source::value.extent_uses.size()>{});
    return fits;
  }

  /// The extents of the axes of `Apart`, the program of `Source` with axes apart, whose finished form is `P`; whether
  /// all that meets is broadcast.
  template <class Apart, class P>
  [[gnu::cold]] bool measure_apart(std::ptrdiff_t* extent) const {
    for (const program::tensor_access& access : Apart::value.accesses) {
      if (access.variable < 0 || access.variable >= program::tensor_lowering::max_variable) continue;
      for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i)
        if (access.axes[i] >= 0) extent[access.axes[i]] = tensors[static_cast<std::size_t>(access.variable)].extents[i];
    }
    const at_call call{bounds.data(), extent};
    for (const program::axis_rule& rule : Apart::value.axis_rules) {
      const std::ptrdiff_t length = extent_of(call, rule, true);
      if (length < 0) return false;
      extent[rule.axis] = length;
    }
    for (const program::tensor_move& move : P::value.moves)
      if (move.kind == program::move_kind::reshape) check_reshape(extent, move);
    check_elements<Apart>(extent, std::make_index_sequence<Apart::value.extent_uses.size()>{});
    check_indices(P::value, extent);
    return true;
  }

  [[noreturn]] TAPELESS_ALWAYS_INLINE void fail(const tables_type& t) const { fail(*this, t); }

 private:
  [[noreturn, gnu::noinline, gnu::cold]] static void fail(tensor_inputs inputs, tables_type t) { inputs.fail_with(t); }
  [[noreturn]] void fail_with(tables_type& t) const {
    std::ranges::fill(t.extent, 1);
    for (std::size_t a = 0; a < S::accesses; ++a) {
      const program::tensor_access& access = S::program.accesses[a];
      if (access.variable < 0 || access.variable >= program::tensor_lowering::max_variable) continue;
      for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i) {
        if (access.axes[i] < 0) continue;
        std::ptrdiff_t& whole = t.extent[static_cast<std::size_t>(access.axes[i])];
        const std::ptrdiff_t extent = tensors[static_cast<std::size_t>(access.variable)].extents[i];
        if (whole == 1)
          whole = extent;
        else if (extent != 1 && extent != whole)
          shapes_differ(*this, access.axes[i], whole, a);
      }
    }
    for (const program::axis_rule& rule : S::program.axis_rules) {
      const std::ptrdiff_t extent = extent_of(at_call{bounds.data(), t.extent}, rule, true);
      std::ptrdiff_t& whole = t.extent[static_cast<std::size_t>(rule.axis)];
      if (whole != 1 && whole != extent) axis_differs(t, rule.axis, extent);
      whole = extent;
    }
    for (const program::tensor_move& move : S::program.moves)
      if (move.kind == program::move_kind::reshape) check_reshape(t.extent, move);
    for (const program::extent_use& use : Source::value.extent_uses)
      if (use.strict && own_extent(t, use) != t.extent[static_cast<std::size_t>(use.axis)])
        not_equal(own_extent(t, use), t.extent[static_cast<std::size_t>(use.axis)]);
    throw std::invalid_argument(
        "tapeless: an extent of 1 is broadcast where the formula has too many axes to tell its uses apart");
  }

  struct at_call {
    const loops::bound_number* bounds;
    const std::ptrdiff_t* extent;
  };
  [[noreturn, gnu::noinline, gnu::cold]] static void not_equal(std::ptrdiff_t a, std::ptrdiff_t b) {
    throw std::invalid_argument("tapeless: operands of concatenate or dot have extents " + std::to_string(a) + " and " +
                                std::to_string(b) + " along an axis where they must be equal");
  }
  /// What a rule makes an axis; -1 where it does not fit, or, if that alone tells, an exception.
  static std::ptrdiff_t extent_of(const at_call& call, const program::axis_rule& rule, bool throws) {
    using form = program::axis_rule::form;
    const auto extent_at = [&](int axis) { return axis < 0 ? std::ptrdiff_t{1} : call.extent[axis]; };
    switch (rule.how) {
      case form::sum: {
        const std::ptrdiff_t extent = loops::value_of(call, rule.begin);
        if (extent < 0 && throws)
          throw std::invalid_argument("tapeless: one_hot of " + std::to_string(extent) + " classes");
        return extent;
      }
      case form::range: {
        const std::ptrdiff_t whole = extent_at(rule.of);
        std::ptrdiff_t begin = loops::value_of(call, rule.begin), end = loops::value_of(call, rule.end);
        if (begin < 0) begin += whole;
        if (end < 0) end += whole;
        if (begin >= 0 && end >= begin && whole >= end) return end - begin;
        if (throws)
          throw std::out_of_range("tapeless: slice from " + std::to_string(begin) + " to " + std::to_string(end) +
                                  " of an axis of extent " + std::to_string(whole));
        return -1;
      }
      case form::quotient: {
        std::ptrdiff_t extent = 1;
        for (program::axis_set left = rule.factors; left; left &= left - 1)
          extent *= extent_at(program::first_axis(left));
        return rule.divisor != 0 ? extent / static_cast<std::ptrdiff_t>(rule.divisor) : extent;
      }
      case form::broadcast: {
        const std::ptrdiff_t a = extent_at(rule.begin.axes[0]), b = extent_at(rule.begin.axes[1]);
        return a == b || b == 1 ? a : a == 1 ? b : -1;
      }
      case form::equal: {
        const std::ptrdiff_t extent = extent_at(rule.axis), other = loops::value_of(call, rule.begin);
        // Of two that no tensor is broadcast to, `fail` tells the names.
        if (extent != other && throws && (extent == 1 || other == 1)) not_equal(extent, other);
        return extent == other ? extent : -1;
      }
    }
    return -1;
  }

  /// The extents of axes that no variable has.
  [[gnu::noinline]] bool measure_rules(tables_type& t) const {
    std::array<std::ptrdiff_t, S::program.axis_rules.size()> own{};
    for (std::size_t i = 0; i < own.size(); ++i) {
      const program::axis_rule& rule = S::program.axis_rules[i];
      own[i] = extent_of(at_call{bounds.data(), t.extent}, rule, false);
      std::ptrdiff_t& whole = t.extent[static_cast<std::size_t>(rule.axis)];
      if (own[i] < 0 || (whole != 1 && whole != own[i])) return false;
      whole = own[i];
    }
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i] != t.extent[static_cast<std::size_t>(S::program.axis_rules[i].axis)]) return false;
    return true;
  }
  template <std::size_t A>
  TAPELESS_ALWAYS_INLINE void measure_access(tables_type& t, bool& fits) const {
    constexpr int v = S::program.accesses[A].variable;
    if constexpr (v >= 0 && v < program::tensor_lowering::max_variable)
      for_each_axis<S, A>([&](auto axis, auto id) TAPELESS_INLINE_LAMBDA {
        const std::ptrdiff_t extent = tensors[static_cast<std::size_t>(v)].extents[axis];
        if (t.extent[id] == 1)
          t.extent[id] = extent;
        else if (extent != 1 && extent != t.extent[id])
          fits = false;
      });
  }
  template <std::size_t A>
  TAPELESS_ALWAYS_INLINE void look_for_broadcast(const tables_type& t, bool& exact) const {
    constexpr int v = S::program.accesses[A].variable;
    if constexpr (v >= 0 && v < program::tensor_lowering::max_variable)
      for_each_axis<S, A>([&](auto axis, auto id) TAPELESS_INLINE_LAMBDA {
        exact = exact && tensors[static_cast<std::size_t>(v)].extents[axis] == t.extent[id];
      });
  }
  /// Whether every value is as long as the loops take it for, wherever that matters.
  // Here and where calls fail on copies: what functions of their own refer to is not kept in registers.
  [[gnu::noinline]] static bool compare_extents(tensor_inputs inputs, tables_type t) {
    for (const program::extent_use& use : Source::value.extent_uses)
      if (use.compared && inputs.own_extent(t, use) != t.extent[static_cast<std::size_t>(use.axis)]) return false;
    return true;
  }
  std::ptrdiff_t own_extent(const tables_type& t, const program::extent_use& use) const {
    std::ptrdiff_t own = 1;
    for (program::axis_set left = use.own; left; left &= left - 1) {
      const program::axis_source& from =
          Source::value.axis_sources[static_cast<std::size_t>(program::first_axis(left))];
      const std::ptrdiff_t extent =
          from.rule >= 0
              ? t.extent[static_cast<std::size_t>(Source::value.axis_rules[static_cast<std::size_t>(from.rule)].axis)]
              : tensors[static_cast<std::size_t>(from.variable)].extents[static_cast<std::size_t>(from.position)];
      if (extent != 1) own = extent;
    }
    return own;
  }

  [[gnu::noinline]] bool check_moves(const tables_type& t) const {
    for (const program::tensor_move& move : S::program.moves)
      if (move.kind == program::move_kind::reshape && size_of(t.extent, move.from) != size_of(t.extent, move.to))
        return false;
    check_indices(S::program, t.extent);
    return true;
  }
  static std::ptrdiff_t extent_at(const std::ptrdiff_t* extent, const program::tensor_access& access, std::size_t i) {
    return access.axes[i] < 0 ? 1 : extent[access.axes[i]];
  }
  static std::ptrdiff_t size_of(const std::ptrdiff_t* extent, const program::tensor_access& access) {
    std::ptrdiff_t result = 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i) result *= extent_at(extent, access, i);
    return result;
  }
  static void check_reshape(const std::ptrdiff_t* extent, const program::tensor_move& move) {
    if (size_of(extent, move.from) == size_of(extent, move.to)) [[likely]]
      return;
    const auto text = [&](const program::tensor_access& access) {
      std::string result = "(";
      for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i)
        result += (i ? ", " : "") + std::to_string(extent_at(extent, access, i));
      return result + ")";
    };
    throw std::invalid_argument("tapeless: reshape from " + text(move.from) + " to " + text(move.to));
  }
  /// Indices that are bound are looked at before anything is computed.
  template <class Program>
  void check_indices(const Program& p, const std::ptrdiff_t* extent) const {
    for (const program::node& n : p.nodes) {
      if (!n.operation || !n.operation->moves) continue;
      const program::tensor_move& move = p.moves[static_cast<std::size_t>(n.access)];
      if (!move.has_indices()) continue;
      const program::node& from = p[p.edges[static_cast<std::size_t>(n.first) + 1]];
      if (from.kind != program::node_kind::variable || from.leaf < 0) continue;
      const bound_tensor<T>& tensor = tensors[static_cast<std::size_t>(from.leaf)];
      const std::ptrdiff_t length = extent_at(extent, move.kind == program::move_kind::take ? move.from : move.to,
                                              static_cast<std::size_t>(move.position));
      const std::ptrdiff_t* const at = indices[static_cast<std::size_t>(from.leaf)].data;
      for (std::ptrdiff_t i = 0; at && i < tensor.extents[0]; ++i)
        if (at[i] < -length || at[i] >= length)
          throw std::out_of_range("tapeless: take with an index " + std::to_string(at[i]) + " in " +
                                  shape_text(tensor) + " along an axis of extent " + std::to_string(length));
    }
  }

  template <class P, std::size_t... U>
  TAPELESS_ALWAYS_INLINE void check_elements([[maybe_unused]] const std::ptrdiff_t* extent,
                                             std::index_sequence<U...>) const {
    (check_element<P, U>(extent), ...);
  }
  /// A largest element needs an element.
  template <class P, std::size_t U>
  TAPELESS_ALWAYS_INLINE void check_element([[maybe_unused]] const std::ptrdiff_t* extent) const {
    constexpr program::extent_use use = P::value.extent_uses[U];
    if constexpr (use.reduction != program::extent_use::extreme::none)
      if (extent[use.axis] == 0) [[unlikely]]
        no_elements(*this, use, P::value.axis_sources.data());
  }
  [[noreturn, gnu::noinline, gnu::cold]] static void no_elements(tensor_inputs inputs, const program::extent_use& use,
                                                                 const program::axis_source* sources) {
    std::string text = use.reduction == program::extent_use::extreme::smallest ? "tapeless: amin" : "tapeless: amax";
    text += " over no elements";
    for (program::axis_set left = use.own; left; left &= left - 1) {
      const program::axis_source& from = sources[program::first_axis(left)];
      if (from.variable < 0) continue;
      const bound_tensor<T>& tensor = inputs.tensors[static_cast<std::size_t>(from.variable)];
      if (tensor.extents[static_cast<std::size_t>(from.position)] == 0)
        throw std::invalid_argument(text + ": " + shape_text(tensor));
    }
    throw std::invalid_argument(text);
  }
  [[noreturn, gnu::noinline, gnu::cold]] void axis_differs(const tables_type& t, int axis,
                                                           std::ptrdiff_t extent) const {
    const auto has_axis = [axis](const program::tensor_access& access) {
      return (access.set() & program::axis(axis)) != 0;
    };
    std::string maker = "one_hot", other = "one of extent " + std::to_string(t.extent[static_cast<std::size_t>(axis)]);
    for (std::size_t m = S::program.moves.size(); m-- > 0;) {
      constexpr const char* names[] = {"slice", "concatenate", "take", "take", "reshape"};
      const program::tensor_move& move = S::program.moves[m];
      if (has_axis(move.to) && !has_axis(move.from)) maker = names[static_cast<int>(move.kind)];
    }
    for (const program::tensor_access& access : S::program.accesses)
      if (access.variable >= 0 && access.variable < program::tensor_lowering::max_variable && has_axis(access))
        other = shape_text(tensors[static_cast<std::size_t>(access.variable)]);
    throw std::invalid_argument("tapeless: the shapes do not broadcast: an axis of extent " + std::to_string(extent) +
                                " from " + maker + " and " + other);
  }
  [[noreturn, gnu::noinline, gnu::cold]] static void shapes_differ(tensor_inputs inputs, int id,
                                                                   std::ptrdiff_t expected, std::size_t access) {
    const auto tensor = [&](std::size_t which) -> const bound_tensor<T>& {
      return inputs.tensors[static_cast<std::size_t>(S::program.accesses[which].variable)];
    };
    std::size_t other = access;
    for (std::size_t a = S::accesses; a-- > 0;) {
      const program::tensor_access& seen = S::program.accesses[a];
      if (seen.variable < 0 || seen.variable >= program::tensor_lowering::max_variable) continue;
      for (std::size_t i = 0; i < static_cast<std::size_t>(seen.rank); ++i)
        if (seen.axes[i] == id && tensor(a).extents[i] == expected) other = a;
    }
    throw std::invalid_argument("tapeless: the shapes do not broadcast: " + shape_text(tensor(other)) + " and " +
                                shape_text(tensor(access)) +
                                where_axes_meet(Source::view(), Source::value.accesses.data(), id,
                                                S::program.accesses[other], S::program.accesses[access]));
  }
};

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
                                                     tables t) {
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
      const auto from = output(0, program::access_of_output<apart>(0));
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
    for_each_axis<S, output_access<O>>([&](auto axis, auto id)
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
      for_each_axis<S, output_access<first_piece<V>>>(
          [&](auto axis, auto id) TAPELESS_INLINE_LAMBDA { result = result || tensor.extents[axis] != t.extent[id]; });
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
  [[gnu::noinline]] static void add_all_pieces(Map& g, tables t) {
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
