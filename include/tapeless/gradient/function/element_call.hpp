#ifndef TAPELESS_GRADIENT_FUNCTION_ELEMENT_CALL_HPP
#define TAPELESS_GRADIENT_FUNCTION_ELEMENT_CALL_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// One call of an assembled verb: checks its arguments, runs the element's program over blocks of elements and adds
/// what comes out to the result.
#include <tapeless/evaluate/element_loop.hpp>
#include <tapeless/gradient/function/element_nodes.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/gradient/hessian.hpp>
#include <tapeless/gradient/jacobian.hpp>
#include <tapeless/gradient/result/element_pattern.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless {

/// The sum over elements and its gradient, an entry for each of the vector's; a tuple of such gradients where there are
/// several vectors.
template <class T, class Gradient>
struct assembled_gradient {
  T value{};
  Gradient gradient;
};
/// The same with the Hessian, all of a symmetric matrix. Rows and columns are the vectors' numbers, one vector after
/// the other.
template <class T, class Gradient, class Index>
struct assembled_hessian {
  T value{};
  Gradient gradient;
  compressed_rows<T, Index> hessian;
  detail::element_pattern<Index> pattern;
};
/// The values of all elements, one element after the other, and their Jacobian.
template <class T, class Index>
struct assembled_jacobian {
  std::vector<T> value;
  compressed_rows<T, Index> jacobian;
  detail::element_pattern<Index> pattern;
};

namespace detail {

enum class assembled { gradient, hessian, jacobian };

/// What belongs to one element or to all.
template <class A>
concept Element_range = !Structure<A> && !Numeric<A> && requires(const A& a) {
  a.size();
  a[0];
};
template <class A>
struct element_data {
  using type = A;
};
template <Element_range A>
struct element_data<A> {
  using type = std::remove_cvref_t<decltype(std::declval<const A&>()[0])>;
};
template <class A>
using element_data_t = typename element_data<A>::type;

/// What is computed of an element: the value too.
template <assembled Kind>
inline constexpr verb element_verb{Kind == assembled::gradient  ? derives::gradient
                                   : Kind == assembled::hessian ? derives::hessian
                                                                : derives::jacobian,
                                   true};

/// Runs body(0), ..., body(count - 1) in any order.
struct in_turn {
  template <class Body>
  void operator()(std::ptrdiff_t count, Body body) const {
    for (std::ptrdiff_t i = 0; i < count; ++i) body(i);
  }
};

/// A call over elements that name nodes of the kinds `Kinds`, a tuple, with data of the types `Data`.
template <assembled Kind, class F, class Kinds, class... Data>
struct element_call;

template <assembled Kind, class F, class... Kinds, class... Data>
struct element_call<Kind, F, std::tuple<Kinds...>, Data...> {
  static constexpr std::size_t kinds = sizeof...(Kinds), K = (Kinds::each + ...);
  /// The kind of each of an element's nodes, and its first number among the element's; the numbers' end is the last.
  struct numbering {
    std::array<std::size_t, K> kind{};
    std::array<std::size_t, K + 1> first{};
  };
  static constexpr numbering slots = [] {
    numbering found;
    std::size_t slot = 0, kind = 0;
    const auto append = [&](std::size_t each, std::size_t size) {
      for (std::size_t k = 0; k < each; ++k, ++slot) {
        found.kind[slot] = kind;
        found.first[slot + 1] = found.first[slot] + size;
      }
      ++kind;
    };
    (append(Kinds::each, Kinds::size), ...);
    return found;
  }();
  static constexpr std::size_t n = slots.first[K];
  static constexpr std::array<std::size_t, n> slot_of = [] {
    std::array<std::size_t, n> found{};
    for (std::size_t slot = 0; slot < K; ++slot)
      for (std::size_t i = slots.first[slot]; i < slots.first[slot + 1]; ++i) found[i] = slot;
    return found;
  }();
  template <std::size_t G>
  static constexpr std::size_t first_slot = [] {
    constexpr std::array<std::size_t, kinds> each{Kinds::each...};
    std::size_t slot = 0;
    for (std::size_t g = 0; g < G; ++g) slot += each[g];
    return slot;
  }();
  template <std::size_t G>
  using kind = std::tuple_element_t<G, std::tuple<Kinds...>>;
  template <class Body>
  static constexpr void for_each_kind(Body body) {
    [&]<std::size_t... G>(std::index_sequence<G...>) {
      (body(std::integral_constant<std::size_t, G>{}), ...);
    }(std::make_index_sequence<kinds>{});
  }

  template <std::size_t I>
  using node = typename kind<slots.kind[I]>::node;
  template <std::size_t... I>
  static constexpr auto find_program(std::index_sequence<I...> all) {
    using layout = argument_layout<node<I>..., element_data_t<Data>...>;
    using of_element =
        function_verb<element_verb<Kind>, F, decltype(all), unconnected::structural_policy, nothing_further>;
    using problem =
        typename decltype(function_call_problem<of_element, F, node<I>..., element_data_t<Data>...>(all))::type;
    if constexpr (std::is_void_v<problem>)
      return verb_program<element_verb<Kind>, traced_program<F, node<I>..., element_data_t<Data>...>,
                          typename layout::template variables<I...>>{};
    else
      return std::type_identity<void>{};
  }
  using program = typename decltype(find_program(std::make_index_sequence<K>{}))::type;

  using Index = typename kind<0>::index;
  using T = function_real_t<typename Kinds::node..., element_data_t<Data>...>;
  static constexpr bool has_numbers = ((sizeof(typename Kinds::node) == Kinds::size * sizeof(T)) && ...);
  static constexpr std::size_t inputs = n + (shape_of<element_data_t<Data>>::size + ... + 0);
  static constexpr std::size_t outputs = [] {
    if constexpr (std::is_void_v<program>)
      return std::size_t{1};
    else
      return program::value.outputs.size();
  }();
  static constexpr std::size_t rows = outputs / (1 + n);
  static constexpr std::size_t lanes = scalar::element_lanes<T>;
  using output_block = scalar::element_block<T, outputs>;

  static constexpr auto find_result() {
    using gradient = std::conditional_t<kinds == 1, std::vector<typename kind<0>::node>,
                                        std::tuple<std::vector<typename Kinds::node>...>>;
    if constexpr (Kind == assembled::gradient)
      return assembled_gradient<T, gradient>{};
    else if constexpr (Kind == assembled::hessian)
      return assembled_hessian<T, gradient, Index>{};
    else
      return assembled_jacobian<T, Index>{};
  }
  using result = decltype(find_result());

  std::tuple<Kinds...> nodes;
  std::tuple<const Data&...> data;
  std::size_t elements;
  std::array<std::size_t, kinds + 1> first_number{};  ///< of each kind in the matrix; the numbers' end is the last

  element_call(const std::tuple<Kinds...>& given, const Data&... each)
      : nodes(given), data(each...), elements(std::get<0>(given).elements) {
    for_each_kind(
        [&](auto g) { first_number[g + 1] = first_number[g] + std::get<g>(nodes).vector.size() * kind<g>::size; });
  }

  std::array<node_picks<Index>, kinds> picks() const {
    return std::apply(
        [](const auto&... each) {
          return std::array{node_picks<Index>{{each.vector.size(), Kinds::each, Kinds::size}, each.picks}...};
        },
        nodes);
  }

  void check() const {
    for_each_kind([&](auto g) { check_kind(std::get<g>(nodes), g); });
    if (first_number[kinds] > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
      throw std::invalid_argument(
          "tapeless: assemble: the vector has more numbers than the elements' index type can count");
    std::size_t position = 0;
    const auto check_size = [&](const auto& each) {
      if constexpr (Element_range<std::remove_cvref_t<decltype(each)>>)
        if (static_cast<std::size_t>(each.size()) != elements)
          throw std::invalid_argument("tapeless: assemble: data " + std::to_string(position) + " has " +
                                      std::to_string(each.size()) + " entries for " + std::to_string(elements) +
                                      " elements");
      ++position;
    };
    std::apply([&](const auto&... each) { (check_size(each), ...); }, data);
  }
  template <class Of>
  void check_kind(const Of& of, std::size_t position) const {
    const auto who = [&] {
      return "tapeless: assemble: " + (kinds > 1 ? "nodes " + std::to_string(position) + ": " : std::string());
    };
    if (of.elements != elements)
      throw std::invalid_argument(who() + std::to_string(of.elements) + " elements, and nodes 0 has " +
                                  std::to_string(elements));
    for (std::size_t use = 0; use < of.picks.size(); ++use)
      if (of.picks[use] < Index(0) || static_cast<std::size_t>(of.picks[use]) >= of.vector.size())
        throw std::invalid_argument(who() + "element " + std::to_string(use / Of::each) + " refers to entry " +
                                    std::to_string(of.picks[use]) + " of a vector of length " +
                                    std::to_string(of.vector.size()));
  }

  /// Computes the elements from `first` on.
  void compute(std::size_t first, output_block& to) const {
    scalar::element_block<T, inputs> from;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t e = std::min(first + lane, elements - 1);
      std::size_t next = 0;
      for_each_kind([&](auto g) {
        const auto& of = std::get<g>(nodes);
        const T* const entries = reinterpret_cast<const T*>(of.vector.data());
        for (std::size_t k = 0; k < kind<g>::each; ++k)
          for (std::size_t d = 0; d < kind<g>::size; ++d)
            from.numbers[next++][lane] =
                entries[static_cast<std::size_t>(of.picks[e * kind<g>::each + k]) * kind<g>::size + d];
      });
      const auto read = [&]<class A>(const A& argument) {
        using shape = shape_of<element_data_t<A>>;
        const auto read_one = [&](const auto& one) {
          [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((from.numbers[next++][lane] = static_cast<T>(shape::template element<I>(one))), ...);
          }(std::make_index_sequence<shape::size>{});
        };
        if constexpr (Element_range<A>)
          read_one(argument[static_cast<decltype(argument.size())>(e)]);
        else
          read_one(argument);
      };
      std::apply([&](const auto&... each) { (read(each), ...); }, data);
    }
    scalar::run_elements<program>(from, to);
  }

  /// The numbers of the gradient by one kind of nodes.
  template <std::size_t G>
  static T* gradient(result& to) {
    if constexpr (kinds == 1)
      return reinterpret_cast<T*>(to.gradient.data());
    else
      return reinterpret_cast<T*>(std::get<G>(to.gradient).data());
  }

  /// Adds the elements from `first` on to the result, one after the other.
  void add(std::size_t first, const output_block& from, std::array<T, lanes>& sums, result& to) const {
    const std::size_t count = std::min(lanes, elements - first);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::size_t e = first + lane;
      if constexpr (Kind == assembled::jacobian) {
        for (std::size_t row = 0; row < rows; ++row) {
          to.value[e * rows + row] = from.numbers[row][lane];
          T* const begin = to.jacobian.values.data() + static_cast<std::size_t>(to.jacobian.row_begin[e * rows + row]);
          for (std::size_t i = 0; i < n; ++i)
            begin[static_cast<std::size_t>(to.pattern.offsets[e * K + slot_of[i]]) + i - slots.first[slot_of[i]]] +=
                from.numbers[rows + row * n + i][lane];
        }
      } else {
        sums[lane] += from.numbers[0][lane];
        for_each_kind([&](auto g) {
          constexpr std::size_t size = kind<g>::size, begin = 1 + slots.first[first_slot<g>];
          for (std::size_t k = 0; k < kind<g>::each; ++k)
            for (std::size_t d = 0; d < size; ++d)
              gradient<g>(to)[static_cast<std::size_t>(std::get<g>(nodes).picks[e * kind<g>::each + k]) * size + d] +=
                  from.numbers[begin + k * size + d][lane];
        });
        if constexpr (Kind == assembled::hessian) add_hessian(e, lane, from, to);
      }
    }
  }
  void add_hessian(std::size_t e, std::size_t lane, const output_block& from, result& to) const {
    // Outputs hold the upper triangle column by column.
    constexpr auto entry = [](std::size_t i, std::size_t j) {
      return 1 + n + (i < j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j);
    };
    const Index* const offsets = to.pattern.offsets.data() + e * K * K;
    const auto add_row = [&]<std::size_t I, std::size_t... J>(std::index_sequence<I>, std::index_sequence<J...>) {
      constexpr std::size_t slot = slot_of[I], g = slots.kind[slot];
      const Index pick = std::get<g>(nodes).picks[e * kind<g>::each + slot - first_slot<g>];
      const std::size_t row = first_number[g] + static_cast<std::size_t>(pick) * kind<g>::size + I - slots.first[slot];
      T* const begin = to.hessian.values.data() + static_cast<std::size_t>(to.hessian.row_begin[row]);
      ((begin[static_cast<std::size_t>(offsets[slot * K + slot_of[J]]) + J - slots.first[slot_of[J]]] +=
        from.numbers[entry(I, J)][lane]),
       ...);
    };
    [&]<std::size_t... I>(std::index_sequence<I...> all) {
      (add_row(std::index_sequence<I>{}, all), ...);
    }(std::make_index_sequence<n>{});
  }

  /// Everything into an existing result. The order of additions is that of the elements, whatever the engine does.
  template <class Engine>
  void run(const Engine& engine, result& to) const {
    check();
    if constexpr (Kind == assembled::jacobian) {
      if (!to.pattern.is_of(picks(), elements * rows, to.jacobian))
        to.pattern.make_jacobian(picks(), elements, rows, to.jacobian);
      to.value.resize(elements * rows);
      std::fill(to.jacobian.values.begin(), to.jacobian.values.end(), T(0));
    } else {
      // Eigen's vectors do not begin as zeros.
      for_each_kind([&](auto g) {
        const std::size_t count = std::get<g>(nodes).vector.size();
        if constexpr (kinds == 1)
          to.gradient.resize(count);
        else
          std::get<g>(to.gradient).resize(count);
        std::fill_n(gradient<g>(to), count * kind<g>::size, T(0));
      });
      if constexpr (Kind == assembled::hessian) {
        if (!to.pattern.is_of(picks(), first_number[kinds], to.hessian))
          to.pattern.make_hessian(picks(), elements, to.hessian);
        std::fill(to.hessian.values.begin(), to.hessian.values.end(), T(0));
      }
    }
    std::array<T, lanes> sums{};
    constexpr bool alone = std::is_same_v<Engine, in_turn>;
    constexpr std::size_t parts = alone ? 1 : 64, blocks = alone ? 1 : 16, together = parts * blocks * lanes;
    std::vector<output_block> computed(parts * blocks);
    for (std::size_t begin = 0; begin < elements; begin += together) {
      const std::size_t count = std::min(together, elements - begin);
      const std::size_t used = (count + blocks * lanes - 1) / (blocks * lanes);
      engine(static_cast<std::ptrdiff_t>(used), [&](std::ptrdiff_t part) {
        for (std::size_t b = 0; b < blocks; ++b) {
          const std::size_t block = static_cast<std::size_t>(part) * blocks + b, first = begin + block * lanes;
          if (block * lanes >= count) break;
          compute(first, computed[block]);
          // An element has rows of its own in a Jacobian.
          if constexpr (Kind == assembled::jacobian) add(first, computed[block], sums, to);
        }
      });
      if constexpr (Kind != assembled::jacobian)
        for (std::size_t block = 0; block * lanes < count; ++block)
          add(begin + block * lanes, computed[block], sums, to);
    }
    if constexpr (Kind != assembled::jacobian) {
      to.value = T(0);
      for (const T& sum : sums) to.value += sum;
    }
  }
};

}  // namespace detail

}  // namespace tapeless

#endif
