// Random functions, and loops with random bodies.
#include "../random_body.hpp"
#include "cases.hpp"

#include <utility>

using namespace tapeless;

namespace {

template <unsigned Seed>
struct random_function {
  template <class T>
  constexpr T operator()(const T& x, const T& y, const T& z) const {
    unsigned state = 4711 + 7919 * Seed;
    const auto draw = [&](unsigned below) {
      state = state * 1664525u + 1013904223u;
      return (state >> 16) % below;
    };
    std::array<T, 34> pool{x, y, z, x * y};
    for (unsigned n = 4; n < pool.size(); ++n) {
      const T &a = pool[draw(n)], &b = pool[n - 1 - draw(4)], &c = pool[draw(n)];
      switch (draw(24)) {
        case 0: pool[n] = a + 0.1 * b; break;
        case 1: pool[n] = a - b * c; break;
        case 2: pool[n] = sin(a) * b; break;
        case 3: pool[n] = cos(a * b) + sin(a * b); break;
        case 4: pool[n] = exp(-0.1 * a * a) * b; break;
        case 5: pool[n] = a / (1.0 + b * b); break;
        case 6: pool[n] = sqrt(1.0 + a * a); break;
        case 7: pool[n] = max(a, b, c); break;
        case 8: pool[n] = min(a, b) - relu(c); break;
        case 9: pool[n] = where(a > b && b < c, a, b * c); break;
        case 10: pool[n] = where(a == b || !(c >= a), a, -c); break;
        case 11: pool[n] = stop_gradient(a * b) * c; break;
        case 12: pool[n] = tanh(a) - abs(b); break;
        case 13: pool[n] = atan2(a, 1.0 + b * b); break;
        case 14: pool[n] = norm(a, b, c); break;
        case 15: pool[n] = hypot(a, b) + sign(c); break;
        case 16: pool[n] = pow(1.5 + sin(a), b) / 3.0; break;
        case 17: pool[n] = sigmoid(a) + softplus(b); break;
        case 18: pool[n] = logsumexp(a, b, c); break;
        case 19: pool[n] = floor(a) + 0.25 * b * b * b; break;
        case 20: pool[n] = erfc(a) * exp(-(a * a)); break;
        case 21: pool[n] = copysign(a, b) + trunc(c); break;
        case 22: pool[n] = clamp(a, -0.5, 2.0) * c; break;
        default: pool[n] = log1p(a * a) + cbrt(b);
      }
    }
    return pool[31] + pool[32] * 0.5 + pool[33];
  }
};

template <unsigned Seed>
struct random_loop {
  template <class T, class Sequence>
  constexpr auto operator()(const T& p, const Sequence& xs) const {
    const auto last =
        scan([&](const auto& carry, const auto& x) { return tapeless_test::random_body<Seed>{}(carry, x, p); },
             std::array<T, 2>{p, T(0.25)}, xs);
    return last[0] + last[1] * p;
  }
};

template <char Kind, unsigned Seed>
constexpr auto name_of() {
  const char name[]{'r', Kind, static_cast<char>('a' + Seed / 26), static_cast<char>('a' + Seed % 26), '\0'};
  return fixed_string(name);
}

template <unsigned Seed>
void check_seed(cases& all) {
  const std::vector<double> xs{0.5, -0.25, 0.75, 2.0, 0.1, 0.6};
  for (const auto& [a, b, c] : {std::array{0.5, -0.25, 0.75}, {1.0, 1.0, 1.0}, {-2.5, 0.0, 3.0}}) {
    all.check<name_of<'g', Seed>()>(value_and_gradient(random_function<Seed>{}), a, b, c);
    all.check<name_of<'h', Seed>()>(value_and_hessian(random_function<Seed>{}), a, b, c);
    all.check<name_of<'f', Seed>()>(value_and_gradient(random_function<Seed>{}), static_cast<float>(a),
                                    static_cast<float>(b), static_cast<float>(c));
  }
  all.check<name_of<'l', Seed>()>(value_and_gradient(random_loop<Seed>{}), 0.7, xs);
  all.check<name_of<'s', Seed>()>(value_and_hessian(random_loop<Seed>{}, wrt<0>), 0.7, xs);
}

}  // namespace

#ifndef EMIT_SEEDS
#define EMIT_SEEDS 4
#endif
int main(int count, char** arguments) {
  if (count != 2) return 2;
  cases all(arguments[1]);
  [&]<unsigned... Seed>(std::integer_sequence<unsigned, Seed...>) {
    (check_seed<Seed>(all), ...);
  }(std::make_integer_sequence<unsigned, EMIT_SEEDS>{});
}
