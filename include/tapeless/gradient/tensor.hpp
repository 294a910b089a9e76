#ifndef TAPELESS_GRADIENT_TENSOR_HPP
#define TAPELESS_GRADIENT_TENSOR_HPP

#include <tapeless/evaluate/tensor.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/interop/storage.hpp>
#include <tapeless/program/tensor_pass.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace error {

template <class F>
struct gradient_of_tensor {
  static_assert(detail::always_false<F>,
                "tapeless: a gradient is that of one number; reduce the formula first: sum(f), mean(f)");
};

}  // namespace error

namespace detail {

/// The memory of a call besides its result: for what the loops leave for each other, for conversions of what is bound
/// in another number type, and for derivatives that are added up to their variable's shape.
template <class T, std::size_t Variables, std::size_t Outputs>
struct call_memory {
  loops::workspace<T> buffers;
  loops::workspace<T> indices;
  std::array<loops::workspace<T>, Variables> converted;
  std::array<loops::workspace<T>, Outputs> pieces;
};

}  // namespace detail

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

namespace detail {

template <class... Es>
struct formulas {};

/// A tensor as it is bound, in numbers of type `T`.
template <class T>
struct bound_tensor {
  T* data = nullptr;
  int rank = 0;
  std::array<std::ptrdiff_t, program::max_rank> extents{};
  std::array<std::ptrdiff_t, program::max_rank> strides{};
  std::string_view name;
};

template <class T>
std::string shape_text(const bound_tensor<T>& tensor) {
  std::string text = std::string(tensor.name) + " (";
  for (int i = 0; i < tensor.rank; ++i)
    text += (i ? ", " : "") + std::to_string(tensor.extents[static_cast<std::size_t>(i)]);
  return text + ")";
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

/// Where the accesses of a program lie, and how long its axes are.
///
/// Throws `std::invalid_argument` with names and shapes where what is bound does not broadcast.
template <class S, class Source, class T>
class tensor_inputs {
  static constexpr std::size_t variables = Source::value.variables.size();
  using tables_type = loops::tables<S, T>;

 public:
  std::array<bound_tensor<T>, variables> tensors{};
  std::array<T, S::axes> extents{};

  template <class Memory, class... Bindings>
  void bind(Memory& memory, const Bindings&... bindings) {
    (bind_one(memory, bindings), ...);
  }

  template <class Memory>
  void place(tables_type& t, Memory& memory) {
    measure(t);
    for (std::size_t a = 0; a < S::accesses; ++a) {
      const program::tensor_access& access = S::program.accesses[a];
      loops::reference<T, S::axes>& to = t.references[a];
      if (access.variable >= program::tensor_lowering::max_variable) continue;
      if (access.variable < 0) {
        const std::size_t along = static_cast<std::size_t>(-1 - access.variable);
        if (access.rank == 0) {
          extents[along] = static_cast<T>(t.extent[along]);
          to.data = &extents[along];
        } else {
          to.data = memory.indices.reserve(static_cast<std::size_t>(longest(t)));
          for (std::ptrdiff_t i = 0; i < longest(t); ++i) to.data[i] = static_cast<T>(i);
          to.stride[static_cast<std::size_t>(access.axes[0])] = 1;
        }
        continue;
      }
      const bound_tensor<T>& from = tensors[static_cast<std::size_t>(access.variable)];
      to.data = from.data;
      for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i)
        if (access.axes[i] >= 0)
          to.stride[static_cast<std::size_t>(access.axes[i])] = from.extents[i] == 1 ? 0 : from.strides[i];
    }
  }

 private:
  static std::ptrdiff_t longest(const tables_type& t) {
    std::ptrdiff_t result = 0;
    for (const std::ptrdiff_t extent : t.extent) result = std::max(result, extent);
    return result;
  }

  template <class Memory, class B>
  void bind_one(Memory& memory, const B& given) {
    constexpr int v = variable_index(Source::value, B::variable_type::name);
    if constexpr (v >= 0) {
      using X = bound_t<B>;
      using traits = tensor_traits<X>;
      using U = typename traits::element;
      const X& x = bound<typename B::value_type>::get(given.value);
      bound_tensor<T>& to = tensors[static_cast<std::size_t>(v)];
      to.name = B::variable_type::name;
      to.rank = traits::rank;
      std::ptrdiff_t count = 1;
      for (int i = 0; i < traits::rank; ++i) {
        to.extents[static_cast<std::size_t>(i)] = traits::extent(x, i);
        to.strides[static_cast<std::size_t>(i)] = traits::stride(x, i);
        count *= traits::extent(x, i);
      }
      if constexpr (std::is_same_v<U, T>) {
        // The loops read it only.
        to.data = const_cast<T*>(traits::data(x));
      } else {
        to.data = memory.converted[static_cast<std::size_t>(v)].reserve(static_cast<std::size_t>(count));
        convert(traits::data(x), to, count);
      }
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

  /// The extent of each axis of the program: that of the tensors that have it, where those of extent 1 are broadcast.
  void measure(tables_type& t) const {
    std::array<int, S::axes> from{};
    from.fill(-1);
    t.extent.fill(1);
    for_each_axis([&](int v, std::ptrdiff_t extent, std::size_t id) {
      if (from[id] < 0 || t.extent[id] == 1) {
        t.extent[id] = extent;
        from[id] = v;
      } else if (extent != 1 && extent != t.extent[id]) {
        throw std::invalid_argument(
            "tapeless: the shapes do not broadcast: " + shape_text(tensors[static_cast<std::size_t>(from[id])]) +
            " and " + shape_text(tensors[static_cast<std::size_t>(v)]));
      }
    });
    check_reductions(t);
  }

  template <class Visit>
  void for_each_axis(Visit visit) const {
    for (const program::tensor_access& access : Source::value.accesses) {
      if (access.variable < 0 || access.variable >= program::tensor_lowering::max_variable) continue;
      for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i)
        if (access.axes[i] >= 0)
          visit(access.variable, tensors[static_cast<std::size_t>(access.variable)].extents[i],
                static_cast<std::size_t>(access.axes[i]));
    }
  }

  /// Reductions over an axis that other tensors have too: those under it, and so what it is over, could have extent 1
  /// there; and those that need an element.
  struct reduction_check {
    std::size_t node = 0;
    std::size_t id = 0;
    bool needs_element = false;
  };
  static constexpr bool is_under(std::size_t access, const reduction_check& check) {
    constexpr auto& p = Source::value;
    std::array<bool, p.nodes.size()> under{};
    under[check.node] = true;
    for (std::size_t j = check.node + 1; j-- > 0;) {
      if (!under[j]) continue;
      const program::node& n = p.nodes[j];
      if (n.kind == program::node_kind::variable && static_cast<std::size_t>(n.access) == access) return true;
      for (int k = 0; k < n.count; ++k) {
        const std::size_t operand = static_cast<std::size_t>(p.edges[static_cast<std::size_t>(n.first + k)]);
        if ((p.nodes[operand].axes & program::axis(static_cast<int>(check.id))) != 0) under[operand] = true;
      }
    }
    return false;
  }
  static constexpr bool has_axis(std::size_t access, std::size_t id) {
    const program::tensor_access& a = Source::value.accesses[access];
    return a.variable >= 0 && a.variable < program::tensor_lowering::max_variable &&
           (a.set() & program::axis(static_cast<int>(id))) != 0;
  }
  template <class Visit>
  static constexpr void for_each_check(Visit visit) {
    constexpr auto& p = Source::value;
    for (std::size_t i = 0; i < p.nodes.size(); ++i)
      for (program::axis_set left = p.nodes[i].reduced; left; left &= left - 1) {
        const std::string_view name = p.nodes[i].operation->name;
        reduction_check check{i, static_cast<std::size_t>(program::first_axis(left)),
                              name == operation::AMax::name || name == operation::AMin::name};
        bool critical = check.needs_element;
        for (std::size_t a = 0; a < p.accesses.size() && !critical; ++a)
          critical = has_axis(a, check.id) && !is_under(a, check);
        if (critical) visit(check);
      }
  }
  static constexpr std::size_t check_count = [] {
    std::size_t count = 0;
    for_each_check([&](const reduction_check&) { ++count; });
    return count;
  }();
  struct access_check {
    reduction_check reduction;
    std::array<bool, Source::value.accesses.size()> under{};
  };
  static constexpr std::array<access_check, check_count> checks = [] {
    std::array<access_check, check_count> result{};
    std::size_t next = 0;
    for_each_check([&](const reduction_check& check) {
      access_check& to = result[next++];
      to.reduction = check;
      for (std::size_t a = 0; a < Source::value.accesses.size(); ++a)
        to.under[a] = has_axis(a, check.id) && is_under(a, check);
    });
    return result;
  }();

  /// A reduction over an axis of which the operand has extent 1, while it meets a longer tensor elsewhere, would take
  /// the axis for the longer one; and a largest element needs an element.
  void check_reductions(const tables_type& t) const {
    for (const access_check& check : checks) {
      std::ptrdiff_t extent = 1;
      std::size_t variable = variables;
      for (std::size_t a = 0; a < check.under.size(); ++a) {
        if (!check.under[a]) continue;
        const program::tensor_access& access = Source::value.accesses[a];
        variable = static_cast<std::size_t>(access.variable);
        for (std::size_t k = 0; k < static_cast<std::size_t>(access.rank); ++k)
          if (access.axes[k] == static_cast<int>(check.reduction.id) && tensors[variable].extents[k] != 1)
            extent = tensors[variable].extents[k];
      }
      if (variable == variables) continue;
      const std::string name(Source::value.nodes[check.reduction.node].operation->name);
      if (extent != t.extent[check.reduction.id])
        throw std::invalid_argument("tapeless: " + name + " over an axis on which " + shape_text(tensors[variable]) +
                                    " has extent 1, while it is broadcast elsewhere; bind it with fewer axes, or as a "
                                    "fixed shape");
      if (extent == 0 && check.reduction.needs_element)
        throw std::invalid_argument("tapeless: " + name + " over no elements: " + shape_text(tensors[variable]));
    }
  }
};

/// What the verbs have in common for the formula `F` with tensors bound to its variables: the programs, and how they
/// are run.
template <class F, class... Bindings>
struct tensor_program {
  using lowering =
      program::lower_tensors<formulas<F>, typename leaf_of_traits<typename Bindings::variable_type,
                                                                  tensor_traits<bound_t<Bindings>>>::type...>;
  using enum program::tensor_problem;
  static constexpr program::tensor_problem problem = lowering::problem;
  static_assert(problem != rank_too_large, "tapeless: a tensor has at most 6 axes");
  static_assert(problem != axis_out_of_range, "tapeless: an operation names an axis that its operand does not have");
  static_assert(problem != axis_named_twice, "tapeless: an operation names an axis twice");
  static_assert(problem != extents_differ, "tapeless: the fixed shapes of two operands do not broadcast");
  static_assert(problem != dot_of_other_ranks, "tapeless: dot takes operands of rank 1 or 2");
  static_assert(problem != transpose_of_other_rank, "tapeless: transpose names each axis of its operand once");
  static_assert(problem != too_many_axes, "tapeless: the formula has more than 64 axes; split it");

  using source = program::frozen<lowering>;
  using T = typename tensor_number<Bindings...>::type;
  static constexpr int value_access = program::access_of_output<source>(0);
  static constexpr int value_rank = source::value.accesses[static_cast<std::size_t>(value_access)].rank;
  static constexpr std::size_t variables = source::value.variables.size();

  template <class S>
  static void set_numbers(loops::tables<S, T>& t, const F& f) {
    if constexpr (S::numbers > 0) {
      T* to = t.numbers.data();
      numbers_of(f, to);
    }
  }

  /// Where an output of the shape of a variable or of the value goes.
  template <class S>
  static void set_output(loops::tables<S, T>& t, std::size_t o, T* data, const std::ptrdiff_t* strides) {
    const program::tensor_access& access = S::output_access(o);
    auto& to = t.references[static_cast<std::size_t>(S::output_reference(static_cast<int>(o)))];
    to.data = data;
    for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i)
      if (access.axes[i] >= 0) to.stride[static_cast<std::size_t>(access.axes[i])] = strides[i];
  }
};

template <class X>
auto strides_of(const X& x) {
  using traits = tensor_traits<X>;
  std::array<std::ptrdiff_t, program::max_rank> result{};
  for (int i = 0; i < traits::rank; ++i) result[static_cast<std::size_t>(i)] = traits::stride(x, i);
  return result;
}
template <class X>
auto* data_of(X& x) {
  using element = typename tensor_traits<X>::element;
  return const_cast<element*>(tensor_traits<X>::data(x));
}

/// The value of a formula over tensors.
template <class F>
struct tensor_evaluation {
  template <class... Bindings>
  static auto run(const F& f, const Bindings&... bindings) {
    using program_type = tensor_program<F, Bindings...>;
    using source = typename program_type::source;
    using T = typename program_type::T;
    using S = loops::plan<program::finished<source, 0, 1>, std::array<int, 1>{program_type::value_access}>;
    constexpr int rank = program_type::value_rank;
    call_memory<T, program_type::variables, 1> memory;
    tensor_inputs<S, source, T> inputs;
    inputs.bind(memory, bindings...);
    loops::tables<S, T> t;
    inputs.place(t, memory);
    program_type::set_numbers(t, f);
    typename value_container<T, rank>::type result{};
    std::array<std::ptrdiff_t, program::max_rank> shape{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
      const int id = S::output_access(0).axes[i];
      shape[i] = id < 0 ? 1 : t.extent[static_cast<std::size_t>(id)];
    }
    using container = decltype(result);
    tensor_traits<container>::resize(result, shape);
    program_type::set_output(t, 0, data_of(result), strides_of(result).data());
    loops::executor<S, T>::run(t, memory.buffers);
    return result;
  }
};

/// The gradient of a formula over tensors with respect to `Vs`, with its value or without.
template <class F, class Variables, bool WithValue, class Policy>
struct tensor_gradient;
template <class F, class... Vs, bool WithValue, class Policy>
struct tensor_gradient<F, wrt_variables<Vs...>, WithValue, Policy> {
  template <class... Bindings>
  struct call {
    using program_type = tensor_program<F, Bindings...>;
    using source = typename program_type::source;
    using T = typename program_type::T;
    static_assert(program_type::value_rank == 0,
                  "tapeless: a gradient is that of one number; reduce the formula first: sum(f), mean(f)");

    template <class V>
    static constexpr int index = variable_index(source::value, V::name);
    using all = program::frozen<program::append_tensor_gradient<source, index<Vs>...>>;
    using uses = program::uses_of<source, index<Vs>...>;
    static constexpr std::size_t first = WithValue ? 1 : 0;
    using finished = program::finished<all, 1 - first, 1 + uses::count>;
    static constexpr auto output_accesses = [] {
      std::array<int, first + uses::count> result{};
      if (WithValue) result[0] = program_type::value_access;
      for (std::size_t i = 0; i < uses::count; ++i) result[first + i] = uses::value[i].access;
      return result;
    }();
    // An absolute zero is not written.
    using S = loops::plan<finished, output_accesses>;

    template <class V>
    static constexpr bool is_zero_by_structure = [] {
      bool zero = true;
      for (std::size_t i = 0; i < uses::count; ++i)
        if (uses::value[i].variable == index<V> && !finished::value.is_absolute_zero(finished::value.output(first + i)))
          zero = false;
      return zero;
    }();
    template <class V>
    static constexpr std::size_t pieces = [] {
      std::size_t count = 0;
      for (std::size_t i = 0; i < uses::count; ++i) count += uses::value[i].variable == index<V>;
      return count;
    }();
    template <class V>
    static constexpr std::size_t first_piece = [] {
      std::size_t i = 0;
      while (i < uses::count && uses::value[i].variable != index<V>) ++i;
      return first + i;
    }();

    template <class V>
    struct bound_of {
      template <class B>
      static constexpr auto pick() {
        if constexpr (std::is_same_v<typename B::variable_type, V>)
          return std::type_identity<bound_t<B>>{};
        else
          return std::type_identity<void>{};
      }
      using type = typename decltype(first_problem(pick<Bindings>()...))::type;
    };
    template <class V>
    using bound_type = typename bound_of<V>::type;
    template <class V>
    struct derivative {
      using type = typename tensor_traits<bound_type<V>>::template result<T>;
    };
    template <class V>
      requires(is_zero_by_structure<V> && !std::is_same_v<Policy, unconnected::materialise_policy>)
    struct derivative<V> {
      using type = Zero;
    };

    using memory_type = call_memory<T, program_type::variables, first + uses::count>;
    using map = tensor_gradient_map<gradient_map<wrt_variables<Vs...>, typename derivative<Vs>::type...>, memory_type>;
    using result = std::conditional_t<WithValue, value_and_tensor_gradient<T, map>, map>;

    static map& gradient_of(result& r) {
      if constexpr (WithValue)
        return r.gradient;
      else
        return r;
    }

    static void run(result& r, const F& f, const Bindings&... bindings) {
      map& g = gradient_of(r);
      memory_type& memory = g.memory;
      tensor_inputs<S, source, T> inputs;
      inputs.bind(memory, bindings...);
      loops::tables<S, T> t;
      inputs.place(t, memory);
      program_type::set_numbers(t, f);
      if constexpr (WithValue) program_type::set_output(t, 0, &r.value, nullptr);
      (prepare<Vs>(g, inputs, t), ...);
      loops::executor<S, T>::run(t, memory.buffers);
      (add_pieces<Vs>(g, inputs, t), ...);
    }

   private:
    template <class V>
    static auto& entry(map& g) {
      return static_cast<gradient_entry<V, typename derivative<V>::type>&>(g).value;
    }

    /// Whether the pieces of a derivative are added up after the loops: where the variable is read in several ways, or
    /// was broadcast along an axis of extent 1.
    template <class V>
    static bool adds_up(const tensor_inputs<S, source, T>& inputs, const loops::tables<S, T>& t) {
      if (pieces<V> != 1) return true;
      const program::tensor_access& access = S::output_access(first_piece<V>);
      const auto& tensor = inputs.tensors[static_cast<std::size_t>(index<V>)];
      for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i)
        if (access.axes[i] >= 0 && tensor.extents[i] != t.extent[static_cast<std::size_t>(access.axes[i])]) return true;
      return false;
    }

    template <class V>
    static void prepare(map& g, const tensor_inputs<S, source, T>& inputs, loops::tables<S, T>& t) {
      if constexpr (!std::is_same_v<typename derivative<V>::type, Zero>) {
        auto& to = entry<V>(g);
        using container = std::remove_cvref_t<decltype(to)>;
        const auto shape = bound_shape<V>(inputs);
        tensor_traits<container>::resize(to, shape);
      }
      for (std::size_t i = 0; i < pieces<V>; ++i) place_piece<V>(g, inputs, t, first_piece<V> + i);
    }
    template <class V>
    static std::array<std::ptrdiff_t, program::max_rank> bound_shape(const tensor_inputs<S, source, T>& inputs) {
      if constexpr (index<V> >= 0)
        return inputs.tensors[static_cast<std::size_t>(index<V>)].extents;
      else
        return {};
    }
    template <class V>
    static void place_piece(map& g, const tensor_inputs<S, source, T>& inputs, loops::tables<S, T>& t, std::size_t o) {
      const program::tensor_access& access = S::output_access(o);
      std::array<std::ptrdiff_t, program::max_rank> strides{};
      if constexpr (!std::is_same_v<typename derivative<V>::type, Zero>) {
        if (!adds_up<V>(inputs, t)) {
          auto& to = entry<V>(g);
          return program_type::set_output(t, o, data_of(to), strides_of(to).data());
        }
      }
      std::ptrdiff_t count = 1;
      for (std::size_t i = static_cast<std::size_t>(access.rank); i-- > 0;) {
        strides[i] = count;
        count *= access.axes[i] < 0 ? 1 : t.extent[static_cast<std::size_t>(access.axes[i])];
      }
      program_type::set_output(t, o, g.memory.pieces[o].reserve(static_cast<std::size_t>(count)), strides.data());
    }

    template <class V>
    static void add_pieces(map& g, const tensor_inputs<S, source, T>& inputs, const loops::tables<S, T>& t) {
      if constexpr (!std::is_same_v<typename derivative<V>::type, Zero>) {
        if (!adds_up<V>(inputs, t)) return;
        auto& to = entry<V>(g);
        T* const data = data_of(to);
        const auto strides = strides_of(to);
        const auto shape = bound_shape<V>(inputs);
        using container = std::remove_cvref_t<decltype(to)>;
        constexpr std::size_t rank = static_cast<std::size_t>(tensor_traits<container>::rank);
        for_each_index<rank>(shape, [&](const auto& index_in) { data[offset<rank>(index_in, strides)] = T(0); });
        for (std::size_t i = 0; i < pieces<V>; ++i) {
          const std::size_t o = first_piece<V> + i;
          const program::tensor_access& access = S::output_access(o);
          const auto& from = t.references[static_cast<std::size_t>(S::output_reference(static_cast<int>(o)))];
          std::array<std::ptrdiff_t, program::max_rank> extents{}, from_strides{}, to_strides{};
          for (std::size_t k = 0; k < rank; ++k) {
            const int id = access.axes[k];
            extents[k] = id < 0 ? 1 : t.extent[static_cast<std::size_t>(id)];
            from_strides[k] = id < 0 ? 0 : from.stride[static_cast<std::size_t>(id)];
            to_strides[k] = shape[k] == 1 ? 0 : strides[k];
          }
          for_each_index<rank>(extents, [&](const auto& index_in) {
            data[offset<rank>(index_in, to_strides)] += from.data[offset<rank>(index_in, from_strides)];
          });
        }
      }
    }
    template <std::size_t Rank, class Shape, class Visit>
    static void for_each_index(const Shape& shape, Visit visit) {
      std::ptrdiff_t count = 1;
      for (std::size_t i = 0; i < Rank; ++i) count *= shape[i];
      std::array<std::ptrdiff_t, program::max_rank> at{};
      for (; count > 0; --count) {
        visit(at);
        for (std::size_t i = Rank; i-- > 0 && ++at[i] == shape[i];) at[i] = 0;
      }
    }
    template <std::size_t Rank, class Index, class Strides>
    static std::ptrdiff_t offset(const Index& at, const Strides& strides) {
      std::ptrdiff_t result = 0;
      for (std::size_t i = 0; i < Rank; ++i) result += at[i] * strides[i];
      return result;
    }
  };

  template <class... Bindings>
  static auto run(const F& f, const Bindings&... bindings) {
    typename call<Bindings...>::result r;
    call<Bindings...>::run(r, f, bindings...);
    return r;
  }
  template <class R, class... Bindings>
  static void run(const F& f, const into_result<R>& to, const Bindings&... bindings) {
    static_assert(std::is_same_v<R, typename call<Bindings...>::result>,
                  "tapeless: into(r) takes the result of the same call: variables bound to the same types");
    call<Bindings...>::run(*to.result, f, bindings...);
  }
};

}  // namespace detail

}  // namespace tapeless

#endif
