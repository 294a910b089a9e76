#pragma once

#include <tapeless/core/expression.hpp>

#include <type_traits>

namespace tapeless {

/// A subexpression with its own type name: after `struct step : named<step, decltype(e)> {};`, `step{}` stands for `e`.
/// Compilers write the name of a nested type once for each use, so formulas that share heavily have names of
/// exponential length; a named step shortens them to one word. Formulas with run-time numbers cannot be named: make the
/// numbers variables or constants first.
template <class Derived, class E>
struct named : expression<Derived> {
  using definition = std::remove_cv_t<E>;

  // Not at class scope: a class with an error in it is no formula any more, which clang would say at each use.
  constexpr named() {
    static_assert(std::is_empty_v<E>,
                  "tapeless: a named formula cannot store run-time numbers; use constants (2_c, constant<1, 3>) or "
                  "variables [TL007]");
  }
};

}  // namespace tapeless
