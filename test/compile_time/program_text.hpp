#ifndef TAPELESS_TEST_COMPILE_TIME_PROGRAM_TEXT_HPP
#define TAPELESS_TEST_COMPILE_TIME_PROGRAM_TEXT_HPP

#include <tapeless/program/pass/finish.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

/// Tables of formulas and of the programs that they become, as text in the notation of C++:
///
///     x - 0 -> x,   1 - x
///
/// A row ends at a comma or with the line; without an arrow, the formula stays. Several outputs have semicolons between
/// them. 1/3 and 2 are exact, 2.0 is a literal. Small letters are numbers, p, q and r conditions, capitals vectors; N
/// is how long these are and I which elements `take` and `put` move; `sum` adds the elements up.
namespace program_text {

namespace operation = tapeless::operation;
using namespace tapeless::program;

/// Who appends the operations: a user, with rewrites or with none, or a derivative; or all passes until evaluation.
enum class stage { written, plain, derived, evaluated };

/// How an operation is written: a function, or between operands if it has a precedence.
struct notation {
  const char* text = nullptr;
  int precedence = 0;
  const operation_info* operation = nullptr;
};
using notations = std::span<const notation>;
inline constexpr notation functions[] = {
    {"abs", 0, &info<operation::Abs>},    {"cos", 0, &info<operation::Cos>},
    {"exp", 0, &info<operation::Exp>},    {"log", 0, &info<operation::Log>},
    {"pow", 0, &info<operation::Pow>},    {"softmax_exp", 0, &info<operation::SoftmaxExp>},
    {"sum", 0, &info<operation::Sum>},    {"uniform_quotient", 0, &info<operation::UniformQuotient>},
    {"where", 0, &info<operation::Where>}};
inline constexpr notation infixes[] = {
    {"*", 5, &info<operation::Multiply>},      {"+", 4, &info<operation::Add>},
    {"-", 4, &info<operation::Subtract>},      {"/", 5, &info<operation::Divide>},
    {"&&", 2, &info<operation::And>},          {"||", 1, &info<operation::Or>},
    {"<=", 3, &info<operation::LessEqual>},    {"<", 3, &info<operation::Less>},
    {">=", 3, &info<operation::GreaterEqual>}, {">", 3, &info<operation::Greater>},
    {"==", 3, &info<operation::Equal>},        {"!=", 3, &info<operation::NotEqual>}};

inline constexpr tensor_access all_elements{access_kind::variable, 30, 1, {0}};
inline constexpr tensor_access some_elements{access_kind::variable, 'I' - 'A', 1, {1}};
inline constexpr tensor_move take{move_kind::take, all_elements, some_elements, 0, {}};
inline constexpr tensor_move put = take.transposed();

constexpr bool is_digit(char c) { return '0' <= c && c <= '9'; }
constexpr bool is_vector(char c) { return 'A' <= c && c <= 'Z'; }
constexpr bool is_condition(char c) { return 'p' <= c && c <= 'r'; }

/// Appends what a text says: as it stands, or rewritten.
class parser {
  // Plain characters: compilers count the steps of a constant evaluation.
  const char* rest_;
  builder& graph_;
  bool as_is_;
  notations known_;
  const notation* between_ = nullptr;

  constexpr bool next(char symbol) {
    while (*rest_ == ' ') ++rest_;
    return *rest_ == symbol ? ++rest_, true : false;
  }
  constexpr void expect(char symbol) {
    if (!next(symbol)) throw "unexpected symbol";
  }

  constexpr int apply(const operation_info& op, const int* operands, int count) {
    if (op == info<operation::Sum>)
      return as_is_ ? graph_.append_reduction(op, *operands, axis(0)) : sum_over(graph_, *operands, axis(0));
    if (!as_is_) return graph_.append(op, operands, count);
    const bool turned = count == 2 && op.laws.commutative && operands[1] < operands[0];
    const int reversed[] = {operands[turned], operands[0]};
    return graph_.append_as_is(op, turned ? reversed : operands, count);
  }
  constexpr std::int64_t integer() {
    std::int64_t result = 0;
    while (is_digit(*rest_)) result = 10 * result + (*rest_++ - '0');
    return result;
  }
  constexpr int number(int sign) {
    const std::int64_t whole = integer();
    if (*rest_ == '/' && is_digit(rest_[1])) return ++rest_, graph_.constant({sign * whole, integer(), 0.0});
    if (*rest_ != '.') return graph_.constant(sign * whole);
    const char* const point = rest_++;
    const std::int64_t fraction = integer();
    double scale = 1;
    for (const char* digit = point + 1; digit != rest_; ++digit) scale *= 10;
    return graph_.constant({0, 0, sign * (static_cast<double>(whole) + static_cast<double>(fraction) / scale)});
  }
  constexpr int leaf(char name) {
    if (is_condition(name)) {
      const int is_not_zero[] = {graph_.variable(name - 'a'), graph_.constant(0)};
      return apply(info<operation::NotEqual>, is_not_zero, 2);
    }
    return graph_.accesses.size == 0 ? graph_.variable(name - 'a')
           : name == 'N'             ? extent_of(graph_, 0)
           : name == 'I'             ? graph_.read(some_elements)
           : is_vector(name)         ? graph_.read({access_kind::variable, name - 'A', 1, {0}})
                                     : graph_.read({access_kind::variable, name - 'a', 0, {}});
  }
  constexpr int call(const operation_info* op, const tensor_move* move = nullptr) {
    int operands[3] = {}, count = 0;
    do operands[count++] = formula(0);
    while (next(','));
    expect(')');
    return move ? graph_.append_move(info<operation::Move>, move, operands, count) : apply(*op, operands, count);
  }
  constexpr int operand() {
    if (next('(')) {
      const int inner = formula(0);
      return expect(')'), inner;
    }
    if (*rest_ == '-' || *rest_ == '!') {
      const operation_info& op = *rest_++ == '-' ? info<operation::Negate> : info<operation::Not>;
      if (rest_[-1] == '-' && is_digit(*rest_)) return number(-1);
      const int of = operand();
      return apply(op, &of, 1);
    }
    if (is_digit(*rest_)) return number(1);
    const char second = rest_[1];
    if (second < 'a' || 'z' < second) return leaf(*rest_++);
    if (next("take(")) return call(nullptr, &take);
    if (next("put(")) return call(nullptr, &put);
    for (const notation& each : functions)
      if (*rest_ == *each.text && next(each.text)) return expect('('), call(each.operation);
    for (const notation& each : known_)
      if (next(each.text)) return expect('('), call(each.operation);
    throw "unknown function";
  }
  /// The operation that stands between operands here; null if there is none.
  constexpr const notation* between() {
    while (*rest_ == ' ') ++rest_;
    if (*rest_ != '\0' && *rest_ != ')' && *rest_ != ',' && *rest_ != '\n' && rest_[1] != '>')
      for (const notation& each : infixes)
        if (each.text[0] == *rest_ && (each.text[1] == '\0' || each.text[1] == rest_[1])) return &each;
    return nullptr;
  }
  /// Operations that bind more tightly than `outer`.
  constexpr int formula(int outer) {
    int result = operand();
    for (between_ = between(); between_ && between_->precedence > outer;) {
      const notation& op = *between_;
      rest_ += op.text[1] ? 2 : 1;
      const int operands[] = {result, formula(op.precedence)};
      result = apply(*op.operation, operands, 2);
    }
    return result;
  }

 public:
  constexpr parser(const char* text, builder& graph, bool as_is, notations known)
      : rest_(text), graph_(graph), as_is_(as_is), known_(known) {}
  /// Whether a text stands here; then it is behind.
  constexpr bool next(const char* text) {
    int length = 0;
    while (text[length] && text[length] == rest_[length]) ++length;
    return text[length] ? false : (rest_ += length, true);
  }
  constexpr growing_array<int> outputs() {
    growing_array<int> result;
    do result.push_back(formula(0));
    while (next(';'));
    return result;
  }
  constexpr const char* rest() const { return rest_; }
};

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
constexpr builder program_at(stage at, const char* formula, bool vectors = false, notations known = {}) {
  builder graph(at == stage::derived ? rewrites::derivative : rewrites::formula);
  graph.stay_plain(at == stage::plain);
  if (vectors) extent_of(graph, 0);
  graph.outputs = parser(formula, graph, false, known).outputs();
  if (at != stage::evaluated) return graph;
  const recorded made{graph.nodes, graph.edges, graph.constants, {}, graph.accesses, graph.moves, {}, 0, false};
  return expanded(made, graph.outputs);
}

constexpr bool same_leaf(const builder& a, const node& m, const builder& b, const node& n) {
  if (m.kind != node_kind::constant)
    return m.leaf == n.leaf && (a.accesses.size == 0 || a.accesses[m.access] == b.accesses[n.access]);
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
      *this << (n.kind == node_kind::extent ? 'N' : static_cast<char>((n.axes ? 'A' : 'a') + n.leaf));
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
  using enum algebra;
  switch (op.algebra) {
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
constexpr text wrong(stage at, const char* table, notations known = {}) {
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
