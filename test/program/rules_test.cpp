// Every rule that rewrites a program, on all operands of a pool for which it holds, at ordinary, huge, tiny, subnormal,
// infinite, NaN and zero numbers: what it makes has the value of the plain operations. The values come from an
// interpreter of a few lines, in double where a rule promises every bit, and with 50 digits where it promises a bound.
#include <tapeless/tapeless.hpp>

#include "interpreter.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

using namespace tapeless::program;
using namespace tapeless::program::rewriting;
namespace operation = tapeless::operation;
using digits_50 = boost::multiprecision::cpp_bin_float_50;

/// What a rule promises of the value that it makes, besides that both are NaN.
enum class promise {
  /// The same bits.
  bits,
  /// The same bits, but for the sign of a zero.
  but_sign_of_zero,
  /// The same bits wherever the unrewritten operations stay within normal numbers: one factor is a power of two.
  but_range_of_power_of_two,
  /// A number of units in the last place of the exact value, where the unrewritten operations stay in range.
  ulps,
  /// So close to the exact sum as a sum of its parts in some order.
  order_of_sum,
};

/// One row a rule; a rule without a row does not compile.
template <auto Rule>
struct row;
template <auto Rule, auto Other>
constexpr bool is_rule =
    std::is_same_v<std::integral_constant<decltype(Rule), Rule>, std::integral_constant<decltype(Other), Other>>;
template <promise Promise, class Op, stage Mode = stage::formula>
struct row_of {
  static constexpr promise promised = Promise;
  using appended = Op;
  static constexpr stage mode = Mode;
};
using enum promise;

// clang-format off
template <> struct row<negative_of_constant> : row_of<but_sign_of_zero, operation::Negate> {};
template <> struct row<negative_of_negative> : row_of<bits, operation::Negate> {};
template <> struct row<negative_of_difference> : row_of<but_sign_of_zero, operation::Negate> {};
template <> struct row<negative_of_selection> : row_of<but_sign_of_zero, operation::Negate> {};
template <> struct row<negative_of_multiple> : row_of<bits, operation::Negate, stage::evaluation> {};
template <> struct row<not_constant> : row_of<bits, operation::Not> {};
template <> struct row<not_not> : row_of<bits, operation::Not> {};
template <> struct row<softmax_of_shifted> : row_of<ulps, operation::SoftmaxExp, stage::evaluation> {};
template <> struct row<softmax_of_term> : row_of<ulps, operation::Exp, stage::evaluation> {};
template <> struct row<sum_with_zero> : row_of<but_sign_of_zero, operation::Add> {};
template <> struct row<sum_of_negatives> : row_of<but_sign_of_zero, operation::Add> {};
template <> struct row<sum_with_negative> : row_of<but_sign_of_zero, operation::Add> {};
template <> struct row<sum_of_selections> : row_of<but_sign_of_zero, operation::Add> {};
template <> struct row<sum_of_doubles<operation::Add>> : row_of<but_range_of_power_of_two, operation::Add, stage::derivative> {};
template <> struct row<difference_with_zero> : row_of<but_sign_of_zero, operation::Subtract> {};
template <> struct row<zero_minus> : row_of<but_sign_of_zero, operation::Subtract> {};
template <> struct row<minus_negative> : row_of<but_sign_of_zero, operation::Subtract> {};
template <> struct row<negative_minus> : row_of<but_sign_of_zero, operation::Subtract> {};
template <> struct row<sum_of_doubles<operation::Subtract>> : row_of<but_range_of_power_of_two, operation::Subtract, stage::derivative> {};
template <> struct row<reversed_difference> : row_of<but_sign_of_zero, operation::Subtract> {};
template <> struct row<product_with_zero> : row_of<bits, operation::Multiply> {};
template <> struct row<product_with_one> : row_of<bits, operation::Multiply> {};
template <> struct row<product_of_negative<operation::Multiply>> : row_of<but_range_of_power_of_two, operation::Multiply> {};
template <> struct row<scaled_product> : row_of<but_range_of_power_of_two, operation::Multiply> {};
template <> struct row<quotient_by_one> : row_of<bits, operation::Divide> {};
template <> struct row<zero_over> : row_of<bits, operation::Divide> {};
template <> struct row<product_of_negative<operation::Divide>> : row_of<but_range_of_power_of_two, operation::Divide> {};
template <> struct row<quotient_by_power_of_two> : row_of<but_range_of_power_of_two, operation::Divide> {};
template <> struct row<shared_inverse> : row_of<but_range_of_power_of_two, operation::Divide, stage::derivative> {};
template <> struct row<quotient_by_uniform> : row_of<ulps, operation::Divide, stage::evaluation> {};
template <> struct row<power_zero> : row_of<bits, operation::Pow> {};
template <> struct row<power_one> : row_of<bits, operation::Pow> {};
template <> struct row<integer_power> : row_of<ulps, operation::Pow, stage::evaluation> {};
template <> struct row<with_constant<opcode::logical_and>> : row_of<bits, operation::And> {};
template <> struct row<with_implied<opcode::logical_and>> : row_of<bits, operation::And> {};
template <> struct row<with_opposite<opcode::logical_and>> : row_of<bits, operation::And> {};
template <> struct row<with_constant<opcode::logical_or>> : row_of<bits, operation::Or> {};
template <> struct row<with_implied<opcode::logical_or>> : row_of<bits, operation::Or> {};
template <> struct row<with_opposite<opcode::logical_or>> : row_of<bits, operation::Or> {};
template <> struct row<or_of_branches> : row_of<bits, operation::Or> {};
template <> struct row<where_constant> : row_of<bits, operation::Where> {};
template <> struct row<where_same> : row_of<bits, operation::Where> {};
template <> struct row<where_not> : row_of<bits, operation::Where> {};
template <> struct row<where_chosen_already> : row_of<bits, operation::Where> {};
template <> struct row<sum_of_negative> : row_of<but_sign_of_zero, operation::Sum, stage::evaluation> {};
template <> struct row<sum_of_scaled> : row_of<but_range_of_power_of_two, operation::Sum, stage::evaluation> {};
template <> struct row<sum_of_opposite> : row_of<but_sign_of_zero, operation::Sum, stage::evaluation> {};
template <> struct row<sum_with_uniform_term> : row_of<order_of_sum, operation::Sum, stage::evaluation> {};
template <> struct row<sum_of_multiple> : row_of<order_of_sum, operation::Sum, stage::evaluation> {};
// clang-format on

// The laws of an operation of one operand are tried for all that have any.
template <>
struct row<sign_of_operand> : row_of<bits, void> {};
template <>
struct row<repeated> : row_of<bits, void> {};
template <>
struct row<undone> : row_of<bits, void> {};
template <>
struct row<same_twice> : row_of<bits, void> {};
template <>
struct row<with_identity> : row_of<bits, void> {};

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN(),
                 largest = std::numeric_limits<double>::max(), smallest_normal = std::numeric_limits<double>::min(),
                 smallest = std::numeric_limits<double>::denorm_min();

/// The numbers at which rules are tried, in all pairs.
const std::vector<double> grid = [] {
  std::vector<double> result{nan};
  for (const double x : {0.0,
                         1.0,
                         0.1,
                         1.5,
                         3.0,
                         700.3,
                         1e-9,
                         1e16,
                         1e154,
                         1.1e-154,
                         3e300,
                         7e-300,
                         1e308,
                         largest,
                         largest / 2,
                         smallest_normal,
                         1.5 * smallest_normal,
                         smallest,
                         3 * smallest,
                         1e-310,
                         infinity})
    result.push_back(x), result.push_back(-x);
  return result;
}();
const int grid_size = static_cast<int>(grid.size());
double at_grid(int i) { return grid[static_cast<std::size_t>(i % grid_size)]; }

/// A program with a pool of nodes that operands are taken from.
struct sample {
  builder graph;
  std::vector<int> numbers, conditions;

  explicit sample(stage mode) : graph(mode) {}
  template <class Op, class... Is>
  int make(Is... operands) {
    const int list[] = {operands...};
    return graph.append_as_is(info<Op>, list, sizeof...(Is));
  }
  int ratio(std::int64_t n, std::int64_t d) { return graph.constant({n, d, 0.0}); }
  int literal(double value) { return graph.constant({0, 0, value}); }
};

/// Numbers x and y, and what rules look for: signs, zeros, ones, powers of two, selections, doubles.
sample pool_of_numbers(stage mode) {
  using namespace operation;
  sample s(mode);
  const int x = s.graph.variable(0), y = s.graph.variable(1);
  const int zero = s.graph.constant(0), minus_x = s.make<Negate>(x), difference = s.make<Subtract>(x, y);
  const int p = s.make<Less>(x, y), q = s.make<Less>(y, s.graph.constant(1)), not_p = s.make<Not>(p);
  const int both = s.make<And>(p, q);
  s.numbers = {x,
               y,
               minus_x,
               s.make<Negate>(y),
               difference,
               s.make<Add>(x, y),
               s.make<Multiply>(x, y),
               s.make<Divide>(x, y),
               s.make<Divide>(s.graph.constant(1), y),
               s.make<Add>(x, x),
               s.make<Add>(y, y),
               s.make<Negate>(s.make<Multiply>(x, y)),
               zero,
               s.literal(0.0),
               s.literal(-0.0),
               s.graph.constant(1),
               s.graph.constant(-1),
               s.graph.constant(2),
               s.graph.constant(-2),
               s.graph.constant(3),
               s.graph.constant(-3),
               s.ratio(1, 2),
               s.ratio(1, 3),
               s.ratio(3, 4),
               s.ratio(-1, 1024),
               s.graph.constant(4),
               s.graph.constant(6),
               s.ratio(1, 1024),
               s.graph.constant(1 << 20),
               s.graph.constant(7),
               s.literal(0.1),
               s.literal(-0.1),
               s.literal(nan),
               s.literal(infinity),
               s.literal(1.0),
               s.literal(2.0),
               s.make<Multiply>(x, s.graph.constant(3)),
               s.make<Multiply>(x, s.ratio(1, 4)),
               s.make<Multiply>(x, s.graph.constant(1 << 20)),
               s.make<Multiply>(y, s.literal(0.1)),
               s.make<Where>(p, x, zero),
               s.make<Where>(p, zero, y),
               s.make<Where>(p, x, y),
               s.make<Where>(q, x, zero),
               s.make<Where>(p, s.literal(0.0), y),
               s.make<Where>(p, s.make<Where>(p, x, y), y),
               s.make<Abs>(x),
               s.make<Cos>(x),
               s.make<Cosh>(x)};
  s.conditions = {p,
                  q,
                  not_p,
                  s.make<Not>(q),
                  both,
                  s.make<And>(p, s.make<Not>(q)),
                  s.make<And>(q, not_p),
                  s.make<Or>(p, q),
                  zero,
                  s.graph.constant(1),
                  s.make<Equal>(x, y),
                  s.make<NotEqual>(x, zero)};
  return s;
}

/// Vectors x and y along axis 0, z along axis 1, numbers u and v, and terms of sums.
struct tensor_sample : sample {
  std::vector<int> indices;
  tensor_access along_rows{access_kind::variable, 3, 1, {0}}, along_columns{access_kind::variable, 7, 1, {1}};

  explicit tensor_sample(stage mode) : sample(mode) {
    using namespace operation;
    const int x = graph.read({access_kind::variable, 3, 1, {0}}), y = graph.read({access_kind::variable, 4, 1, {0}});
    const int u = graph.read({access_kind::variable, 5, 0, {}}), v = graph.read({access_kind::variable, 6, 0, {}});
    const int minus_u = make<Negate>(u), square = make<Multiply>(x, x), inverse = make<Divide>(graph.constant(1), u);
    const int uy = make<Multiply>(y, u), exp = make<Exp>(y);
    indices = {graph.read(along_columns)};
    numbers = {x,
               y,
               u,
               v,
               minus_u,
               graph.constant(1),
               graph.constant(2),
               ratio(1, 4),
               graph.constant(3),
               make<Negate>(x),
               make<Multiply>(x, u),
               make<Multiply>(v, y),
               make<Multiply>(x, v),
               make<Multiply>(y, minus_u),
               uy,
               square,
               exp,
               make<Subtract>(square, u),
               make<Add>(v, square),
               make<Subtract>(u, exp),
               make<Add>(exp, square),
               make<Subtract>(make<Add>(exp, v), u),
               make<Subtract>(x, u),
               make<Multiply>(x, y),
               make<Subtract>(x, y),
               make<Subtract>(make<Add>(x, square), u),
               make<Negate>(square),
               make<Subtract>(make<Negate>(square), v),
               make<Multiply>(ratio(1, 2), square),
               make<Multiply>(x, graph.constant(1 << 20)),
               make<Add>(u, make<Multiply>(ratio(1, 2), square)),
               make<Multiply>(x, ratio(1, 3)),
               make<Multiply>(x, make<Multiply>(v, y)),
               make<UniformQuotient>(x, u, inverse),
               make<Multiply>(y, make<UniformQuotient>(x, u, inverse)),
               make<TimesInverse>(x, u, inverse),
               make<Divide>(x, y),
               make<Add>(u, v),
               make<Multiply>(u, v),
               make<Abs>(x)};
  }
  int sum(int node) { return graph.append_reduction(info<operation::Sum>, node, axis(0)); }
};

double of_pair(int variable, int point, int) { return at_grid(variable == 0 ? point / grid_size : point); }

/// Each number of the grid stands beside others of it along an axis.
double of_tensors(int variable, int point, int index) {
  constexpr int strides[] = {1, 5, 7, 11};
  if (variable == 7) return index;
  return at_grid(variable == 5 ? point : point / grid_size + (variable - 2) * index * strides[index % 4]);
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
double ulp(double x) {
  const double size = std::abs(x);
  return size < smallest_normal ? smallest : std::ldexp(std::numeric_limits<double>::epsilon(), std::ilogb(size));
}

/// The nodes that a node is computed from, and itself.
std::vector<char> cone_of(const builder& graph, int index) {
  std::vector<char> cone(static_cast<std::size_t>(index) + 1, 0);
  cone.back() = 1;
  for (int i = index; i >= 0; --i)
    for (int j = 0; cone[static_cast<std::size_t>(i)] && j < graph.nodes[i].count; ++j)
      cone[static_cast<std::size_t>(graph.operands(i)[j])] = 1;
  return cone;
}

/// How often a rule was tried, and what went wrong first.
struct tally {
  int tried = 0, failed = 0;
  std::string first;
};

/// A pool of nodes, the points at which they are computed, and their values in double and with 50 digits: those either
/// of all operations, or of what is appended to the pool, whose values in double count as exact.
template <class Leaf, class Pool = sample>
struct material {
  Pool pool;
  int points;
  Leaf leaf;
  std::vector<std::vector<double>> known;
  std::vector<std::vector<digits_50>> exact;

  material(const Pool& nodes, int count, Leaf elements, bool of_all = false)
      : pool(nodes), points(count), leaf(elements) {
    interpreter::run(known, pool.graph, points, leaf);
    if (of_all) interpreter::run(exact, pool.graph, points, leaf);
    for (const std::vector<double>& values : known)
      if (!of_all) exact.emplace_back(values.begin(), values.end());
  }
};

void print_node(std::ostream& to, const builder& graph, int i) {
  const node& n = graph.nodes[i];
  if (n.kind == node_kind::variable)
    to << "v" << n.leaf;
  else if (const constant_value* c = graph.constant_of(i))
    to << c->as<double>();
  else if (n.kind == node_kind::extent)
    to << "extent";
  else {
    to << n.operation->name << '(';
    for (int j = 0; j < n.count; ++j) to << (j > 0 ? ", " : ""), print_node(to, graph, graph.operands(i)[j]);
    to << ')';
  }
}

/// The largest error that a rule allows in value number k, given the exact values of all nodes; negative where nothing
/// is promised.
using bound_function = std::function<double(const std::vector<std::vector<digits_50>>& exact, std::size_t k)>;

/// Compares a node with what a rule made of it.
template <class Material>
void compare(tally& result, promise promised, Material& from, const builder& graph, int before, int after,
             const bound_function& bound) {
  const auto at = [](const auto& values, int node, std::size_t k) { return values[static_cast<std::size_t>(node)][k]; };
  auto& all = from.known;
  auto& exact = from.exact;
  const std::size_t size = all[0].size(), given = all.size();
  interpreter::run(all, graph, from.points, from.leaf);
  if (bound || promised == but_range_of_power_of_two) interpreter::run(exact, graph, from.points, from.leaf);
  std::vector<char> out_of_range(size, 0);
  if (promised == but_range_of_power_of_two)
    for (const int node : {before, after}) {
      const std::vector<char> cone = cone_of(graph, node);
      for (std::size_t i = 0; i < cone.size(); ++i)
        for (std::size_t k = 0; cone[i] && k < size; ++k)
          out_of_range[k] |= all[i][k] != 0 ? !std::isnormal(all[i][k]) : exact[i][k] != 0;
    }
  for (std::size_t k = 0; k < size; ++k) {
    if (out_of_range[k]) continue;
    const double a = at(all, before, k), b = at(all, after, k);
    bool right = same_bits(a, b) || (std::isnan(a) && std::isnan(b)) || (promised != bits && a == 0 && b == 0);
    const double allowed = bound ? bound(exact, k) : 0;
    if (allowed < 0) continue;
    // A value out of range may be brought back into it.
    if (bound && (std::isfinite(a) || !right)) {
      right = std::isfinite(b) && abs(digits_50(b) - at(exact, before, k)) <= allowed;
    }
    ++result.tried;
    if (!right && result.failed++ == 0) {
      std::ostringstream text;
      text.precision(17);
      const auto print = [&](int i) { print_node(text, graph, i); };
      print(before), text << " became ", print(after), text << ", at";
      for (int i = 0; i < graph.nodes.size; ++i)
        if (graph.nodes[i].kind == node_kind::variable) text << " v" << graph.nodes[i].leaf << " = " << at(all, i, k);
      text << ": " << a << " became " << b;
      result.first = text.str();
    }
  }
  all.resize(given), exact.resize(given);
}

/// Tries a rule on operands, if it holds for them.
template <auto Rule, class Material, class... Is>
void try_rule(tally& result, Material& from, const operation_info& operation, promise promised, Is... operands) {
  builder graph = from.pool.graph;
  rewriter r(graph, operation);
  // The rule must not find the operation that it replaces.
  const int after = Rule(r, operands...);
  if (after < 0) return;
  const int list[] = {operands...}, before = graph.append_as_is(operation, list, sizeof...(Is));
  bound_function bound;
  if (promised == ulps)
    bound = [&](const auto& exact, std::size_t k) {
      const double value = static_cast<double>(exact[static_cast<std::size_t>(before)][k]);
      const constant_value* power = graph.constant_of(list[sizeof...(Is) - 1]);
      // A product of n factors has n - 1 roundings, its inverse one more.
      const double n = power ? std::abs(static_cast<double>(power->numerator)) : 1.5;
      return std::isnormal(value) ? n * ulp(value) : -1.0;
    };
  compare(result, promised, from, graph, before, after, bound);
}

/// Tries a rule on all operands of a pool.
template <auto Rule, class Material>
void try_all(tally& result, Material& from) {
  const operation_info& operation = info<typename row<Rule>::appended>;
  constexpr promise promised = row<Rule>::promised;
  const std::vector<int>& operands = operation.condition ? from.pool.conditions : from.pool.numbers;
  for (const int a : operands) {
    if constexpr (requires(rewriter& r) { Rule(r, 0); })
      try_rule<Rule>(result, from, operation, promised, a);
    else
      for (const int b : operands) {
        if constexpr (requires(rewriter& r) { Rule(r, 0, 0, 0); }) {
          for (const int c : from.pool.conditions) try_rule<Rule>(result, from, operation, promised, c, a, b);
        } else {
          try_rule<Rule>(result, from, operation, promised, a, b);
        }
      }
  }
}

template <auto Rule>
std::string_view name_of() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t begin = text.rfind("rewriting::") + 11;
  return text.substr(begin, text.find_first_of(";]", begin) - begin);
}

template <auto Rule>
void report(const tally& result) {
  BOOST_TEST_MESSAGE(name_of<Rule>() << ": " << result.tried);
  BOOST_CHECK_MESSAGE(result.tried > 0, name_of<Rule>() << " holds nowhere in the pool");
  BOOST_CHECK_MESSAGE(result.failed == 0, name_of<Rule>() << ": " << result.failed << " of " << result.tried
                                                          << " values are wrong, the first: " << result.first);
}

template <auto... Rules>
void try_list(rule_list<Rules...>) {
  const auto try_one = []<auto Rule>(std::integral_constant<decltype(Rule), Rule>) {
    tally result;
    if constexpr (is_rule<Rule, negative_of_multiple> || is_rule<Rule, quotient_by_uniform>) {
      material<decltype(&of_tensors), tensor_sample> from(tensor_sample(row<Rule>::mode), 4 * grid_size, of_tensors);
      try_all<Rule>(result, from);
    } else {
      material from(pool_of_numbers(row<Rule>::mode), grid_size * grid_size, of_pair);
      try_all<Rule>(result, from);
    }
    report<Rule>(result);
  };
  (try_one(std::integral_constant<decltype(Rules), Rules>{}), ...);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rule_of_numbers) {
  try_list(of_negate{}), try_list(of_not{}), try_list(of_add{}), try_list(of_subtract{}), try_list(of_multiply{});
  try_list(of_divide{}), try_list(of_power{}), try_list(of_and{}), try_list(of_or{}), try_list(of_where{});
}

namespace {

/// The sizes of the finite parts of a term, added up: what the rounding errors of a sum are in proportion to.
digits_50 size_of(const builder& graph, const std::vector<std::vector<digits_50>>& exact, int index, std::size_t k) {
  const node& n = graph.nodes[index];
  if (n.opcode == opcode::add || n.opcode == opcode::subtract)
    return size_of(graph, exact, graph.operands(index)[0], k) + size_of(graph, exact, graph.operands(index)[1], k);
  if (n.opcode == opcode::negate) return size_of(graph, exact, graph.operands(index)[0], k);
  const digits_50 size = abs(exact[static_cast<std::size_t>(index)][k]);
  return isfinite(size) ? size : 0;
}
digits_50 size_of_sum(const builder& graph, const std::vector<std::vector<digits_50>>& exact, int term, std::size_t k) {
  digits_50 size = 0;
  for (std::size_t row = 0; row < interpreter::rows; ++row)
    size += size_of(graph, exact, term, k - k % interpreter::places + row * interpreter::columns);
  return size;
}

/// Tries a rule of sums on a term.
template <auto Rule, class Material>
void try_sum(tally& result, Material& from, int term) {
  tensor_sample s = from.pool;
  rewriter r(s.graph, info<operation::Sum>);
  if ((s.graph.nodes[term].axes & axis(0)) == 0) return;
  const int after = Rule(r, term, axis(0));
  if (after < 0) return;
  const int before = s.sum(term);
  const std::vector<char> used = cone_of(s.graph, after);
  bound_function bound;
  if (row<Rule>::promised == order_of_sum)
    bound = [&](const auto& exact, std::size_t k) {
      // A sum as the program has it, or without the factor, must be in range, and a factor that leaves it be finite.
      for (int i = 0; i <= after; ++i) {
        if (!used[static_cast<std::size_t>(i)]) continue;
        if (s.graph.nodes[i].reduced && !(size_of_sum(s.graph, exact, s.graph.operands(i)[0], k) < largest))
          return -1.0;
        if (is_rule<Rule, sum_of_multiple> && s.graph.nodes[i].axes == 0 && !s.graph.nodes[i].reduced &&
            (s.graph.nodes[i].kind == node_kind::variable || s.graph.nodes[i].opcode == opcode::divide) &&
            !isfinite(exact[static_cast<std::size_t>(i)][k]))
          return -1.0;
      }
      const digits_50 size = size_of_sum(s.graph, exact, term, k);
      if (!(size < largest)) return -1.0;
      return static_cast<double>(size) * (interpreter::rows + 2) * std::numeric_limits<double>::epsilon() +
             4 * smallest;
    };
  compare(result, row<Rule>::promised, from, s.graph, before, after, bound);
}

template <auto... Rules>
void try_sums(rule_list<Rules...>) {
  const auto try_one = []<auto Rule>(std::integral_constant<decltype(Rule), Rule>) {
    tally result;
    tensor_sample pool(row<Rule>::mode);
    // What sum_of_multiple looks for.
    for (const int term : pool.numbers)
      if (is_rule<Rule, sum_of_multiple> && pool.graph.nodes[term].axes == axis(0)) pool.sum(term);
    material<decltype(&of_tensors), tensor_sample> from(pool, 4 * grid_size, of_tensors, true);
    for (const int term : pool.numbers) try_sum<Rule>(result, from, term);
    report<Rule>(result);
  };
  (try_one(std::integral_constant<decltype(Rules), Rules>{}), ...);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rule_of_sums) { try_sums(of_sum{}); }

namespace {

/// Three numbers: x, the shift, and a number from which the sum in the logarithm is made.
constexpr double differences[] = {0, -1e-9, -0.3, -1, -36, -700, -715, -1e5}, shifts[] = {0, 0.25, -3, 100, 1e4, -1e9};
constexpr double sums[] = {1, 1.5, 3, 1e3, 1e15};
double of_softmax_terms(int variable, int point, int) {
  const double shift = shifts[static_cast<std::size_t>(point / 8 % 6)];
  return variable == 0   ? shift + differences[static_cast<std::size_t>(point % 8)]
         : variable == 1 ? shift
                         : sums[static_cast<std::size_t>(point / 48)];
}

/// e^(x - (shift + log s)), on either side of the sum; the error of the quotient is that of the difference of x and the
/// shift, and 3 ulp. Of a logsumexp s is at least 1; one that a user wrote may be subnormal.
template <auto Rule>
void try_softmax(bool of_term) {
  tally result;
  for (const bool left : {false, true}) {
    using namespace operation;
    sample s(stage::evaluation);
    const int x = s.graph.variable(0), shift = s.graph.variable(1), z = s.graph.variable(2);
    int sum = z;
    if (of_term) {
      const int term = s.make<Exp>(s.make<Subtract>(x, shift));
      sum = left ? s.make<Add>(z, term) : s.make<Add>(term, s.make<Multiply>(z, term));
    }
    const int log = s.make<Log>(sum), shifted = left ? s.make<Add>(log, shift) : s.make<Add>(shift, log);
    s.numbers = {s.make<Subtract>(x, shifted)};
    material from(s, 240, of_softmax_terms, true);
    builder graph = s.graph;
    rewriter r(graph, info<typename row<Rule>::appended>);
    const int after = Rule(r, s.numbers[0]), before = graph.append_as_is(r.operation, s.numbers.data(), 1);
    BOOST_REQUIRE(after >= 0);
    compare(result, ulps, from, graph, before, after, [&](const auto& exact, std::size_t k) {
      const double value = static_cast<double>(exact[static_cast<std::size_t>(before)][k]);
      const double difference = static_cast<double>(abs(exact[0][k] - exact[1][k]));
      const double term = of_term ? std::exp(-difference) : 1;
      if (!std::isnormal(value) || term == 0) return -1.0;
      return (difference / 2 + 3) * ulp(value) + (std::isnormal(term) ? 0 : value * 2 * smallest / term);
    });
  }
  report<Rule>(result);
}
template <auto... Rules>
void try_softmaxes(rule_list<Rules...>, bool of_term) {
  (try_softmax<Rules>(of_term), ...);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rule_of_softmax) { try_softmaxes(of_softmax{}, false), try_softmaxes(of_exp{}, true); }

namespace {

/// Tries the laws that an operation of one operand has, as its struct says.
template <class Op>
void try_laws(tally (&results)[3]) {
  if constexpr (tapeless::detail::arity<Op> == 1 && requires { Op::laws; }) {
    material from(pool_of_numbers(stage::evaluation), grid_size * grid_size, of_pair);
    const int x = from.pool.numbers[0], once = from.pool.template make<Op>(x);
    interpreter::run(from.known, from.pool.graph, from.points, from.leaf);
    from.pool.numbers.push_back(once);
    for (const int a : from.pool.numbers) {
      try_rule<sign_of_operand>(results[0], from, info<Op>, bits, a);
      try_rule<repeated>(results[1], from, info<Op>, bits, a);
      try_rule<undone>(results[2], from, info<Op>, bits, a);
    }
  }
}
template <class... Ops>
void try_laws_of(operation::list<Ops...>) {
  tally results[3];
  (try_laws<Ops>(results), ...);
  report<sign_of_operand>(results[0]), report<repeated>(results[1]);
  BOOST_TEST(results[2].tried == 0);  // rewrites.cpp tries the laws that no operation here has.
}

}  // namespace

BOOST_AUTO_TEST_CASE(laws_hold) { try_laws_of(operation::all{}); }

// x + put(v, i), and take(x - u, i) and the like: the same operations on each element.
BOOST_AUTO_TEST_CASE(every_rule_of_moves) {
  tensor_sample pool(stage::evaluation);
  const tensor_move take{move_kind::take, pool.along_rows, pool.along_columns, 0, {}}, put = take.transposed();
  const int indices = pool.indices[0];
  tally taken, into;
  for (const int a : pool.numbers) {
    material<decltype(&of_tensors), tensor_sample> from(pool, 4 * grid_size, of_tensors);
    tensor_sample s = pool;
    if (s.graph.nodes[a].axes == 0) continue;
    const int operands[] = {a, indices};
    if (const int after = take_of_operation(s.graph, take, operands); after >= 0)
      compare(taken, but_sign_of_zero, from, s.graph, s.graph.append_move(info<operation::Move>, &take, operands, 2),
              after, {});
    // What was put is along columns: x at some rows.
    tensor_sample t = pool;
    const int first[] = {t.numbers[0], indices}, part = t.graph.append_move(info<operation::Move>, &take, first, 2);
    const int second[] = {part, indices}, moved = t.graph.append_move(info<operation::Move>, &put, second, 2);
    const int terms[] = {a, moved}, sum = t.graph.append_as_is(info<operation::Add>, terms, 2);
    const int put_there = put_into_sum(t.graph, sum);
    BOOST_REQUIRE(put_there >= 0);
    // Where several elements are put into one place, they are added up in order.
    compare(into, but_sign_of_zero, from, t.graph, sum, put_there, {});
  }
  report<take_of_operation>(taken), report<put_into_sum>(into);
}

namespace {

/// Whether the sum of two pads of columns, from `begin` to `end` each, is one pad of both.
struct two_pads {
  builder graph{stage::evaluation};
  tensor_move pads[2];

  two_pads(const extent_sum& begin, const extent_sum& end, const extent_sum& second, const extent_sum& second_end) {
    for (const int k : {0, 1}) {
      pads[k] = {move_kind::pad,
                 {access_kind::variable, k, 2, {0, 1 + k}},
                 {access_kind::variable, 0, 2, {0, 3}},
                 1,
                 k ? second : begin};
      graph.axis_rules.push_back({1 + k, axis_rule::form::range, pads[k].begin, k ? second_end : end, 3});
    }
  }
  bool are_one() {
    int terms[2];
    for (const int k : {0, 1}) {
      const int part = graph.read(pads[k].from);
      terms[k] = graph.append_move(info<operation::Move>, &pads[k], &part, 1);
    }
    const int sum = sum_of_pads(graph, terms);
    if (sum >= 0) BOOST_TEST((graph.nodes[sum].count == 2 && graph.moves[graph.nodes[sum].access].gaps));
    return sum >= 0;
  }
  template <class Change>
  bool are_one_but(Change change) {
    change(*this);
    return are_one();
  }
};

}  // namespace

// The sum of pads is one of several operands where their ranges cannot have elements in common.
BOOST_AUTO_TEST_CASE(pads_side_by_side) {
  const auto constant = [](std::int64_t c) { return extent_sum{c, -1, 0, {}}; };
  const auto number = [](int n, std::int64_t more) { return extent_sum{more, n, 0, {}}; };
  const auto ranges = [&](std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
    return two_pads(constant(a), constant(b), constant(c), constant(d));
  };
  BOOST_TEST(ranges(0, 2, 2, 5).are_one());
  BOOST_TEST(ranges(0, 2, 4, 5).are_one());
  BOOST_TEST(ranges(4, 5, 0, 2).are_one());
  BOOST_TEST(!ranges(0, 3, 2, 5).are_one());
  BOOST_TEST(!ranges(2, 5, 0, 3).are_one());
  BOOST_TEST(!ranges(0, 5, 0, 5).are_one());
  BOOST_TEST(ranges(-5, -3, -3, -1).are_one());
  BOOST_TEST(!ranges(-5, -2, -3, -1).are_one());
  // From both ends, which may meet: of six columns these are the same.
  BOOST_TEST(!ranges(-4, -3, 2, 3).are_one());
  BOOST_TEST(!ranges(0, -1, 2, 3).are_one());
  // At a number of the call, which is the end of one and the beginning of the other.
  BOOST_TEST(two_pads(constant(0), number(0, 0), number(0, 0), number(0, 2)).are_one());
  BOOST_TEST(!two_pads(constant(0), number(0, 0), number(1, 0), number(1, 2)).are_one());
  BOOST_TEST(!two_pads(constant(0), number(0, 1), number(0, 0), number(0, 2)).are_one());
  BOOST_TEST(!two_pads(constant(0), number(0, 0), constant(5), constant(6)).are_one());
  // To the end, after what ends before.
  const extent_sum last{0, -1, 1, {3}};
  BOOST_TEST(two_pads(constant(0), constant(2), constant(2), last).are_one());
  BOOST_TEST(!two_pads(constant(0), last, constant(2), constant(3)).are_one());

  const auto is_one_but = [&](auto change) { return ranges(0, 2, 2, 5).are_one_but(change); };
  BOOST_TEST(!is_one_but([](two_pads& of) { of.pads[1].position = 0; }));
  BOOST_TEST(!is_one_but([](two_pads& of) { of.pads[1].to.axes[0] = 4; }));
  BOOST_TEST(!is_one_but([](two_pads& of) { of.pads[1].step = {2, -1}; }));
  BOOST_TEST(!is_one_but([](two_pads& of) { of.pads[0].step = {2, -1}; }));
  BOOST_TEST(!is_one_but([](two_pads& of) { of.pads[0].kind = move_kind::reshape; }));
  BOOST_TEST(!is_one_but([](two_pads& of) { of.graph.axis_rules[0].of = 4; }));
  BOOST_TEST(!is_one_but([](two_pads& of) { of.graph.axis_rules[0].begin.constant = 1; }));
  BOOST_TEST(!is_one_but([](two_pads& of) { of.graph.axis_rules[0].step.constant = 2; }));
  BOOST_TEST(!is_one_but([](two_pads& of) { of.graph.axis_rules[0].how = axis_rule::form::sum; }));
}

namespace {

/// A program of random operations, as they stand and as the rules of a mode rewrite them.
struct random_program {
  std::mt19937 random;
  builder plain, made;
  struct pair {
    int plain, made;
  };
  std::vector<pair> numbers, conditions;

  random_program(unsigned seed, stage mode) : random(seed), made(mode) {
    for (int i = 0; i < 3; ++i) numbers.push_back({plain.variable(i), made.variable(i)});
    for (const constant_value c :
         {constant_value{0, 1, 0.0}, {1, 1, 0.0}, {2, 1, 0.0}, {-3, 1, 0.0}, {1, 4, 0.0}, {0, 0, 0.3}})
      numbers.push_back({plain.constant(c), made.constant(c)});
    while (plain.nodes.size < 45) grow();
  }
  pair any_of(const std::vector<pair>& list) {
    // Late ones more often, so that programs grow deep.
    const std::size_t one = random() % list.size(), other = random() % list.size();
    return list[std::max(one, other)];
  }
  template <class Op, class... Pairs>
  void append(Pairs... operands) {
    const int as_they_stand[] = {operands.plain...}, rewritten[] = {operands.made...};
    const pair result{plain.append_as_is(info<Op>, as_they_stand, sizeof...(Pairs)),
                      made.append(info<Op>, rewritten, sizeof...(Pairs))};
    (info<Op>.condition ? conditions : numbers).push_back(result);
  }
  void grow() {
    using namespace operation;
    const pair a = any_of(numbers), b = any_of(numbers);
    const pair p = any_of(conditions.empty() ? numbers : conditions),
               q = any_of(conditions.empty() ? numbers : conditions);
    switch (random() % 25) {
      case 0:
      case 1:
      case 2: return append<Add>(a, b);
      case 3:
      case 4:
      case 5: return append<Subtract>(a, b);
      case 6:
      case 7:
      case 8: return append<Multiply>(a, b);
      // Ratios of constants are exact, not rounded.
      case 9:
      case 10: return made.constant_of(a.made) && made.constant_of(b.made) ? void() : append<Divide>(a, b);
      case 11:
      case 12: return append<Negate>(a);
      case 13:
      case 14: return append<Where>(p, a, b);
      case 15: return append<Where>(p, a, numbers[3]);
      case 16: return append<Not>(p);
      case 17: return append<And>(p, q);
      case 18: return append<Or>(p, q);
      case 19: return append<Less>(a, b);
      case 20: return append<GreaterEqual>(a, b);
      case 21: return append<Multiply>(p, a);
      case 22: return append<Abs>(a);
      case 23: {
        append<Erfc>(a), append<Multiply>(a, a), append<Negate>(numbers.back());
        return append<Exp>(numbers.back());
      }
      default: return random() % 2 ? append<Sin>(a) : append<Cos>(a);
    }
  }
};

}  // namespace

// What keeps the bits of a value by itself keeps them in any program: the rules, the ways past them for ordinary
// operands, and what is joined at the end, products with sums and sines with cosines.
BOOST_AUTO_TEST_CASE(random_programs) {
  constexpr double at[][3] = {{0.3, -1.7, 2.5}, {-0.9, 0.4, 11.0}, {1.25, 1.25, -6.1}, {-3.3, -0.7, 0.01}};
  const auto leaf = [&](int variable, int point, int) { return at[point][variable]; };
  int compared = 0, different = 0;
  for (const stage mode : {stage::formula, stage::derivative, stage::evaluation})
    for (unsigned seed = 0; seed < 1500; ++seed) {
      random_program p(seed, mode);
      std::vector<std::vector<double>> expected, got;
      interpreter::run(expected, p.plain, 4, leaf);
      std::vector<int> outputs;
      for (std::size_t i = p.numbers.size(); i-- > 0 && outputs.size() < 6;) outputs.push_back(p.numbers[i].made);
      const builder finished = mode == stage::evaluation ? prune(p.made, outputs) : p.made;
      interpreter::run(got, finished, 4, leaf);
      for (std::size_t k = 0; k < 4; ++k) {
        // Where a value that is not zero leaves the normal numbers, a power of two may bring it back.
        const auto leaves = [&](const auto& values) { return values[k] != 0 && !std::isnormal(values[k]); };
        if (std::any_of(expected.begin(), expected.end(), leaves)) continue;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
          const random_program::pair node = p.numbers[p.numbers.size() - 1 - i];
          const int made = mode == stage::evaluation ? finished.outputs[static_cast<int>(i)] : node.made;
          const double a = expected[static_cast<std::size_t>(node.plain)][k],
                       b = got[static_cast<std::size_t>(made)][k];
          ++compared;
          if (a == b) continue;
          if (different++ > 0) continue;
          std::ostringstream text;
          print_node(text, p.plain, node.plain), text << "\nbecame\n", print_node(text, finished, made);
          BOOST_ERROR("mode " << static_cast<int>(mode) << ", seed " << seed << ", point " << k << ": " << a
                              << " became " << b << '\n'
                              << text.str());
        }
      }
    }
  BOOST_TEST_MESSAGE("compared: " << compared);
  BOOST_TEST(compared > 10000);
  BOOST_TEST(different == 0);
}

// The derivatives of log(a / b) are 1 / a and -1 / b, also where the quotient or its inverse is out of range.
BOOST_AUTO_TEST_CASE(logarithm_of_a_quotient) {
  const auto gradient = tapeless::gradient([](auto a, auto b) { return tapeless::log(a / b); });
  for (const double a : grid)
    for (const double b : grid) {
      if (!std::isnormal(a) || !std::isnormal(b)) continue;
      const auto [by_a, by_b] = gradient(a, b);
      BOOST_TEST(same_bits(by_a, 1 / a));
      BOOST_TEST(same_bits(by_b, -1 / b));
    }
}
