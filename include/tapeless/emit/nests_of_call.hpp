#pragma once

#include <tapeless/emit/function.hpp>
#include <tapeless/emit/nests_of_program.hpp>
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/gradient/verb.hpp>
#include <tapeless/gradient/wrt.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail {

/// Of tensors of integers how many bits each has, negative where they have no sign; of others 0.
template <class Tensor>
constexpr int bits_of_elements() {
  if constexpr (requires { typename Tensor::tensor_type; }) return bits_of_elements<typename Tensor::tensor_type>();
  if constexpr (requires { typename tensor_traits<Tensor>::element; })
    if constexpr (std::integral<typename tensor_traits<Tensor>::element> && !std::is_arithmetic_v<Tensor>)
      return static_cast<int>(8 * sizeof(typename tensor_traits<Tensor>::element)) *
             (std::is_signed_v<typename tensor_traits<Tensor>::element> ? 1 : -1);
  return 0;
}
template <class Arg, std::size_t I>
using leaf_type = std::remove_cvref_t<decltype(shape_of<Arg>::template element<I>(std::declval<const Arg&>()))>;
/// What the inputs are in C: of a function over tensors an argument that has nothing but numbers, or integers, or else
/// each leaf of one; of another each argument; of a formula each variable.
template <bool OverTensors, class... Args>
constexpr program::growing_array<c_parameter> inputs_in_c(argument_layout<Args...>, const auto&) {
  program::growing_array<c_parameter> all;
  const auto add = [&]<class Arg, std::size_t... I>(std::type_identity<Arg>, std::index_sequence<I...>) {
    const int position = all.size == 0 ? 0 : all[all.size - 1].number + 1, size = static_cast<int>(sizeof...(I));
    c_parameter p{"x", position, 0, size, Numeric<Arg>, is_vector<Arg> || Sequence_argument<Arg>, true};
    if constexpr (!OverTensors) return all.push_back(p);
    p = {"x", position, 0, 1, true, false, true};
    const auto leaf = [&]<class Leaf>(std::type_identity<Leaf>) {
      p.is_integer = std::integral<Leaf>, p.bits = bits_of_elements<Leaf>();
      if (size > 1) ++p.member;
      all.push_back(p);
    };
    constexpr bool integers = (std::integral<leaf_type<Arg, I>> && ...);
    if constexpr (!Numeric<Arg> && (integers || (std::floating_point<leaf_type<Arg, I>> && ...)))
      p.is_number = false, p.count = size, p.is_integer = integers, all.push_back(p);
    else
      (leaf(std::type_identity<leaf_type<Arg, I>>{}), ...);
  };
  (add(std::type_identity<Args>{}, std::make_index_sequence<shape_of<Args>::size>{}), ...);
  return all;
}
template <class... Bindings>
struct named_variables {};
template <bool, class... Bindings>
constexpr program::growing_array<c_parameter> inputs_in_c(named_variables<Bindings...>, const auto& names) {
  program::growing_array<c_parameter> all;
  for (const std::string_view name : names) {
    all.push_back({name});
    (void(name == Bindings::variable_type::name
              ? all[all.size - 1].bits = bits_of_elements<typename Bindings::value_type>()
              : 0),
     ...);
  }
  return all;
}

/// The tensors that the variables of a program are, where `Leaves` describe those of the operand.
template <class Leaves>
constexpr c_tensor tensor_of_variable(std::string_view name, const Leaves& leaves) {
  c_tensor result;
  for (const auto& leaf : leaves)
    if (!leaf.name.empty() && leaf.name == name) {
      result.rank = leaf.rank;
      for (std::size_t k = 0; k < static_cast<std::size_t>(leaf.rank); ++k)
        result.axes[k] =
            leaf.extents[k] < 0 ? c_axis{} : c_axis{c_axis::of::constant, static_cast<std::int64_t>(leaf.extents[k])};
    }
  return result;
}
/// How the outputs of the operand `Source` lie, of a program with these accesses.
template <class Source, class Accesses>
constexpr auto accesses_of_values(const Accesses& accesses) {
  std::array<program::tensor_access, Source::value.outputs.size()> result{};
  for (std::size_t o = 0; o < result.size(); ++o)
    result[o] = accesses[static_cast<std::size_t>(program::access_of_output<Source>(o))];
  return result;
}

/// The variables of the call `Call`: its inputs, and tangents or cotangents.
template <class Call>
struct head_of_call {
  static constexpr auto& program = Call::S::program;
  static constexpr int axes = static_cast<int>(Call::S::axes);
  static constexpr auto& names = Call::source::value.variables;
  static constexpr int inputs = static_cast<int>(names.size());
  static constexpr auto values = accesses_of_values<typename Call::source>(program.accesses);
  static constexpr auto tensors = [] {
    std::array<c_tensor, program.variables.size()> result{};
    for (std::size_t v = 0; v < result.size(); ++v) {
      result[v] = tensor_of_variable(program.variables[v], Call::operand::lowering::leaves);
      const int seed = static_cast<int>(v) - inputs;
      if (seed < 0) continue;
      if (const int like = Call::seeded[static_cast<std::size_t>(seed)]; like >= 0) {
        result[v] = result[static_cast<std::size_t>(like)];
        result[v].like = like;
      } else {
        result[v] = {{values[static_cast<std::size_t>(seed)].rank, {}}, -1, seed};
      }
    }
    return result;
  }();
};

/// The parameters and the program of the call `Call` over tensors; `Layout` says how the arguments become variables.
template <class Call, class Layout>
struct planned_call {
  using Head = head_of_call<Call>;
  using source = typename Call::source;
  using T = typename Call::T;
  using nests = nests_of_program<typename Call::P, typename Call::S, T, planned_call, 0>;
  static constexpr const c_source& head = nests::written::value;
  static constexpr int inputs = Head::inputs, variables = static_cast<int>(Head::tensors.size());
  static constexpr auto axes = program::as_array([] {
    return c_axes_of(Head::axes, Head::tensors, Head::program.accesses, Head::values, Head::program.axis_rules);
  });
  static constexpr int extents = [] {
    std::int64_t count = 0;
    for (const c_axis& axis : axes)
      if (axis.kind == c_axis::of::parameter && axis.number >= count) count = axis.number + 1;
    return static_cast<int>(count);
  }();

  static constexpr c_shape shape_of_variable(int v) {
    c_shape shape = Head::tensors[static_cast<std::size_t>(v)];
    for (std::size_t k = 0; k < static_cast<std::size_t>(shape.rank); ++k)
      shape.axes[k] = axes[static_cast<std::size_t>(Head::axes + v * program::max_rank) + k];
    return shape;
  }
  static constexpr c_shape shape_of(const program::tensor_access& access) {
    c_shape shape{access.rank, {}};
    for (std::size_t k = 0; k < static_cast<std::size_t>(shape.rank); ++k)
      shape.axes[k] =
          access.axes[k] < 0 ? c_axis{c_axis::of::constant, 1} : axes[static_cast<std::size_t>(access.axes[k])];
    return shape;
  }
  static constexpr auto value = program::as_array([] {
    program::growing_array<c_parameter> all;
    int v = 0, integer = variables;
    for (c_parameter p : inputs_in_c<true>(Layout{}, Head::names)) {
      p.first = p.is_integer ? integer : v;
      (p.is_integer ? integer : v) += p.count;
      if (!p.is_integer) p.shape = shape_of_variable(p.first);
      p.is_number = p.is_number && p.shape.rank == 0;
      all.push_back(p);
    }
    for (; v < variables; ++v) {
      const c_shape shape = shape_of_variable(v);
      all.push_back(
          {"seed", variables - inputs > 1 ? v - inputs : -1, v, 1, shape.rank == 0, false, true, -1, false, 0, shape});
    }
    return all;
  });
};

/// The results of a call that is no matrix, with numbers from `first` on, and the sums that they are.
struct c_named_results {
  program::growing_array<c_result> results;
  program::growing_array<c_sum> sums;

  constexpr void add(std::string_view name, int number, int first, int count, const c_shape& shape, int before) {
    sums.push_back({before + results.size, first, count, shape});
    results.push_back({name, number, 0, 0, 0, shape});
  }
};
template <verb V, class Results, class Parameters>
constexpr c_named_results results_of_call(int before = 0) {
  using call = typename Results::call;
  c_named_results all;
  int next = 0;
  const auto add_values = [&](std::string_view name) {
    constexpr int count = static_cast<int>(call::outputs);
    for (int k = 0; k < count; ++k, ++next)
      all.add(name, count > 1 ? k : -1, next, 1,
              Parameters::shape_of(call::S::output_access(static_cast<std::size_t>(next))), before);
  };
  if (V.with_value || V.what == derives::nothing) add_values("value");
  if (V.what == derives::tangent) add_values("tangent");
  const auto add_derivatives = [&]<class... Us>(wrt_variables<Us...>) {
    int k = 0;
    const auto add = [&](int v, std::size_t first, std::size_t pieces) {
      if (v >= 0)
        all.add(V.what == derives::hessian_product ? "product" : "gradient", sizeof...(Us) > 1 ? k++ : -1,
                static_cast<int>(first), static_cast<int>(pieces), Parameters::shape_of_variable(v), before);
    };
    (add(call::template index<Us>, call::template first_piece<Us>, call::template pieces<Us>), ...);
  };
  if constexpr (V.by_variables()) add_derivatives(typename Results::variables{});
  return all;
}

/// The parameters, results and programs of the verb `V` over tensors, whose results are `Results`.
template <verb V, class Results, class Layout>
struct nests_of_call : planned_call<typename Results::call, Layout> {
  using parameters = planned_call<typename Results::call, Layout>;
  using parameters::head;
  static constexpr bool exists = parameters::nests::exists;

  static constexpr auto results = program::as_array([] { return results_of_call<V, Results, parameters>().results; });
  static constexpr auto sums = program::as_array([] { return results_of_call<V, Results, parameters>().sums; });
  static constexpr std::array parts{c_part{&head, sums}};
  static constexpr std::array<c_part, 0> columns{}, rows{};
};

/// The program of the call `Call`, whose inputs `Parameters` describes; the variables after them are directions of
/// these shapes.
template <class Call, class Parameters, class Directions>
struct nests_of_part {
  static constexpr auto axes = program::as_array([] {
    std::array<c_tensor, Call::S::program.variables.size()> tensors{};
    for (std::size_t v = 0; v < tensors.size(); ++v) {
      const int own = static_cast<int>(v);
      tensors[v] = {own < Parameters::inputs ? Parameters::shape_of_variable(own)
                                             : Directions::direction(own - Parameters::inputs)};
    }
    return c_axes_of(static_cast<int>(Call::S::axes), tensors, Call::S::program.accesses, {},
                     Call::S::program.axis_rules, 1);
  });
  using type = nests_of_program<typename Call::P, typename Call::S, typename Call::T, nests_of_part, 1>;
};

/// The same of Jacobians and Hessians: a block for each row, an output or a variable, and each of the variables `Us`.
template <verb V, class Results, class Layout, class Variables>
struct nests_of_matrix;
template <verb V, class Results, class Layout, class... Us>
struct nests_of_matrix<V, Results, Layout, wrt_variables<Us...>>
    : planned_call<typename Results::others::call, Layout> {
  using matrix = typename Results::matrix;
  using call = typename Results::others::call;
  using parameters = planned_call<call, Layout>;
  using parameters::head;
  static constexpr int outputs = static_cast<int>(call::outputs);
  static constexpr int rows_of_blocks = matrix::second ? static_cast<int>(sizeof...(Us)) : outputs;

  template <class U>
  static constexpr c_shape shape_of() {
    return parameters::shape_of_variable(call::template index<U>);
  }
  static constexpr c_shape shape_of_output(int o) {
    return parameters::shape_of(parameters::Head::values[static_cast<std::size_t>(o)]);
  }
  static constexpr c_shape shape_of_row(int r) {
    if constexpr (matrix::second)
      return std::array{shape_of<Us>()...}[static_cast<std::size_t>(r)];
    else
      return shape_of_output(r);
  }

  /// What the result has besides.
  static constexpr c_named_results besides() {
    if constexpr (V.with_value)
      return results_of_call<verb{matrix::second ? derives::gradient : derives::nothing, true},
                             typename Results::others, parameters>();
    else
      return {};
  }
  static constexpr int first_block = besides().results.size;
  static constexpr int block(int row, int column) {
    return first_block + row * static_cast<int>(sizeof...(Us)) + column;
  }
  static constexpr auto results = program::as_array([] {
    program::growing_array<c_result> all = besides().results;
    for (int r = 0; r < rows_of_blocks; ++r)
      for (const c_shape& column : {shape_of<Us>()...}) {
        c_shape shape = shape_of_row(r);
        for (int k = 0; k < column.rank; ++k)
          shape.axes[static_cast<std::size_t>(shape.rank++)] = column.axes[static_cast<std::size_t>(k)];
        const int number = all.size - first_block;
        all.push_back({matrix::second ? "hessian" : "jacobian", rows_of_blocks * sizeof...(Us) > 1 ? number : -1, 0, 0,
                       0, shape});
      }
    return all;
  });
  static constexpr auto sums_besides = program::as_array([] { return besides().sums; });
  static constexpr auto parts = program::as_array([] {
    program::growing_array<c_part> all;
    if (V.with_value) all.push_back({&head, sums_besides});
    return all;
  });

  /// The column of the variable `U`.
  template <class U>
  struct column {
    using derived = typename matrix::template column<U>;
    static constexpr c_shape direction(int) { return shape_of<U>(); }
    using nests = typename nests_of_part<derived, parameters, column>::type;
    static constexpr auto sums = program::as_array([] {
      program::growing_array<c_sum> all;
      const auto add = [&](int first, int count) {
        all.push_back(
            {block(all.size, static_cast<int>(position_in<U, Us...>())), first, count, shape_of_row(all.size)});
      };
      if constexpr (matrix::second)
        (add(static_cast<int>(derived::template first_piece<Us>), static_cast<int>(derived::template pieces<Us>)), ...);
      else
        for (int o = 0; o < outputs; ++o) add(o, 1);
      return all;
    });
    static constexpr c_part part{&nests::written::value, sums, parameters::variables, direction(0)};
  };
  /// The rows of output number `O`.
  struct of_outputs {
    static constexpr c_shape direction(int o) { return shape_of_output(o); }
  };
  template <int O>
  struct row {
    using derived = typename matrix::row;
    using nests = typename nests_of_part<derived, parameters, of_outputs>::type;
    static constexpr auto sums = program::as_array([] {
      program::growing_array<c_sum> all;
      (all.push_back({block(O, all.size), static_cast<int>(derived::template first_piece<Us>),
                      static_cast<int>(derived::template pieces<Us>), shape_of<Us>()}),
       ...);
      return all;
    });
    static constexpr c_part part{&nests::written::value, sums, parameters::variables + O, shape_of_output(O), true};
  };

  static constexpr bool has_rows = matrix::by_rows || matrix::template may_go_by_rows<tapeless::loops::sequential>();
  static constexpr auto columns = [] {
    if constexpr (matrix::by_rows)
      return std::array<c_part, 0>{};
    else
      return std::array{column<Us>::part...};
  }();
  static constexpr auto rows = []<int... O>(std::integer_sequence<int, O...>) {
    if constexpr (has_rows)
      return std::array{row<O>::part...};
    else
      return std::array<c_part, 0>{};
  }(std::make_integer_sequence<int, outputs>{});
  static constexpr bool exists = [] {
    bool all = !V.with_value || parameters::nests::exists;
    if constexpr (!matrix::by_rows) all = all && (column<Us>::nests::exists && ...);
    if constexpr (has_rows) all = all && row<0>::nests::exists;
    return all;
  }();
};
template <verb V, class Results, class Layout>
  requires(V.is_matrix())
struct nests_of_call<V, Results, Layout> : nests_of_matrix<V, Results, Layout, typename Results::variables> {};

}  // namespace tapeless::detail
