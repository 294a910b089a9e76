#pragma once

#include <tapeless/program/graph/fault.hpp>
#include <tapeless/program/lower/loop.hpp>
#include <tapeless/program/pass/pass.hpp>

#include <cstddef>
#include <type_traits>

namespace tapeless::program {

template <bool Explicit, class Formulas, class... Leaves>
class lower_tensors_as;

/// What `Pass` makes of a formula or a function, where nothing is rewritten. The passes that follow keep it so.
template <class Pass>
struct as_recorded : Pass {
  static constexpr builder run() { return Pass::run(true); }
};

/// The program that the same passes make of the same formula or function without any rewrite. Over tensors no axes are
/// unified, unless there are too many.
template <class Program>
struct plainly;
template <class Program>
using plainly_t = typename plainly<Program>::type;

namespace detail {

template <class Pass>
struct plain_pass : std::type_identity<as_recorded<Pass>> {};
template <class Raw>
struct plain_pass<with_loops<Raw>> : std::type_identity<with_loops<as_recorded<Raw>>> {};
template <class Formulas, class... Leaves>
struct plain_pass<lower_tensors_as<false, Formulas, Leaves...>> {
  using explicit_program = lower_tensors_as<true, Formulas, Leaves...>;
  using type = as_recorded<std::conditional_t<problem_of<frozen<explicit_program>> == fault::none, explicit_program,
                                              lower_tensors_as<false, Formulas, Leaves...>>>;
};
template <template <class, int...> class Derive, class Source, int... Variables>
struct plain_pass<Derive<Source, Variables...>> : std::type_identity<Derive<plainly_t<Source>, Variables...>> {};
template <class Source, std::size_t Begin, int... Variables>
struct plain_pass<append_tangents<Source, Begin, Variables...>>
    : std::type_identity<append_tangents<plainly_t<Source>, Begin, Variables...>> {};
template <class Dense, bool Symmetric>
struct plain_pass<append_sparse<Dense, Symmetric>>
    : std::type_identity<append_sparse<typename plain_pass<Dense>::type, Symmetric>> {};
template <class Source, std::size_t Begin, std::size_t End>
struct plain_pass<finish_outputs<Source, Begin, End>>
    : std::type_identity<finish_outputs<plainly_t<Source>, Begin, End>> {};

}  // namespace detail

template <class Pass>
struct plainly<frozen<Pass>> : std::type_identity<frozen<typename detail::plain_pass<Pass>::type>> {};

}  // namespace tapeless::program
