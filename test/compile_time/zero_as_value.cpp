// A derivative that is zero by structure, and any constant, is a number wherever a number is bound.
#include <tapeless/tapeless.hpp>

#include <tuple>
#include <type_traits>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr auto g = gradient(x * x + stop_gradient(y), wrt(x, y))(x = 1.0, y = 2.0);
static_assert(std::is_same_v<std::remove_cvref_t<decltype(g[y])>, Zero>);

// As a value it does not decide the number type.
static_assert((x * y + 3)(x = 2.0, y = g[y]) == 3.0);
static_assert(std::is_same_v<decltype((x * y + 3)(x = 2.0f, y = g[y])), float>);
static_assert((x / y)(x = 1_c, y = 3_c) == 1.0 / 3);
static_assert(x(x = constant<1, 3>) == 1.0 / 3);
static_assert(gradient(x * y, wrt(x, y))(x = 2.0, y = g[y])[y] == 2.0);

// As a tangent, along the gradient: x^2 y has the Hessian (2 y, 2 x; 2 x, 0), times (2, 0).
static_assert(hvp(x * x * y, tangent(x = g[x], y = g[y]))(x = 1.0, y = 5.0)[x] == 20.0);
static_assert(hvp(x * x * y, tangent(x = g[x], y = g[y]))(x = 1.0, y = 5.0)[y] == 4.0);
static_assert(jvp(x * y, tangent(x = g[x], y = g[y]))(x = 2.0, y = 5.0) == 10.0);
static_assert(vjp(outputs(x * y, x), cotangent(g[y], 1_c))(x = 2.0, y = 3.0)[x] == 1.0);

// As an argument, alone and in a structure.
static_assert(gradient([](auto a, auto b) { return a * a + b; })(2.0, g[y]) == std::tuple(4.0, 1.0));
static_assert(gradient([](const auto& p) {
                const auto& [a, b] = p;
                return a * b + b;
              })(std::tuple(2.0, g[y])) == std::tuple(0.0, 3.0));
static_assert(jvp([](auto a, auto b) { return a * a + b; }, tangent(g[x], g[y]))(2.0, 3.0) == 8.0);

}  // namespace
