#pragma once

/// One call of an assembled verb: checks its arguments, runs the element's program over blocks of elements and adds
/// what comes out to the result.
#include <tapeless/core/message.hpp>
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/evaluate/memory/range.hpp>
#include <tapeless/evaluate/registers/element_loop.hpp>
#include <tapeless/gradient/function/element_nodes.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/gradient/hessian.hpp>
#include <tapeless/gradient/jacobian.hpp>
#include <tapeless/gradient/result/assembled_results.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless::detail {

/// What belongs to one element or to all.
template <class A>
concept Element_range = !Structure<A> && !Numeric<A> && requires(const A& a) {
  a.size();
  a[0];
};
template <class A>
decltype(auto) data_of_element(const A& data, std::size_t element) {
  if constexpr (Element_range<A>)
    return data[static_cast<decltype(data.size())>(element)];
  else
    return (data);
}
template <class A>
using element_data_t = std::remove_cvref_t<decltype(data_of_element(std::declval<const A&>(), 0))>;

/// Whether a node is nothing but numbers of the type `T`.
template <class T, class Node>
inline constexpr bool holds_only = []<std::size_t... I>(std::index_sequence<I...>) {
  using shape = shape_of<Node>;
  return sizeof(Node) == shape::size * sizeof(T) &&
         (std::is_same_v<decltype(shape::template element<I>(std::declval<const Node&>())), const T&> && ...);
}(std::make_index_sequence<shape_of<Node>::size>{});

/// A call over elements that name nodes of the kinds `Kinds`, a tuple, with data of the types `Data`. Of each element
/// the verb `V` of `F` is computed, the value too.
template <verb V, class F, class Kinds, class... Data>
struct element_call;

template <verb V, class F, class... Kinds, class... Data>
struct element_call<V, F, std::tuple<Kinds...>, Data...> {
  using layout = element_layout<Kinds...>;
  static constexpr std::size_t kinds = layout::kinds, K = layout::K;
  template <std::size_t G>
  static constexpr std::size_t first_slot = layout::template first_slot<G>;
  template <std::size_t G>
  using kind = typename layout::template kind<G>;
  template <std::size_t I>
  using node = typename layout::template node<I>;
  /// The numbers of an element's nodes.
  template <std::size_t... I>
  static argument_layout<node<I>...> layout_of_numbers(std::index_sequence<I...>);
  using numbers = decltype(layout_of_numbers(std::make_index_sequence<K>{}));
  static constexpr std::size_t n = numbers::size;

  template <std::size_t... I>
  static constexpr auto find_program(std::index_sequence<I...> all) {
    using inputs_layout = argument_layout<node<I>..., element_data_t<Data>...>;
    using of_element = function_verb<V, F, decltype(all), unconnected::structural_policy, no_seeds>;
    using problem =
        typename decltype(function_call_problem<of_element, F, node<I>..., element_data_t<Data>...>(all))::type;
    if constexpr (std::is_void_v<problem>)
      return verb_program<V, traced_program<F, node<I>..., element_data_t<Data>...>,
                          typename inputs_layout::template variables<I...>>{};
    else
      return std::type_identity<void>{};
  }
  using program = typename decltype(find_program(std::make_index_sequence<K>{}))::type;

  using Index = typename kind<0>::index;
  using T = function_real_t<typename Kinds::node..., element_data_t<Data>...>;
  static constexpr bool some_held = (Kinds::some_held || ...);
  /// Whether the numbers of nodes are of the type `T`, side by side.
  static constexpr bool has_numbers = (holds_only<T, typename Kinds::node> && ...);
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
    using gradient = one_or_tuple<std::vector<typename Kinds::node>...>;
    if constexpr (V.what == derives::gradient)
      return assembled_gradient<T, gradient>{};
    else if constexpr (V.what == derives::hessian)
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
    for_each_index<kinds>(
        [&](auto g) { first_number[g + 1] = first_number[g] + std::get<g>(nodes).vector.size() * kind<g>::size; });
  }

  std::array<node_picks<Index>, kinds> picks() const {
    return std::apply(
        [](const auto&... each) {
          return std::array{node_picks<Index>{{each.vector.size(), Kinds::each, Kinds::size}, each.picks}...};
        },
        nodes);
  }

  /// A flag for each number of the vectors, where some may be held.
  std::vector<char> held() const {
    std::vector<char> flags;
    if constexpr (some_held) {
      flags.reserve(first_number[kinds]);
      for_each_index<kinds>([&](auto g) {
        const auto& of = std::get<g>(nodes);
        for (std::size_t i = 0; i < of.vector.size(); ++i)
          for (std::size_t d = 0; d < kind<g>::size; ++d)
            if constexpr (kind<g>::some_held)
              flags.push_back(of.holds(i, d));
            else
              flags.push_back(false);
      });
    }
    return flags;
  }

  void check() const {
    for_each_index<kinds>([&](auto g) { check_kind(std::get<g>(nodes), g); });
    if (first_number[kinds] > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
      raise<std::invalid_argument>({"assemble: the vector has more numbers than the elements' index type can count"});
    std::size_t position = 0;
    const auto check_size = [&](const auto& each) {
      if constexpr (Element_range<std::remove_cvref_t<decltype(each)>>)
        if (static_cast<std::size_t>(each.size()) != elements)
          raise<std::invalid_argument>(
              {"assemble: data ", position, " has ", each.size(), " entries for ", elements, " elements"});
      ++position;
    };
    std::apply([&](const auto&... each) { (check_size(each), ...); }, data);
  }
  template <class Of>
  void check_kind(const Of& of, std::size_t position) const {
    const auto who = [&] {
      return kinds > 1 ? message({"assemble: nodes ", position, ": "}) : message({"assemble: "});
    };
    if (of.elements != elements)
      raise<std::invalid_argument>({who(), of.elements, " elements, and nodes 0 has ", elements});
    if constexpr (Of::some_held)
      if (static_cast<std::size_t>(of.held.size()) != of.vector.size())
        raise<std::invalid_argument>({who(), "held has ", of.held.size(), " flags for a vector of ", of.vector.size()});
    for (std::size_t use = 0; use < of.picks.size(); ++use)
      if (of.picks[use] < Index(0) || static_cast<std::size_t>(of.picks[use]) >= of.vector.size())
        raise<std::invalid_argument>({who(), "element ", use / Of::each, " refers to entry ", of.picks[use],
                                      " of a vector of length ", of.vector.size()});
  }

  /// Computes the elements from `first` on.
  void compute(std::size_t first, output_block& to) const {
    scalar::element_block<T, inputs> from;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t e = std::min(first + lane, elements - 1);
      std::size_t next = 0;
      for_each_index<kinds>([&](auto g) {
        const auto& of = std::get<g>(nodes);
        const T* const entries = reinterpret_cast<const T*>(of.vector.data());
        for (std::size_t k = 0; k < kind<g>::each; ++k)
          for (std::size_t d = 0; d < kind<g>::size; ++d)
            from.numbers[next++][lane] =
                entries[static_cast<std::size_t>(of.picks[e * kind<g>::each + k]) * kind<g>::size + d];
      });
      const auto read = [&]<class A>(const A& one) {
        for_each_index<shape_of<A>::size>(
            [&](auto i) { from.numbers[next++][lane] = static_cast<T>(shape_of<A>::template element<i>(one)); });
      };
      std::apply([&](const auto&... each) { (read(data_of_element(each, e)), ...); }, data);
    }
    scalar::run_elements<program>(from, to);
  }

  /// The gradient by one kind of nodes, and its numbers.
  template <std::size_t G, class Result>
  static auto& gradient_vector(Result& to) {
    if constexpr (kinds == 1)
      return to.gradient;
    else
      return std::get<G>(to.gradient);
  }
  template <std::size_t G>
  static T* gradient(result& to) {
    return reinterpret_cast<T*>(gradient_vector<G>(to).data());
  }

  /// The first number of each of an element's nodes.
  std::array<std::size_t, K> first_numbers_of(std::size_t e) const {
    std::array<std::size_t, K> first;
    for_each_index<K>([&](auto slot) {
      constexpr std::size_t g = layout::kind_of[slot];
      const Index pick = std::get<g>(nodes).picks[e * kind<g>::each + slot - first_slot<g>];
      first[slot] = first_number[g] + static_cast<std::size_t>(pick) * kind<g>::size;
    });
    return first;
  }

  /// Adds the derivatives by all of an element's numbers to a row, where those of its nodes begin at `offsets`.
  template <class Derivative>
  void add_row(T* row, const Index* offsets, const std::array<std::size_t, K>& first,
               const element_pattern<Index>& pattern, Derivative derivative) const {
    for_each_index<n>([&]<std::size_t I>(std::integral_constant<std::size_t, I> i) {
      constexpr std::size_t slot = numbers::position(I);
      T* const begin = row + static_cast<std::size_t>(offsets[slot]);
      if constexpr (some_held) {
        const Index* const before = pattern.unknowns_before.data() + first[slot];
        constexpr std::size_t d = I - numbers::first(slot);
        if (before[d] != before[d + 1]) begin[static_cast<std::size_t>(before[d] - before[0])] += derivative(i);
      } else {
        begin[I - numbers::first(slot)] += derivative(i);
      }
    });
  }

  /// Writes the rows of the element `e` of a Jacobian.
  void write_rows(std::size_t e, std::size_t lane, const output_block& from, result& to) const {
    const std::array<std::size_t, K> first = first_numbers_of(e);
    for (std::size_t row = 0; row < rows; ++row) {
      to.value[e * rows + row] = from.numbers[row][lane];
      add_row(to.jacobian.values.data() + static_cast<std::size_t>(to.jacobian.row_begin[e * rows + row]),
              to.pattern.offsets.data() + e * K, first, to.pattern,
              [&](auto i) { return from.numbers[rows + row * n + i][lane]; });
    }
  }

  /// Adds to the gradient by one of an element's nodes and to the rows of that.
  template <std::size_t Slot>
  void add_node(std::size_t e, std::size_t lane, const output_block& from, const std::array<std::size_t, K>& first,
                result& to) const {
    constexpr std::size_t g = layout::kind_of[Slot], begin = numbers::first(Slot);
    T* const slopes = gradient<g>(to) + (first[Slot] - first_number[g]);
    for (std::size_t d = 0; d < kind<g>::size; ++d) slopes[d] += from.numbers[1 + begin + d][lane];
    if constexpr (V.what == derives::hessian) {
      for_each_index<kind<g>::size>([&]<std::size_t D>(std::integral_constant<std::size_t, D>) {
        std::size_t row = first[Slot] + D;
        if constexpr (some_held) {
          const Index* const before = to.pattern.unknowns_before.data() + row;
          if (before[0] == before[1]) return;
          row = static_cast<std::size_t>(before[0]);
        }
        // Outputs hold the upper triangle column by column.
        add_row(to.hessian.values.data() + static_cast<std::size_t>(to.hessian.row_begin[row]),
                to.pattern.offsets.data() + (e * K + Slot) * K, first, to.pattern, [&](auto j) {
                  constexpr std::size_t low = std::min<std::size_t>(begin + D, j),
                                        high = std::max<std::size_t>(begin + D, j);
                  return from.numbers[1 + n + triangle(high) + low][lane];
                });
      });
    }
  }
  /// The same for all of an element's nodes, or for one of them.
  void add_element(std::size_t e, std::size_t lane, const output_block& from, result& to, std::size_t only = K) const {
    const std::array<std::size_t, K> first = first_numbers_of(e);
    for_each_index<K>([&](auto slot) {
      if (only == K || only == slot) add_node<slot>(e, lane, from, first, to);
    });
  }

  /// Whether the call reads what lies where the result is written.
  bool reads(const result& to) const {
    bool found = false;
    const auto take = [&](const auto& written) {
      const auto look = [&](const auto& read) { found = found || overlap(bytes_of(written), bytes_of(read)); };
      std::apply([&](const auto&... each) { (look(each), ...); }, data);
      std::apply([&](const auto&... each) { ((look(each.vector), look(each.picks)), ...); }, nodes);
    };
    const auto take_matrix = [&](const auto& matrix) {
      take(matrix.values), take(matrix.row_begin), take(matrix.columns);
    };
    if constexpr (V.what == derives::jacobian)
      take(to.value), take_matrix(to.jacobian);
    else
      for_each_index<kinds>([&](auto g) { take(gradient_vector<g>(to)); });
    if constexpr (V.what == derives::hessian) take_matrix(to.hessian);
    return found;
  }
  template <class A>
  static memory_range bytes_of(const A& of) {
    if constexpr (requires { of.data() + of.size(); })
      return {of.data(), of.data() + of.size()};
    else
      return {&of, &of + 1};
  }

  /// Everything into an existing result. The order of additions to a number is that of the elements, whatever the
  /// engine does.
  template <class Engine>
  void run(const Engine& engine, result& to) const {
    check();
    constexpr bool alone = std::is_same_v<Engine, loops::sequential>, summed = V.what != derives::jacobian;
    const auto kinds_named = picks();
    const std::vector<char> flags = held();
    const named_nodes<Index> named{kinds_named, flags, elements};
    constexpr std::size_t parts = alone ? 1 : 64, blocks = alone ? 1 : 16, together = parts * blocks * lanes;
    if constexpr (V.what == derives::jacobian) {
      if (!to.pattern.is_of(named, to.jacobian, elements * rows)) to.pattern.make_jacobian(named, rows, to.jacobian);
      to.value.resize(elements * rows);
      std::fill(to.jacobian.values.begin(), to.jacobian.values.end(), T(0));
    } else {
      // Eigen's vectors do not begin as zeros.
      for_each_index<kinds>([&](auto g) {
        const std::size_t count = std::get<g>(nodes).vector.size();
        gradient_vector<g>(to).resize(count);
        std::fill_n(gradient<g>(to), count * kind<g>::size, T(0));
      });
      if constexpr (V.what == derives::hessian) {
        if (!to.pattern.is_of(named, to.hessian, to.pattern.unknowns.size()))
          to.pattern.make_hessian(named, to.hessian);
        std::fill(to.hessian.values.begin(), to.hessian.values.end(), T(0));
        if constexpr (!alone) to.pattern.share(named, parts);
      }
    }
    const auto run_parts = [&](std::size_t count, const auto& body) {
      if constexpr (alone)
        for (std::size_t i = 0; i < count; ++i) body(static_cast<std::ptrdiff_t>(i));
      else
        engine(static_cast<std::ptrdiff_t>(count), body);
    };
    std::array<T, lanes> sums{};
    std::array<std::size_t, parts> added{};  // of each share
    std::vector<output_block> computed(parts * blocks);
    for (std::size_t begin = 0; begin < elements; begin += together) {
      const std::size_t count = std::min(together, elements - begin);
      const std::size_t used = (count + blocks * lanes - 1) / (blocks * lanes);
      run_parts(used, [&](std::ptrdiff_t part) {
        const std::size_t from = static_cast<std::size_t>(part) * blocks * lanes,
                          end = std::min(from + blocks * lanes, count);
        for (std::size_t i = from; i < end; i += lanes) compute(begin + i, computed[i / lanes]);
        // An element has rows of its own in a Jacobian.
        if constexpr (!summed)
          for (std::size_t i = from; i < end; ++i) write_rows(begin + i, i % lanes, computed[i / lanes], to);
      });
      if constexpr (summed) {
        for (std::size_t i = 0; i < count; ++i) sums[i % lanes] += computed[i / lanes].numbers[0][i % lanes];
        if constexpr (alone || V.what == derives::gradient)
          for (std::size_t i = 0; i < count; ++i) add_element(begin + i, i % lanes, computed[i / lanes], to);
        else
          run_parts(parts, [&](std::ptrdiff_t part) {
            const std::vector<std::size_t>& uses = to.pattern.shares[static_cast<std::size_t>(part)];
            std::size_t& next = added[static_cast<std::size_t>(part)];
            for (; next < uses.size() && uses[next] < (begin + count) * K; ++next) {
              const std::size_t e = uses[next] / K, i = e - begin;
              add_element(e, i % lanes, computed[i / lanes], to, uses[next] % K);
            }
          });
      }
    }
    if constexpr (summed) {
      to.value = T(0);
      for (const T& sum : sums) to.value += sum;
    }
  }
};

}  // namespace tapeless::detail
