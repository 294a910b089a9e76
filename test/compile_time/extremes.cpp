// No argument makes a constant evaluation fail: every operation with its derivatives at zeros, at the ends of the
// range, at infinities and NaN. Compiling is passing.
#include <tapeless/tapeless.hpp>

#include <cstddef>
#include <limits>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
using limits = std::numeric_limits<double>;

constexpr double extremes[] = {0.0,
                               -0.0,
                               limits::denorm_min(),
                               -limits::denorm_min(),
                               limits::min(),
                               -limits::min(),
                               1e-310,
                               1e160,
                               -1e160,
                               limits::max(),
                               limits::lowest(),
                               710.0,
                               -746.0,
                               limits::infinity(),
                               -limits::infinity(),
                               limits::quiet_NaN()};

/// Uses results, so that they are computed. Of NaN compilers know no comparison that holds.
constexpr bool exists(double value) { return value == value || value != value; }

template <class F>
constexpr bool evaluates(const F& f) {
  for (const double a : extremes) {
    const auto r = value_and_gradient(f, wrt(x), unconnected::materialise)(x = a);
    if (!exists(r.value) || !exists(r.gradient[x])) return false;
    if (!exists(hessian(f, wrt(x))(x = a)(x, x))) return false;
  }
  return true;
}

template <class F>
constexpr bool evaluates_pairs(const F& f) {
  for (const double a : extremes)
    for (const double b :
         {0.0, -limits::denorm_min(), 1e-310, limits::max(), 3.0, -limits::infinity(), limits::quiet_NaN()}) {
      const auto r = value_and_gradient(f, wrt(x, y), unconnected::materialise)(x = a, y = b);
      const auto swapped = value_and_gradient(f, wrt(x, y), unconnected::materialise)(x = b, y = a);
      if (!exists(r.gradient[x]) || !exists(r.gradient[y]) || !exists(swapped.gradient[x])) return false;
    }
  for (const double a : extremes) {
    const auto h = hessian(f, wrt(x, y))(x = a, y = 1e160);
    const auto swapped = hessian(f, wrt(x, y))(x = 1e-310, y = a);
    if (!exists(h(x, x)) || !exists(h(x, y)) || !exists(swapped(y, y))) return false;
  }
  return true;
}

template <class Op>
constexpr bool operation_evaluates = [] {
  if constexpr (detail::arity<Op> == 1)
    return evaluates(apply<Op>(x));
  else
    return evaluates_pairs(apply<Op>(x, y));
}();
template <class List>
constexpr bool all_evaluate = false;
template <class... Ops>
constexpr bool all_evaluate<operation::list<Ops...>> = (operation_evaluates<Ops> && ...);
static_assert(all_evaluate<operation::all>);

constexpr bool norms = evaluates_pairs(norm(x, y, 1_c)), sums = evaluates_pairs(logsumexp(x, y)),
               selections = evaluates_pairs(max(x, y) + min(x, 1_c) + where(x < y, x, y));
static_assert(norms && sums && selections);

constexpr auto far = value_and_gradient(erfc(x))(x = 1e160);
static_assert(far.value == 0 && far.gradient[x] == 0);
static_assert(digamma(x)(x = -limits::denorm_min()) == limits::infinity());
static_assert(trigamma(x)(x = -limits::denorm_min()) == limits::infinity());
static_assert(gradient(atan2(y, x), wrt(x))(x = 1e170, y = 1e170)[x] < -4.9e-171);
static_assert(gradient(trigamma(x))(x = -1e15 + 0.5)[x] < 1);  // in no number of steps

}  // namespace
