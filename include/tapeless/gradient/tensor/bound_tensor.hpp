#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/tables.hpp>
#include <tapeless/evaluate/memory/index.hpp>
#include <tapeless/evaluate/memory/move.hpp>
#include <tapeless/evaluate/memory/workspace.hpp>
#include <tapeless/gradient/formula/lowered_formula.hpp>
#include <tapeless/gradient/number_type.hpp>
#include <tapeless/gradient/tensor/extents_at_call.hpp>
#include <tapeless/gradient/tensor/storage.hpp>
#include <tapeless/program/pass/pass.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// What is empty may lie nowhere; the loops step along its other axes all the same, and null has no neighbours.
template <class T>
T* not_null(T* data) {
  static T nothing{};
  return data ? data : &nothing;
}

template <class T>
loops::strided<T> elements_of(const bound_tensor& tensor) {
  loops::strided<T> result{static_cast<T*>(tensor.data), tensor.rank, {}, {}};
  std::copy_n(tensor.extents.begin(), tensor.rank, result.extents.begin());
  std::copy_n(tensor.strides.begin(), tensor.rank, result.strides.begin());
  return result;
}

/// From the first byte to that after the last.
using memory_range = std::pair<const void*, const void*>;
inline bool overlap(const memory_range& a, const memory_range& b) {
  return std::less<>{}(a.first, b.second) && std::less<>{}(b.first, a.second);
}

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
  static constexpr program::tensor_access access = S::program.accesses[Access];
  constexpr std::size_t rank = static_cast<std::size_t>(access.rank);
  if constexpr (loops::has_few_nests<S>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) TAPELESS_INLINE_LAMBDA {
      ((access.axes[I] >= 0 ? visit(I, static_cast<std::size_t>(access.axes[I])) : void()), ...);
    }(std::make_index_sequence<rank>{});
  } else {
    for (std::size_t i = 0; i < rank; ++i)
      if (access.axes[i] >= 0) visit(i, static_cast<std::size_t>(access.axes[i]));
  }
}

/// What the variables of the program `Source` are bound to, in numbers of type `T`; `S` is the plan of its loops. A
/// call binds, measures the extents, and tells the loops where their accesses lie; `std::invalid_argument` names what
/// is bound, and its shape, where that does not fit.
template <class S, class Source, class T>
class tensor_binding {
  static constexpr std::size_t variables = S::program.variables.size();

 protected:
  using tables_type = loops::tables<S, T>;
  static constexpr bool moves_elements = S::program.axis_rules.size() > 0 || S::program.moves.size() > 0;

 public:
  std::array<bound_tensor, variables> tensors;
  std::array<loops::indices_at_call, variables> indices;
  std::array<loops::bound_number, std::max<std::size_t>(S::numbers, 1)> bounds;

  template <class Memory, class... Bindings>
  void bind(Memory& memory, const Bindings&... bindings) {
    (bind_as<variable_index(Source::value, Bindings::variable_type::name)>(memory, bindings), ...);
  }
  /// Binds the variables that follow those of the formula: tangents.
  template <class Memory, class... Bindings>
  void bind_seeds(Memory& memory, const std::tuple<Bindings...>& bindings) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (bind_as<static_cast<int>(Source::value.variables.size() + I)>(memory, std::get<I>(bindings)), ...);
      (check_tangent(tensors[Source::value.variables.size() + I],
                     variable_index(Source::value, Bindings::variable_type::name)),
       ...);
    }(std::index_sequence_for<Bindings...>{});
  }

  /// Lets `to`, whose shape is known, read `count` numbers from where they lie, or from a copy in `converted`.
  template <class U>
  TAPELESS_ALWAYS_INLINE static void read_from(loops::workspace<T>& converted, const U* from, bound_tensor& to,
                                               std::ptrdiff_t count) {
    if constexpr (std::is_same_v<U, T>) {
      // The loops read it only.
      to.data = not_null(const_cast<T*>(from));
    } else {
      T* const copied = converted.reserve(static_cast<std::size_t>(count));
      convert(from, copied, to, count);
      to.data = copied;
    }
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
    if constexpr (S::has_bounds) {
      loops::bound_number* to = bounds.data();
      numbers_of(f, to);
      for (std::size_t i = 0; i < S::numbers; ++i)
        if (S::is_bound(static_cast<int>(i)) && !bounds[i].exact)
          raise<std::invalid_argument>(
              {"bounds and extents must be integers, not ", loops::number_text(bounds[i].given)});
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
    // An extent is among the tables; an index along an axis is a vector.
    if constexpr (access.kind == program::access_kind::index) {
      to.data = memory.indices.reserve(static_cast<std::size_t>(longest(t)));
      for (std::ptrdiff_t i = 0; i < longest(t); ++i) to.data[i] = static_cast<T>(i);
      if (const std::ptrdiff_t extent = t.extent[static_cast<std::size_t>(access.axes[0])];
          extent > 0 && !loops::is_integer(static_cast<T>(extent)))
        raise<std::length_error>(
            {"argmax or one_hot along an axis of extent ", extent, ": the number type cannot represent its indices"});
      to.stride[static_cast<std::size_t>(access.axes[0])] = 1;
    } else if constexpr (access.is_variable()) {
      const bound_tensor& from = tensors[static_cast<std::size_t>(access.of)];
      to.data = static_cast<T*>(from.data);
      for_each_axis<S, A>([&](std::size_t axis, std::size_t id) TAPELESS_INLINE_LAMBDA {
        to.stride[id] = from.extents[axis] == 1 ? 0 : from.strides[axis];
      });
    }
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
      bound_tensor& to = tensors[static_cast<std::size_t>(v)];
      to.name = B::variable_type::name;
      to.tangent = static_cast<std::size_t>(v) >= Source::value.variables.size() &&
                   variable_index(Source::value, B::variable_type::name) >= 0;
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
  void take_indices(loops::workspace<std::ptrdiff_t>& memory, const U* from, const bound_tensor& tensor) {
    const std::ptrdiff_t count = tensor.extents[0];
    std::ptrdiff_t* const to = memory.reserve(static_cast<std::size_t>(count));
    indices[static_cast<std::size_t>(v)] = {to, count == 1 ? 0 : 1};
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const U& index = from[i * tensor.strides[0]];
      if (!loops::is_integer(index))
        raise<std::out_of_range>(
            {"take: index ", loops::number_text(index), " in ", shape_text(tensor), " is not an integer"});
      to[i] = static_cast<std::ptrdiff_t>(index);
    }
  }
  template <class U>
  static void convert(const U* from, T* copied, bound_tensor& to, std::ptrdiff_t count) {
    std::array<std::ptrdiff_t, program::max_rank> index{};
    const std::size_t rank = static_cast<std::size_t>(to.rank);
    for (std::ptrdiff_t n = 0; n < count; ++n) {
      std::ptrdiff_t offset = 0;
      for (std::size_t i = 0; i < rank; ++i) offset += index[i] * to.strides[i];
      copied[n] = static_cast<T>(from[offset]);
      for (std::size_t i = rank; i-- > 0 && ++index[i] == to.extents[i];) index[i] = 0;
    }
    std::ptrdiff_t stride = 1;
    for (std::size_t i = rank; i-- > 0;) {
      to.strides[i] = stride;
      stride *= to.extents[i];
    }
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
