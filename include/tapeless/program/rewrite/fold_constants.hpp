#pragma once

#include <tapeless/program/graph/node.hpp>

#include <cstdint>
#include <numeric>
#include <optional>

namespace tapeless::program {

namespace detail {

/// n / d in lowest terms, if the parts stay exact in double (below 2^53).
constexpr std::optional<constant_value> ratio(std::int64_t n, std::int64_t d) {
  if (d == 0) return {};
  if (d < 0) n = -n, d = -d;
  if (d != 1) {
    const std::int64_t divisor = std::gcd(n, d);
    n /= divisor, d /= divisor;
  }
  constexpr std::int64_t limit = std::int64_t{1} << 53;
  if (n <= -limit || n >= limit || d >= limit) return {};
  return constant_value{n, d, 0.0};
}

/// The exact result of an operation on two exact constants; nothing where it would round or overflow.
constexpr std::optional<constant_value> fold_constants(opcode op, const constant_value& a, const constant_value& b) {
  constexpr std::int64_t limit = std::int64_t{1} << 31;
  if (a.numerator <= -limit || a.numerator >= limit || a.denominator <= -limit || a.denominator >= limit ||
      b.numerator <= -limit || b.numerator >= limit || b.denominator <= -limit || b.denominator >= limit)
    return {};
  const std::int64_t left = a.numerator * b.denominator, right = b.numerator * a.denominator;
  switch (op) {
    case opcode::add: return ratio(left + right, a.denominator * b.denominator);
    case opcode::subtract: return ratio(left - right, a.denominator * b.denominator);
    case opcode::multiply: return ratio(a.numerator * b.numerator, a.denominator * b.denominator);
    case opcode::divide: return ratio(left, right);
    case opcode::less: return ratio(left < right, 1);
    case opcode::less_equal: return ratio(left <= right, 1);
    case opcode::equal: return ratio(left == right, 1);
    case opcode::not_equal: return ratio(left != right, 1);
    default: return {};
  }
}

}  // namespace detail

}  // namespace tapeless::program
