#pragma once

#include <tapeless/inspect/text.hpp>

#include <array>
#include <iosfwd>
#include <string>
#include <string_view>

namespace tapeless {

namespace detail {

/// A command whose argument is text.
inline void write_words(std::string& out, std::string_view command, std::string_view words) {
  out.append("\\").append(command) += '{';
  for (const char c : words) (c == '_' ? out += "\\_" : out += c);
  out += '}';
}

/// `sigma1` becomes `\sigma_{1}`; a name of several letters that is no Greek letter stands upright.
inline void write_latex_name(std::string& out, std::string_view name) {
  constexpr std::array greek = {"alpha", "beta",    "gamma", "delta", "epsilon", "zeta",  "eta",   "theta", "iota",
                                "kappa", "lambda",  "mu",    "nu",    "xi",      "pi",    "rho",   "sigma", "tau",
                                "phi",   "upsilon", "chi",   "psi",   "omega",   "Gamma", "Delta", "Theta", "Lambda",
                                "Xi",    "Pi",      "Sigma", "Phi",   "Psi",     "Omega"};
  std::size_t letters = name.size();
  while (letters > 1 && name[letters - 1] >= '0' && name[letters - 1] <= '9') --letters;
  const std::string_view stem = name.substr(0, letters);
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

template <class E>
struct latex_of;

template <class E>
void write_latex(std::string& out, const E& e, int outer) {
  latex_of<E>::write(out, e, outer);
}

template <class Write>
void write_latex_parenthesised(std::string& out, bool needed, Write write) {
  if (needed) out += "\\left(";
  write();
  if (needed) out += "\\right)";
}

/// Named formulas as their definitions; leaves as in text.
template <class E>
struct latex_of {
  static void write(std::string& out, const E& e, int outer) {
    if constexpr (requires { typename E::definition; })
      write_latex(out, typename E::definition{}, outer);
    else
      text_of<E>::write(out, e, outer);
  }
};

template <TAPELESS_NAME Name>
struct latex_of<variable_of<Name>> {
  static void write(std::string& out, const variable_of<Name>&, int) {
    write_latex_name(out, TAPELESS_NAME_TEXT(Name));
  }
};

template <std::intmax_t N, std::intmax_t D>
  requires(D != 1)
struct latex_of<Constant<N, D>> {
  static void write(std::string& out, const Constant<N, D>&, int) {
    if (N < 0) out += '-';
    out += "\\frac{";
    write_number(out, N < 0 ? -N : N);
    out += "}{";
    write_number(out, D);
    out += '}';
  }
};

template <class E, TAPELESS_NAME Name>
struct latex_of<StopGradient<E, Name>> {
  static void write(std::string& out, const StopGradient<E, Name>& e, int) {
    out += "\\operatorname{stop}";
    if (!TAPELESS_NAME_TEXT(Name).empty()) write_words(out += "_{", "mathrm", TAPELESS_NAME_TEXT(Name)), out += '}';
    write_latex_parenthesised(out, true, [&] { write_latex(out, e.operand, loosest); });
  }
};

template <class Op, class... Es>
struct latex_of<Apply<Op, Es...>> {
  static void write(std::string& out, const Apply<Op, Es...>& e, int outer) {
    using namespace operation;
    constexpr int product = Multiply::infix.precedence;
    // `#1` is the first operand, `#0` that as the base of a power.
    constexpr std::string_view notation = std::same_as<Op, LnTwo>           ? "\\ln 2"
                                          : std::same_as<Op, LnTen>         ? "\\ln 10"
                                          : std::same_as<Op, TwoOverSqrtPi> ? "\\frac{2}{\\sqrt{\\pi}}"
                                          : sizeof...(Es) == 0              ? "\\infty"
                                          : std::same_as<Op, Divide>        ? "\\frac{#1}{#2}"
                                          : std::same_as<Op, Pow>           ? "#0^{#2}"
                                          : std::same_as<Op, Square>        ? "#0^{2}"
                                          : std::same_as<Op, Sqrt>          ? "\\sqrt{#1}"
                                          : std::same_as<Op, Cbrt>          ? "\\sqrt[3]{#1}"
                                          : std::same_as<Op, Exp>           ? "e^{#1}"
                                          : std::same_as<Op, Abs>           ? "\\left|#1\\right|"
                                          : std::same_as<Op, Floor>         ? "\\left\\lfloor #1\\right\\rfloor "
                                          : std::same_as<Op, Ceil>          ? "\\left\\lceil #1\\right\\rceil "
                                          : std::same_as<Op, Where>
                                              ? "\\begin{cases}#2 & \\text{if } #1 \\\\ #3 & \\text{else}\\end{cases}"
                                              : "";
    const auto part = [&](std::size_t which, int precedence) {
      for_each_index<sizeof...(Es)>([&](auto i) {
        if (i == which) write_latex(out, e.template operand<i>(), precedence);
      });
    };
    if constexpr (!notation.empty()) {
      for (std::size_t k = 0; k < notation.size(); ++k)
        if (notation[k] != '#')
          out += notation[k];
        else if (notation[++k] == '0')
          part(0, sign_precedence + 1);
        else
          part(static_cast<std::size_t>(notation[k] - '1'), loosest);
    } else if constexpr (std::same_as<Op, Negate>)
      write_latex_parenthesised(out, outer > Add::infix.precedence, [&] {
        out += '-';
        part(0, sign_precedence);
      });
    else if constexpr (requires { Op::infix; }) {
      constexpr int own = Op::infix.precedence;
      write_latex_parenthesised(out, outer > own, [&] {
        part(0, own);
        out += std::same_as<Op, Multiply>       ? " \\, "
               : std::same_as<Op, LessEqual>    ? " \\le "
               : std::same_as<Op, GreaterEqual> ? " \\ge "
               : std::same_as<Op, Equal>        ? " = "
               : std::same_as<Op, NotEqual>     ? " \\ne "
               : std::same_as<Op, And>          ? " \\land "
               : std::same_as<Op, Or>           ? " \\lor "
                                                : Op::infix.symbol;
        part(1, own + (own <= product ? 1 : 0));
      });
    } else {
      constexpr std::array known = {"sin", "cos", "tan", "sinh", "cosh", "tanh", "max", "min", "log"};
      bool is_known = false;
      for (const std::string_view name : known) is_known = is_known || name == Op::name;
      if (is_known)
        out.append("\\").append(Op::name);
      else
        write_words(out, "operatorname", Op::name);
      write_latex_parenthesised(out, true, [&] {
        for_each_index<sizeof...(Es)>(
            [&](auto which) { out += which == 0 ? "" : ", ", write_latex(out, e.template operand<which>(), loosest); });
      });
    }
  }
};

}  // namespace detail

/// The formula in LaTeX, for math mode. Needs amsmath.
template <Expression E>
std::string latex(const E& e) {
  std::string out;
  detail::write_latex(out, e, detail::loosest);
  return out;
}

template <class Char, class Traits, Expression E>
void latex(std::basic_ostream<Char, Traits>& stream, const E& e) {
  stream << latex(e).c_str();
}

}  // namespace tapeless
