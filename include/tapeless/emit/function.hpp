#pragma once

#include <tapeless/emit/buffer.hpp>
#include <tapeless/emit/nests.hpp>

#include <concepts>
#include <span>
#include <string_view>

namespace tapeless::detail {

enum class c_dialect { c99, opencl, cuda };

/// A parameter for inputs: the variables of a program from `first` on, by value where it is a number, or a sequence
/// with its length.
struct c_parameter {
  std::string_view name;
  int number = -1;
  int first = 0, count = 1;
  bool is_number = true, is_sequence = false;
  /// Whether the name is the writer's, not that of a variable of a formula.
  bool is_writers = false;
  /// Which tensor or number of an argument it is, where that has several.
  int member = -1;
  /// Integers, which of a program over tensors are no variables, and have numbers after those.
  bool is_integer = false;
  /// Of tensors of integers how many bits each has, negative where they have no sign; of others 0.
  int bits = 0;
  c_shape shape{};
};
/// One for results: of numbers the outputs from `first` on; of a symmetric matrix with so many rows the upper triangle,
/// column by column.
struct c_result {
  std::string_view name;
  int number = -1;
  int first = 0, count = 1;
  int symmetric = 0;
  c_shape shape{};
};

/// What a program over tensors gives to a result: the sum of `count` outputs, of this shape.
struct c_sum {
  int result, first, count;
  c_shape shape;
};
/// A program that runs once, or for each element of a direction, the variable `along`, which is 1 there and else 0.
struct c_part {
  const c_source* source;
  std::span<const c_sum> results;
  int along = -1;
  c_shape direction{};
  /// Whether results have the axes of the direction first; else last.
  bool by_rows = false;
};

/// What is written.
struct c_function {
  c_dialect dialect;
  bool single;
  std::string_view name;
  /// The program that tells the extents.
  const c_source* source;
  std::span<const c_parameter> parameters;
  std::span<const c_result> results;
  /// How many extents are parameters; and what runs: always, and by columns or by rows of a matrix, whichever are
  /// fewer.
  int extents;
  std::span<const c_part> parts, columns, rows;
};

constexpr emitted_text c_number_of(std::integral auto n) { return emitted_text() + n + "U"; }

constexpr bool is_of_c_name(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
/// Whether a list of names with spaces around each has one.
constexpr bool lists_name(std::string_view list, std::string_view name) {
  return list.find((" " + emitted_text(name) + " ").view()) != std::string_view::npos;
}
/// The functions that the text uses.
inline constexpr std::string_view c_functions_of_text =
    " acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor fmod hypot isnan "
    "lgamma log log10 log1p log2 pow round sin sinh sqrt tan tanh tgamma trunc ";
/// Words of the languages, and the functions, types and macros that the text may meet.
constexpr bool is_c_word(std::string_view name) {
  return lists_name(
             " auto bool break case char class const constant continue default delete do double else enum extern false "
             "float for global goto half if inline int kernel local long main new private register restrict return "
             "short signed size_t sizeof static struct switch template this true typedef uint ulong union unsigned "
             "void volatile while "
             "alignas alignof and and_eq asm bitand bitor catch compl concept const_cast consteval constexpr constinit "
             "decltype dynamic_cast explicit export friend mutable namespace noexcept not not_eq nullptr operator or "
             "or_eq protected public reinterpret_cast requires static_assert static_cast thread_local throw try typeid "
             "typename typeof using virtual wchar_t xor xor_eq "
             "get_global_id event_t image1d_t image2d_t image3d_t pipe queue_t read_only read_write sampler_t uniform "
             "write_only blockDim blockIdx gridDim threadIdx warpSize "
             // Macros of gcc and clang where -std=gnu99 holds, for one machine or another.
             "AVR MIPSEB MIPSEL MSP430 PPC WIN32 WIN64 WINNT i386 linux mc68000 mips powerpc sparc unix ",
             name) ||
         lists_name(c_functions_of_text, name) ||
         lists_name(" HUGE_VAL HUGE_VALF HUGE_VALL INFINITY NAN NULL SIZE_MAX ", name) || name.starts_with("M_") ||
         name.starts_with("FP_");
}
/// Names that C keeps for its compilers.
constexpr bool is_reserved_in_c(std::string_view name) {
  return name.size() > 1 && name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}
constexpr bool begins_with_digit(std::string_view name) { return !name.empty() && name[0] >= '0' && name[0] <= '9'; }
/// Other functions that a compiler knows, for which a function must not stand.
constexpr bool is_c_function(std::string_view name) {
  const auto is_of_math = [](std::string_view function) {
    return lists_name(c_functions_of_text, function) ||
           lists_name(
               " copysign exp10 fdim fma fmax fmin frexp gamma ilogb j0 j1 jn ldexp llrint llround logb lrint lround "
               "modf nan nearbyint nextafter nexttoward pow10 remainder remquo rint scalbln scalbn sincos y0 y1 yn ",
               function);
  };
  return is_of_math(name) ||
         ((name.ends_with('f') || name.ends_with('l')) && is_of_math(name.substr(0, name.size() - 1))) ||
         lists_name(
             " abort abs calloc exit free labs malloc memchr memcmp memcpy memmove memset printf putchar puts realloc "
             "strchr strcmp strcpy strlen ",
             name);
}
/// Names of the writer: those here, which may have a number, and a letter with a number.
constexpr bool is_c_name_of_writer(std::string_view name) {
  const std::string_view word = name.substr(0, name.find_last_not_of("0123456789") + 1);
  return lists_name(" count entries gradient hessian i jacobian product scratch seed t tangent value ", word) ||
         (name.size() > 1 && name[1] >= '0' && name[1] <= '9' && lists_name(" c i m n s t v ", name.substr(0, 1)));
}

}  // namespace tapeless::detail
