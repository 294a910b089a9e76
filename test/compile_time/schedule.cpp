// Loops over tensors, counted: what a loss reads, computes, keeps and writes.
#include <tapeless/inspect/schedule.hpp>
#include <tapeless/xtensor.hpp>

using namespace tapeless;

namespace {

constexpr auto X = variable<"X">;
constexpr auto w = variable<"w">;
constexpr auto t = variable<"t">;
constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;
constexpr auto c = variable<"c">;

using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;
template <class V, class T>
using to = binding<V, tensor_reference<T>>;

template <class Verb, class... Bindings>
constexpr schedule_counts counts = decltype(schedule(std::declval<Verb>())(std::declval<Bindings>()...))::counts;

// Elementwise, forward and backward: one loop that reads each operand once, keeps nothing and evaluates tanh and exp
// once.
constexpr auto elementwise = value_and_gradient(sum(tanh(a * b + c) * exp(-b * b)), wrt(a, b, c));
constexpr auto one_loop =
    counts<decltype(elementwise), to<decltype(a), vector>, to<decltype(b), vector>, to<decltype(c), vector>>;
static_assert(one_loop.loops == 1 && one_loop.reads == 3 && one_loop.saves == 0 && one_loop.writes == 3);
static_assert(one_loop.operations <= 15 && one_loop.reductions == 1);

// What numbers alone determine, as the deviation of a normal density, is computed once: the loop neither divides nor
// adds up what is the same for all elements.
constexpr auto m = variable<"m">;
constexpr auto s = variable<"s">;
constexpr auto normal = value_and_gradient(sum(-square((a - m) / s) / 2_c - log(s)), wrt(m, s, a));
constexpr auto density =
    counts<decltype(normal), to<decltype(a), vector>, binding<decltype(m), double>, binding<decltype(s), double>>;
static_assert(density.loops == 1 && density.reads == 1 && density.saves == 0 && density.writes == 1);
static_assert(density.operations <= 4 && density.reductions <= 2);

// Logistic regression passes over the matrix twice, for the product and for the gradient, block by block; between them
// stands one loop over the rows, which keeps one number a row. The gradient adds up where it is handed out.
constexpr auto z = dot(X, w);
constexpr auto logistic = value_and_gradient(mean(softplus(z) - t * z), wrt(w));
constexpr auto regression =
    counts<decltype(logistic), to<decltype(X), matrix>, to<decltype(w), vector>, to<decltype(t), vector>>;
static_assert(regression.loops == 3 && regression.saves == 1 && regression.writes == 1);
static_assert(regression.reads <= 7 && regression.operations <= 17);

// The softmax of TensorFlow's documentation: the exponentials are kept for the gradient, and the labels' part is a
// product with them.
constexpr auto shifted = X - expand_dims<1>(stop_gradient(amax<1>(X)));
constexpr auto cross_entropy = value_and_gradient(mean(logsumexp<1>(shifted) - sum<1>(shifted * t)), wrt(X));
constexpr auto rows = counts<decltype(cross_entropy), to<decltype(X), matrix>, to<decltype(t), matrix>>;
static_assert(rows.loops == 6 && rows.saves <= 3 && rows.writes == 1);

// With a label as an index, the largest element is found, the exponentials are computed into the gradient's memory and
// divided there, and one element is taken and one put back.
constexpr auto k = variable<"k">;
constexpr auto centred = a - stop_gradient(amax(a));
constexpr auto of_label = value_and_gradient(log(sum(exp(centred))) - sum(take(centred, k)), wrt(a));
constexpr auto in_place = counts<decltype(of_label), to<decltype(a), vector>, to<decltype(k), std::array<int, 1>>>;
static_assert(in_place.loops == 3 && in_place.reads == 3 && in_place.saves == 0 && in_place.writes == 3);
static_assert(in_place.operations == 3 && in_place.moves == 2);

// What a sum over rows reads is not kept in that sum's memory, which is set to zero first: the exponentials of w have a
// buffer of their own.
constexpr auto weighed = sum<0>(softmax<1>(expand_dims<1>(a) * exp(w)));
constexpr auto of_rows = counts<decltype(weighed), to<decltype(a), vector>, to<decltype(w), vector>>;
static_assert(of_rows.saves == 4 && of_rows.writes == 1);

// Nothing is left of what a stop hides: the gradient has the loops of the part that is not stopped.
constexpr auto hidden = gradient(sum(a * 2_c) + sum(stop_gradient(tanh(dot(X, w)))), wrt(a));
static_assert(
    counts<decltype(hidden), to<decltype(a), vector>, to<decltype(X), matrix>, to<decltype(w), vector>>.reads == 0);

// A copy of elements is one, and is shared by value and gradient.
constexpr auto halves = value_and_gradient(sum(square(slice<0>(a, 0, 4)) * slice<0>(a, 4, 8)), wrt(a));
static_assert(counts<decltype(halves), to<decltype(a), vector>>.moves == 4);

}  // namespace
