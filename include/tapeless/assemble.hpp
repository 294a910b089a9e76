#ifndef TAPELESS_ASSEMBLE_HPP
#define TAPELESS_ASSEMBLE_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Partially separable functions: sums over elements, each a function of a few entries of one long vector, which an
/// index array picks: finite elements, pose graphs, mesh energies. A verb of the element's function becomes that of the
/// sum.
#include <tapeless/evaluate/element_loop.hpp>
#include <tapeless/evaluate/engine.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/gradient/hessian.hpp>
#include <tapeless/gradient/into.hpp>
#include <tapeless/gradient/jacobian.hpp>
#include <tapeless/gradient/result/element_pattern.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless {

/// The sum over elements and its gradient, an entry for each of the vector's.
template <class T, class Node>
struct assembled_gradient {
  T value{};
  std::vector<Node> gradient;
};
/// The same with the Hessian, all of a symmetric matrix. Rows and columns are the vector's numbers.
template <class T, class Node, class Index>
struct assembled_hessian {
  T value{};
  std::vector<Node> gradient;
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

template <class Kind, class F>
struct assembly;

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

/// A call over elements of `K` entries of type `Node`, with data of the types `Data`.
template <assembled Kind, class F, class Node, class Index, std::size_t K, class... Data>
struct element_call {
  template <std::size_t>
  using node = Node;
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

  using T = function_real_t<Node, element_data_t<Data>...>;
  static constexpr std::size_t size = shape_of<Node>::size, n = K * size;
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
    if constexpr (Kind == assembled::gradient)
      return assembled_gradient<T, Node>{};
    else if constexpr (Kind == assembled::hessian)
      return assembled_hessian<T, Node, Index>{};
    else
      return assembled_jacobian<T, Index>{};
  }
  using result = decltype(find_result());

  std::span<const Node> x;
  std::span<const std::array<Index, K>> elements;
  std::tuple<const Data&...> data;

  std::span<const Index> indices() const {
    return {elements.empty() ? nullptr : elements.front().data(), elements.size() * K};
  }

  void check() const {
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (const Index i : elements[e])
        if (i < Index(0) || static_cast<std::size_t>(i) >= x.size())
          throw std::invalid_argument("tapeless: assemble: element " + std::to_string(e) + " names entry " +
                                      std::to_string(i) + " of a vector of " + std::to_string(x.size()));
    if (x.size() * size > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
      throw std::invalid_argument(
          "tapeless: assemble: the vector has more numbers than the elements' index type counts");
    std::size_t position = 0;
    const auto check_size = [&](const auto& each) {
      if constexpr (Element_range<std::remove_cvref_t<decltype(each)>>)
        if (static_cast<std::size_t>(each.size()) != elements.size())
          throw std::invalid_argument("tapeless: assemble: data " + std::to_string(position) + " has " +
                                      std::to_string(each.size()) + " entries for " + std::to_string(elements.size()) +
                                      " elements");
      ++position;
    };
    std::apply([&](const auto&... each) { (check_size(each), ...); }, data);
  }

  /// Computes the elements from `first` on.
  void compute(std::size_t first, output_block& to) const {
    scalar::element_block<T, inputs> from;
    const T* const entries = reinterpret_cast<const T*>(x.data());
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t e = std::min(first + lane, elements.size() - 1);
      for (std::size_t k = 0; k < K; ++k)
        for (std::size_t d = 0; d < size; ++d)
          from.numbers[k * size + d][lane] = entries[static_cast<std::size_t>(elements[e][k]) * size + d];
      std::size_t next = n;
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

  /// Adds the elements from `first` on to the result, one after the other.
  void add(std::size_t first, const output_block& from, std::array<T, lanes>& sums, result& to) const {
    const std::size_t count = std::min(lanes, elements.size() - first);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::size_t e = first + lane;
      if constexpr (Kind == assembled::jacobian) {
        for (std::size_t row = 0; row < rows; ++row) {
          to.value[e * rows + row] = from.numbers[row][lane];
          T* const begin = to.jacobian.values.data() + static_cast<std::size_t>(to.jacobian.row_begin[e * rows + row]);
          for (std::size_t k = 0; k < K; ++k)
            for (std::size_t d = 0; d < size; ++d)
              begin[static_cast<std::size_t>(to.pattern.offsets[e * K + k]) + d] +=
                  from.numbers[rows + row * n + k * size + d][lane];
        }
      } else {
        sums[lane] += from.numbers[0][lane];
        T* const gradient = reinterpret_cast<T*>(to.gradient.data());
        for (std::size_t k = 0; k < K; ++k)
          for (std::size_t d = 0; d < size; ++d)
            gradient[static_cast<std::size_t>(elements[e][k]) * size + d] += from.numbers[1 + k * size + d][lane];
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
      const std::size_t row = static_cast<std::size_t>(elements[e][I / size]) * size + I % size;
      T* const begin = to.hessian.values.data() + static_cast<std::size_t>(to.hessian.row_begin[row]);
      ((begin[static_cast<std::size_t>(offsets[I / size * K + J / size]) + J % size] +=
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
      if (!to.pattern.is_of(indices(), x.size(), elements.size() * rows, to.jacobian))
        to.pattern.make_jacobian(indices(), x.size(), K, size, rows, to.jacobian);
      to.value.resize(elements.size() * rows);
      std::fill(to.jacobian.values.begin(), to.jacobian.values.end(), T(0));
    } else {
      // Eigen's vectors do not begin as zeros.
      to.gradient.resize(x.size());
      std::fill_n(reinterpret_cast<T*>(to.gradient.data()), x.size() * size, T(0));
      if constexpr (Kind == assembled::hessian) {
        if (!to.pattern.is_of(indices(), x.size(), x.size() * size, to.hessian))
          to.pattern.make_hessian(indices(), x.size(), K, size, to.hessian);
        std::fill(to.hessian.values.begin(), to.hessian.values.end(), T(0));
      }
    }
    std::array<T, lanes> sums{};
    constexpr bool alone = std::is_same_v<Engine, in_turn>;
    constexpr std::size_t parts = alone ? 1 : 64, blocks = alone ? 1 : 16, together = parts * blocks * lanes;
    std::vector<output_block> computed(parts * blocks);
    for (std::size_t begin = 0; begin < elements.size(); begin += together) {
      const std::size_t count = std::min(together, elements.size() - begin);
      const std::size_t used = (count + blocks * lanes - 1) / (blocks * lanes);
      engine(static_cast<std::ptrdiff_t>(used), [&](std::ptrdiff_t part) {
        for (std::size_t b = 0; b < blocks; ++b) {
          const std::size_t block = static_cast<std::size_t>(part) * blocks + b;
          if (block * lanes < count) compute(begin + block * lanes, computed[block]);
        }
      });
      for (std::size_t block = 0; block * lanes < count; ++block) add(begin + block * lanes, computed[block], sums, to);
    }
    if constexpr (Kind != assembled::jacobian) {
      to.value = T(0);
      for (const T& sum : sums) to.value += sum;
    }
  }
};

}  // namespace detail

/// A verb of a sum over elements; made by `assemble`.
template <detail::assembled Kind, class F>
class assembled_verb {
  template <class X, class Elements, class... Data>
  struct call_of {
    using node = std::remove_cvref_t<decltype(*std::declval<const X&>().data())>;
    using element = std::remove_cvref_t<decltype(*std::declval<const Elements&>().data())>;
    using index = typename element::value_type;
    using type = detail::element_call<Kind, F, node, index, std::tuple_size_v<element>, Data...>;
  };
  template <class Engine, class Result, class X, class Elements, class... Data>
  static void run(const Engine& engine, Result& to, const X& x, const Elements& elements, const Data&... data) {
    using call = typename call_of<X, Elements, Data...>::type;
    static_assert(sizeof(typename call_of<X, Elements, Data...>::node) == call::size * sizeof(typename call::T),
                  "tapeless: assemble: the entries of the vector are numbers, or arrays of numbers, of one type");
    const call all{{x.data(), static_cast<std::size_t>(x.size())},
                   {elements.data(), static_cast<std::size_t>(elements.size())},
                   {data...}};
    if (lies_in(to, x) || (lies_in(to, data) || ...)) {
      Result apart{};
      all.run(engine, apart);
      to = std::move(apart);
    } else
      all.run(engine, to);
  }
  /// Whether numbers of the argument lie where the result is written.
  template <class Result, class A>
  static bool lies_in(const Result& to, const A& argument) {
    const auto bytes = [](const auto& a) -> std::pair<const char*, const char*> {
      if constexpr (requires { a.data() + a.size(); })
        return {reinterpret_cast<const char*>(a.data()), reinterpret_cast<const char*>(a.data() + a.size())};
      else
        return {reinterpret_cast<const char*>(&a), reinterpret_cast<const char*>(&a + 1)};
    };
    const auto [first, last] = bytes(argument);
    const auto meets = [&, begin = first, end = last](const auto& numbers) {
      const auto [low, high] = bytes(numbers);
      return std::less<>{}(begin, high) && std::less<>{}(low, end);
    };
    if constexpr (requires { to.jacobian; })
      return meets(to.value) || meets(to.jacobian.values);
    else if constexpr (requires { to.hessian; })
      return meets(to.gradient) || meets(to.hessian.values);
    else
      return meets(to.gradient);
  }

 public:
  /// The value and derivatives of the sum of `f(x[e[0]], x[e[1]], ..., data[i]...)` over the rows e of `elements`, the
  /// i-th row with the i-th entry of what is a vector among the data; other data are the same for all. `x` is a vector
  /// of numbers or of `std::array`s of them, `elements` one of `std::array`s of indices.
  ///
  /// Cost: linear in the number of elements. Throws `std::invalid_argument` where an index is out of range or data have
  /// another size.
  template <class X, class Elements, class... Data>
    requires(!detail::Execution_policy<X>)
  auto operator()(const X& x, const Elements& elements, const Data&... data) const {
    using call = typename call_of<X, Elements, Data...>::type;
    constexpr bool fits = !std::is_void_v<typename call::program>;
    static_assert(
        fits,
        "tapeless: assemble calls the function with an element's entries of x and its data, which it does not "
        "take; call the verb itself with those of one element to see why");
    if constexpr (fits) {
      typename call::result to{};
      run(detail::in_turn{}, to, x, elements, data...);
      return to;
    } else {
      return detail::no_result{};
    }
  }
  /// The same into the result of an earlier call, whose pattern is kept where elements are the same: no allocation
  /// but of one block.
  template <class Result, class X, class Elements, class... Data>
  void operator()(const into_result<Result>& to, const X& x, const Elements& elements, const Data&... data) const {
    run(detail::in_turn{}, *to.result, x, elements, data...);
  }
  /// On several threads, <tapeless/parallel.hpp>: `assemble(hessian(f))(std::execution::par, x, elements)`. Elements
  /// are computed at the same time and added in their order: results are those of a call without a policy, bit for bit.
  template <detail::Execution_policy Policy, class X, class Elements, class... Data>
  auto operator()(const Policy& policy, const X& x, const Elements& elements, const Data&... data) const {
    typename call_of<X, Elements, Data...>::type::result to{};
    run(detail::engine_of<Policy>{policy}, to, x, elements, data...);
    return to;
  }
  template <detail::Execution_policy Policy, class Result, class X, class Elements, class... Data>
  void operator()(const Policy& policy, const into_result<Result>& to, const X& x, const Elements& elements,
                  const Data&... data) const {
    run(detail::engine_of<Policy>{policy}, *to.result, x, elements, data...);
  }
};

/// The verb of a sum over elements: `assemble(value_and_gradient(f))(x, elements, data...)` has `.value` and
/// `.gradient`; `assemble(hessian(f))` these and `.hessian`, `assemble(jacobian(r))` `.value` and `.jacobian`, in
/// compressed rows: `.values`, `.row_begin`, `.columns`.
template <detail::verb V, class F, class Policy>
  requires((V.what == detail::derives::gradient && V.with_value) || V.what == detail::derives::hessian ||
           V.what == detail::derives::jacobian)
constexpr auto assemble(const function_verb<V, F, std::index_sequence<>, Policy, detail::nothing_further>&) {
  using detail::assembled;
  return assembled_verb<V.what == detail::derives::gradient  ? assembled::gradient
                        : V.what == detail::derives::hessian ? assembled::hessian
                                                             : assembled::jacobian,
                        F>{};
}
template <class... Ts>
constexpr auto assemble(const Ts&...) {
  static_assert(detail::is_reported<Ts...>,
                "tapeless: assemble takes value_and_gradient(f), hessian(f) or jacobian(f) of a function of an "
                "element's entries, without wrt");
  return detail::no_result{};
}

}  // namespace tapeless

#endif
