#pragma once

#include <tapeless/emit/writer.hpp>
#include <tapeless/gradient/function/argument_layout.hpp>
#include <tapeless/gradient/verb.hpp>
#include <tapeless/gradient/wrt.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tapeless::detail {

/// What variable number `v` of a function is in C: a leaf of an argument, or, if the argument has numbers only, with
/// all of these; of a formula a variable with a name.
template <class... Args>
constexpr c_parameter parameter_of_leaf(argument_layout<Args...>, int v, std::string_view, const auto& tensors) {
  using layout = argument_layout<Args...>;
  const std::size_t position = layout::position(static_cast<std::size_t>(v));
  const auto first = static_cast<int>(layout::first(position)), end = static_cast<int>(layout::first(position + 1));
  bool numbers = end > first + 1;
  for (int k = first; k < end; ++k) numbers = numbers && tensors[static_cast<std::size_t>(k)].rank == 0;
  const int member = numbers || end == first + 1 ? -1 : v - first;
  return {"x", static_cast<int>(position), v, numbers ? end - first : 1, !numbers, false, true, member};
}
struct named_variables {};
constexpr c_parameter parameter_of_leaf(named_variables, int v, std::string_view name, const auto&) {
  return {name, -1, v};
}

/// The parameters and results of the verb `V` over tensors, whose results are `Results`; `Layout` says how the
/// arguments become variables.
template <verb V, class Results, class Layout>
struct nests_of_call {
  using call = typename Results::call;
  using S = typename call::S;
  static constexpr auto& lowered = S::program;
  static constexpr int inputs = static_cast<int>(call::source::value.variables.size());
  static constexpr int variables_and_seeds = static_cast<int>(lowered.variables.size());

  static constexpr auto outputs = [] {
    std::array<program::tensor_access, S::outputs> result{};
    for (std::size_t o = 0; o < S::outputs; ++o) result[o] = S::output_access(o);
    return result;
  }();
  static constexpr auto values = [] {
    std::array<program::tensor_access, call::outputs> result{};
    for (std::size_t o = 0; o < call::outputs; ++o)
      result[o] = lowered.accesses[static_cast<std::size_t>(program::access_of_output<typename call::source>(o))];
    return result;
  }();
  static constexpr auto tensors = [] {
    std::array<c_tensor, lowered.variables.size()> result{};
    for (std::size_t v = 0; v < result.size(); ++v) {
      const std::string_view name = lowered.variables[v];
      for (const auto& leaf : call::operand::lowering::leaves)
        if (!leaf.name.empty() && leaf.name == name) result[v].rank = leaf.rank, result[v].extents = leaf.extents;
      const int seed = static_cast<int>(v) - inputs;
      if (seed < 0) continue;
      if (const int like = call::seeded[static_cast<std::size_t>(seed)]; like >= 0) {
        result[v] = result[static_cast<std::size_t>(like)];
        result[v].like = like;
      } else {
        result[v] = {values[static_cast<std::size_t>(seed)].rank, {}, -1, seed};
        result[v].extents.fill(-1);
      }
    }
    return result;
  }();
  static constexpr auto axes = program::as_array(
      [] { return c_axes_of(static_cast<int>(S::axes), tensors, lowered.accesses, values, lowered.axis_rules); });
  static constexpr c_nests nests{S::steps, S::kernels, S::buffers, lowered.axis_rules, outputs, axes};
  static constexpr int extents = [] {
    std::int64_t count = 0;
    for (const c_axis& axis : axes)
      if (axis.kind == c_axis::of::parameter && axis.number >= count) count = axis.number + 1;
    return static_cast<int>(count);
  }();

  static constexpr c_shape shape_of_variable(int v) {
    c_shape shape{tensors[static_cast<std::size_t>(v)].rank, {}};
    for (std::size_t k = 0; k < static_cast<std::size_t>(shape.rank); ++k)
      shape.axes[k] = axes[S::axes + static_cast<std::size_t>(v * program::max_rank) + k];
    return shape;
  }
  static constexpr c_shape shape_of_output(std::size_t o) {
    c_shape shape{outputs[o].rank, {}};
    for (std::size_t k = 0; k < static_cast<std::size_t>(shape.rank); ++k)
      if (const int id = outputs[o].axes[k]; id >= 0) shape.axes[k] = axes[static_cast<std::size_t>(id)];
    return shape;
  }

  static constexpr auto value = program::as_array([] {
    program::growing_array<c_parameter> all;
    for (int v = 0; v < variables_and_seeds; v += all[all.size - 1].count) {
      const int seed = variables_and_seeds - inputs > 1 ? v - inputs : -1;
      c_parameter p{"seed", seed, v, 1, true, false, true};
      if (v < inputs) p = parameter_of_leaf(Layout{}, v, lowered.variables[static_cast<std::size_t>(v)], tensors);
      p.shape = shape_of_variable(v);
      p.is_number = p.is_number && p.shape.rank == 0;
      all.push_back(p);
    }
    return all;
  });
  static constexpr auto results = program::as_array([] {
    program::growing_array<c_result> all;
    int next = 0;
    const auto add_values = [&](std::string_view name) {
      constexpr int count = static_cast<int>(call::outputs);
      for (int k = 0; k < count; ++k, ++next)
        all.push_back({name, count > 1 ? k : -1, next, 1, 0, shape_of_output(static_cast<std::size_t>(next))});
    };
    if (V.with_value || V.what == derives::nothing) add_values("value");
    if (V.what == derives::tangent) add_values("tangent");
    const auto add_derivatives = [&]<class... Us>(wrt_variables<Us...>) {
      int k = 0;
      const auto add = [&](int v, std::size_t first, std::size_t pieces) {
        if (v >= 0)
          all.push_back({V.what == derives::hessian_product ? "product" : "gradient", sizeof...(Us) > 1 ? k++ : -1,
                         static_cast<int>(first), static_cast<int>(pieces), 0, shape_of_variable(v)});
      };
      (add(call::template index<Us>, call::template first_piece<Us>, call::template pieces<Us>), ...);
    };
    if constexpr (V.by_variables()) add_derivatives(typename Results::variables{});
    return all;
  });
};

}  // namespace tapeless::detail
