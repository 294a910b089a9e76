#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/formula/formula_problems.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/gradient/tensor/tensor_results.hpp>
#include <tapeless/gradient/verb.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// What the verb `V` makes of the program `Source` over tensors: `finished`, whose outputs are `values`, each of the
/// shape of that output of the operand, and after them the derivatives by `Variables`, for each of their `uses` one.
template <verb V, class Source, class Variables, class Directions>
struct tensor_verb_program;
template <verb V, class Source, class... Vs, class... Ds>
struct tensor_verb_program<V, Source, wrt_variables<Vs...>, wrt_variables<Ds...>> {
  template <class U>
  static constexpr int index = variable_index(Source::value, U::name);
  static constexpr std::size_t outputs = Source::value.outputs.size();
  static constexpr std::size_t first = V.with_value ? 0 : outputs;
  static constexpr bool derives_variables =
      V.what == derives::gradient || V.what == derives::pullback || V.what == derives::hessian_product;

  static constexpr auto find_uses() {
    if constexpr (derives_variables)
      return program::uses_of<Source, index<Vs>...>{};
    else
      return program::uses_of<Source>{};
  }
  using uses = decltype(find_uses());

  static constexpr auto find() {
    using enum derives;
    if constexpr (V.what == nothing) {
      return std::type_identity<program::finished<Source, 0, outputs>>{};
    } else if constexpr (V.what == gradient) {
      using all = program::frozen<program::append_gradient<Source, index<Vs>...>>;
      return std::type_identity<program::finished<all, first, 1 + uses::count>>{};
    } else if constexpr (V.what == tangent) {
      using all = program::frozen<program::append_tangents<Source, 0, index<Ds>...>>;
      return std::type_identity<program::finished<all, first, 2 * outputs>>{};
    } else if constexpr (V.what == pullback) {
      using all = program::frozen<program::append_pullback<Source, index<Vs>...>>;
      return std::type_identity<program::finished<all, first, outputs + uses::count>>{};
    } else {
      static_assert(V.what == hessian_product);
      using gradients = program::frozen<program::append_gradient<Source, index<Vs>...>>;
      using all = program::frozen<program::append_tangents<gradients, 1, index<Ds>...>>;
      return std::type_identity<program::finished<all, 1 + uses::count, 1 + 2 * uses::count>>{};
    }
  }
  using finished = typename decltype(find())::type;

  /// How often the shapes of the outputs occur among the values: for values, and for tangents.
  static constexpr std::size_t repeats =
      (V.with_value || V.what == derives::nothing ? 1 : 0) + (V.what == derives::tangent ? 1 : 0);
  static constexpr auto values = [] {
    std::array<std::size_t, repeats * outputs> result{};
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = i % outputs;
    return result;
  }();
};

/// Memory that stays for the next call on this thread: of calls into results that have no place for it. A call that the
/// thread makes before another has ended has its own.
template <class Memory, class F>
void with_memory_of_thread(const F& f) {
  struct kept {
    Memory memory;
    bool used = false;
  };
  static thread_local kept all;
  if (all.used) {
    Memory own;
    return f(own);
  }
  struct use {
    bool& used;
    explicit use(bool& flag) : used(flag) { used = true; }
    use(const use&) = delete;
    use& operator=(const use&) = delete;
    ~use() { used = false; }
  } const lock(all.used);
  f(all.memory);
}

/// The same for calls into results that exist; others have memory of their own.
template <class Memory, class F>
void with_memory_for(bool existing, const F& f) {
  if (existing) return with_memory_of_thread<Memory>(f);
  Memory own;
  f(own);
}

/// `compute(r)` for a result that exists: at once where that may be written early, else by way of another.
template <class R, class Compute>
void write_into(R& r, bool early, const Compute& compute) {
  if (early) [[likely]]
    return compute(r);
  with_memory_of_thread<R>([&](R& apart) {
    compute(apart);
    r = apart;
  });
}

/// What the verb `V` gives over tensors: `Values`, tangents being values too, `Gradient`, or `Both`.
template <verb V, class Values, class Gradient, class Both>
struct result_parts {
  static constexpr bool only_values = V.what == derives::nothing || V.what == derives::tangent;
  using type = std::conditional_t<
      !only_values, std::conditional_t<V.with_value, Both, Gradient>,
      std::conditional_t<V.what == derives::tangent && V.with_value, value_and_jvp_result<Values, Values>, Values>>;

  /// The values that number `K` is one of: from number `Outputs` on they are tangents.
  template <std::size_t K, std::size_t Outputs>
  static Values& values_in(type& r) {
    if constexpr (std::is_same_v<type, Values>)
      return r;
    else if constexpr (K >= Outputs)
      return r.tangent;
    else
      return r.value;
  }
  static Gradient& gradient_in(type& r) {
    if constexpr (V.with_value)
      return r.gradient;
    else
      return r;
  }
};

/// Whether cotangents have the shapes of the outputs of `Operand`, as far as the types tell. A fixed extent of 1 is
/// left to the call: an output that is broadcast elsewhere may have it too.
template <class Operand, class Cotangent>
constexpr bool has_shape_of(std::size_t output) {
  using traits = tensor_traits<Cotangent>;
  bool result = traits::rank == Operand::rank_of(output);
  for (std::size_t i = 0; result && i < traits::extents.size(); ++i)
    if (const std::ptrdiff_t extent = Operand::extent_of(output, i); extent >= 0 && traits::extents[i] >= 0)
      result = traits::extents[i] == 1 || traits::extents[i] == extent;
  return result;
}
template <class Operand, class Seeds>
inline constexpr bool have_shapes_of = true;
template <class Operand, class... Seeds>
inline constexpr bool have_shapes_of<Operand, std::tuple<Seeds...>> = [] {
  std::size_t output = 0;
  return (has_shape_of<Operand, bound_t<Seeds>>(output++) && ...);
}();

/// The verb `V` of the formulas, or the function, `F` with tensors bound: `seeds`, tangents or cotangents, are a
/// tuple of bindings. Results go to containers, as `tensor_results` says.
template <verb V, class F, class Variables, class Policy, class Seeds, class... Bindings>
struct tensor_call;
template <verb V, class F, class Variables, class Policy, class... Seeds, class... Bindings>
struct tensor_call<V, F, Variables, Policy, std::tuple<Seeds...>, Bindings...> {
  using operand = tensor_program<F, Bindings...>;
  using directions =
      std::conditional_t<V.takes_tangents(), wrt_variables<typename Seeds::variable_type...>, wrt_variables<>>;
  template <class Source>
  using made = tensor_verb_program<V, Source, Variables, directions>;
  template <class Sharded>
  using shared_results = tensor_results<operand, made, Policy, Variables, Sharded, Bindings...>;
  using results = shared_results<wrt_variables<>>;
  using memory_type = typename results::memory_type;

  template <class Engine, class To>
  static void compute(const Engine& engine, memory_type& memory, const To& to, const F& f,
                      const std::tuple<Seeds...>& seeds, const Bindings&... bindings) {
    if constexpr (V.what == derives::pullback) check_cotangents(f, seeds, bindings...);
    if constexpr (is_distributed<Engine>) {
      using shared = shared_results<typename Engine::sharded>;
      // The public call has checked its own program; a matrix has others.
      static_assert(program::sharding_problem<typename operand::source, typename shared::P>(shared::sharded) ==
                        program::tensor_problem::none,
                    "tapeless: this derivative needs rows of other processes");
      engine.template call<typename shared::S>([&] { shared::compute(engine, memory, to, f, seeds, bindings...); });
    } else {
      results::compute(engine, memory, to, f, seeds, bindings...);
    }
  }
  template <class To>
  static bool may_write_early(const To& to, const std::tuple<Seeds...>& seeds, const Bindings&... bindings) {
    return std::apply([&](const auto&... more) { return results::may_write_early(to, bindings..., more...); }, seeds);
  }

 private:
  using source = typename operand::source;
  using T = typename operand::T;
  using shape_type = std::array<std::ptrdiff_t, program::max_rank>;

  template <class Lowered>
  static constexpr auto accesses_of_outputs = [] {
    std::array<int, operand::outputs> result{};
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = program::access_of_output<Lowered>(i);
    return result;
  }();

  /// A cotangent is not broadcast, and nothing is broadcast to it.
  static void check_cotangents(const F& f, const std::tuple<Seeds...>& seeds, const Bindings&... bindings) {
    const auto shapes = shapes_of_outputs(f, bindings...);
    std::size_t output = 0;
    const auto check = [&](const auto& given) {
      using X = bound_t<std::remove_cvref_t<decltype(given)>>;
      const auto& cotangent = bound<decltype(given.value)>::get(given.value);
      shape_type extents{};
      for (int i = 0; i < tensor_traits<X>::rank; ++i)
        extents[static_cast<std::size_t>(i)] = tensor_traits<X>::extent(cotangent, i);
      if (const shape_type& shape = shapes[output++]; shape != extents)
        throw std::invalid_argument(
            "tapeless: the cotangent must have the shape of the formula: " + shape_text(shape, tensor_traits<X>::rank) +
            " and " + shape_text(extents, tensor_traits<X>::rank));
    };
    std::apply([&](const auto&... given) { (check(given), ...); }, seeds);
  }
  /// The shapes of the operand's outputs: none is computed.
  static auto shapes_of_outputs(const F& f, const Bindings&... bindings) {
    static constexpr auto accesses = accesses_of_outputs<source>;
    using S = loops::plan<program::finished<source, 0, operand::outputs>, accesses>;
    std::array<shape_type, operand::outputs> shapes{};
    const auto take = [&](const auto& outputs, const auto& extent, const auto& all) {
      for (std::size_t o = 0; o < shapes.size(); ++o) {
        const program::tensor_access& access = all[static_cast<std::size_t>(outputs[o])];
        for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i)
          shapes[o][i] = access.axes[i] < 0 ? 1 : extent[access.axes[i]];
      }
    };
    call_memory<T, S::program.variables.size(), 0> memory;
    tensor_inputs<S, source, T> inputs;
    inputs.bind(memory, bindings...);
    inputs.take_bounds(f);
    loops::tables<S, T> t;
    if (inputs.measure(t)) [[likely]] {
      take(accesses, t.extent, program_at_call<source>::accesses);
      return shapes;
    }
    if constexpr (operand::explicit_lowering::problem == program::tensor_problem::none) {
      using explicit_program = program::frozen<typename operand::explicit_lowering>;
      if constexpr (program::problem_of<explicit_program> == program::fault::none) {
        std::array<std::ptrdiff_t, std::max<std::size_t>(explicit_program::value.axis_sources.size(), 1)> extent;
        extent.fill(1);
        if (inputs.template measure_explicit<explicit_program,
                                             program::finished<explicit_program, 0, operand::outputs>>(extent.data())) {
          take(accesses_of_outputs<explicit_program>, extent.data(), program_at_call<explicit_program>::accesses);
          return shapes;
        }
      }
    }
    inputs.fail(t);
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
