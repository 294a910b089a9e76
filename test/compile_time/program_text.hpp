#ifndef TAPELESS_TEST_COMPILE_TIME_PROGRAM_TEXT_HPP
#define TAPELESS_TEST_COMPILE_TIME_PROGRAM_TEXT_HPP

#include <tapeless/program/rewrite/move_rules.hpp>
#include <tapeless/program/rewrite/sum_rules.hpp>

#include <cstdint>
#include <span>
#include <utility>

/// Formulas as text in the notation of C++. A text may have several outputs, with semicolons between them. 1/3 and 2
/// are exact, 2.0 is a literal. Small letters are numbers, p, q and r conditions, capitals vectors; N is how long these
/// are and I which elements `take` and `put` move; `sum` adds the elements up.
namespace program_text {

namespace operation = tapeless::operation;
using namespace tapeless::program;

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

}  // namespace program_text

#endif
