#pragma once

#include <tapeless/core/no_result.hpp>
#include <tapeless/gradient/batch/batch_argument.hpp>
#include <tapeless/gradient/function/sequence_argument.hpp>

#include <type_traits>

namespace tapeless {

namespace detail {

/// A sequence that all elements of a batch share; made by `for_all`.
template <class A>
class shared_sequence {
  const A* sequence_;

 public:
  explicit shared_sequence(const A& sequence) : sequence_(&sequence) {}
  const A& get() const { return *sequence_; }
};

/// What an element of a sequence is.
template <class A>
constexpr auto find_record() {
  if constexpr (is_matrix_rows<A>)
    return std::type_identity<typename A::record>{};
  else if constexpr (is_vector<A>)
    return std::type_identity<std::remove_cv_t<typename A::value_type>>{};
  else
    return std::type_identity<std::remove_cv_t<typename tensor_traits<A>::element>>{};
}
template <class A>
using record_of = typename decltype(find_record<A>())::type;

template <class A>
concept Shareable_sequence =
    Number_vector<A> || Record_vector<A> || (is_matrix_rows<A> && requires { requires A::rank == 2; }) ||
    (Array_of_numbers<A> && !Numeric<A> && requires { requires tensor_traits<A>::rank == 1; });

/// Functions without a scan see the sequence too.
template <class A>
struct batch_argument<shared_sequence<A>> {
  using element = A;
};

}  // namespace detail

/// In the call of `batched(verb)`, a sequence that all elements share, as one time grid for all paths: `batched(
/// gradient(f))(rates, for_all(dts))`. The gradient by it is a sequence of each element: a vector of vectors. Numbers,
/// arrays and structs of numbers are for all elements without it, and with it the same. It refers to `x`, and copies
/// nothing.
template <class A>
constexpr auto for_all(const A& x) {
  if constexpr (Numeric<A> || detail::Structure<A>) {
    return x;
  } else {
    constexpr bool sequence = detail::Shareable_sequence<A>;
    static_assert(sequence,
                  "tapeless: for_all(x) takes a sequence that all elements of a batch share: a vector, a span or a "
                  "tensor of rank 1, or rows_of<n>(matrix)");
    if constexpr (sequence)
      return detail::shared_sequence<A>(x);
    else
      return detail::no_result{};
  }
}

}  // namespace tapeless
