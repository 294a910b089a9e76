#pragma once

#include <tapeless/core/apply.hpp>
#include <tapeless/core/named.hpp>
#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/operation/list.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>

namespace tapeless {

namespace detail {

// How tightly the parts of a formula bind; `infix_notation` has those in between.
inline constexpr int loosest = 0, sign_precedence = 6;

template <class T>
constexpr void write_number(std::string& out, const T& number) {
  if constexpr (std::same_as<T, bool>)
    out += number ? "true" : "false";
  else if constexpr (std::is_arithmetic_v<T>) {
    char digits[64];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  } else
    out += number.str();
}

/// How formulas look as text, as you would write it in C++.
struct text_style {
  static constexpr std::string_view opening = "(", closing = ")";
  /// What is written of an operation with `Count` operands, where neither as a function nor between them: `#1` is the
  /// first operand, `#0` that as the base of a power.
  template <class Op, std::size_t Count>
  static constexpr std::string_view notation = Count == 0 ? Op::name : "";
  template <class Op>
  static constexpr std::string_view symbol = Op::infix.symbol;

  // The right operand of the same precedence keeps its parentheses: a - (b - c), a / (b * c).
  static constexpr int of_right_operand(int own) { return own + 1; }
  template <class Out>
  static constexpr void write_variable(Out& out, std::string_view name) {
    out += name;
  }
  /// Whether a notation stands for itself as the base of a power.
  template <class Op, std::size_t>
  static constexpr bool is_base = true;
  template <class Out>
  static constexpr void write_fraction(Out& out, std::intmax_t numerator, std::intmax_t denominator, int outer) {
    const bool parentheses = (numerator < 0 || denominator != 1) && outer >= operation::Multiply::infix.precedence;
    if (parentheses) out += '(';
    write_number(out, numerator);
    if (denominator != 1) out += '/', write_number(out, denominator);
    if (parentheses) out += ')';
  }
  template <class Out, class T>
  static constexpr void write_real(Out& out, const T& number, int outer) {
    const bool parentheses = number < T(0) && outer >= operation::Multiply::infix.precedence;
    if (parentheses) out += '(';
    write_number(out, number);
    if (parentheses) out += ')';
  }
  template <class Out>
  static constexpr void write_stop(Out& out, std::string_view name) {
    out += "stop_gradient";
    if (!name.empty()) out.append("<\"").append(name).append("\">");
  }
  template <class Out>
  static constexpr void write_function(Out& out, std::string_view name) {
    out += name;
  }
};

/// Appends a formula to `out`, a string or what else `write_number` appends numbers to; parentheses stand where `outer`
/// binds more tightly.
template <class Style, class Out, class E>
constexpr void write_formula(Out& out, const E& e, int outer = loosest) {
  using operation::Add;
  const auto write_in_parentheses = [&](bool needed, const auto& write) {
    if (needed) out += Style::opening;
    write();
    if (needed) out += Style::closing;
  };
  if constexpr (requires { typename E::definition; })
    write_formula<Style>(out, typename E::definition{}, outer);
  else if constexpr (is_variable<E>)
    Style::write_variable(out, E::name);
  else if constexpr (is_constant<E>)
    Style::write_fraction(out, E::numerator, E::denominator, outer);
  else if constexpr (is_number<E>)
    Style::write_real(out, e.value, outer);
  else if constexpr (is_stop<E>) {
    Style::write_stop(out, E::name);
    write_in_parentheses(true, [&] { write_formula<Style>(out, e.operand); });
  } else {
    using Op = typename E::operation_type;
    const auto operand = [&](auto which, int inside) {
      write_formula<Style>(out, e.template operand<which>(), inside);
    };
    constexpr std::string_view notation = Style::template notation<Op, E::arity>;
    if constexpr (!notation.empty()) {
      write_in_parentheses(outer > sign_precedence && !Style::template is_base<Op, E::arity>, [&] {
        for (std::size_t k = 0; k < notation.size(); ++k)
          if (notation[k] != '#')
            out += notation[k];
          else {
            const char digit = notation[++k];
            for_each_index<E::arity>([&](auto i) {
              if (digit == '0' ? i == 0 : i + '1' == static_cast<std::size_t>(digit))
                operand(i, digit == '0' ? sign_precedence + 1 : loosest);
            });
          }
      });
    } else if constexpr (std::same_as<Op, operation::Negate>) {
      write_in_parentheses(outer > Add::infix.precedence, [&] {
        out += '-';
        operand(std::integral_constant<std::size_t, 0>{}, sign_precedence);
      });
    } else if constexpr (requires { Op::infix; }) {
      constexpr int own = Op::infix.precedence;
      write_in_parentheses(outer > own, [&] {
        operand(std::integral_constant<std::size_t, 0>{}, own);
        out += Style::template symbol<Op>;
        operand(std::integral_constant<std::size_t, 1>{}, Style::of_right_operand(own));
      });
    } else {
      Style::write_function(out, Op::name);
      write_in_parentheses(true, [&] {
        for_each_index<E::arity>([&](auto which) { out += which == 0 ? "" : ", ", operand(which, loosest); });
      });
    }
  }
}

}  // namespace detail

/// The formula as text, as you would write it in C++, with as few parentheses as possible. Shared subexpressions are
/// repeated, so the text can be long.
template <Expression E>
std::string text(const E& e) {
  std::string out;
  detail::write_formula<detail::text_style>(out, e);
  return out;
}

/// Prints `text(e)`.
template <class Char, class Traits, Expression E>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& stream, const E& e) {
  return stream << text(e).c_str();
}
template <class Char, class Traits, Expression E>
void text(std::basic_ostream<Char, Traits>& stream, const E& e) {
  stream << text(e).c_str();
}

}  // namespace tapeless
