#ifndef TAPELESS_PROGRAM_LOWER_TENSORS_HPP
#define TAPELESS_PROGRAM_LOWER_TENSORS_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/program/tensor_lowering.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace tapeless::program {

namespace detail {

template <class E>
struct lower_tensor_as : lower_tensor_as<typename E::definition> {};

template <TAPELESS_NAME Name>
struct lower_tensor_as<variable_of<Name>> {
  static constexpr tensor_value run(tensor_lowering& to) {
    const type_key type = key_of<variable_of<Name>>;
    if (const tensor_value* known = to.find(type)) return *known;
    return to.remember(type, to.variable(TAPELESS_NAME_TEXT(Name)));
  }
};
template <std::intmax_t N, std::intmax_t D>
struct lower_tensor_as<Constant<N, D>> {
  static constexpr tensor_value run(tensor_lowering& to) { return to.scalar(to.graph.constant({N, D, 0.0})); }
};
template <class T>
struct lower_tensor_as<Number<T>> {
  static constexpr tensor_value run(tensor_lowering& to) { return to.scalar(to.graph.number(to.graph.numbers++)); }
};
template <class E, TAPELESS_NAME Name>
struct lower_tensor_as<StopGradient<E, Name>> {
  static constexpr tensor_value run(tensor_lowering& to) { return to.stop(lower_tensor_as<E>::run(to)); }
};
template <class Op>
struct lower_tensor_as<Apply<Op>> {
  static constexpr tensor_value run(tensor_lowering& to) {
    return to.scalar(to.graph.append_as_is(info<Op>, nullptr, 0));
  }
};
template <class Op, class... Es>
struct lower_tensor_as<Apply<Op, Es...>> {
  static constexpr tensor_value run(tensor_lowering& to) {
    constexpr bool shared = (std::is_empty_v<Es> && ...);
    const type_key type = key_of<Apply<Op, Es...>>;
    if (shared)
      if (const tensor_value* known = to.find(type)) return *known;
    tensor_value operands[] = {lower_tensor_as<Es>::run(to)...};
    const tensor_value result = lower(to, operands, std::index_sequence_for<Es...>{});
    return shared ? to.remember(type, result) : result;
  }

 private:
  template <std::size_t... I>
  static constexpr tensor_value lower(tensor_lowering& to, tensor_value* operands, std::index_sequence<I...>) {
    if constexpr (requires { Op::lower(to, operands[I]...); })
      return Op::lower(to, operands[I]...);
    else if constexpr (sizeof...(Es) == 1 && std::same_as<Op, operation::Norm>)
      return to.template over_axes<operation::NormOver>(operands[0], nullptr, 0, false);
    else if constexpr (sizeof...(Es) == 1 && std::same_as<Op, operation::LogSumExp>)
      return to.template over_axes<operation::LogSumExpOver>(operands[0], nullptr, 0, false);
    else if constexpr (sizeof...(Es) == 1 && std::same_as<Op, operation::Max>)
      return to.template over_axes<operation::AMax>(operands[0], nullptr, 0, false);
    else if constexpr (sizeof...(Es) == 1 && std::same_as<Op, operation::Min>)
      return to.template over_axes<operation::AMin>(operands[0], nullptr, 0, false);
    else
      return to.elementwise(info<Op>, operands, sizeof...(Es));
  }
};

}  // namespace detail

template <bool Apart, class Formulas, class... Leaves>
class lower_tensors_as;
template <bool Apart, template <class...> class List, class... Es, class... Leaves>
class lower_tensors_as<Apart, List<Es...>, Leaves...> {
  static constexpr void append(growing_array<tensor_value>& to, const tensor_value& value) { to.push_back(value); }
  static constexpr void append(growing_array<tensor_value>& to, const growing_array<tensor_value>& values) {
    for (const tensor_value& value : values) to.push_back(value);
  }
  /// A formula has one value, a function may have several.
  static constexpr growing_array<tensor_value> lower_all(tensor_lowering& to) {
    growing_array<tensor_value> values;
    (append(values, detail::lower_tensor_as<Es>::run(to)), ...);
    return values;
  }

 public:
  // The last stands for every variable that is not bound.
  static constexpr std::array<leaf_description, sizeof...(Leaves) + 1> leaves = [] {
    std::array<leaf_description, sizeof...(Leaves) + 1> result{};
    std::size_t next = 0;
    const auto describe = [&](std::string_view name, bool column_major, const auto& extents) {
      leaf_description& leaf = result[next++];
      leaf.name = name;
      leaf.column_major = column_major;
      leaf.rank = static_cast<int>(extents.size());
      for (std::size_t i = 0; i < extents.size(); ++i) leaf.extents[i] = extents[i];
    };
    (describe(Leaves::variable_type::name, Leaves::column_major, Leaves::extents), ...);
    return result;
  }();

  static constexpr tensor_problem problem = [] {
    tensor_lowering to(leaves.data(), static_cast<int>(leaves.size()), Apart);
    lower_all(to);
    return to.problem;
  }();

  static constexpr builder run() {
    tensor_lowering to(leaves.data(), static_cast<int>(leaves.size()), Apart);
    growing_array<tensor_value> values = lower_all(to);
    return to.finish(values.data, values.size);
  }
};

/// Formulas, one an output, with tensors bound as `Leaves` say, to a program.
template <class Formulas, class... Leaves>
struct lower_tensors : lower_tensors_as<false, Formulas, Leaves...> {};
/// The same, with axes apart.
template <class Formulas, class... Leaves>
struct lower_tensors_apart : lower_tensors_as<true, Formulas, Leaves...> {};

}  // namespace tapeless::program

#endif
