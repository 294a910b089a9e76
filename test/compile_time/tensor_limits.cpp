// Losses over tensors that compilers take with their default limits: clang counts the steps of a constant evaluation
// and folds at most 256 operands.
#include <tapeless/inspect/schedule.hpp>
#include <tapeless/xtensor.hpp>

using namespace tapeless;

namespace {

constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;
using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;
template <class V, class T>
using to = binding<V, tensor_reference<T>>;
template <class Verb, class... Bindings>
constexpr schedule_counts counts = decltype(schedule(std::declval<Verb>())(std::declval<Bindings>()...))::counts;

// A value that is used twice is computed once: the cost of these squares is their number, not 2 to that power.
template <int N, class E>
constexpr auto squares(const E& e) {
  if constexpr (N == 0)
    return e;
  else
    return squares<N - 1>(square(e));
}
constexpr auto many = counts<decltype(sum(squares<40>(a))), to<decltype(a), vector>>;
static_assert(many.loops == 1 && many.operations == 40);
// Three multiplications are cheaper once more than kept, five are not.
template <int N>
constexpr auto twice = counts<decltype(sum(sin(squares<N>(a) - amax(squares<N>(a))))), to<decltype(a), vector>>;
static_assert(twice<3>.saves == 0 && twice<5>.saves == 1);

// The product of the Hessian of a dozen operations of many axes and a tangent.
constexpr auto larger = max(a, b);
constexpr auto normalized = softmax<0>(pow(outer(larger, b), 3_c) * 0.1);
constexpr auto total = logsumexp<0, 1>(larger);
constexpr auto angles = softmax<0>(acos(0.9 * sin(amin<1, 2>(normalized))));
constexpr auto chosen = where(where(total >= 0.2, total, b) < -0.3, total, b);
constexpr auto loss =
    sum(tanh(exp2(tanh(chosen)))) * 0.1 + sum(tanh(where(angles > 0, sqrt(angles) * log(angles), 1.0)));
constexpr detail::verb product{detail::derives::hessian_product};
using along = tangents<to<decltype(a), matrix>, to<decltype(b), vector>>;
using product_verb = formula_verb<product, std::remove_cvref_t<decltype(loss)>, wrt_variables<decltype(a), decltype(b)>,
                                  unconnected::structural_policy, along>;
using second = detail::call_over_tensors<product_verb, to<decltype(a), matrix>, to<decltype(b), vector>>::results;
static_assert(second::call::S::kernels.size() > 10);

// A network as the slope of an equation: its steps have dozens of axes, which meet in many nodes.
constexpr auto network = [](auto, auto y, auto w, auto c) {
  for (int layer = 0; layer < 8; ++layer) y = tanh(dot(w, y) + c);
  return y;
};
constexpr auto end = [](auto w, auto c, auto y) { return sum(odeint(network, y, 0.0, 1.0, 10, w, c)); };

template <int N, class E>
constexpr auto steps(const E& e) {
  if constexpr (N == 0)
    return e;
  else
    return steps<N - 1>(sin(tanh(e * a) + b) * a - b);
}

}  // namespace

auto by_weights(const matrix& w, const vector& x) { return gradient(end, wrt<0, 1>)(w, x, x); }

#ifdef __clang__  // g++ takes a minute for less than half of the operations that it allows
// The slope of adaptive steps that reads the state twice, along two axes.
constexpr auto damped = [](auto, auto y, auto w, auto c) { return tanh(dot(w, y)) + c * tanh(y); };
constexpr auto adaptive_end = [](auto w, auto y, auto c) {
  return sum(odeint<adaptive>(damped, y, 0.0, 1.2, w, c, 1e-10));
};
auto by_weights_adaptively(const matrix& w, const vector& x) { return gradient(adaptive_end, wrt<0>)(w, x, x); }
#endif

// Loops of more than 256 operations.
auto elementwise(const vector& x) { return value_and_gradient(sum(steps<16>(a)), wrt(a, b))(a = x, b = x).value; }
