// Numbers in traced functions: those of the enclosing scope, and variables without an initialiser.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;

// A constant of the enclosing scope needs no capture where it meets an argument, in whatever operation.
constexpr bool uses_constants() {
  constexpr double k = 3;
  constexpr int n = 2;
  constexpr auto f = [](auto a) {
    a += k, a *= n, a -= k, a /= n;
    return k * a * n + max(k, a) + min(a, k, n) + pow(a, n) + where(a < k && k < a, a, k) + clamp(a, n, k) +
           grad_scale(a, k);
  };
  constexpr auto logarithm = [](auto a) { return hypot(k, a) + atan2(a, k) + norm(a, k) + logsumexp(a, k); };
  // At a = 4 + 3/2: 6 a + a + 2 + a^2 + 3 + 3 + a, the last of a derivative times 3.
  static_assert(gradient(f)(4.0) == 6 + 1 + 2 * 5.5 + 3);
  static_assert(gradient(logarithm)(0.0) > 0);
  constexpr auto formula = [] { return k * x; };
  return formula()(x = 2.0) == 6.0;
}
static_assert(uses_constants());

// What is value-initialised is 0; what is assigned first need not be.
static_assert(gradient([](auto a) {
                using T = decltype(a);
                T sum{}, numbers[2]{}, product = T();
                std::array<T, 2> others{};
                T squares[2];
                for (int i = 0; i < 2; ++i) squares[i] = a * a;
                return (sum + a) * a + numbers[1] + others[1] + product + squares[1];
              })(3.0) == 12.0);

static_assert(gradient([](auto a) { return fabs(a) * a; })(-3.0) == 6.0);

// A template for any number type asks for the functions of the standard library, which are templates too.
template <class T>
constexpr T of_standard(const T& a, const T& b) {
  using std::max, std::min;
  T larger = max(a * b, b);
  const T smaller = min(larger, a + b);
  return max(smaller, T(0.5)) + min(max(a, T(0)), T(1)) + min(larger, a) * max(a, b);
}
constexpr auto for_traced = [](auto a, auto b) { return of_standard(a, b); };
static_assert(of_standard(2.0, 3.0) == 5 + 1 + 2 * 3);
static_assert(value_and_gradient(for_traced)(2.0, 3.0).value == of_standard(2.0, 3.0));
// min(a b, a + b) = a + b, min(max(a, 0), 1) = 1, min(a b, a) = a, max(a, b) = b.
static_assert(get<0>(gradient(for_traced)(2.0, 3.0)) == 1 + 3 && get<1>(gradient(for_traced)(2.0, 3.0)) == 1 + 2);
// At a tie the derivative is shared, which that of std::max is not.
static_assert(get<0>(gradient([](auto a, auto b) { return max(a, b); })(2.0, 2.0)) == 0.5);

// The limits that double and float share are theirs: the least of numbers, from infinity.
constexpr auto least = [](auto p) {
  auto result = std::numeric_limits<std::remove_cvref_t<decltype(p[0])>>::infinity();
  for (const auto& each : p) result = tapeless::where(each < result, each, result);
  return result;
};
static_assert(tapeless::value(least)(std::array{3.0, 2.0}) == 2.0);
static_assert(tapeless::gradient(least)(std::array{3.0, 2.0}) == std::array{0.0, 1.0});

}  // namespace
