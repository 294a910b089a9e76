#ifndef TAPELESS_INSPECT_TEXT_HPP
#define TAPELESS_INSPECT_TEXT_HPP

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
#include <utility>

namespace tapeless {

namespace detail {

// How tightly the parts of a formula bind; `infix_notation` has those in between.
inline constexpr int loosest = 0, sign_precedence = 6, tightest = 9;

template <class T>
std::string number_text(const T& number) {
  if constexpr (std::same_as<T, bool>)
    return number ? "true" : "false";
  else if constexpr (std::is_arithmetic_v<T>) {
    char digits[64];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  } else
    return number.str();
}

/// Formulas as text, one specialisation a kind; parentheses stand where `outer` binds more tightly.
template <class E>
struct text_of {
  static std::string write(const E&, int outer) {
    return text_of<typename E::definition>::write(typename E::definition{}, outer);
  }
};

template <fixed_string Name>
struct text_of<Variable<Name>> {
  static std::string write(const Variable<Name>&, int) { return std::string(Name.view()); }
};

inline std::string parenthesised(std::string text, bool needed) { return needed ? "(" + text + ")" : text; }

template <std::intmax_t N, std::intmax_t D>
struct text_of<Constant<N, D>> {
  static std::string write(const Constant<N, D>&, int outer) {
    constexpr bool atom = N >= 0 && D == 1;
    return parenthesised(std::to_string(N) + (D == 1 ? "" : "/" + std::to_string(D)),
                         !atom && outer >= operation::Multiply::infix.precedence);
  }
};

template <class T>
struct text_of<Number<T>> {
  static std::string write(const Number<T>& e, int outer) {
    return parenthesised(number_text(e.value), e.value < T(0) && outer >= operation::Multiply::infix.precedence);
  }
};

template <class E, fixed_string Name>
struct text_of<StopGradient<E, Name>> {
  static std::string write(const StopGradient<E, Name>& e, int) {
    const std::string name(Name.view());
    return "stop_gradient" + (name.empty() ? name : "<\"" + name + "\">") + "(" + text_of<E>::write(e.operand, loosest) +
           ")";
  }
};

template <class Op, class... Es>
struct text_of<Apply<Op, Es...>> {
  static std::string write(const Apply<Op, Es...>& e, int outer) {
    if constexpr (sizeof...(Es) == 0)
      return std::string(Op::name);
    else if constexpr (requires { Op::infix; }) {
      constexpr int own = Op::infix.precedence;
      // The right operand of the same precedence keeps its parentheses: a - (b - c), a / (b * c).
      return parenthesised(operand<0>(e, own) + std::string(Op::infix.symbol) + operand<1>(e, own + 1), outer > own);
    } else if constexpr (std::same_as<Op, operation::Negate>)
      return parenthesised("-" + operand<0>(e, sign_precedence), outer > operation::Add::infix.precedence);
    else
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        std::string text(Op::name);
        ((text += (I == 0 ? "(" : ", ") + operand<I>(e, loosest)), ...);
        return text + ")";
      }(std::index_sequence_for<Es...>{});
  }

 private:
  template <std::size_t I>
  static std::string operand(const Apply<Op, Es...>& e, int outer) {
    return text_of<typename type_at<I, Es...>::type>::write(e.template operand<I>(), outer);
  }
};

}  // namespace detail

/// The formula as text in the library's own spelling, with as few parentheses as it takes. Its length is that of the
/// formula written out: shared subexpressions are repeated.
template <Expression E>
std::string text(const E& e) {
  return detail::text_of<E>::write(e, detail::loosest);
}

/// Prints `text(e)`.
template <class Char, class Traits, Expression E>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& stream, const E& e) {
  return stream << text(e).c_str();
}

}  // namespace tapeless

#endif
