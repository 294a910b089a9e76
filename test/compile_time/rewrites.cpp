// What formulas become where their operations are rewritten, and where they stay. Compiling is passing.
#include "program_table.hpp"

#include <tapeless/program/lower/einsum_letters.hpp>

#include <string_view>

using namespace tapeless;
using program_text::notation, program_text::right, program_text::form, program_text::wrong;

namespace {

static_assert(right<wrong(form::written, R"(
  -(3) -> -3,                             -x,                                     -(-x) -> x
  -(x - y) -> y - x,                      -(x + y)
  -where(p, x, 0) -> where(p, -x, 0),     -where(p, x, y),                        x + 0 -> x
  0 + x -> x,                             x + 1,                                  -x + -y -> -(x + y)
  x + -y -> x - y,                        -x + y -> y - x,                        x + y
  where(p, x, 0) + where(p, 0, y) -> where(p, x, y),                              where(p, x, 0) + x
  where(p, x, 0) + where(q, 0, y),        where(p, x, 0) + where(p, z, y),        where(p, x, z) + where(p, 0, y)
  x - 0 -> x
  x - 0.0 -> x,                           0 - x -> -x,                            0.0 - x
  1 - x,                                  x - -y -> x + y,                        -x - y -> -(x + y)
  x - y,                                  y - x; x - y -> y - x; -(y - x),        y - x; y - z
  1 - x; x - 1 -> 1 - x; -(1 - x)
  (x + x) + (y + y),                      (x + x) - (y + y)
)")>);

static_assert(right<wrong(form::written, R"(
  x * 0 -> 0,                             0 * x -> 0,                             x * 0.0
  1 * x -> x,                             2 * x,                                  -x * y -> -(x * y)
  x * -3 -> -(x * 3),                     x * y,                                  4 * (x * 3) -> 12 * x
  (4 * x) * 3 -> 12 * x,                  5 * (x * 3),                            4 * (x * 0.1)
  4.0 * (x * 3),                          4 * (x + 3),                            4 * (x * y)
  67108864 * (x * 134217728),             x / 1 -> x,                             1 / x
  0 / x -> 0,                             0 / 0,                                  x / -y -> -(x / y)
  -x / y -> -(x / y),                     x / y,                                  x / 4 -> x * 1/4
  x / 3,                                  x / 0,                                  x / 1/3
  x / 2.0,                                1 / y; 1/2 / y,                         pow(x, 0) -> 1
  pow(x, 1) -> x,                         pow(x, y),                              pow(x, 2)
  pow(x, 4)
)")>);

// Constants are folded exactly, and only where the parts stay exact in double.
static_assert(right<wrong(form::written, R"(
  1/3 + 1/4 -> 7/12,                      1/3 - 1/4 -> 1/12,                      1/3 * 1/4 -> 1/12
  1/3 / 1/4 -> 4/3,                       1/4 / -1/2 -> -1/2,                     1/4 + 1/4 -> 1/2
  1/4 - 1/4 -> 0,                         5 / 0,                                  pow(5, 5)
  1/4 < 1/3 -> 1,                         1/3 < 1/3 -> 0,                         1/3 <= 1/3 -> 1
  1/3 <= 1/4 -> 0,                        1/3 == 2/6 -> 1,                        1/3 == 1/4 -> 0
  1/4 != 1/3 -> 1,                        1/3 != 1/3 -> 0,                        2147483647 + 1 -> 2147483648
  -2147483647 + -1 -> -2147483648,        2147483648 + 1,                         1 + 2147483648
  -2147483648 + 1,                        1 + -2147483648,                        3 * 1/2147483647 -> 3/2147483647
  3 * 1/2147483648,                       1/2147483648 * 3
  67108864 * 134217727 -> 9007199187632128
  -67108864 * 134217727 -> -9007199187632128,                                     67108864 * 134217728
  -67108864 * 134217728 -> -(67108864 * 134217728),                               2147483647 * 2147483647
  -2147483647 * 2147483647 -> -(2147483647 * 2147483647)
  1/67108864 * 1/67108864 -> 1/4503599627370496,                                  1/67108864 * 1/134217728
)")>);

// A number in the place of a condition holds where it is not 0; a condition in the place of a number is 1 or 0.
static_assert(right<wrong(form::written, R"(
  !x -> !(x != 0),                        !3 -> 0,                                !0 -> 1
  !0.0 -> 1,                              !0.5 -> 0,                              x * p -> x * where(p, 1, 0.0)
  !p,                                     !!p -> p,                               p && 1 -> p
  0 && p -> 0,                            p && 0.0 -> 0,                          p && q
  (p && q) && p -> p && q,                p && (p && q) -> p && q,                p && p -> p
  p && !p -> 0,                           p && !q,                                1 || p -> 1
  p || 0 -> p,                            p || q,                                 (p && q) || p -> p
  p || (p && q) -> p,                     !q || q -> 1,                           (p && q) || (p && !q) -> p
  (p && q) || (p && !r),                  (p && q) || (p || !q),                  (p || !q) || (p && q)
  where(1, x, y) -> x,                    where(0, x, y) -> y,                    where(p, x, y)
  where(p, x, x) -> x,                    where(!p, x, y) -> where(p, y, x)
  where(p, where(p, x, z), y) -> where(p, x, y)
  where(p, y, where(p, x, z)) -> where(p, y, z),                                  where(q, where(p, x, z), y)
)")>);
// Operands that may be exchanged have no order.
static_assert(right<wrong(form::written, R"(
  y == x; x == y -> x == y; x == y,       y < x; x < y,                           y > x -> x < y
  y >= x -> x <= y,                       x == x
)")>);

static_assert(right<wrong(form::written, R"(
  cos(-x) -> cos(x),                      cos(x),                                 exp(-x)
  abs(abs(x)) -> abs(x),                  abs(x),                                 cos(cos(x))
)")>);

/// Operations with laws of their own.
struct Joined {
  static constexpr std::string_view name = "joined";
  static constexpr tapeless::laws laws{.commutative = true, .identity = 7, .idempotent = true};
};
struct Turned {
  static constexpr std::string_view name = "turned";
  static constexpr tapeless::laws laws{.odd = true, .involution = true};
};
constexpr notation with_laws[] = {{"joined", 0, &program::info<Joined>}, {"turned", 0, &program::info<Turned>}};
static_assert(right<wrong(form::written, R"(
  joined(x, x) -> x,                      joined(x, y)
  joined(y, x); joined(x, y) -> joined(x, y); joined(x, y),                       x + x
  joined(x, 7) -> x,                      joined(7, x) -> x,                      joined(x, 0)
  turned(turned(x)) -> x,                 turned(x),                              turned(-x) -> -turned(x)
)",
                          with_laws)>);

// A program as written only takes exact constants together, and follows what an exact 0 means.
static_assert(right<wrong(form::plain, R"(
  (1 / 3) * 3 -> 1,                       x * 0 -> 0,                             0 * x -> 0
  0 / x -> 0,                             x + 0 -> x,                             0 + x -> x
  x - 0 -> x,                             -(-x),                                  1 * x
  x + -y
)")>);

// In derivatives, twos move outward.
static_assert(right<wrong(form::derived, R"(
  (x + x) + (y + y) -> (x + y) + (x + y), (x + x) + (x + x),                      (x + x) + y
  (x + x) - (y + y) -> (x - y) + (x - y), (x + x) - y
)")>);
// Inverses are shared there, if halves of them round alike.
static_assert(right<wrong(form::derived, R"(
  1 / y; 1/2 / y -> 1 / y; 1/2 * (1 / y), 1 / y; 1/3 / y,                         1 / y; 1/2 / x
  1/2 / y
)")>);
// What is for evaluation waits.
static_assert(right<wrong(form::derived, R"(
  pow(x, 4)
)")>);
static_assert(right<wrong(form::derived, R"(
  sum(-X) -> -sum(X),                     sum(X),                                 -(X * u)
  sum(X * 1/2),                           sum(X * X - u),                         X / u
)")>);
static_assert(right<wrong(form::written, R"(
  sum(-X),                                sum(X * 1/2),                           sum(X * X - u)
  X / u
)")>);

// Before a loop, what is the same for all elements leaves it.
static_assert(right<wrong(form::evaluated, R"(
  X / u -> uniform_quotient(X, u, 1 / u), u / X,                                  -(X * u) -> X * -u
  -(X * Y),                               -X,                                     sum(X * 1/2) -> 1/2 * sum(X)
  sum(X * 1/3),                           sum(X * u)
  -(X * u); sum(X * u) -> X * -u; -sum(X * -u)
  -(X * u); sum(Y * u) -> X * -u; sum(Y * u)
  -(X * u); sum(X) -> X * -u; sum(X)
)")>);
// Terms leave a sum of squares or of values of functions, and none whose terms could be exact.
static_assert(right<wrong(form::evaluated, R"(
  sum(X * X - u) -> sum(X * X) - where(N == 0, 0, u * N)
  sum(u + X * X * 1/2) -> where(N == 0, 0, u * N) + 1/2 * sum(X * X)
  sum(X * X * 1/2 - u + v) -> 1/2 * sum(X * X) - where(N == 0, 0, u * N) + where(N == 0, 0, v * N)
  sum(log(X) * Y + X * X - u) -> sum(log(X) * Y + X * X) - where(N == 0, 0, u * N)
  sum(X - u),                             sum(X * Y - u),                         sum(X + X * X - u)
  sum(X * X - Y),                         sum(X - X) + sum(u - v) -> sum(X - X) + where(N == 0, 0, (u - v) * N)
)")>);
// A factor leaves a sum if there is the sum without it.
static_assert(right<wrong(form::evaluated, R"(
  sum(Y * (X * u)),                       sum(X); sum(X * u) -> sum(X); where(N == 0, 0, u * sum(X))
  sum(X * Y); sum(Y * (X * u)) -> sum(X * Y); where(N == 0, 0, u * sum(X * Y))
  sum(X); sum(X / u) -> sum(X); where(N == 0, 0, uniform_quotient(sum(X), u, 1 / u))
  sum(X * Y); sum(Y * (X / u)) -> sum(X * Y); where(N == 0, 0, uniform_quotient(sum(X * Y), u, 1 / u))
  sum(X); sum(X * Y),                     sum(X); sum(Y * u),                     sum(X); sum(X * (X * u))
)")>);
// Elements are taken from what varies, and put into the other term of a sum that is an output.
static_assert(right<wrong(form::evaluated, R"(
  take(v * (X - u), I) -> v * (take(X, I) - u),                                   put(take(X, I) - u, I)
  take(X, I),                             take(exp(X), I),                        take(X - Y, I)
  Y + put(take(X, I), I) -> put(take(X, I), I, Y)
  Y + put(take(X, I), I); X + put(take(X, I), I)
  Y + put(take(X, I), I); exp(Y + put(take(X, I), I)),                            X + Y
)")>);

static_assert(right<wrong(form::evaluated, R"(
  x / y,                                  pow(x, 4) -> (x * x) * (x * x),         pow(x, -2) -> 1 / (x * x)
  pow(x, 65),                             pow(x, -65),                            pow(x, 1/2)
  pow(x, 2.0)
)")>);
// Weights of a softmax share the exponentials of its logsumexp; what a user wrote has to have them.
static_assert(right<wrong(form::evaluated, R"(
  softmax_exp(x - (y + log(z))) -> exp(x - y) * (1 / z),                          softmax_exp(x - y) -> exp(x - y)
  exp(x - (y + log(z))),                  exp(x - y); exp(x - (y + log(z)))
  exp(x - (y + log(z + exp(x - y)))) -> exp(x - y) / (z + exp(x - y))
)")>);
constexpr int nodes_of(const char* formula) {
  const program::builder made = program_text::program_at(form::evaluated, formula);
  return program_text::count_needed(made, made.outputs);
}
static_assert(nodes_of("pow(x, 64)") <= 7 && nodes_of("pow(x, -64)") <= 9);

// Active is what lies on a path from a variable to an output: exp(x) does not lead to x + y.
static_assert([] {
  program::builder graph = program_text::program_at(form::written, "a; b; exp(a); a + b");
  graph.variables = {2, ""};
  const int variables[] = {0}, *const outputs = graph.outputs.data;
  const program::growing_array<char> active = program::active_nodes(graph, variables, {outputs + 3, 1});
  return active[outputs[0]] && !active[outputs[1]] && !active[outputs[2]] && active[outputs[3]];
}());

// Numbers that are written are exact below 2^53, with a few binary digits after the point.
using program::constant_from, program::einsum_letters;
static_assert(constant_from(0x1p53 - 1).exact() && constant_from(1 - 0x1p53).exact() && constant_from(0x1p-10).exact());
static_assert(!constant_from(0x1p53).exact() && !constant_from(-0x1p53).exact() && !constant_from(1e300).exact());
static_assert(!constant_from(0x1p-11).exact() && !constant_from(0x1p53 + 2).exact());

// Subscripts of einsum fit operands of as many axes as they have letters, in both places.
static_assert(einsum_letters("ij", "jk", "ik").fit(2, 2));
static_assert(!einsum_letters("ij", "jk", "ik").fit(3, 2) && !einsum_letters("ij", "jk", "ik").fit(2, 3));

}  // namespace
