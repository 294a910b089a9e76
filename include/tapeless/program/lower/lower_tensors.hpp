#pragma once

#include <tapeless/program/lower/tensor_lowering.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace tapeless::program {

template <bool Explicit, class Formulas, class... Leaves>
class lower_tensors_as;
template <bool Explicit, template <class...> class List, class... Es, class... Leaves>
class lower_tensors_as<Explicit, List<Es...>, Leaves...> {
  /// A formula has one value, a function may have several.
  static constexpr void append(growing_array<tensor_value>& to, const tensor_value& value) { to.push_back(value); }
  static constexpr void append(growing_array<tensor_value>& to, const growing_array<tensor_value>& values) {
    to.append(values.data, values.size);
  }

 public:
  // The last stands for every variable that is not bound.
  static constexpr std::array<leaf_description, sizeof...(Leaves) + 1> leaves = [] {
    std::array<leaf_description, sizeof...(Leaves) + 1> result{};
    std::size_t next = 0;
    const auto describe = [&](std::string_view name, bool column_major, bool of_batch, const auto& extents) {
      leaf_description& leaf = result[next++];
      leaf.name = name;
      leaf.of_batch = of_batch;
      leaf.column_major = column_major;
      leaf.rank = static_cast<int>(extents.size());
      for (std::size_t i = 0; i < extents.size(); ++i) leaf.extents[i] = extents[i];
    };
    (describe(Leaves::variable_type::name, Leaves::column_major, Leaves::of_batch, Leaves::extents), ...);
    return result;
  }();

  static constexpr builder run(bool plain = false,
                               tensor_lowering to = tensor_lowering(leaves.data(), static_cast<int>(leaves.size()),
                                                                    Explicit)) {
    to.graph.stay_plain(plain);
    growing_array<tensor_value> values;
    (append(values, detail::lower_as<Es>::run(to)), ...);
    if (to.refused()) return std::move(to.graph);
    return to.finish(values.data, values.size);
  }
};

/// Formulas, one an output, with tensors bound as `Leaves` say, to a program.
template <class Formulas, class... Leaves>
using lower_tensors = lower_tensors_as<false, Formulas, Leaves...>;
/// The same, with explicit axes.
template <class Formulas, class... Leaves>
using lower_tensors_explicitly = lower_tensors_as<true, Formulas, Leaves...>;

}  // namespace tapeless::program
