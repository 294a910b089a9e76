// Random functions of matrices with their gradients, and loops with such steps, against the library's own calls.
// EMIT_SEEDS more of them are tried by hand.
#include "cases.hpp"

#include <tapeless/xtensor.hpp>

#include <tuple>
#include <xtensor/xtensor.hpp>

using namespace tapeless;

namespace {

constexpr unsigned next(unsigned s) { return s * 1664525U + 1013904223U; }
template <unsigned Op>
constexpr auto with_integers(const auto& x, const auto& y, auto n, auto k, const auto& at, const auto& segments) {
  if constexpr (Op == 0)
    return roll<1>(x, n) * y + n;
  else if constexpr (Op == 1)
    return take(x, at) - y * k;
  else if constexpr (Op == 2)
    return concatenate<0>(slice<0>(x, k), slice<0>(sin(y), 0, k));
  else
    return segment_sum(x * y, segments, 3) + x[k];
}
/// A matrix that is computed from those of a pool and `K` more, and from integers: a number, one that is a bound,
/// indices, and segments; or none.
template <unsigned S, int K, class Pool, class... Integers>
constexpr auto grow(const Pool& pool, const Integers&... integers) {
  constexpr unsigned a = next(S), b = next(a), c = next(b);
  constexpr std::size_t n = std::tuple_size_v<Pool>;
  const auto& x = std::get<(a >> 16) % n>(pool);
  const auto& y = std::get<(b >> 16) % n>(pool);
  constexpr unsigned op = (c >> 16) % (sizeof...(Integers) > 0 ? 28 : 21);
  const auto z = [&] {
    if constexpr (op == 0)
      return x + y;
    else if constexpr (op == 1)
      return x * y;
    else if constexpr (op == 2)
      return tanh(x) - y;
    else if constexpr (op == 3)
      return transpose(x);
    else if constexpr (op == 4)
      return 0.3 * dot(x, y);
    else if constexpr (op == 5)
      return softmax<1>(x) * y;
    else if constexpr (op == 6)
      return x * expand_dims<1>(sum<1>(y));
    else if constexpr (op == 7)
      return x + 0.5 * sum<0>(y);
    else if constexpr (op == 8)
      return roll<0>(x, 1) + y;
    else if constexpr (op == 9)
      return flip<1>(x) * y;
    else if constexpr (op == 10)
      return cumsum<0>(x) * 0.2;
    else if constexpr (op == 11)
      return x - expand_dims<1>(amax<1>(y));
    else if constexpr (op == 12)
      return tril(x) + sin(y);
    else if constexpr (op == 13)
      return where(x > 0.1, sqrt(abs(x) + 0.1), y);
    else if constexpr (op == 14)
      return concatenate<0>(slice<0>(x, 1), slice<0>(y, 0, 1));
    else if constexpr (op == 15)
      return stop_gradient(x) * y;
    else if constexpr (op == 16)
      return x * mean(y);
    else if constexpr (op == 17)
      return x * logsumexp<0>(y);
    else if constexpr (op == 18)
      return reshape<3, 3>(transpose(x)) + y;
    else if constexpr (op == 19)
      return 0.3 * sum<1>(reshape<3, 3, 3>(transpose(reshape<3, 9>(outer(diagonal(x), y)))));
    else if constexpr (op == 20)
      return outer(diagonal(x), sum<0>(y)) * 0.3;
    else
      return with_integers<op % 4>(x, y, integers...);
  }();
  if constexpr (K == 0)
    return std::pair(z, z * x);
  else
    return grow<c, K - 1>(std::tuple_cat(pool, std::tuple(z)), integers...);
}
template <unsigned Seed>
struct random_tensors {
  template <class A, class B, class V>
  constexpr auto operator()(const A& a, const B& b, const V& v, const auto&... integers) const {
    const auto [z, product] = grow<Seed, 6>(std::tuple(a, b, a * v), integers...);
    return sum(product) + sum(sin(z));
  }
};
template <bool First, class F, class G>
constexpr auto choose(const F& f, const G& g) {
  if constexpr (First)
    return f();
  else
    return g();
}
/// A step captures b, and carries a matrix and a number; every third has a loop in it, every second a branch.
template <unsigned Seed>
struct random_loop {
  template <class A, class B, class V>
  constexpr auto operator()(const A& a, const B& b, const V& v) const {
    const auto [last, rows] = scan(
        [&](auto c, auto row, auto e) {
          const auto &m = c.first, &s = c.second;
          const auto both = grow<Seed, 1>(std::tuple(m, b, m * row));
          const auto &z = both.first, &product = both.second;
          const auto y =
              choose < Seed % 2 == 0 > ([&] { return cond(e > 0, [&] { return z * sqrt(e); }, [&] { return m + e; }); },
                                        [&] { return z + e; });
          const auto next =
              choose < Seed % 3 ==
              0 > ([&] { return scan([&](auto h, auto t) { return tanh(h * row + y) + 0.1 * t; }, m, steps(2)); },
                   [&] { return tanh(y); });
          return std::pair(std::pair(next, 0.5 * s + mean(product)), sum<0>(next) * s);
        },
        std::pair(a, 0.3), a, v);
    return sum(square(last.first)) + last.second + mean(rows * v);
  }
};
template <char Kind, unsigned Seed>
constexpr auto name_of() {
  const char n[]{Kind, static_cast<char>('a' + Seed / 26 % 26), static_cast<char>('a' + Seed % 26), '\0'};
  return fixed_string(n);
}
template <fixed_string Name, class F, class... Integers>
void check(cases& all, const F&, const Integers&... integers) {
  const xt::xtensor<double, 2> a{{0.5, -0.25, 0.75}, {1.0, 0.3, -0.6}, {-0.2, 0.9, 0.15}};
  const xt::xtensor<double, 2> b{{-0.7, 0.4, 0.2}, {0.35, -1.1, 0.55}, {0.65, 0.05, -0.45}};
  const xt::xtensor<double, 1> v{0.3, -0.8, 1.2};
  constexpr auto g = value_and_gradient(F{}, wrt<0, 1, 2>);
  std::vector<std::vector<double>> found;
  cases::split(found, g(a, b, v, integers...));
  all.add_tensors<double>(std::string(Name.view()), emit<c99, Name>(g, a, b, v, integers...).text().str(), found, 1e-10,
                          a, b, v, integers...);
}
}  // namespace

#ifndef EMIT_SEEDS
#define EMIT_SEEDS 8
#endif
int main(int count, char** arguments) {
  if (count != 2) return 2;
  cases all(arguments[1]);
  [&]<unsigned... Seed>(std::integer_sequence<unsigned, Seed...>) {
    const xt::xtensor<int, 1> at{2, -3, -1};
    const xt::xtensor<unsigned char, 1> segments{1, 0, 1};
    (check<name_of<'r', Seed>()>(all, random_tensors<Seed * 7919 + 13>{}, -4, 1, at, segments), ...);
  }(std::make_integer_sequence<unsigned, EMIT_SEEDS>{});
  [&]<unsigned... Seed>(std::integer_sequence<unsigned, Seed...>) {
    (check<name_of<'l', Seed>()>(all, random_loop<Seed * 7919 + 13>{}), ...);
  }(std::make_integer_sequence<unsigned, (EMIT_SEEDS + 1) / 2>{});
}
