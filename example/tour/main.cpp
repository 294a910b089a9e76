// A tour: a formula and its gradient as text and as types, what the stop proves, and the numbers.
#include <tapeless/tapeless.hpp>

#include <array>
#include <cstdio>
#include <iostream>
#include <string_view>
#include <type_traits>

using namespace tapeless;

// A variable is its name; a formula is a type. Nothing is stored: the formula has no state at all.
inline constexpr auto x = variable<"x">;
inline constexpr auto y = variable<"y">;
inline constexpr auto f = x * sin(y) + exp(x) / y;
static_assert(std::is_empty_v<decltype(f)>);

// Values and gradients are constants where their arguments are, transcendental functions included.
static_assert(f(x = 0.0, y = 1.0) == 1.0);
static_assert(gradient(f, wrt(x))(x = 0.0, y = 1.0)[x] > 1.84);

// The heart of the library: a stop has the value of what it stops, and a derivative that is zero as a type.
inline constexpr auto target = x * y;
inline constexpr auto loss = square(y - stop_gradient(target));
static_assert(loss(x = 2.0, y = 3.0) == 9.0);
static_assert(std::is_same_v<derivative_t<decltype(stop_gradient(target)), decltype(x)>, Zero>);
static_assert(std::is_same_v<derivative_t<decltype(loss), decltype(x)>, Zero>);
static_assert(std::is_same_v<derivative_t<decltype(x + stop_gradient(target)), decltype(x)>, One>);
static_assert(std::is_same_v<derivative_t<decltype(x * stop_gradient(target)), decltype(x)>,  //
                             StopGradient<decltype(x * y)>>);

// What a stop saves: tanh and its derivative are not even computed again on the way back.
inline constexpr auto w = variable<"w">;
inline constexpr auto imitation = square(w * x - stop_gradient(tanh(w * x)));
inline constexpr auto stopped_cost = cost(gradient(imitation, wrt(w)));
inline constexpr auto open_cost = cost(gradient(square(w * x - tanh(w * x)), wrt(w)));
static_assert(stopped_cost.additions == 1 && stopped_cost.multiplications == 3 && stopped_cost.functions == 1);
static_assert(open_cost.additions == 2 && open_cost.multiplications == 4 && open_cost.functions == 2);

// Behind a stop even an operation that nobody can differentiate is welcome: its rule is never looked at.
struct LastDigit {
  static constexpr std::string_view name = "last_digit";
  static constexpr auto value = [](double v) { return std::fmod(std::floor(v), 10.0); };
};
template <Symbolic E>
constexpr auto last_digit(const E& e) {
  return apply<LastDigit>(e);
}

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--dot") {  // for Graphviz: the picture of the project's first page
    std::cout << dot(imitation);
    return 0;
  }
  std::cout << "f            = " << f << "\n"
            << "df/dx        = " << derivative(f, x) << "\n"
            << "df/dy        = " << derivative(f, y) << "\n";

  const auto [value, g] = value_and_gradient(f)(x = 2.0, y = 3.0);
  std::printf("f(2, 3)      = %.15g\ngradient     = (%.15g, %.15g)\n", value, g[x], g[y]);
  const auto h = hessian(f)(x = 2.0, y = 3.0);
  std::printf("Hessian      = (%.15g, %.15g; %.15g, %.15g)\n\n", h(x, x), h(x, y), h(y, x), h(y, y));

  std::cout << "loss         = " << loss << "\n"
            << "d loss/dy    = " << derivative(loss, y) << "\n"
            << "d loss/dx    = " << derivative(loss, x) << "    (the type Zero: no code behind it)\n";
  const auto d = gradient(loss)(x = 2.0, y = 3.0);
  std::printf("at (2, 3)    = (%g, %g)\n\n", static_cast<double>(d[x]), d[y]);

  const auto digits = gradient(x * stop_gradient(last_digit(x)))(x = 27.5);
  std::printf("d/dx x * stop_gradient(last_digit(x)) at 27.5 = %g\n\n", digits[x]);

  // Ordinary functions too: run once by the compiler, loops and all, then differentiated.
  const auto rosenbrock = [](auto a) {
    auto sum = square(1 - a[0]) + 100 * square(a[1] - square(a[0]));
    for (std::size_t i = 1; i + 1 < a.size(); ++i) sum += square(1 - a[i]) + 100 * square(a[i + 1] - square(a[i]));
    return sum;
  };
  const auto [r, slope] = value_and_gradient(rosenbrock)(std::array{1.2, 1.0, 0.8, 1.1});
  std::printf("rosenbrock(1.2, 1.0, 0.8, 1.1) = %g, gradient = (%g, %g, %g, %g)\n", r, slope[0], slope[1], slope[2],
              slope[3]);
}
