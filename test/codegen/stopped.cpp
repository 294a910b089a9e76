// object_file.py reads the object file of this translation unit: pairs of functions that must be the same code. None
// may know cos, or tanh, which only a value that no gradient needs calls.
#include <cmath>
#include <tapeless/tapeless.hpp>

namespace {

constexpr auto x = tapeless::variable<"x">;
constexpr auto y = tapeless::variable<"y">;
constexpr auto c = tapeless::variable<"c">;

}  // namespace

extern "C" {

struct Result {
  double value;
  double derivative;
};

double gradient_stopped(double at) {
  constexpr auto f = x * stop_gradient(sin(x));
  return gradient(f, wrt(x))(x = at)[x];
}

double gradient_opaque(double at) {
  constexpr auto f = x * c;
  return gradient(f, wrt(x))(x = at, c = std::sin(at))[x];
}

Result value_and_gradient_stopped(double at) {
  constexpr auto f = exp(x) * stop_gradient(sin(x));
  const auto result = value_and_gradient(f, wrt(x))(x = at);
  return {result.value, result.gradient[x]};
}

Result value_and_gradient_opaque(double at) {
  constexpr auto f = exp(x) * c;
  const auto result = value_and_gradient(f, wrt(x))(x = at, c = std::sin(at));
  return {result.value, result.gradient[x]};
}

double traced_stopped(double at) {
  constexpr auto f = [](auto a) { return a * stop_gradient(sin(a)); };
  return tapeless::gradient(f)(at);
}

double traced_opaque(double at) {
  constexpr auto f = [](auto a, auto b) { return a * b; };
  return tapeless::gradient(f, tapeless::wrt<0>)(at, std::sin(at));
}

double value_stopped(double at) {
  constexpr auto f = [](auto a) { return sin(a) * exp(a) + a; };
  return f(stop_gradient(x))(x = at);
}

double value_plain(double at) {
  constexpr auto f = [](auto a) { return sin(a) * exp(a) + a; };
  return f(x)(x = at);
}

double gradient_past_stop(double x_at, double y_at) {
  constexpr auto f = y * y + stop_gradient(sin(x) / tanh(x));
  return gradient(f, wrt(y))(x = x_at, y = y_at)[y];
}

// The unused parameter keeps y_at in the register that it has above.
double gradient_past_constant(double, double y_at) {
  constexpr auto f = y * y;
  return gradient(f, wrt(y))(y = y_at)[y];
}
}
