#pragma once

/// One call of an assembled verb: checks its arguments, runs each function's program over blocks of elements and adds
/// what comes out to the result.
#include <tapeless/core/message.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/evaluate/loops/element_loop.hpp>
#include <tapeless/evaluate/memory/range.hpp>
#include <tapeless/gradient/function/element_nodes.hpp>
#include <tapeless/gradient/result/assembled_results.hpp>
#include <tapeless/gradient/verbs.hpp>
#include <tapeless/program/graph/loops_in.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless::detail::inline TAPELESS_TARGET {

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

/// What groups of elements have: rows of a Jacobian, uses of nodes, and pairs of these in an element.
struct group_counts {
  std::size_t rows = 0, uses = 0, blocks = 0;
};

/// The gradient by one of several kinds of nodes, and its numbers.
template <std::size_t Kinds, std::size_t G, class Result>
auto& gradient_by(Result& to) {
  if constexpr (Kinds == 1)
    return to.gradient;
  else
    return std::get<G>(to.gradient);
}
template <std::size_t Kinds, std::size_t G, class T, class Result>
T* numbers_of_gradient(Result& to) {
  return reinterpret_cast<T*>(gradient_by<Kinds, G>(to).data());
}

/// Elements of one function that name nodes of the kinds `Kinds`, a tuple, with data of the types `Data`. Of each
/// element the verb `V` of `F` is computed, the value too.
template <verb V, class F, class Kinds, class... Data>
struct element_group;

template <verb V, class F, class... Kinds, class... Data>
struct element_group<V, F, std::tuple<Kinds...>, Data...> {
  /// How many kinds of nodes there are, and nodes of an element: those of one kind after the other.
  static constexpr std::size_t kinds = sizeof...(Kinds), K = (Kinds::each + ...);
  /// The kind of each of an element's nodes.
  static constexpr std::array<std::size_t, K> kind_of = [] {
    std::array<std::size_t, K> found{};
    std::size_t slot = 0, kind = 0;
    ((std::fill_n(found.begin() + slot, Kinds::each, kind), slot += Kinds::each, ++kind), ...);
    return found;
  }();
  template <std::size_t G>
  static constexpr std::size_t first_slot =
      static_cast<std::size_t>(std::find(kind_of.begin(), kind_of.end(), G) - kind_of.begin());
  template <std::size_t G>
  using kind = std::tuple_element_t<G, std::tuple<Kinds...>>;
  template <std::size_t Slot>
  using node = typename kind<kind_of[Slot]>::node;
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

  using gradient = one_or_tuple<std::vector<typename Kinds::node>...>;
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

  std::tuple<Kinds...> nodes;
  std::tuple<const Data&...> data;
  std::size_t elements;
  group_counts before{};                              ///< of the groups before this one
  std::array<std::size_t, kinds + 1> first_number{};  ///< of each kind in the matrix; the numbers' end is the last

  element_group(const std::tuple<Kinds...>& given, const Data&... each)
      : nodes(given), data(each...), elements(std::get<kind_of[0]>(given).elements) {
    for_each_index<kinds>(
        [&](auto g) { first_number[g + 1] = first_number[g] + std::get<g>(nodes).vector.size() * kind<g>::size; });
  }

  /// Writes the lists of nodes to `to`.
  void name(std::size_t group, node_picks<Index>* to) const {
    for_each_index<kinds>([&](auto g) {
      const auto& of = std::get<g>(nodes);
      const std::size_t rows_of_jacobian = V.what == derives::jacobian ? rows : 0;
      to[g] = {{group, elements, rows_of_jacobian, of.vector.size(), kind<g>::each, kind<g>::size}, of.picks};
    });
  }

  /// Throws where indices and data do not fit; `who()` is how the message begins.
  template <class Who>
  void must_fit(const Who& who) const {
    for_each_index<kinds>([&](auto g) {
      if constexpr (kind<g>::each > 0)
        check_kind(std::get<g>(nodes), [&] { return kinds > 1 ? message({who(), "nodes ", g.value, ": "}) : who(); });
    });
    std::size_t position = 0;
    const auto check_size = [&](const auto& each) {
      if constexpr (Element_range<std::remove_cvref_t<decltype(each)>>)
        if (static_cast<std::size_t>(each.size()) != elements)
          raise<std::invalid_argument>(
              {who(), "data ", position, " has ", each.size(), " entries for ", elements, " elements"});
      ++position;
    };
    std::apply([&](const auto&... each) { (check_size(each), ...); }, data);
  }
  template <class Of, class Who>
  void check_kind(const Of& of, const Who& who) const {
    if (of.elements != elements)
      raise<std::invalid_argument>({who(), of.elements, " elements, and nodes ", kind_of[0], " has ", elements});
    // As `std::size_t`, a negative index is larger than any length.
    for (std::size_t use = 0; use < of.picks.size(); ++use)
      if (static_cast<std::size_t>(of.picks[use]) >= of.vector.size())
        raise<std::invalid_argument>({who(), "element ", use / Of::each, " refers to entry ", of.picks[use],
                                      " of a vector of length ", of.vector.size()});
  }

  /// Computes the elements from `first` on.
  TAPELESS_ALWAYS_INLINE void compute(std::size_t first, output_block& to) const {
    scalar::element_block<T, inputs> from;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t e = std::min(first + lane, elements - 1);
      std::size_t next = 0;
      for_each_index<kinds>([&](auto g) {
        const auto& of = std::get<g>(nodes);
        const T* const entries = reinterpret_cast<const T*>(of.vector.data());
        for_each_index<kind<g>::each>([&](auto k) {
          const T* const entry = entries + static_cast<std::size_t>(of.picks[e * kind<g>::each + k]) * kind<g>::size;
          for (std::size_t d = 0; d < kind<g>::size; ++d) from.numbers[next++][lane] = entry[d];
        });
      });
      const auto read = [&]<class A>(const A& one) {
        for_each_index<shape_of<A>::size>(
            [&](auto i) { from.numbers[next++][lane] = static_cast<T>(shape_of<A>::template element<i>(one)); });
      };
      std::apply([&](const auto&... each) { (read(data_of_element(each, e)), ...); }, data);
    }
    scalar::run_elements<program, T>(scalar::elements_of_blocks<program, T, inputs, outputs>{from, to}, 0, lanes);
  }

  /// The first number of each of an element's nodes.
  std::array<std::size_t, K> first_numbers_of(std::size_t e) const {
    std::array<std::size_t, K> first;
    for_each_index<K>([&](auto slot) {
      constexpr std::size_t g = kind_of[slot];
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
        const Index* const unknowns = pattern.unknowns_before.data() + first[slot];
        constexpr std::size_t d = I - numbers::first(slot);
        if (unknowns[d] != unknowns[d + 1]) begin[static_cast<std::size_t>(unknowns[d] - unknowns[0])] += derivative(i);
      } else {
        begin[I - numbers::first(slot)] += derivative(i);
      }
    });
  }

  /// Writes the rows of the element `e` of a Jacobian.
  template <class Result>
  void write_rows(std::size_t e, std::size_t lane, const output_block& from, Result& to) const {
    const std::array<std::size_t, K> first = first_numbers_of(e);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t place = before.rows + e * rows + row;
      to.value[place] = from.numbers[row][lane];
      add_row(to.jacobian.values.data() + static_cast<std::size_t>(to.jacobian.row_begin[place]),
              to.pattern.offsets.data() + before.uses + e * K, first, to.pattern,
              [&](auto i) { return from.numbers[rows + row * n + i][lane]; });
    }
  }

  /// Adds to the gradient by one of an element's nodes and to the rows of that.
  template <std::size_t Slot, class Result>
  void add_node(std::size_t e, std::size_t lane, const output_block& from, const std::array<std::size_t, K>& first,
                Result& to) const {
    constexpr std::size_t g = kind_of[Slot], begin = numbers::first(Slot);
    T* const slopes = numbers_of_gradient<kinds, g, T>(to) + (first[Slot] - first_number[g]);
    for (std::size_t d = 0; d < kind<g>::size; ++d) slopes[d] += from.numbers[1 + begin + d][lane];
    if constexpr (V.what == derives::hessian) {
      for_each_index<kind<g>::size>([&]<std::size_t D>(std::integral_constant<std::size_t, D>) {
        std::size_t row = first[Slot] + D;
        if constexpr (some_held) {
          const Index* const unknowns = to.pattern.unknowns_before.data() + row;
          if (unknowns[0] == unknowns[1]) return;
          row = static_cast<std::size_t>(unknowns[0]);
        }
        // Outputs hold the upper triangle column by column.
        add_row(to.hessian.values.data() + static_cast<std::size_t>(to.hessian.row_begin[row]),
                to.pattern.offsets.data() + before.blocks + (e * K + Slot) * K, first, to.pattern, [&](auto j) {
                  constexpr std::size_t low = std::min<std::size_t>(begin + D, j),
                                        high = std::max<std::size_t>(begin + D, j);
                  return from.numbers[1 + n + triangle(high) + low][lane];
                });
      });
    }
  }
  /// The same for all of an element's nodes, or for one of them.
  template <class Result>
  TAPELESS_ALWAYS_INLINE void add_element(std::size_t e, std::size_t lane, const output_block& from, Result& to,
                                          std::size_t only = K) const {
    const std::array<std::size_t, K> first = first_numbers_of(e);
    for_each_index<K>([&](auto slot) {
      if (only == K || only == slot) add_node<slot>(e, lane, from, first, to);
    });
  }
};

/// A call over the elements of one or several groups, which name nodes of the same vectors.
template <verb V, class First, class... Others>
struct element_call {
  static constexpr std::size_t kinds = First::kinds, groups = 1 + sizeof...(Others);
  template <std::size_t G>
  using kind = typename First::template kind<G>;
  template <std::size_t I>
  using group = std::tuple_element_t<I, std::tuple<First, Others...>>;
  using T = typename First::T;
  using Index = typename First::Index;
  static constexpr bool fits =
      !(std::is_void_v<typename First::program> || ... || std::is_void_v<typename Others::program>);
  static constexpr bool has_numbers = (First::has_numbers && ... && Others::has_numbers);

  static constexpr auto find_result() {
    using gradient = typename First::gradient;
    if constexpr (V.what == derives::gradient)
      return assembled_gradient<T, gradient>{};
    else if constexpr (V.what == derives::hessian)
      return assembled_hessian<T, gradient, Index>{};
    else
      return assembled_jacobian<T, Index>{};
  }
  using result = decltype(find_result());

  std::tuple<First, Others...> all;
  group_counts counts{};

  explicit element_call(const First& given, const Others&... others) : all(given, others...) {
    for_each_index<groups>([&](auto i) {
      auto& each = std::get<i>(all);
      constexpr std::size_t K = group<i>::K;
      each.before = counts;
      counts.rows += each.elements * group<i>::rows, counts.uses += each.elements * K;
      counts.blocks += each.elements * K * K;
    });
  }

  /// A flag for each number of the vectors, where some may be held.
  std::vector<char> held() const {
    std::vector<char> flags;
    if constexpr (First::some_held) {
      flags.reserve(first().first_number[kinds]);
      for_each_index<kinds>([&](auto g) {
        const auto& of = std::get<g>(first().nodes);
        for (std::size_t i = 0; i < of.vector.size(); ++i)
          for (std::size_t d = 0; d < kind<g>::size; ++d) flags.push_back(of.holds(i, d));
      });
    }
    return flags;
  }

  void must_fit() const {
    for_each_index<kinds>([&](auto g) {
      const auto& of = std::get<g>(first().nodes);
      if constexpr (kind<g>::some_held)
        if (static_cast<std::size_t>(of.held.size()) != of.vector.size())
          raise<std::invalid_argument>({"assemble: ", kinds > 1 ? message({"nodes ", g.value, ": "}) : "", "held has ",
                                        of.held.size(), " flags for a vector of ", of.vector.size()});
    });
    if (first().first_number[kinds] > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
      raise<std::invalid_argument>({"assemble: the vector has more numbers than the elements' index type can count"});
    for_each_index<groups>([&](auto i) {
      std::get<i>(all).must_fit(
          [&] { return groups > 1 ? message({"assemble: sum ", i.value, ": "}) : message({"assemble: "}); });
    });
  }

  /// Whether the call reads what lies where the result is written.
  bool reads(const result& to) const {
    bool found = false;
    const auto take = [&](const auto& written) {
      const auto look = [&](const auto& read) { found = found || overlap(bytes_of(written), bytes_of(read)); };
      for_each_index<groups>([&](auto i) {
        std::apply([&](const auto&... each) { (look(each), ...); }, std::get<i>(all).data);
        std::apply([&](const auto&... each) { ((look(each.vector), look(each.picks)), ...); }, std::get<i>(all).nodes);
      });
    };
    const auto take_matrix = [&](const auto& matrix) {
      take(matrix.values), take(matrix.row_begin), take(matrix.columns);
    };
    if constexpr (V.what == derives::jacobian)
      take(to.value), take_matrix(to.jacobian);
    else
      for_each_index<kinds>([&](auto g) { take(gradient_by<kinds, g>(to)); });
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
  template <bool Existing, class Engine>
  void run(const Engine& engine, result& to) const {
    if constexpr (is_distributed<Engine>) {
      write<Existing>(to, false, [&] { engine.assemble(*this, to); });
    } else {
      must_fit();
      with_names([&](const named_nodes<Index>& named) {
        bool same = has_pattern(named, to);
        if constexpr (V.what == derives::hessian) same = same && to.pattern.of_processes == 0;
        write<Existing>(to, same, [&] {
          if constexpr (V.what == derives::jacobian) {
            if (!same) to.pattern.make_jacobian(named, counts.rows, to.jacobian);
          } else if constexpr (V.what == derives::hessian) {
            if (!same) {
              to.pattern.make_hessian(named, named.lists.size(), to.hessian);
              to.pattern.of_processes = 0;
            }
          }
          compute(engine, named, to);
        });
      });
    }
  }
  template <bool Existing, class Engine>
  static bool into(const Engine& engine, result& to, const element_call& all) {
    const bool writes = !Existing || !all.reads(to);
    if (writes) all.template run<Existing>(engine, to);
    return writes;
  }
  /// Calls `compute`. Loops may be refused there, for their numbers of steps: then an existing result is what it was.
  /// `same`: its pattern stays.
  template <bool Existing, class Compute>
  static void write(result& to, [[maybe_unused]] bool same, const Compute& compute) {
#ifdef __cpp_exceptions
    constexpr bool has_loops = (program::loops_in<typename First::program>::count + ... +
                                program::loops_in<typename Others::program>::count) > 0;
    if constexpr (Existing && has_loops) {
      result before;
      same ? copy_numbers(to, before) : void(before = to);
      try {
        return compute();
      } catch (...) {
        same ? copy_numbers(before, to) : void(to = std::move(before));
        throw;
      }
    }
#endif
    compute();
  }
  static void copy_numbers(const result& from, result& to) {
    to.value = from.value;
    if constexpr (V.what == derives::jacobian)
      to.jacobian.values = from.jacobian.values;
    else
      to.gradient = from.gradient;
    if constexpr (V.what == derives::hessian) to.hessian.values = from.hessian.values;
  }
  /// Calls `use` with the nodes that the elements name.
  template <class Use>
  void with_names(const Use& use) const {
    std::array<node_picks<Index>, groups * kinds> lists;
    for_each_index<groups>([&](auto i) { std::get<i>(all).name(i, lists.data() + i * kinds); });
    const std::vector<char> flags = held();
    use(named_nodes<Index>{lists, kinds, flags});
  }
  /// Whether the pattern of a result was made of these elements, that of a Hessian perhaps with those of other
  /// processes.
  bool has_pattern([[maybe_unused]] const named_nodes<Index>& named, [[maybe_unused]] const result& to) const {
    if constexpr (V.what == derives::jacobian)
      return to.pattern.is_of(named, to.jacobian, counts.rows);
    else if constexpr (V.what == derives::hessian)
      return to.pattern.is_of(named, to.hessian, to.pattern.unknowns.size());
    else
      return true;
  }
  /// Visits all numbers that are not of one element, one by one.
  template <class Visit>
  void visit_common(const Visit& visit) const {
    for_each_index<kinds>([&](auto g) {
      const auto& vector = std::get<g>(first().nodes).vector;
      const T* const numbers = reinterpret_cast<const T*>(vector.data());
      std::for_each_n(numbers, vector.size() * kind<g>::size, visit);
    });
    const auto take = [&]<class A>(const A& one) {
      if constexpr (!Element_range<A>)
        for_each_index<shape_of<A>::size>(
            [&](auto i) { visit(static_cast<T>(shape_of<A>::template element<i>(one))); });
    };
    for_each_index<groups>(
        [&](auto i) { std::apply([&](const auto&... each) { (take(each), ...); }, std::get<i>(all).data); });
  }
  /// Visits the sums over elements in a result: of each part where it begins, and how many numbers it has.
  template <class Visit>
  void visit_sums(result& to, const Visit& visit) const {
    visit(&to.value, std::size_t{1});
    for_each_index<kinds>([&](auto g) {
      visit(numbers_of_gradient<kinds, g, T>(to), std::get<g>(first().nodes).vector.size() * kind<g>::size);
    });
    if constexpr (V.what == derives::hessian) visit(to.hessian.values.data(), to.hessian.values.size());
  }

  /// The numbers of a result whose pattern stands.
  template <class Engine>
  void compute(const Engine& engine, const named_nodes<Index>& named, result& to) const {
    constexpr bool alone = std::is_same_v<Engine, loops::sequential>, summed = V.what != derives::jacobian;
    constexpr std::size_t parts = alone ? 1 : tuning::most_parts;
    if constexpr (V.what == derives::jacobian) {
      to.value.resize(counts.rows);
      std::fill(to.jacobian.values.begin(), to.jacobian.values.end(), T(0));
    } else {
      // Eigen's vectors do not begin as zeros.
      for_each_index<kinds>(
          [&](auto g) { gradient_by<kinds, g>(to).resize(std::get<g>(first().nodes).vector.size()); });
      visit_sums(to, [](T* part, std::size_t size) { std::fill_n(part, size, T(0)); });
      if constexpr (V.what == derives::hessian && !alone) to.pattern.share(named, parts);
    }
    std::array<T, First::lanes> sums{};
    std::array<std::size_t, parts> added{};  // of each share
    for_each_index<groups>([&](auto i) { sums = run_group<parts>(engine, std::get<i>(all), to, sums, added); });
    if constexpr (summed)
      for (const T& sum : sums) to.value += sum;
  }

 private:
  const First& first() const { return std::get<0>(all); }

  /// Adds up the elements of one group, their values to `sums`, which it returns: compilers keep copies in registers.
  /// `added` counts the uses of nodes that have been added of each share.
  template <std::size_t Parts, class Engine, class Group>
  static auto run_group(const Engine& engine, const Group of, result& to, std::array<T, First::lanes> sums,
                        std::array<std::size_t, Parts>& added) {
    constexpr bool alone = Parts == 1, summed = V.what != derives::jacobian;
    constexpr std::size_t blocks = alone ? 1 : 16, lanes = Group::lanes, together = Parts * blocks * lanes;
    const auto run_parts = [&](std::size_t count, const auto& body) {
      if constexpr (alone)
        for (std::size_t i = 0; i < count; ++i) body(static_cast<std::ptrdiff_t>(i));
      else
        run_parts_by(engine, static_cast<std::ptrdiff_t>(count), body);
    };
    std::vector<typename Group::output_block> computed(Parts * blocks);
    for (std::size_t begin = 0; begin < of.elements; begin += together) {
      const std::size_t count = std::min(together, of.elements - begin);
      const std::size_t used = (count + blocks * lanes - 1) / (blocks * lanes);
      run_parts(used, [&](std::ptrdiff_t part) {
        const std::size_t from = static_cast<std::size_t>(part) * blocks * lanes,
                          end = std::min(from + blocks * lanes, count);
        for (std::size_t i = from; i < end; i += lanes) of.compute(begin + i, computed[i / lanes]);
        // An element has rows of its own in a Jacobian.
        if constexpr (!summed)
          for (std::size_t i = from; i < end; ++i) of.write_rows(begin + i, i % lanes, computed[i / lanes], to);
      });
      if constexpr (summed) {
        for (std::size_t i = 0; i < count; ++i) sums[i % lanes] += computed[i / lanes].numbers[0][i % lanes];
        if constexpr (alone || V.what == derives::gradient)
          for (std::size_t i = 0; i < count; ++i) of.add_element(begin + i, i % lanes, computed[i / lanes], to);
        else
          run_parts(Parts, [&](std::ptrdiff_t part) {
            const std::vector<std::size_t>& uses = to.pattern.shares[static_cast<std::size_t>(part)];
            std::size_t& next = added[static_cast<std::size_t>(part)];
            for (; next < uses.size() && uses[next] < of.before.uses + (begin + count) * Group::K; ++next) {
              const std::size_t use = uses[next] - of.before.uses, e = use / Group::K, i = e - begin;
              of.add_element(e, i % lanes, computed[i / lanes], to, use % Group::K);
            }
          });
      }
    }
    return sums;
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
