#pragma once

#include <tapeless/core/bound_function.hpp>
#include <tapeless/core/expression.hpp>
#include <tapeless/core/no_result.hpp>
#include <tapeless/gradient/outputs.hpp>
#include <tapeless/program/lower/trace.hpp>

#include <concepts>
#include <type_traits>

namespace tapeless {

/// What a verb made of a formula: it is called with named values.
template <class G>
concept Formula_verb = !Expression<G> && !is_outputs<G> && std::derived_from<G, called_with_values<G>>;

/// What is differentiated besides formulas: function objects, lambdas without captures among them.
template <class F>
concept Function = !Expression<F> && std::is_class_v<F> && !is_outputs<F> && !detail::is_reported<F> &&
                   !Formula_verb<F> && !Function_with_data<F>;

namespace detail {

/// What the name of a function template is for a verb: no object.
struct function_template {
  constexpr function_template(traced (*)(traced)) {}
  constexpr function_template(traced (*)(traced, traced)) {}
  constexpr function_template(traced (*)(traced, traced, traced)) {}
  constexpr function_template(traced (*)(const traced&)) {}
  constexpr function_template(traced (*)(const traced&, const traced&)) {}
};

}  // namespace detail
}  // namespace tapeless
