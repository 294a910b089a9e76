#pragma once

#include <tapeless/core/apply.hpp>
#include <tapeless/core/named.hpp>
#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/operation/list.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <string>

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

/// Appends a formula to `out`, a string or what else `write_number` appends numbers to, one specialisation a kind;
/// parentheses stand where `outer` binds more tightly.
template <class E>
struct text_of {
  template <class Out>
  static constexpr void write(Out& out, const E&, int outer) {
    text_of<typename E::definition>::write(out, typename E::definition{}, outer);
  }
};

template <TAPELESS_NAME Name>
struct text_of<variable_of<Name>> {
  template <class Out>
  static constexpr void write(Out& out, const variable_of<Name>&, int) {
    out += TAPELESS_NAME_TEXT(Name);
  }
};

template <class Out, class Write>
constexpr void write_parenthesised(Out& out, bool needed, Write write) {
  if (needed) out += '(';
  write();
  if (needed) out += ')';
}

template <std::intmax_t N, std::intmax_t D>
struct text_of<Constant<N, D>> {
  template <class Out>
  static constexpr void write(Out& out, const Constant<N, D>&, int outer) {
    constexpr bool atom = N >= 0 && D == 1;
    write_parenthesised(out, !atom && outer >= operation::Multiply::infix.precedence, [&] {
      write_number(out, N);
      if (D != 1) out += '/', write_number(out, D);
    });
  }
};

template <class T>
struct text_of<Number<T>> {
  template <class Out>
  static constexpr void write(Out& out, const Number<T>& e, int outer) {
    write_parenthesised(out, e.value < T(0) && outer >= operation::Multiply::infix.precedence,
                        [&] { write_number(out, e.value); });
  }
};

template <class E, TAPELESS_NAME Name>
struct text_of<StopGradient<E, Name>> {
  template <class Out>
  static constexpr void write(Out& out, const StopGradient<E, Name>& e, int) {
    out += "stop_gradient";
    if (!TAPELESS_NAME_TEXT(Name).empty()) out.append("<\"").append(TAPELESS_NAME_TEXT(Name)).append("\">");
    write_parenthesised(out, true, [&] { text_of<E>::write(out, e.operand, loosest); });
  }
};

template <class Op, class... Es>
struct text_of<Apply<Op, Es...>> {
  template <class Out>
  static constexpr void write(Out& out, const Apply<Op, Es...>& e, int outer) {
    if constexpr (sizeof...(Es) == 0)
      out += Op::name;
    else if constexpr (requires { Op::infix; }) {
      constexpr int own = Op::infix.precedence;
      write_parenthesised(out, outer > own, [&] {
        operand<0>(out, e, own);
        out += Op::infix.symbol;
        // The right operand of the same precedence keeps its parentheses: a - (b - c), a / (b * c).
        operand<1>(out, e, own + 1);
      });
    } else if constexpr (std::same_as<Op, operation::Negate>)
      write_parenthesised(out, outer > operation::Add::infix.precedence, [&] {
        out += '-';
        operand<0>(out, e, sign_precedence);
      });
    else {
      out += Op::name;
      for_each_index<sizeof...(Es)>(
          [&](auto which) { out += which == 0 ? "(" : ", ", operand<which>(out, e, loosest); });
      out += ')';
    }
  }

 private:
  template <std::size_t I, class Out>
  static constexpr void operand(Out& out, const Apply<Op, Es...>& e, int outer) {
    text_of<typename type_at<I, Es...>::type>::write(out, e.template operand<I>(), outer);
  }
};

}  // namespace detail

/// The formula as text, as you would write it in C++, with as few parentheses as possible. Shared subexpressions are
/// repeated, so the text can be long.
template <Expression E>
std::string text(const E& e) {
  std::string out;
  detail::text_of<E>::write(out, e, detail::loosest);
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
