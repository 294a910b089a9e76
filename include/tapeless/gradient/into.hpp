#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

namespace tapeless {

/// An existing result that a call writes into: made by `into(r)`.
template <class R>
struct into_result {
  R* result;
};
/// `step(into(r), X = data, ...)` writes into the result `r` of an earlier call. It allocates nothing if the shapes are
/// the same.
template <class R>
constexpr into_result<R> into(R& result) {
  return {&result};
}

}  // namespace tapeless
