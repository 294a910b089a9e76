// The rewrites of programs one by one: where each holds, what it makes, and where it does not. Compiling is passing.
#include <tapeless/program/lower/einsum_letters.hpp>
#include <tapeless/tapeless.hpp>

#include <array>
#include <cstdint>

using namespace tapeless;
using namespace tapeless::program;

namespace {

/// x, y and z are the first nodes of a program; operands and expected results are appended by `make<Op>(...)`.
struct sample {
  builder graph;
  int x, y, z;

  constexpr explicit sample(rewrites mode = rewrites::formula)
      : graph(mode), x(graph.variable(0)), y(graph.variable(1)), z(graph.variable(2)) {}
  template <class Op, class... Is>
  constexpr int make(Is... operands) {
    const int list[] = {operands...};
    return graph.append_as_is(info<Op>, list, sizeof...(Is));
  }
  constexpr int operator()(int integer) { return graph.constant(integer); }
  constexpr int ratio(int numerator, int denominator) { return graph.constant({numerator, denominator, 0.0}); }
};

template <class Op, class Rule, class... Is>
constexpr bool holds(sample& s, Is... operands) {
  return Rule::holds(rewriter(s.graph, info<Op>), operands...);
}
/// Whether the rule makes the node `expected` of `Op` on operands. Equal nodes are one.
template <class Op, class Rule, class... Is>
constexpr bool makes(sample& s, int expected, Is... operands) {
  rewriter r(s.graph, info<Op>);
  return Rule::holds(r, operands...) && Rule::result(r, operands...) == expected;
}

using operation::Add, operation::Subtract, operation::Multiply, operation::Divide, operation::Negate, operation::Pow;
using operation::And, operation::Or, operation::Not, operation::Where, operation::Less, operation::Exp, operation::Log;

static_assert([] {
  using namespace rewriting;
  sample s, t;
  const int minus_x = s.make<Negate>(s.x), minus_y = s.make<Negate>(s.y), sum = s.make<Add>(s.x, s.y);
  const int chosen = s.make<Where>(s.make<Less>(s.x, s.y), s.x, s(0)),
            other = s.make<Where>(s.make<Less>(s.x, s.y), s(0), s.y);
  return makes<Negate, negative_of_constant>(s, s(-3), s(3)) && !holds<Negate, negative_of_constant>(s, s.x) &&
         makes<Negate, negative_of_negative>(s, s.x, minus_x) && !holds<Negate, negative_of_negative>(s, s.x) &&
         makes<Negate, negative_of_difference>(s, s.make<Subtract>(s.y, s.x), s.make<Subtract>(s.x, s.y)) &&
         !holds<Negate, negative_of_difference>(s, sum) &&
         makes<Negate, negative_of_selection>(s, s.make<Where>(s.make<Less>(s.x, s.y), minus_x, s(0)), chosen) &&
         !holds<Negate, negative_of_selection>(s, s.make<Where>(s.make<Less>(s.x, s.y), s.x, s.y)) &&
         makes<Add, sum_with_zero>(s, s.x, s.x, s(0)) && makes<Add, sum_with_zero>(s, s.x, s(0), s.x) &&
         !holds<Add, sum_with_zero>(s, s.x, s(1)) &&
         makes<Add, sum_of_negatives>(s, s.make<Negate>(sum), minus_x, minus_y) &&
         !holds<Add, sum_of_negatives>(s, minus_x, s.y) &&
         makes<Add, sum_with_negative>(t, t.make<Subtract>(t.x, t.y), t.x, t.make<Negate>(t.y)) &&
         makes<Add, sum_with_negative>(t, t.make<Subtract>(t.z, t.x), t.make<Negate>(t.x), t.z) &&
         !holds<Add, sum_with_negative>(t, t.x, t.y) &&
         makes<Add, sum_of_selections>(s, s.make<Where>(s.make<Less>(s.x, s.y), s.x, s.y), chosen, other) &&
         !holds<Add, sum_of_selections>(s, chosen, s.x);
}());

// Constants are folded exactly, and only where the parts stay exact in double.
constexpr bool folds(algebra op, constant_value a, constant_value b, std::int64_t numerator, std::int64_t denominator) {
  const auto result = tapeless::program::detail::fold_constants(op, a, b);
  return result && result->numerator == numerator && result->denominator == denominator;
}
constexpr bool rounds(algebra op, constant_value a, constant_value b) {
  return !tapeless::program::detail::fold_constants(op, a, b);
}
static_assert([] {
  using enum algebra;
  constexpr std::int64_t half = std::int64_t{1} << 31, most = half - 1, full = std::int64_t{1} << 53;
  const constant_value third{1, 3, 0.0}, quarter{1, 4, 0.0}, five{5, 1, 0.0}, nothing{0, 1, 0.0}, one{1, 1, 0.0};
  bool right = folds(add, third, quarter, 7, 12) && folds(subtract, third, quarter, 1, 12) &&
               folds(multiply, third, quarter, 1, 12) && folds(divide, third, quarter, 4, 3) &&
               folds(divide, quarter, {-1, 2, 0.0}, -1, 2) && folds(add, quarter, quarter, 1, 2) &&
               folds(subtract, quarter, quarter, 0, 1) && rounds(divide, five, nothing) && rounds(power, five, five);
  right = right && folds(less, quarter, third, 1, 1) && folds(less, third, third, 0, 1) &&
          folds(less_equal, third, third, 1, 1) && folds(less_equal, third, quarter, 0, 1) &&
          folds(equal, third, {2, 6, 0.0}, 1, 1) && folds(equal, third, quarter, 0, 1) &&
          folds(not_equal, third, quarter, 1, 1) && folds(not_equal, third, third, 0, 1);
  for (const std::int64_t sign : {-1, 1})
    right = right && folds(add, {sign * most, 1, 0.0}, nothing, sign * most, 1) &&
            folds(add, nothing, {sign * most, 1, 0.0}, sign * most, 1) && rounds(add, {sign * half, 1, 0.0}, nothing) &&
            rounds(add, nothing, {sign * half, 1, 0.0}) && rounds(multiply, {1, sign * half, 0.0}, one) &&
            rounds(multiply, one, {1, sign * half, 0.0}) && rounds(multiply, {sign * most, 1, 0.0}, {most, 1, 0.0}) &&
            folds(multiply, {sign * (1 << 26), 1, 0.0}, {(1 << 27) - 1, 1, 0.0}, sign * (full - (1 << 26)), 1) &&
            rounds(multiply, {sign * (1 << 26), 1, 0.0}, {1 << 27, 1, 0.0});
  return right && rounds(multiply, {1, 1 << 26, 0.0}, {1, 1 << 27, 0.0}) &&
         folds(multiply, {1, 1 << 26, 0.0}, {1, 1 << 26, 0.0}, 1, full / 2);
}());

// A number in the place of a condition holds where it is not 0.
static_assert([] {
  sample s;
  rewriter r(s.graph, info<Not>);
  const int p = s.make<Less>(s.x, s.y);
  return r.condition(s.x) == s.make<operation::NotEqual>(s.x, s(0)) && r.condition(p) == p &&
         r.condition(s(3)) == s(1) && r.condition(s(0)) == s(0) && r.condition(s.graph.constant({0, 0, 0.0})) == s(0) &&
         r.condition(s.graph.constant({0, 0, 0.5})) == s(1);
}());

// Twos move outward in derivatives alone.
static_assert([] {
  using namespace rewriting;
  sample d(rewrites::derivative), f;
  const auto twice = [](sample& s, int node) { return s.make<Add>(node, node); };
  return makes<Add, sum_of_doubles>(d, twice(d, d.make<Add>(d.x, d.y)), twice(d, d.x), twice(d, d.y)) &&
         !holds<Add, sum_of_doubles>(f, twice(f, f.x), twice(f, f.y)) && !holds<Add, sum_of_doubles>(d, d.x, d.y) &&
         makes<Subtract, difference_of_doubles>(d, twice(d, d.make<Subtract>(d.x, d.y)), twice(d, d.x),
                                                twice(d, d.y)) &&
         !holds<Subtract, difference_of_doubles>(f, twice(f, f.x), twice(f, f.y));
}());

static_assert([] {
  using namespace rewriting;
  sample s;
  const int minus_x = s.make<Negate>(s.x), minus_y = s.make<Negate>(s.y), difference = s.make<Subtract>(s.y, s.x);
  return makes<Subtract, difference_with_zero>(s, s.x, s.x, s(0)) &&
         !holds<Subtract, difference_with_zero>(s, s(0), s.x) && makes<Subtract, zero_minus>(s, minus_x, s(0), s.x) &&
         !holds<Subtract, zero_minus>(s, s(1), s.x) &&
         makes<Subtract, minus_negative>(s, s.make<Add>(s.x, s.y), s.x, minus_y) &&
         !holds<Subtract, minus_negative>(s, minus_x, s.y) &&
         makes<Subtract, negative_minus>(s, s.make<Negate>(s.make<Add>(s.x, s.y)), minus_x, s.y) &&
         !holds<Subtract, negative_minus>(s, s.x, s.y) &&
         makes<Subtract, reversed_difference>(s, s.make<Negate>(difference), s.x, s.y) &&
         !holds<Subtract, reversed_difference>(s, s.y, s.z);
}());

static_assert([] {
  using namespace rewriting;
  sample s;
  const int minus_x = s.make<Negate>(s.x), product = s.make<Multiply>(s.x, s.y);
  return makes<Multiply, product_with_zero>(s, s(0), s.x, s(0)) &&
         !holds<Multiply, product_with_zero>(s, s.x, s.graph.constant({0, 0, 0.0})) &&
         makes<Multiply, product_with_one>(s, s.x, s(1), s.x) && !holds<Multiply, product_with_one>(s, s(2), s.x) &&
         makes<Multiply, product_of_negative>(s, s.make<Negate>(product), minus_x, s.y) &&
         makes<Multiply, product_of_negative>(s, s.make<Negate>(s.make<Multiply>(s.x, s(3))), s.x, s(-3)) &&
         !holds<Multiply, product_of_negative>(s, s.x, s.y) &&
         makes<Multiply, scaled_product>(s, s.make<Multiply>(s.x, s(12)), s(4), s.make<Multiply>(s.x, s(3))) &&
         makes<Multiply, scaled_product>(s, s.make<Multiply>(s.x, s(12)), s.make<Multiply>(s(4), s.x), s(3)) &&
         !holds<Multiply, scaled_product>(s, s(5), s.make<Multiply>(s.x, s(3))) &&
         !holds<Multiply, scaled_product>(s, s(4), s.make<Multiply>(s.x, s.graph.constant({0, 0, 0.1}))) &&
         !holds<Multiply, scaled_product>(s, s.graph.constant({0, 0, 4.0}), s.make<Multiply>(s.x, s(3))) &&
         !holds<Multiply, scaled_product>(s, s(4), s.make<Add>(s.x, s(3))) &&
         !holds<Multiply, scaled_product>(s, s(4), product);
}());

static_assert([] {
  using namespace rewriting;
  sample s, d(rewrites::derivative), e(rewrites::evaluation);
  const int inverse = d.make<Divide>(d(1), d.y);
  return makes<Divide, quotient_by_one>(s, s.x, s.x, s(1)) && !holds<Divide, quotient_by_one>(s, s(1), s.x) &&
         makes<Divide, zero_over>(s, s(0), s(0), s.x) && !holds<Divide, zero_over>(s, s(0), s(0)) &&
         makes<Divide, quotient_of_negative>(s, s.make<Negate>(s.make<Divide>(s.x, s.y)), s.x, s.make<Negate>(s.y)) &&
         !holds<Divide, quotient_of_negative>(s, s.x, s.y) &&
         makes<Divide, quotient_by_power_of_two>(s, s.make<Multiply>(s.x, s.ratio(1, 4)), s.x, s(4)) &&
         !holds<Divide, quotient_by_power_of_two>(s, s.x, s(3)) &&
         !holds<Divide, quotient_by_power_of_two>(s, s.x, s(0)) &&
         !holds<Divide, quotient_by_power_of_two>(s, s.x, s.ratio(1, 3)) &&
         !holds<Divide, quotient_by_power_of_two>(s, s.x, s.graph.constant({0, 0, 2.0})) &&
         makes<Divide, shared_inverse>(d, d.make<Multiply>(inverse, d.ratio(1, 2)), d.ratio(1, 2), d.y) &&
         !holds<Divide, shared_inverse>(d, d.ratio(1, 3), d.y) &&
         !holds<Divide, shared_inverse>(d, d.ratio(1, 2), d.x) &&
         // Numbers are the same along no axis.
         !holds<Divide, quotient_by_uniform>(e, e.x, e.y);
}());

// x divided by what lacks an axis of it; the program is one over tensors.
static_assert([] {
  using namespace rewriting;
  builder graph(rewrites::evaluation);
  const int x = graph.read({access_kind::variable, 3, 1, {0}}), y = graph.read({access_kind::variable, 1, 0, {}});
  return quotient_by_uniform::holds(rewriter(graph, info<Divide>), x, y) &&
         !quotient_by_uniform::holds(rewriter(graph, info<Divide>), y, x);
}());

/// A program over tensors: x and y vary along axis 0, u and v are numbers.
struct tensor_sample : sample {
  int u = 0, v = 0, minus_u = 0;
  axis_set along = axis(0);

  constexpr explicit tensor_sample(rewrites mode = rewrites::evaluation) : sample(mode) {
    x = graph.read({access_kind::variable, 3, 1, {0}}), y = graph.read({access_kind::variable, 4, 1, {0}});
    u = graph.read({access_kind::variable, 5, 0, {}}), v = graph.read({access_kind::variable, 6, 0, {}});
    minus_u = make<Negate>(u);
  }
  constexpr int sum(int node) { return graph.append_reduction(info<operation::Sum>, node, along); }
  /// What is 0 where the axis has no elements.
  constexpr int unless_empty(int node) {
    const int extent = extent_of(graph, 0), zero = graph.constant(0);
    return make<Where>(make<operation::Equal>(extent, zero), zero, node);
  }
  /// The sum of what is the same along the axis.
  constexpr int times_extent(int node) {
    const int extent = extent_of(graph, 0);
    return unless_empty(make<Multiply>(node, extent));
  }
};
template <class Rule>
constexpr bool sum_holds(tensor_sample& s, int term) {
  return Rule::holds(rewriter(s.graph, info<operation::Sum>), term, s.along);
}
/// Whether the rule makes of the sum what `expected` appends, and nothing besides.
template <class Rule, class Expected>
constexpr bool makes_sum(const tensor_sample& s, int term, Expected expected) {
  tensor_sample by_rule = s, by_hand = s;
  rewriter r(by_rule.graph, info<operation::Sum>);
  return Rule::holds(r, term, s.along) && Rule::result(r, term, s.along) == expected(by_hand) &&
         by_rule.graph.nodes.size == by_hand.graph.nodes.size;
}

static_assert([] {
  using namespace rewriting;
  tensor_sample s, d(rewrites::derivative), f(rewrites::formula);
  const int product = s.make<Multiply>(s.x, s.u), opposite = s.make<Multiply>(s.x, s.minus_u);
  const int other = s.make<Multiply>(s.y, s.u);
  return makes<Negate, negative_of_multiple>(s, opposite, product) && !holds<Negate, negative_of_multiple>(s, s.x) &&
         !holds<Negate, negative_of_multiple>(s, s.make<Multiply>(s.x, s.y)) &&
         !holds<Negate, negative_of_multiple>(d, d.make<Multiply>(d.x, d.u)) &&
         makes_sum<sum_of_negative>(d, d.make<Negate>(d.x),
                                    [](auto& t) { return t.template make<Negate>(t.sum(t.x)); }) &&
         !sum_holds<sum_of_negative>(d, d.x) && !sum_holds<sum_of_negative>(f, f.make<Negate>(f.x)) &&
         makes_sum<sum_of_scaled>(s, s.make<Multiply>(s.x, s.ratio(1, 2)),
                                  [](auto& t) { return t.template make<Multiply>(t.ratio(1, 2), t.sum(t.x)); }) &&
         !sum_holds<sum_of_scaled>(s, s.make<Multiply>(s.x, s.ratio(1, 3))) && !sum_holds<sum_of_scaled>(s, product) &&
         !sum_holds<sum_of_scaled>(d, d.make<Multiply>(d.x, d.ratio(1, 2))) &&
         makes_sum<sum_of_opposite>(s, product, [&](auto& t) { return t.template make<Negate>(t.sum(opposite)); }) &&
         !sum_holds<sum_of_opposite>(s, other) && !sum_holds<sum_of_opposite>(s, s.x);
}());

// What is the same in all terms leaves a sum of squares or of values of functions, and none whose terms could be exact.
static_assert([] {
  using namespace rewriting;
  tensor_sample s, d(rewrites::derivative);
  const int square = s.make<Multiply>(s.x, s.x), scaled = s.make<Multiply>(square, s.ratio(1, 2));
  const int log = s.make<Multiply>(s.make<Log>(s.x), s.y), product = s.make<Multiply>(s.x, s.y);
  return makes_sum<sum_with_uniform_term>(s, s.make<Subtract>(square, s.u),
                                          [&](auto& t) {
                                            const int sum = t.sum(square);
                                            return t.template make<Subtract>(sum, t.times_extent(t.u));
                                          }) &&
         sum_holds<sum_with_uniform_term>(s, s.make<Add>(s.u, scaled)) &&
         sum_holds<sum_with_uniform_term>(s, s.make<Add>(s.make<Subtract>(scaled, s.u), s.v)) &&
         sum_holds<sum_with_uniform_term>(s, s.make<Subtract>(s.make<Add>(log, square), s.u)) &&
         !sum_holds<sum_with_uniform_term>(s, s.make<Subtract>(s.x, s.u)) &&
         !sum_holds<sum_with_uniform_term>(s, s.make<Subtract>(product, s.u)) &&
         !sum_holds<sum_with_uniform_term>(s, s.make<Subtract>(s.make<Add>(s.x, square), s.u)) &&
         !sum_holds<sum_with_uniform_term>(s, s.make<Subtract>(square, s.y)) &&
         !sum_holds<sum_with_uniform_term>(s, s.make<Subtract>(s.u, s.v)) &&
         !sum_holds<sum_with_uniform_term>(d, d.make<Subtract>(d.make<Multiply>(d.x, d.x), d.u));
}());

// A factor leaves a sum if there is the sum without it; the sum of no values is 0, whatever the factor is.
static_assert([] {
  using namespace rewriting;
  tensor_sample s;
  const int inverse = s.make<Divide>(s(1), s.u), product = s.make<Multiply>(s.x, s.y);
  const auto quotient = [&](auto& t, int node) {
    return t.template make<operation::UniformQuotient>(node, t.u, inverse);
  };
  const int ux = s.make<Multiply>(s.x, s.u), x_over_u = quotient(s, s.x);
  const int y_ux = s.make<Multiply>(s.y, ux), y_x_over_u = s.make<Multiply>(s.y, x_over_u);
  const bool before = sum_holds<sum_of_multiple>(s, ux) || sum_holds<sum_of_multiple>(s, y_ux);
  const int sum = s.sum(s.x), sum_of_products = s.sum(product);
  const auto makes_multiple = [&](int term, int of) {
    return makes_sum<sum_of_multiple>(s, term,
                                      [&](auto& t) { return t.unless_empty(t.template make<Multiply>(t.u, of)); });
  };
  const auto makes_quotient = [&](int term, int of) {
    return makes_sum<sum_of_multiple>(s, term, [&](auto& t) { return t.unless_empty(quotient(t, of)); });
  };
  return !before && makes_multiple(ux, sum) && makes_multiple(y_ux, sum_of_products) && makes_quotient(x_over_u, sum) &&
         makes_quotient(y_x_over_u, sum_of_products) && !sum_holds<sum_of_multiple>(s, product) &&
         !sum_holds<sum_of_multiple>(s, s.make<Multiply>(s.y, s.u)) &&
         !sum_holds<sum_of_multiple>(s, s.make<Multiply>(s.x, ux));
}());

// Elements are taken from what varies, and put into the other term of a sum that is an output.
static_assert([] {
  using namespace rewriting;
  tensor_sample s;
  const tensor_access all{access_kind::variable, 3, 1, {0}}, chosen{access_kind::variable, 7, 1, {1}};
  const tensor_move take{move_kind::take, all, chosen, 0, {}};
  const tensor_move put = take.transposed();
  const int indices = s.graph.read(chosen);
  const auto moved = [&](const tensor_move& move, int a, int b, int count, int c = 0) {
    const int operands[] = {a, b, c};
    return s.graph.append_move(info<operation::Move>, &move, operands, count);
  };
  const int shifted = s.make<Subtract>(s.x, s.u), scaled = s.make<Multiply>(s.v, shifted);
  const int taken = s.make<Multiply>(s.v, s.make<Subtract>(moved(take, s.x, indices, 2), s.u));
  const bool commutes = take_of_operation::holds(s.graph, take, scaled) &&
                        take_of_operation::result(s.graph, take, scaled, indices) == taken &&
                        !take_of_operation::holds(s.graph, put, shifted) &&
                        !take_of_operation::holds(s.graph, take, s.x) &&
                        !take_of_operation::holds(s.graph, take, s.make<Exp>(s.x)) &&
                        !take_of_operation::holds(s.graph, take, s.make<Subtract>(s.x, s.y));
  const int back = moved(put, taken, indices, 2), sum = s.make<Add>(s.y, back);
  const bool puts = put_into_sum::holds(s.graph, sum);
  const bool into = put_into_sum::result(s.graph, sum) == moved(put, taken, indices, 3, s.y);
  const bool not_twice = !put_into_sum::holds(s.graph, s.make<Add>(s.x, back)) && !put_into_sum::holds(s.graph, sum);
  return commutes && puts && into && not_twice && !put_into_sum::holds(s.graph, s.make<Add>(s.x, s.y));
}());

static_assert([] {
  using namespace rewriting;
  sample s, e(rewrites::evaluation);
  const int square = e.make<Multiply>(e.x, e.x);
  return makes<Pow, power_zero>(s, s(1), s.x, s(0)) && !holds<Pow, power_zero>(s, s.x, s.y) &&
         makes<Pow, power_one>(s, s.x, s.x, s(1)) && !holds<Pow, power_one>(s, s.x, s(2)) &&
         makes<Pow, integer_power>(e, e.make<Multiply>(square, square), e.x, e(4)) &&
         makes<Pow, integer_power>(e, e.make<Divide>(e(1), square), e.x, e(-2)) &&
         holds<Pow, integer_power>(e, e.x, e(64)) && holds<Pow, integer_power>(e, e.x, e(-64)) &&
         !holds<Pow, integer_power>(e, e.x, e(65)) && !holds<Pow, integer_power>(e, e.x, e(-65)) &&
         !holds<Pow, integer_power>(e, e.x, e.ratio(1, 2)) && !holds<Pow, integer_power>(s, s.x, s(4));
}());

static_assert([] {
  using namespace rewriting;
  sample s;
  const int p = s.make<Less>(s.x, s.y), q = s.make<Less>(s.y, s.z), both = s.make<And>(p, q);
  const int not_p = s.make<Not>(p), not_q = s.make<Not>(q);
  return makes<Not, not_constant>(s, s(0), s(1)) && !holds<Not, not_constant>(s, p) &&
         makes<Not, not_not>(s, p, not_p) && !holds<Not, not_not>(s, p) && makes<And, and_constant>(s, p, p, s(1)) &&
         makes<And, and_constant>(s, s(0), s(0), p) && !holds<And, and_constant>(s, p, q) &&
         makes<And, and_implied>(s, both, both, p) && makes<And, and_implied>(s, both, p, both) &&
         !holds<And, and_implied>(s, p, q) && makes<And, contradiction>(s, s(0), p, not_p) &&
         !holds<And, contradiction>(s, p, not_q) && makes<Or, or_constant>(s, s(1), s(1), p) &&
         makes<Or, or_constant>(s, p, p, s(0)) && !holds<Or, or_constant>(s, p, q) &&
         makes<Or, or_implied>(s, p, both, p) && makes<Or, or_implied>(s, p, p, both) &&
         !holds<Or, or_implied>(s, p, q) && makes<Or, tautology>(s, s(1), not_q, q) && !holds<Or, tautology>(s, p, q) &&
         makes<Or, or_of_branches>(s, p, both, s.make<And>(p, not_q)) && !holds<Or, or_of_branches>(s, both, p) &&
         !holds<Or, or_of_branches>(s, both, s.make<Or>(p, not_q)) &&
         !holds<Or, or_of_branches>(s, s.make<Or>(p, not_q), both);
}());

static_assert([] {
  using namespace rewriting;
  sample s;
  const int p = s.make<Less>(s.x, s.y), q = s.make<Less>(s.y, s.z), inner = s.make<Where>(p, s.x, s.z);
  return makes<Where, where_constant>(s, s.x, s(1), s.x, s.y) && makes<Where, where_constant>(s, s.y, s(0), s.x, s.y) &&
         !holds<Where, where_constant>(s, p, s.x, s.y) && makes<Where, where_same>(s, s.x, p, s.x, s.x) &&
         !holds<Where, where_same>(s, p, s.x, s.y) &&
         makes<Where, where_not>(s, s.make<Where>(p, s.y, s.x), s.make<Not>(p), s.x, s.y) &&
         !holds<Where, where_not>(s, p, s.x, s.y) &&
         makes<Where, where_chosen_already>(s, s.make<Where>(p, s.x, s.y), p, inner, s.y) &&
         makes<Where, where_chosen_already>(s, s.make<Where>(p, s.y, s.z), p, s.y, inner) &&
         !holds<Where, where_chosen_already>(s, q, inner, s.y);
}());

static_assert([] {
  using namespace rewriting;
  sample s, e(rewrites::evaluation);
  const int minus_x = s.make<Negate>(s.x), size = s.make<operation::Abs>(s.x);
  const int inverse = e.make<Divide>(e(1), e.z), difference = e.make<Subtract>(e.x, e.y);
  const int shifted = e.make<Subtract>(e.x, e.make<Add>(e.y, e.make<Log>(e.z)));
  const int term = e.make<Exp>(difference), sum = e.make<Add>(e.z, term);
  const int weight = e.make<Divide>(term, sum);
  return makes<operation::Cos, sign_of_operand>(s, s.make<operation::Cos>(s.x), minus_x) &&
         !holds<operation::Cos, sign_of_operand>(s, s.x) && !holds<Exp, sign_of_operand>(s, minus_x) &&
         makes<operation::Abs, repeated>(s, size, size) && !holds<operation::Abs, repeated>(s, s.x) &&
         !holds<operation::Cos, repeated>(s, s.make<operation::Cos>(s.x)) &&
         makes<operation::SoftmaxExp, softmax_of_shifted>(e, e.make<Multiply>(inverse, e.make<Exp>(difference)),
                                                          shifted) +
                 makes<operation::SoftmaxExp, softmax_of_shifted>(e, e.make<Multiply>(e.make<Exp>(difference), inverse),
                                                                  shifted) ==
             1 &&
         !holds<operation::SoftmaxExp, softmax_of_shifted>(e, difference) && !holds<Exp, softmax_of_term>(e, shifted) &&
         makes<Exp, softmax_of_term>(e, weight, e.make<Subtract>(e.x, e.make<Add>(e.y, e.make<Log>(sum))));
}());

/// Operations with laws of their own.
struct Joined {
  static constexpr std::string_view name = "joined";
  static constexpr tapeless::laws laws{.commutative = true, .identity = 7, .idempotent = true};
};
struct Turned {
  static constexpr std::string_view name = "turned";
  static constexpr tapeless::laws laws{.odd = true, .involution = true};
};
static_assert([] {
  using namespace rewriting;
  sample s;
  return makes<Joined, same_twice>(s, s.x, s.x, s.x) && !holds<Joined, same_twice>(s, s.x, s.y) &&
         !holds<Add, same_twice>(s, s.x, s.x) && makes<Joined, with_identity>(s, s.x, s.x, s(7)) &&
         makes<Joined, with_identity>(s, s.x, s(7), s.x) && !holds<Joined, with_identity>(s, s.x, s(0)) &&
         makes<Turned, undone>(s, s.x, s.make<Turned>(s.x)) && !holds<Turned, undone>(s, s.x) &&
         makes<Turned, sign_of_operand>(s, s.make<Negate>(s.make<Turned>(s.x)), s.make<Negate>(s.x));
}());

// A program as written only takes exact constants together, and follows what an exact 0 means.
constexpr auto as_written = [] {
  sample s;
  s.graph.stay_plain();
  return s;
};
template <class Op>
constexpr int appended(sample& s, int a, int b) {
  const int operands[] = {a, b};
  return s.graph.append(info<Op>, operands, 2);
}
static_assert([] {
  sample s = as_written();
  return appended<Multiply>(s, appended<Divide>(s, s(1), s(3)), s(3)) == s(1);
}());
static_assert([] {
  sample s = as_written();
  return appended<Multiply>(s, s.x, s(0)) == s(0) && appended<Multiply>(s, s(0), s.x) == s(0) &&
         appended<Divide>(s, s(0), s.x) == s(0);
}());
static_assert([] {
  sample s = as_written();
  return appended<Add>(s, s.x, s(0)) == s.x && appended<Add>(s, s(0), s.x) == s.x &&
         appended<Subtract>(s, s.x, s(0)) == s.x;
}());

// Operands that may be exchanged stand in the order of their nodes: x = y and y = x are one.
static_assert([] {
  sample s;
  return appended<operation::Equal>(s, s.y, s.x) == appended<operation::Equal>(s, s.x, s.y) &&
         appended<operation::Less>(s, s.y, s.x) != appended<operation::Less>(s, s.x, s.y);
}());

// Active is what lies on a path from a variable to an output: exp(x) does not lead to x + y.
static_assert([] {
  sample s;
  s.graph.variables = {3, ""};
  const int aside = s.make<Exp>(s.x), sum = s.make<Add>(s.x, s.y), variables[] = {0}, outputs[] = {sum};
  const growing_array<char> active = active_nodes(s.graph, variables, outputs);
  return active[s.x] && active[sum] && !active[s.y] && !active[aside];
}());

// Numbers that are written are exact below 2^53, with a few binary digits after the point.
static_assert(constant_from(0x1p53 - 1).exact() && constant_from(1 - 0x1p53).exact() && constant_from(0x1p-10).exact());
static_assert(!constant_from(0x1p53).exact() && !constant_from(-0x1p53).exact() && !constant_from(1e300).exact());
static_assert(!constant_from(0x1p-11).exact() && !constant_from(0x1p53 + 2).exact());

// Subscripts of einsum fit operands of as many axes as they have letters, in both places.
static_assert(einsum_letters("ij,jk->ik").fit(2, 2));
static_assert(!einsum_letters("ij,jk->ik").fit(3, 2) && !einsum_letters("ij,jk->ik").fit(2, 3));

}  // namespace
