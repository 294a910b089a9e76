#pragma once

#include <tapeless/gradient/make_verb.hpp>

namespace tapeless {

/// The value as a verb: `value(f)(x = 1.0)` is `f(x = 1.0)`, and `value(outputs(f, g))(x = 1.0)` is an array of both.
/// For a function, `value(f)(1.0, 2.0)` is the result of the function, computed by straight-line code: a number, an
/// array of the numbers in the result, or over tensors the same structure of tensors.
template <class F, class... Options>
constexpr auto value(const F& f, const Options&... options) {
  static_assert(detail::takes_operand<detail::value_verb, F, Options...>,
                "tapeless: value takes a formula, outputs(...), or a lambda or another function object [TL055]");
  return detail::make_verb<detail::value_verb>(f, options...);
}

}  // namespace tapeless
