#pragma once

#include <tapeless/inspect/text.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace tapeless {

namespace detail {

/// A command whose argument is text.
inline void write_words(std::string& out, std::string_view command, std::string_view words) {
  out.append("\\").append(command) += '{';
  for (const char c : words) {
    if (std::string_view("_%&#${}").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  out += '}';
}

/// `sigma1` and `sigma_1` become `\sigma_{1}`; a name of several letters that is no Greek letter stands upright.
inline void write_latex_name(std::string& out, std::string_view name) {
  constexpr std::array greek = {"alpha", "beta",    "gamma", "delta", "epsilon", "zeta",  "eta",   "theta", "iota",
                                "kappa", "lambda",  "mu",    "nu",    "xi",      "pi",    "rho",   "sigma", "tau",
                                "phi",   "upsilon", "chi",   "psi",   "omega",   "Gamma", "Delta", "Theta", "Lambda",
                                "Xi",    "Pi",      "Sigma", "Phi",   "Psi",     "Omega"};
  std::size_t letters = name.size();
  while (letters > 1 && name[letters - 1] >= '0' && name[letters - 1] <= '9') --letters;
  const bool apart = letters > 1 && letters < name.size() && name[letters - 1] == '_';
  const std::string_view stem = name.substr(0, letters - (apart ? 1 : 0));
  bool is_greek = false;
  for (const std::string_view letter : greek) is_greek = is_greek || letter == stem;
  if (is_greek)
    out.append("\\").append(stem);
  else if (stem.size() == 1)
    out += stem;
  else
    write_words(out, "mathrm", stem);
  if (letters < name.size()) out.append("_{").append(name.substr(letters)).append("}");
}

struct latex_style : text_style {
  static constexpr std::string_view opening = "\\left(", closing = "\\right)";
  template <class Op, std::size_t Count>
  static constexpr std::string_view notation =
      std::same_as<Op, operation::LnTwo>           ? "\\ln 2"
      : std::same_as<Op, operation::LnTen>         ? "\\ln 10"
      : std::same_as<Op, operation::TwoOverSqrtPi> ? "\\frac{2}{\\sqrt{\\pi}}"
      : Count == 0                                 ? "\\infty"
      : std::same_as<Op, operation::Divide>        ? "\\frac{#1}{#2}"
      : std::same_as<Op, operation::Pow>           ? "#0^{#2}"
      : std::same_as<Op, operation::Square>        ? "#0^{2}"
      : std::same_as<Op, operation::Sqrt>          ? "\\sqrt{#1}"
      : std::same_as<Op, operation::Cbrt>          ? "\\sqrt[3]{#1}"
      : std::same_as<Op, operation::Exp>           ? "e^{#1}"
      : std::same_as<Op, operation::Abs>           ? "\\left|#1\\right|"
      : std::same_as<Op, operation::Floor>         ? "\\left\\lfloor #1\\right\\rfloor "
      : std::same_as<Op, operation::Ceil>          ? "\\left\\lceil #1\\right\\rceil "
      : std::same_as<Op, operation::Where> ? "\\begin{cases}#2 & \\text{if } #1 \\\\ #3 & \\text{else}\\end{cases}"
                                           : "";
  template <class Op>
  static constexpr std::string_view symbol = std::same_as<Op, operation::Multiply>       ? " \\, "
                                             : std::same_as<Op, operation::LessEqual>    ? " \\le "
                                             : std::same_as<Op, operation::GreaterEqual> ? " \\ge "
                                             : std::same_as<Op, operation::Equal>        ? " = "
                                             : std::same_as<Op, operation::NotEqual>     ? " \\ne "
                                             : std::same_as<Op, operation::And>          ? " \\land "
                                             : std::same_as<Op, operation::Or>           ? " \\lor "
                                                                                         : Op::infix.symbol;

  static int of_right_operand(int own) { return own + (own <= operation::Multiply::infix.precedence ? 1 : 0); }
  static void write_variable(std::string& out, std::string_view name) { write_latex_name(out, name); }
  template <class Op, std::size_t Count>
  static constexpr bool is_base = notation<Op, Count>.starts_with("\\sqrt") ||
                                  notation<Op, Count>.starts_with("\\left") || notation<Op, Count> == "\\infty";
  static void write_fraction(std::string& out, std::intmax_t numerator, std::intmax_t denominator, int outer) {
    if (denominator == 1) return text_style::write_fraction(out, numerator, 1, outer);
    const bool parentheses = numerator < 0 ? outer >= operation::Multiply::infix.precedence : outer > sign_precedence;
    if (parentheses) out += opening;
    if (numerator < 0) out += '-';
    out += "\\frac{";
    write_number(out, numerator < 0 ? -numerator : numerator);
    out += "}{";
    write_number(out, denominator);
    out += '}';
    if (parentheses) out += closing;
  }
  /// With the exponent as one of ten.
  template <class T>
  static void write_real(std::string& out, const T& number, int outer) {
    std::string digits;
    write_number(digits, number);
    const bool is_word = digits.back() > '9';
    const std::size_t e = is_word ? std::string::npos : digits.find('e');
    const bool is_product = e != std::string::npos;
    if (const std::size_t infinity = digits.find("inf"); infinity != std::string::npos)
      digits.replace(infinity, 3, "\\infty");
    else if (is_word)
      digits = "\\text{" + (std::same_as<T, bool> ? digits : "NaN") + '}';
    const bool parentheses =
        (is_product && outer > sign_precedence) || (number < T(0) && outer >= operation::Multiply::infix.precedence);
    if (parentheses) out += opening;
    out += digits.substr(0, e);
    if (is_product) write_number(out.append(" \\cdot 10^{"), std::stoi(digits.substr(e + 1))), out += '}';
    if (parentheses) out += closing;
  }
  static void write_stop(std::string& out, std::string_view name) {
    out += "\\operatorname{stop}";
    if (!name.empty()) write_words(out += "_{", "mathrm", name), out += '}';
  }
  static void write_function(std::string& out, std::string_view name) {
    constexpr std::array known = {"sin", "cos", "tan", "sinh", "cosh", "tanh", "max", "min", "log"};
    for (const std::string_view each : known)
      if (each == name) {
        out.append("\\").append(name);
        return;
      }
    write_words(out, "operatorname", name);
  }
};

}  // namespace detail

/// The formula in LaTeX, for math mode. Needs amsmath.
template <Expression E>
std::string latex(const E& e) {
  std::string out;
  detail::write_formula<detail::latex_style>(out, e);
  return out;
}

template <class Char, class Traits, Expression E>
void latex(std::basic_ostream<Char, Traits>& stream, const E& e) {
  stream << latex(e).c_str();
}

}  // namespace tapeless
