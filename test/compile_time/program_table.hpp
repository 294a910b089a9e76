#ifndef TAPELESS_TEST_COMPILE_TIME_PROGRAM_TABLE_HPP
#define TAPELESS_TEST_COMPILE_TIME_PROGRAM_TABLE_HPP

#include <tapeless/program/pass/finish.hpp>

#include "program_text.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// Tables of formulas and of the programs that they become, as text:
///
///     x - 0 -> x,   1 - x
///
/// A row ends at a comma or with the line; without an arrow, the formula stays.
namespace program_text {

/// Who appends the operations: a user, with rewrites or with none, or a derivative; or all passes until evaluation.
enum class form { written, plain, derived, evaluated };

constexpr bool has_vectors(const char* text) {
  while (*text && !is_vector(*text)) ++text;
  return *text;
}

/// A builder as the passes read programs.
struct recorded {
  std::span<const node> nodes;
  std::span<const int> edges;
  std::span<const constant_value> constants;
  std::span<const std::string_view> variables;
  std::span<const tensor_access> accesses;
  std::span<const tensor_move> moves;
  std::span<const axis_rule> axis_rules;
  int numbers;
  bool plain;
};
/// The program of the formula that a text begins with.
constexpr builder program_at(form at, const char* formula, bool vectors = false, notations known = {}) {
  builder graph(at == form::derived ? stage::derivative : stage::formula);
  graph.stay_plain(at == form::plain);
  if (vectors) extent_of(graph, 0);
  graph.outputs = parser(formula, graph, false, known).outputs();
  if (at != form::evaluated) return graph;
  const recorded made{graph.nodes, graph.edges, graph.constants, {}, graph.accesses, graph.moves, {}, 0, false};
  return expanded(made, graph.outputs);
}

/// Of a variable: programs of formulas have its name.
constexpr char letter(const builder& a, const node& leaf) {
  return a.variables.size ? a.variables[leaf.leaf][0] : static_cast<char>('a' + leaf.leaf);
}
constexpr bool same_leaf(const builder& a, const node& m, const builder& b, const node& n) {
  if (m.kind != node_kind::constant)
    return letter(a, m) == letter(b, n) && (a.accesses.size == 0 || a.accesses[m.access] == b.accesses[n.access]);
  const constant_value &c = a.constants[m.leaf], &d = b.constants[n.leaf];
  return c.numerator == d.numerator && c.denominator == d.denominator && c.literal == d.literal;
}
/// Whether two nodes are computed alike; factors and terms have no order.
constexpr bool same(const builder& a, int i, const builder& b, int j) {
  const node &m = a.nodes[i], &n = b.nodes[j];
  if (!same_operation(m, n) || m.count != n.count || m.reduced != n.reduced) return false;
  if (m.kind != node_kind::apply) return same_leaf(a, m, b, n);
  if (m.operation->moves && !(a.moves[m.access] == b.moves[n.access])) return false;
  const auto operands_are = [&](int turned) {
    for (int k = 0; k < m.count; ++k)
      if (!same(a, a.operands(i)[k], b, b.operands(j)[turned ? 1 - k : k])) return false;
    return true;
  };
  return operands_are(0) || (m.operation->laws.commutative && operands_are(1));
}
constexpr void collect(const builder& a, int i, growing_array<int>& into) {
  for (const int each : into)
    if (each == i) return;
  into.push_back(i);
  for (int k = 0; k < a.nodes[i].count; ++k) collect(a, a.operands(i)[k], into);
}
/// How many nodes the outputs need, leaves included.
constexpr int count_needed(const builder& a, std::span<const int> outputs) {
  growing_array<int> found;
  for (const int output : outputs) collect(a, output, found);
  return found.size;
}
/// Whether a program is the one with these outputs, with nothing computed twice.
constexpr bool is(const builder& a, const builder& b, std::span<const int> outputs) {
  const std::span<const int> own = a.outputs;
  bool result = own.size() == outputs.size() && count_needed(a, own) == count_needed(b, outputs);
  for (std::size_t o = 0; result && o < own.size(); ++o) result = same(a, own[o], b, outputs[o]);
  return result;
}

/// What is wrong, to be read in a message: programs in functions, add(x, negate(y)).
struct text {
  char characters[400]{};
  int size = 0;

  constexpr text& operator<<(std::string_view more) {
    for (const char c : more) characters[size < 399 ? size++ : size] = c;
    return *this;
  }
  constexpr text& operator<<(char c) { return *this << std::string_view(&c, 1); }
  constexpr void write(std::int64_t n) {
    if (n < 0) *this << '-', n = -n;
    if (n > 9) write(n / 10);
    *this << static_cast<char>('0' + n % 10);
  }
  constexpr void write(const builder& a, int i) {
    const node& n = a.nodes[i];
    if (n.kind == node_kind::constant) {
      const auto [numerator, denominator, literal] = a.constants[n.leaf];
      write(denominator ? numerator : static_cast<std::int64_t>(literal)), *this << "/", write(denominator);
    } else if (n.kind != node_kind::apply)
      *this << (n.kind == node_kind::extent ? 'N' : n.axes ? static_cast<char>('A' + n.leaf) : letter(a, n));
    else {
      *this << n.operation->name;
      for (int k = 0; k < n.count; ++k) *this << (k ? ", " : "("), write(a, a.operands(i)[k]);
      *this << ")";
    }
  }
};

/// Values of nodes, of vectors the elements: two, where I is 1, 0.
inline constexpr int elements = 2;
// Exact enough: (1 + x + x x / 2 + ...)^1024.
constexpr double exponential(double a) {
  const double x = a / 1024;
  double result = 1;
  for (int n = 8; n > 0; --n) result = 1 + x / n * result;
  for (int i = 0; i < 10; ++i) result *= result;
  return result;
}
// By Halley's method.
constexpr double logarithm(double a) {
  double result = 0;
  for (int i = 0; i < 8; ++i) {
    const double e = exponential(result);
    result += 2 * (a - e) / (a + e);
  }
  return result;
}
constexpr double value_of(const operation_info& op, double a, double b, double c) {
  using enum opcode;
  switch (op.opcode) {
    case add: return a + b;
    case subtract: return a - b;
    case multiply: return a * b;
    case divide: return b != 0 ? a / b : 0;
    case negate: return -a;
    case where: return a != 0 ? b : c;
    case less: return a < b;
    case less_equal: return a <= b;
    case greater: return a > b;
    case greater_equal: return a >= b;
    case equal: return a == b;
    case not_equal: return a != b;
    case logical_not: return a == 0;
    case logical_and: return a != 0 && b != 0;
    case logical_or: return a != 0 || b != 0;
    default: break;
  }
  if (op == info<operation::Exp> || op == info<operation::SoftmaxExp>) return exponential(a);
  if (op == info<operation::Log>) return logarithm(a);
  // An even function.
  if (op == info<operation::Cos>) return 1 / (1 + a * a);
  if (op == info<operation::Abs>) return a < 0 ? -a : a;
  if (op == info<operation::Pow>) {
    double product = 1;
    for (double n = b < 0 ? -b : b; n >= 1; --n) product *= a;
    return b < 0 ? 1 / product : product;
  }
  return op == info<operation::UniformQuotient> ? a / b : 0;
}
constexpr growing_array<double> values(const builder& a, int sample) {
  constexpr double numbers[] = {3, 5, 0.75, 2, 1.25, 7, 0.5};
  growing_array<double> result(elements * a.nodes.size, 0.0);
  for (int i = 0; i < a.nodes.size; ++i) {
    const node& n = a.nodes[i];
    const auto of = [&](int k, int at) { return k < n.count ? result[elements * a.operands(i)[k] + at] : 0.0; };
    const auto value = [&](int at) -> double {
      if (n.kind == node_kind::constant) return a.constants[n.leaf].as<double>();
      if (n.kind == node_kind::extent) return double{elements};
      if (is_condition(static_cast<char>('a' + n.leaf))) return sample >> (n.leaf % 2) & 1;
      if (n.kind != node_kind::apply) return numbers[(n.leaf + sample + 3 * at) % 7];
      if (n.operation->moves) return of(0, elements - 1 - at) + of(2, at);
      return n.reduced ? of(0, 0) + of(0, 1) : value_of(*n.operation, of(0, at), of(1, at), of(2, at));
    };
    result[elements * i] = value(0);
    result[elements * i + 1] = n.axes ? value(1) : result[elements * i];
  }
  return result;
}

/// What is wrong in a table; nothing if it is right.
constexpr text wrong(form at, const char* table, notations known = {}) {
  text result;
  builder as_is;
  const bool vectors = has_vectors(table);
  if (vectors) extent_of(as_is, 0);
  growing_array<int> pairs;
  for (const char* row = table; true;) {
    while (*row == ' ' || *row == '\n' || *row == ',') ++row;
    if (!*row) break;
    parser read(row, as_is, true, known);
    const growing_array<int> formula = read.outputs();
    growing_array<int> program(formula);
    const char* const end = read.rest();
    if (read.next("->")) program = read.outputs();
    if (const builder found = program_at(at, row, vectors, known); !is(found, as_is, program)) {
      result << std::string_view(row, end) << " became ";
      for (const int made : found.outputs) result.write(found, made), result << "; ";
      // clang does not print short ones.
      while (result.size < 40) result << ' ';
      return result;
    }
    for (int o = 0; read.rest() != end && o < program.size; ++o)
      pairs.push_back(formula[o]), pairs.push_back(program[o]);
    row = read.rest();
    if (*row && *row != '\n' && *row != ',') throw "unexpected text";
  }
  // Independent of all rewrites, the formula has the values of the program.
  for (int sample = 0; known.empty() && sample < 4; ++sample) {
    const growing_array<double> all = values(as_is, sample);
    for (int p = 0; p < pairs.size; p += 2)
      for (int k = 0; k < elements; ++k) {
        const double x = all[elements * pairs[p] + k], error = all[elements * pairs[p + 1] + k] - x;
        if (!(error * error <= 1e-22 * x * x)) return result << "other values: ", result.write(as_is, pairs[p]), result;
      }
  }
  return result;
}
/// The same of one program.
constexpr text wrong(const builder& found, const char* program, notations known = {}) {
  text result;
  builder as_is;
  if (!is(found, as_is, parser(program, as_is, true, known).outputs()))
    for (const int made : found.outputs) result.write(found, made), result << "; ";
  return result;
}
/// An error that shows what is wrong.
template <text Wrong>
struct shown {
  static_assert(Wrong.size == 0, "a row of the table is wrong, as the argument of this template says");
  static constexpr bool value = true;
};
template <text Wrong>
inline constexpr bool right = shown<Wrong>::value;

}  // namespace program_text

#endif
