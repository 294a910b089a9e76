#pragma once

#include <tapeless/operation/list.hpp>
#include <tapeless/operation/scan.hpp>
#include <tapeless/operation/tensor/broadcast.hpp>
#include <tapeless/operation/tensor/over_axes.hpp>
#include <tapeless/program/graph/operation_info.hpp>

#include <string_view>

/// What the operations of a program are in C. In the texts, `$0` is an operand as a number and `?0` as a condition,
/// `@sin` a function of the C library in the number type, `@` that of the operation's name, `#1.0` a literal of it,
/// `{a|b}` a for double and b for float, `$T` the number type, and `%larger` one of the helpers below.
namespace tapeless::detail {

struct c_operation {
  const program::operation_info* operation;
  std::string_view text;
};

inline constexpr c_operation c_operations[] = {
    {&program::info<operation::Multiply>, "$0 * $1"},
    {&program::info<operation::MultiplyAdd>, "($0 * $1) + $2"},
    {&program::info<operation::Add>, "$0 + $1"},
    {&program::info<operation::Subtract>, "$0 - $1"},
    {&program::info<operation::Negate>, "-$0"},
    {&program::info<operation::MultiplySubtract>, "($0 * $1) - $2"},
    {&program::info<operation::SubtractProduct>, "$2 - ($0 * $1)"},
    {&program::info<operation::Divide>, "$0 / $1"},
    {&program::info<operation::TimesInverse>, "$0 / $1"},
    {&program::info<operation::UniformQuotient>, "$0 / $1"},
    {&program::info<operation::Where>, "?0 ? $1 : $2"},
    // == and != of numbers, without the operators that compilers warn of.
    {&program::info<operation::Equal>, "($0 <= $1) && ($0 >= $1)"},
    {&program::info<operation::NotEqual>, "!(($0 <= $1) && ($0 >= $1))"},
    {&program::info<operation::Less>, "$0 < $1"},
    {&program::info<operation::LessEqual>, "$0 <= $1"},
    {&program::info<operation::Greater>, "$0 > $1"},
    {&program::info<operation::GreaterEqual>, "$0 >= $1"},
    {&program::info<operation::And>, "?0 && ?1"},
    {&program::info<operation::Or>, "?0 || ?1"},
    {&program::info<operation::Not>, "!?0"},
    {&program::info<operation::Sign>, "($0 > #0.0) ? #1.0 : (($0 < #0.0) ? -#1.0 : $0)"},
    {&program::info<operation::Relu>, "($0 <= #0.0) ? #0.0 : $0"},
    {&program::info<operation::Larger>, "(isnan($0) || ($0 > $1)) ? $0 : $1"},
    {&program::info<operation::Smaller>, "(isnan($0) || ($0 < $1)) ? $0 : $1"},
    {&program::info<operation::ShareOfEqual>, "$0"},
    {&program::info<operation::Broadcast>, "$0"},
    {&program::info<operation::Abs>, "@fabs($0)"},
    {&program::info<operation::Copysign>, "%copysign($0, $1)"},
    {&program::info<operation::TanhSlope>, "%tanh_slope($0, $1)"},
    {&program::info<operation::OverSquares>, "%over_squares($0, $1)"},
    {&program::info<operation::RootOfSquares>, "@sqrt($0)"},
    {&program::info<operation::RootBeyondRange>, "%root_beyond($0, $1)"},
    {&program::info<operation::ProductOfOthers>, "%product_of_others($0, $1, $2)"},
};

/// Of a pair what `First` and `Second` of it are.
struct c_pair {
  const program::operation_info* operation;
  std::string_view first, second;
};
inline constexpr c_pair c_pairs[] = {
    {&program::info<operation::SineCosine>, "@sin($0)", "@cos($0)"},
    {&program::info<operation::ErfcGaussian>, "@erfc($0)", "@exp(-($0 * $0))"},
};

/// Functions beside the one that is written, each where it is used: what math/range.hpp does.
struct c_helper {
  std::string_view name, text;
};
inline constexpr c_helper c_helpers[] = {
    {"copysign",
     "$T %copysign(const $T x, const $T y)\n"
     "{\n"
     "  const $T size = @fabs(x);\n"
     "  const $T sign = ((y < #0.0) || (y > #0.0)) ? y : (#1.0 / y);\n"
     "  return (sign < #0.0) ? -size : size;\n"
     "}\n"},
    {"tanh_slope",
     "$T %tanh_slope(const $T x, const $T y)\n"
     "{\n"
     "  const $T square = y * y;\n"
     "  $T slope = #1.0 - square;\n"
     "  if (!(square < #0.9375)) {\n"
     "    const $T e = @exp(-#2.0 * @fabs(x));\n"
     "    const $T sum = #1.0 + e;\n"
     "    slope = (#4.0 * e) / (sum * sum);\n"
     "  }\n"
     "  return slope;\n"
     "}\n"},
    // A power of two that keeps squares in range.
    {"factor",
     "$T %factor(const $T sum)\n"
     "{\n"
     "  $T factor = #1.0;\n"
     "  if (!((sum >= {0x1p-970|0x1p-103f}) && (sum <= {0x1.fffffffffffffp+1023|0x1.fffffep+127f}))) {\n"
     "    factor = (sum > #1.0) ? {0x1p-768|0x1p-96f} : {0x1p+768|0x1p+96f};\n"
     "  }\n"
     "  return factor;\n"
     "}\n"},
    {"norm2",
     "$T %norm2(const $T a, const $T b)\n"
     "{\n"
     "  const $T factor = %factor((a * a) + (b * b));\n"
     "  const $T x = a * factor;\n"
     "  const $T y = b * factor;\n"
     "  return @sqrt((x * x) + (y * y)) * (#1.0 / factor);\n"
     "}\n"},
    {"norm3",
     "$T %norm3(const $T a, const $T b, const $T c)\n"
     "{\n"
     "  const $T factor = %factor((a * a) + (b * b) + (c * c));\n"
     "  const $T x = a * factor;\n"
     "  const $T y = b * factor;\n"
     "  const $T z = c * factor;\n"
     "  return @sqrt((x * x) + (y * y) + (z * z)) * (#1.0 / factor);\n"
     "}\n"},
    {"over_squares",
     "$T %over_squares(const $T a, const $T b)\n"
     "{\n"
     "  const $T factor = %factor((a * a) + (b * b));\n"
     "  const $T x = a * factor;\n"
     "  const $T y = b * factor;\n"
     "  return (x / ((x * x) + (y * y))) * factor;\n"
     "}\n"},
    {"root_beyond",
     "$T %root_beyond(const $T x, const $T product)\n"
     "{\n"
     "  $T root = #1.0;\n"
     "  if (!((@fabs(product) >= {0x1p-1022|0x1p-126f}) && (@fabs(product) <= "
     "{0x1.fffffffffffffp+1023|0x1.fffffep+127f}))) {\n"
     "    root = (x < #0.0) ? -@sqrt(-x) : @sqrt(x);\n"
     "  }\n"
     "  return root;\n"
     "}\n"},
    {"product_of_others",
     "$T %product_of_others(const $T x, const $T product, const $T roots)\n"
     "{\n"
     "  $T others = product / x;\n"
     "  if (!((@fabs(product) >= {0x1p-1022|0x1p-126f}) && (@fabs(product) <= "
     "{0x1.fffffffffffffp+1023|0x1.fffffep+127f}))) {\n"
     "    const $T root = roots / ((x < #0.0) ? -@sqrt(-x) : @sqrt(x));\n"
     "    others = root * @fabs(root);\n"
     "  }\n"
     "  return others;\n"
     "}\n"},
};

template <class... Ops>
constexpr bool applies_one_of(const program::node& n) {
  return (program::applies(n, program::info<Ops>) || ...);
}
/// Whether the operation is a function of C's library, of the same name.
constexpr bool is_c_function(const program::node& n) {
  using namespace operation;
  return applies_one_of<Floor, Ceil, Round, Trunc, Fmod, Sqrt, Cbrt, Hypot, Exp, SoftmaxExp, Exp2, Expm1, Log, Log2,
                        Log10, Log1p, Pow, Sin, Cos, Tan, Asin, Acos, Atan, Atan2, Sinh, Cosh, Tanh, Asinh, Acosh,
                        Atanh, Erf, Erfc, Lgamma, Tgamma>(n);
}

/// The text of the operation of node `i`; empty where there is none.
constexpr std::string_view c_text_of(const program::graph_view& view, int i) {
  using program::applies, program::info;
  const program::node& n = view.nodes[i];
  if (applies(n, info<operation::ShortNorm>)) return n.count == 2 ? "%norm2($0, $1)" : "%norm3($0, $1, $2)";
  if (applies(n, info<operation::First>) || applies(n, info<operation::Second>)) {
    const program::node& pair = view.nodes[view.edges[n.first]];
    for (const c_pair& each : c_pairs)
      if (applies(pair, *each.operation)) return applies(n, info<operation::First>) ? each.first : each.second;
    return {};
  }
  const bool larger = applies(n, info<operation::Larger>);
  if (larger || applies(n, info<operation::Smaller>)) {
    // A constant that is not NaN: one comparison decides.
    const program::node& second = view.nodes[view.edges[n.first + 1]];
    if (second.kind == program::node_kind::constant)
      if (const auto number = view.constants[second.leaf].as<double>(); number == number)
        return larger ? "($0 <= $1) ? $1 : $0" : "($0 >= $1) ? $1 : $0";
  }
  for (const c_operation& each : c_operations)
    if (*n.operation == *each.operation) return each.text;
  return !is_c_function(n) ? "" : n.count == 1 ? "@($0)" : "@($0, $1)";
}

/// Whether the operation of a node can be written. Pairs are where their parts are; loops and sequences are no texts.
constexpr bool has_c_text(const program::graph_view& view, int i) {
  using program::applies, program::info;
  const program::node& n = view.nodes[i];
  if (n.kind != program::node_kind::apply || n.count == 0 || n.operation->of_loops) return true;
  for (const c_pair& each : c_pairs)
    if (applies(n, *each.operation)) return true;
  return applies(n, info<operation::Length>) || !c_text_of(view, i).empty();
}

}  // namespace tapeless::detail
