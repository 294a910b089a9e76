// Loops over tensors, counted: a loss reads, computes, keeps and writes no more than this.
#include <tapeless/evaluate/kernels/verified_plan.hpp>
#include <tapeless/inspect/schedule.hpp>
#include <tapeless/xtensor.hpp>

#include <array>
#include <cstddef>

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

/// The counts of a plan that loses no value before its last reader has run.
template <class S>
constexpr schedule_counts verified(const printed_schedule<S>& schedule) {
  static_assert(loops::fault_of<S>.rule == program::plan_rule::none);
  return schedule.counts;
}
template <class Verb, class... Bindings>
constexpr schedule_counts counts = verified(decltype(schedule(std::declval<Verb>())(std::declval<Bindings>()...))());
constexpr bool within(const schedule_counts& found, const schedule_counts& most) {
  return found.loops <= most.loops && found.reads <= most.reads && found.operations <= most.operations &&
         found.reductions <= most.reductions && found.saves <= most.saves && found.writes <= most.writes &&
         found.moves <= most.moves;
}

// Elementwise, forward and backward: one loop that reads each operand once, keeps nothing and evaluates tanh and exp
// once.
constexpr auto elementwise = value_and_gradient(sum(tanh(a * b + c) * exp(-b * b)), wrt(a, b, c));
constexpr auto one_loop =
    counts<decltype(elementwise), to<decltype(a), vector>, to<decltype(b), vector>, to<decltype(c), vector>>;
static_assert(within(one_loop, {.loops = 1, .reads = 3, .operations = 15, .reductions = 1, .writes = 3}));

// Three nests whose tables are small are compiled into their caller.
template <std::size_t References, std::size_t Axes, std::size_t Nests>
struct plan_of {
  static constexpr std::size_t references = References, axes = Axes;
  static constexpr auto kernels = [] {
    std::array<program::kernel, Nests> result;
    for (program::kernel& k : result) k.axes = 1;
    return result;
  }();
};
static_assert(loops::has_few_nests<plan_of<40, 4, 3>> && !loops::has_few_nests<plan_of<40, 4, 4>>);
static_assert(!loops::has_few_nests<plan_of<41, 4, 3>>);

// Functions have the schedules of the formulas that they write.
constexpr auto function = [](auto u, auto v, auto x) { return sum(tanh(u * v + x) * exp(-v * v)); };
static_assert(counts<decltype(value_and_gradient(function)), vector, vector, vector> == one_loop);
static_assert(counts<decltype(function), vector, vector, vector> ==
              counts<decltype(sum(tanh(a * b + c) * exp(-b * b))), to<decltype(a), vector>, to<decltype(b), vector>,
                     to<decltype(c), vector>>);

// What numbers alone determine, as the deviation of a normal density, is computed once: the loop neither divides nor
// adds up what is the same for all elements.
constexpr auto m = variable<"m">;
constexpr auto s = variable<"s">;
constexpr auto normal = value_and_gradient(sum(-square((a - m) / s) / 2_c - log(s)), wrt(m, s, a));
constexpr auto density =
    counts<decltype(normal), to<decltype(a), vector>, binding<decltype(m), double>, binding<decltype(s), double>>;
static_assert(within(density, {.loops = 1, .reads = 1, .operations = 4, .reductions = 2, .writes = 1}));

// Logistic regression passes over the matrix twice, for the product and for the gradient, block by block; between them
// stands one loop over the rows, which keeps one number a row. The gradient adds up where it is handed out.
constexpr auto z = dot(X, w);
constexpr auto logistic = value_and_gradient(mean(softplus(z) - t * z), wrt(w));
constexpr auto regression =
    counts<decltype(logistic), to<decltype(X), matrix>, to<decltype(w), vector>, to<decltype(t), vector>>;
static_assert(within(regression, {.loops = 3, .reads = 7, .operations = 17, .reductions = 3, .saves = 1, .writes = 1}));

// The softmax of TensorFlow's documentation: the exponentials are kept for the gradient, and the labels' part is a
// product with them.
constexpr auto shifted = X - expand_dims<1>(stop_gradient(amax<1>(X)));
constexpr auto cross_entropy = value_and_gradient(mean(logsumexp<1>(shifted) - sum<1>(shifted * t)), wrt(X));
constexpr auto rows = counts<decltype(cross_entropy), to<decltype(X), matrix>, to<decltype(t), matrix>>;
static_assert(within(rows, {.loops = 6, .reads = 14, .operations = 16, .reductions = 5, .saves = 3, .writes = 1}));

// With a label as an index, the largest element is found, the exponentials are computed into the gradient's memory and
// divided there, and one element is taken and one put back.
constexpr auto k = variable<"k">;
constexpr auto centred = a - stop_gradient(amax(a));
constexpr auto of_label = value_and_gradient(log(sum(exp(centred))) - sum(take(centred, k)), wrt(a));
constexpr auto in_place = counts<decltype(of_label), to<decltype(a), vector>, to<decltype(k), std::array<int, 1>>>;
static_assert(within(in_place, {.loops = 3, .reads = 3, .operations = 3, .reductions = 2, .writes = 3, .moves = 2}));

// What a sum over rows reads is not kept in that sum's memory, which is set to zero first.
constexpr auto weighed = sum<0>(softmax<1>(expand_dims<1>(a) * exp(w)));
constexpr auto of_rows = counts<decltype(weighed), to<decltype(a), vector>, to<decltype(w), vector>>;
static_assert(within(of_rows, {.loops = 6, .reads = 10, .operations = 10, .reductions = 3, .saves = 4, .writes = 1}));

// Nothing is left of what a stop hides: the gradient has the loops of the part that is not stopped.
constexpr auto hidden = gradient(sum(a * 2_c) + sum(stop_gradient(tanh(dot(X, w)))), wrt(a));
static_assert(
    within(counts<decltype(hidden), to<decltype(a), vector>, to<decltype(X), matrix>, to<decltype(w), vector>>,
           {.loops = 1, .writes = 1}));

// Slices are read where they lie, and shared by value and gradient: only their adjoints are moved.
constexpr auto halves = value_and_gradient(sum(square(slice<0>(a, 0, 4)) * slice<0>(a, 4, 8)), wrt(a));
static_assert(within(counts<decltype(halves), to<decltype(a), vector>>,
                     {.loops = 2, .reads = 4, .operations = 5, .reductions = 1, .saves = 2, .writes = 1, .moves = 2}));

// Of one tensor the adjoints of slices are moved at once, and where it is computed nothing is: they are computed there.
constexpr auto gates = [](const auto& x) {
  const auto all = tanh(x);
  return sum(slice<1>(all, 0, 4) * square(slice<1>(all, 4, 8)));
};
static_assert(within(counts<decltype(value_and_gradient(gates)), matrix>,
                     {.loops = 3, .reads = 6, .operations = 7, .reductions = 1, .saves = 2, .writes = 2, .moves = 1}));

constexpr auto every_other = [](const auto& x) { return sum(square(slice<1>(tanh(x), 0, 8, 2))); };
static_assert(counts<decltype(every_other), matrix>.moves == 1);

// What nothing but an output adds to a variable, row by row, begins with it.
template <class S>
constexpr int sums_begun(const printed_schedule<S>& schedule) {
  int count = 0;
  for (const program::buffer& each : S::buffers) count += each.base >= 0;
  return verified(schedule).loops > 0 ? count : -1;
}
template <class Y = vector, class F>
constexpr int begun(F) {
  return sums_begun(decltype(schedule(std::declval<F>())(std::declval<matrix>(), std::declval<Y>()))());
}
static_assert(begun([](const auto& x, const auto& y) { return y + sum<0>(x); }) == 1);
static_assert(begun([](const auto& x, const auto& y) { return y + sum<1>(x); }) == 0);
static_assert(begun([](const auto& x, const auto& y) { return exp(y) + sum<0>(x); }) == 0);
static_assert(begun([](const auto& x, const auto& y) { return sum<0>(x) + exp(y); }) == 0);
static_assert(begun<double>([](const auto& x, auto y) { return y + sum<0>(x); }) == 0);
static_assert(begun([](const auto& x, const auto&) { return x + sum<0>(x); }) == 0);
static_assert(begun([](const auto& x, const auto& y) { return y - sum<0>(x); }) == 0);
static_assert(begun([](const auto& x, const auto& y) { return y + amax<0>(x); }) == 0);
static_assert(begun([](const auto& x, const auto& y) { return y[0] + sum<0>(x); }) == 0);
static_assert(begun([](const auto& x, const auto& y) {
                const auto total = sum<0>(x);
                return std::pair(y + total, exp(total));
              }) == 0);
static_assert(begun([](const auto& x, const auto& y) {
                const auto total = y + sum<0>(x);
                return std::pair(total, exp(total));
              }) == 0);

// Self-attention reads the same value along two axes. What has been summed is moved, not summed again: each further
// block takes as many loops.
constexpr auto q = variable<"q">;
constexpr auto v = variable<"v">;
constexpr auto block = [](const auto& x) {
  const auto n = tanh(x);
  return x + dot(softmax<1>(dot(dot(n, q), transpose(dot(n, k)))), dot(n, v));
};
template <class Verb>
constexpr int attention_loops =
    counts<Verb, to<decltype(X), matrix>, to<decltype(q), matrix>, to<decltype(k), matrix>, to<decltype(v), matrix>>.loops;
static_assert(attention_loops<decltype(value(sum(block(X))))> <= 14);
static_assert(attention_loops<decltype(value(sum(block(block(X)))))> <= 24);
static_assert(attention_loops<decltype(value(sum(block(block(block(X))))))> <= 34);

// The carries that a derivative keeps lie step by step, as the loop writes and reads them: their first axis is not that
// of a carry.
constexpr auto scaled = [](const auto& x, const auto& rates) {
  return sum(scan([](auto state, auto rate) { return state * rate; }, x, rates));
};
template <class S>
constexpr bool kept_step_by_step(const printed_schedule<S>&) {
  program::axis_set kept = 0;
  for (const program::node& n : S::nodes)
    if (program::count_axes(n.axes) == 2) kept = n.axes;
  return kept != 0 && (kept & (kept - 1)) == S::nodes[0].axes;
}
constexpr auto scaled_step = value_and_gradient(scaled);
static_assert(kept_step_by_step(decltype(schedule(scaled_step)(std::declval<vector>(), std::declval<vector>()))()));

// In a batch they lie element by element, each of which is computed as a whole: the batch's axis comes before the
// steps.
template <class S>
constexpr bool kept_element_by_element() {
  program::axis_set kept = 0, batch = ~program::axis_set{0};
  for (const program::node& n : S::nodes) {
    if (program::count_axes(n.axes) == 2) batch &= n.axes;
    if (program::count_axes(n.axes) == 3) kept = n.axes;
  }
  return program::count_axes(batch) == 1 && kept != 0 && (kept & (~kept + 1)) == batch;
}
using each_row = detail::each_argument<matrix>;
static_assert(kept_element_by_element<detail::call_with_each<std::remove_const_t<decltype(scaled_step)>, each_row,
                                                             each_row>::call::results::call::S>());

}  // namespace
