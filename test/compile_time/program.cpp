// What programs hold: sharing, folding, pruning, and that nothing stands behind a stop. Compiling is passing.
#include <tapeless/tapeless.hpp>

#include "program_table.hpp"

#include <array>
#include <string_view>
#include <type_traits>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr auto z = variable<"z">;

/// What is wrong if an evaluation is not the one that `text` says.
using program_text::notation, program_text::right;
constexpr notation joined[] = {{"multiply_subtract", 0, &program::info<operation::MultiplySubtract>},
                               {"subtract_product", 0, &program::info<operation::SubtractProduct>}};
template <class G>
constexpr program_text::text wrong(const G&, const char* text) {
  return program_text::wrong(detail::program_of<G>::type::thaw(), text, joined);
}

/// The number of nodes that an evaluation has, leaves included.
template <class G>
constexpr auto nodes(const G&) {
  return detail::program_of<G>::type::value.nodes.size();
}
template <class Op, class G>
constexpr int count(const G&) {
  int found = 0;
  for (const program::node& n : detail::program_of<G>::type::value.nodes) found += n.operation == &program::info<Op>;
  return found;
}

// What is appended may be an element of the array itself, also where the array grows.
static_assert([] {
  program::growing_array<int> a(1, 7);
  while (a.size < 100) a.push_back(a[0]);
  return a[99];
}() == 7);

// Equal values are one node, in whichever order they are written.
static_assert(nodes(x * y + y * x) == 4);
static_assert(cost(exp(x) * y + exp(x) * z).functions == 1);
static_assert(cost(value_and_gradient(exp(x * y))).functions == 1);
static_assert(cost(value_and_gradient(sin(x))) == operation_counts{.functions = 1});
static_assert(count<operation::SineCosine>(hessian(sin(x) * y)) == 1);
static_assert(cost(value_and_gradient(softplus(x) + sigmoid(x))).functions == 3);  // abs, exp and log1p
static_assert(cost(value_and_gradient(sqrt(x))).functions == 1);

// Folding: what is exact, and nothing else.
static_assert(right<wrong((x + 0_c) * 1_c, "x")>);
static_assert(right<wrong((-x) * (-y), "x * y")>);
static_assert(right<wrong(x - x, "x - x")>);
static_assert(right<wrong(pow(x, constant<5>), "x * ((x * x) * (x * x))")>);
static_assert(longest_chain(x) == 0 && longest_chain(exp(x) * y) == 2 && longest_chain(sin(x)) == 1);
static_assert(longest_chain(x * y + z) == 1 && longest_chain(x * y - z) == 1 && longest_chain(z - x * y) == 1);
static_assert(longest_chain((x + y) + (z + x)) == 2 && longest_chain(((x + y) + z) + x) == 3);
// A product goes where all that needs it are sums; one that something else needs is computed once.
static_assert(longest_chain((x * y + z) / (x * y - z)) == 2 && longest_chain(x * y + exp(x * y)) == 3);
static_assert(right<wrong(x* y + exp(x * y), "x * y + exp(x * y)")>);
static_assert(right<wrong(x* y - z * z, "subtract_product(z, z, x * y)")>);
// Squares and their sums: one two for all terms of a derivative.
static_assert(right<wrong(gradient(x* x), "x + x")>);
static_assert(right<wrong(gradient(x* x + (x - y) * (x - y), wrt(x)), "(x + (x - y)) + (x + (x - y))")>);
// Derivatives of log(x / y) do without the quotient, unless it has one of its own, and are right where it underflows.
static_assert(right<wrong(gradient(log(x / y)), "1 / x; -(1 / y)")>);
static_assert(right<wrong(gradient(log(x / y), wrt(y)), "-(1 / y)")>);
static_assert(cost(gradient(log(x / y) + (x / y) * (x / y))).multiplications > 0);
constexpr auto of_log = gradient(log(x / y));
static_assert(of_log(x = 2.0, y = 4.0)[x] == 0.5 && of_log(x = 2.0, y = 4.0)[y] == -0.25);
static_assert(of_log(x = 0x1p-900, y = 0x1p900)[x] == 0x1p900 && of_log(x = 0x1p-900, y = 0x1p900)[y] == -0x1p-900);
static_assert(cost(value_and_gradient(x / y)).divisions == 3);  // x / y, 1 / y and x / y / y
static_assert(right<wrong(gradient(100_c * square(x)), "200 * x")>);

// Of a difference and its negative one is computed; a choice made already is not made again.
static_assert(right<wrong((x - y) * z + (y - x), "multiply_subtract(x - y, z, x - y)")>);
static_assert(right<wrong(where(x > 0_c, where(x > 0_c, y, z), z), "where(0 < x, y, z)")>);
// 1/2 / sqrt(x) takes the 1 / sqrt(x) that the value has.
static_assert(cost(value_and_gradient(1_c / sqrt(x))).divisions == 1);

// A gradient keeps nothing of the value that no derivative needs.
static_assert(right<wrong(gradient(log(x)), "1 / x")>);
static_assert(right<wrong(gradient(x + exp(y), wrt(x)), "1")>);

// A stop costs nothing: the value's program is that without it.
static_assert(cost(exp(stop_gradient(sin(x)))) == cost(exp(sin(x))));
static_assert(nodes(exp(stop_gradient(sin(x))) * sin(x)) == nodes(exp(sin(x)) * sin(x)));

// Behind a stop no derivative is computed: the program is that with a variable in its place, and the value.
static_assert(count<operation::Cos>(gradient(x * stop_gradient(sin(y * y)), wrt(x, y))) == 0);
static_assert(cost(gradient(x * x * stop_gradient(sin(y)), wrt(x, y))).total() ==
              cost(gradient(x * x * z, wrt(x))).total() + cost(sin(y)).total());
static_assert(nodes(gradient(stop_gradient(exp(x) * y), wrt(x, y))) == 1);  // the zero
static_assert(cost(hessian(x * stop_gradient(exp(x)))).total() == 0);

// A selection masks what leaves a branch, once for both branches; what is needed everywhere is not masked.
static_assert(cost(gradient(where(x > 0_c, sqrt(x), x))).selections == 1);
static_assert(cost(gradient(x * exp(x))).selections == 0);

// Chains of selections are linear in their length, as other chains: at most 9 operations a layer or an element.
template <int N>
struct relu_layers {
  template <class T>
  constexpr T operator()(T a, T w) const {
    for (int i = 0; i < N; ++i) a = relu(a * w + 0.5);
    return a;
  }
};
template <int N>
struct hypot_layers {
  template <class T>
  constexpr T operator()(T a, T w) const {
    for (int i = 0; i < N; ++i) a = hypot(a, w);
    return a;
  }
};
constexpr auto running_maximum = [](auto a) {
  auto m = a[0];
  for (std::size_t i = 1; i < a.size(); ++i) m = max(m, a[i]);
  return m;
};
template <class... Args, class F>
constexpr int total(F f) {
  return cost<Args...>(gradient(f)).total();
}
static_assert(total<double, double>(relu_layers<10>{}) <= 90 && total<double, double>(relu_layers<60>{}) <= 540);
static_assert(total<double, double>(hypot_layers<10>{}) <= 100 && total<double, double>(hypot_layers<40>{}) <= 400);
static_assert(total<std::array<double, 20>>(running_maximum) <= 180);
static_assert(total<std::array<double, 250>>(running_maximum) <= 2250);
static_assert(cost<double, double>(jvp(relu_layers<40>{}, tangent(1.0, 1.0))).total() <= 400);

// What a user wrote is not rewritten inexactly, whatever else is computed.
static_assert(cost(exp(x - y) + exp(x - (y + log(z)))).functions == 3);
// But the weights of a softmax share the exponentials of its logsumexp.
constexpr auto softmax_weight = exp(x - logsumexp(x, y));
static_assert(cost(softmax_weight).functions == 3 && cost(softmax_weight).divisions == 1);
static_assert(cost(softmax_weight * logsumexp(x, y)).functions == 4);
static_assert(cost(exp(z - logsumexp(x, y))).functions == 5);
constexpr auto shifted_sum = exp(x - z) + exp(y - z);
static_assert(cost(exp(x - (z + log(shifted_sum)))).functions == 2);
// What erfc(x) and e^(-x x) are computed from together is x alone.
static_assert(cost(value_and_gradient(erfc(x))).multiplications == 1);
static_assert(cost(gradient(logsumexp(x, y, z))).functions == 4 && cost(gradient(logsumexp(x, y, z))).divisions == 1);

// What depends on one number is differentiated once for all rows of a Jacobian, not once a row.
constexpr auto radius = x * x + y * y;
constexpr auto factor = where(radius < 1_c, radius, exp(-radius) * tanh(radius));
constexpr auto rows = jacobian(outputs(factor * x, factor* y), wrt(x, y));
static_assert(cost(rows).selections == 2);  // the factor and its derivative
static_assert(cost(rows).functions == 3);   // exp, tanh and its slope
static_assert(cost(rows).total() <= 24);
// Where adjoints are limited, each row has its own.
constexpr auto limited = jacobian(outputs(5_c * grad_clip(x * x, -1_c, 1_c), x* y, grad_clip(exp(x), -1_c, 1_c)),
                                  wrt(x, y, z))(x = 2.0, y = 3.0);
static_assert(limited(0, x) == 4.0 && limited(1, x) == 3.0 && limited(1, y) == 2.0);
// Also where forward sweeps would be fewer.
constexpr auto limited_once = 3_c * grad_clip(x * x, -1_c, 1_c);
static_assert(jacobian(outputs(limited_once))(x = 3.0)(0, x) == 6.0);
static_assert(jacobian(outputs(limited_once, x))(x = 3.0)(0, x) == 6.0);
static_assert(jacobian([](auto v) { return std::array{3.0 * grad_clip(v * v, -1.0, 1.0), v}; })(3.0)[0][0] == 6.0);

// Sixty steps that each use two earlier ones: as many nodes as steps, however long the type's name.
template <int N>
constexpr auto fibonacci() {
  if constexpr (N == 0)
    return x * y;
  else if constexpr (N == 1)
    return x + y;
  else
    return fibonacci<N - 1>() * fibonacci<N - 2>();
}
static_assert(nodes(fibonacci<20>()) == 2 + 21);

// Dependence.
using F = std::remove_const_t<decltype(x * stop_gradient(x * y) + where(z > 0_c, x, 2_c))>;
static_assert(contains<F, Variable<"x">> && depends_on<F, Variable<"x">> && !is_stopped<F, Variable<"x">>);
static_assert(contains<F, Variable<"y">> && !depends_on<F, Variable<"y">> && is_stopped<F, Variable<"y">>);
static_assert(contains<F, Variable<"z">> && !depends_on<F, Variable<"z">> && is_stopped<F, Variable<"z">>);
static_assert(!contains<F, Variable<"w">> && !depends_on<F, Variable<"w">> && !is_stopped<F, Variable<"w">>);

// Of functions, by the types of their arguments.
constexpr auto product = [](auto a, auto b) { return a * exp(b); };
static_assert(cost<double, double>(value_and_gradient(product)) ==
              operation_counts{.multiplications = 1, .functions = 1});
static_assert(cost<double, double>(gradient(product, wrt<0>)) == operation_counts{.functions = 1});
static_assert(cost<std::array<double, 3>>(jacobian([](auto v) { return std::array{v[0] * v[1], v[2]}; })).total() == 0);

// What is wrong in what an operation expands to is found where it is expanded.
struct WithVariable {
  static constexpr std::string_view name = "with_variable";
  static constexpr auto expand = [](auto a) { return a * y; };
  static constexpr rules partials{[](auto, auto) { return 1_c; }};
};
using expanded_with_variable =
    program::finished<program::frozen<program::lower_formulas<std::remove_const_t<decltype(apply<WithVariable>(x))>>>,
                      0, 1>;
static_assert(program::problem_of<expanded_with_variable> == program::fault::formula_met);

}  // namespace
