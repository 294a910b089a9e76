#include <boost/test/unit_test.hpp>
#include <xtensor/xview.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "check_against.hpp"

/// Loops over tensors whose derivatives do not read all that they carry.
using namespace tapeless;
using namespace tapeless_test;

BOOST_AUTO_TEST_SUITE(carries_that_are_not_kept)

// By hand, what is behind a stop does not move with w and h: `by_hand` gets it as further arguments. All derivatives
// are differences of its values.
template <class F, class ByHand>
void check_stopped(const std::string& what, F f, const ByHand& by_hand, const row& w, const row& h, const matrix& xs) {
  const auto moved = [&](std::array<double, 2> by_w, std::array<double, 2> by_h, std::size_t i, std::size_t k) {
    row u = w, g = h;
    u(i) += by_w[0], u(k) += by_w[1], g(i) += by_h[0], g(k) += by_h[1];
    return by_hand(u, g, xs, w, h);
  };
  const auto [found, slopes] = value_and_gradient(f, wrt<0, 1>)(w, h, xs);
  const auto& [by_w, by_h] = slopes;
  nearly(found, by_hand(w, h, xs, w, h), what, 1e-13);
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double d = 1e-5, none = 0;
    nearly(by_w(i), (moved({d, none}, {}, i, i) - moved({-d, none}, {}, i, i)) / (2 * d), what + " by w", 1e-8);
    nearly(by_h(i), (moved({}, {d, none}, i, i) - moved({}, {-d, none}, i, i)) / (2 * d), what + " by h", 1e-8);
    row unit = 0 * w, zero = unit;
    unit(i) = 1;
    nearly(jvp(f, wrt<0, 1>, tangent(unit, zero))(w, h, xs), by_w(i), what + " along w", 1e-13);
    nearly(jvp(f, wrt<0, 1>, tangent(zero, unit))(w, h, xs), by_h(i), what + " along h", 1e-13);
    const auto [curved_w, curved_h] = hvp(f, wrt<0, 1>, tangent(unit, zero))(w, h, xs);
    const double s = 1e-4;
    for (std::size_t k = 0; k < w.size(); ++k) {
      const auto second = [&](auto up, auto down) { return (up(s) - up(-s) - down(s) + down(-s)) / (4 * s * s); };
      nearly(curved_w(k),
             second([&](double by) { return moved({s, by}, {}, i, k); },
                    [&](double by) { return moved({-s, by}, {}, i, k); }),
             what + " by w twice", 1e-6);
      nearly(curved_h(k),
             second([&](double by) { return moved({s, none}, {none, by}, i, k); },
                    [&](double by) { return moved({-s, none}, {none, by}, i, k); }),
             what + " by w and h", 1e-6);
    }
  }
}

BOOST_AUTO_TEST_CASE(carries_behind_stops) {
  const row w = random<row>({3}, 1), h = random<row>({3}, 2);
  constexpr auto term = [](auto u, auto g, auto xs) {
    return sum(
        square(scan([&](auto s, auto x) { return std::array{s[0] * u + s[1] * x, stop_gradient(sin(s[1] * u) + x)}; },
                    std::array{g, g * g}, xs)[0]));
  };
  constexpr auto factor = [](auto u, auto g, auto xs) {
    return sum(
        square(scan([&](auto s, auto x) { return std::array{tanh(s[0] * u) * s[1], stop_gradient(sin(s[1] * u) + x)}; },
                    std::array{g, g * g}, xs)[0]));
  };
  // Stopped before it is used: nothing flows back through the second carry.
  constexpr auto used_behind_stop = [](auto u, auto g, auto xs) {
    const auto [last, all] = scan(
        [&](auto s, auto x) {
          const auto second = stop_gradient(s[1]);
          return std::pair(std::array{s[0] * u + second * g, second * u + x}, second * u);
        },
        std::array{g, g * g}, xs);
    return sum(last[0] * g) + sum(square(all));
  };
  // As a condition it has no derivative, but decides which one there is.
  constexpr auto condition = [](auto u, auto g, auto xs) {
    return sum(
        square(scan([&](auto s, auto x) { return std::array{where(s[1] > 0, s[0] * u, s[0] - u * u), s[1] * u - x}; },
                    std::array{g, g * g}, xs)[0]));
  };
  constexpr auto entrance = [](auto u, auto g, auto xs) {
    return sum(square(scan([&](auto s, auto x) { return sin(s * u) + x * g; }, stop_gradient(g), xs)));
  };
  constexpr auto emission = [](auto u, auto g, auto xs) {
    const auto [last, all] = scan(
        [&](auto s, auto x) {
          const auto next = sin(s * u) + x;
          return std::pair(next, stop_gradient(next) * u);
        },
        g, xs);
    return sum(last) + sum(square(all));
  };
  const auto over = [](const auto& step) {
    return [=](const row& u, const row& g, const matrix& xs, const row& v, const row& start) {
      row s = g, c = g * g, held = start * start, stopped_s = start;
      double emitted = 0;
      for (std::size_t t = 0; t < xs.shape(0); ++t)
        emitted += step(s, c, held, stopped_s, u, g, row(xt::view(xs, t)), v, start);
      return std::pair(s, emitted);
    };
  };
  const auto squares = [](const auto& loop) {
    return [=](const auto&... all) {
      const row last = loop(all...).first;
      return xt::sum(last * last)();
    };
  };
  for (const std::size_t steps : {0u, 1u, 4u}) {
    const matrix xs = random<matrix>({steps, 3}, 3);
    // Before the first step the second carry is that of g; then it is what the stop has let through.
    check_stopped("term", term,
                  squares(over([](row& s, row& c, row& held, row&, const row& u, const row&, const row& x, const row& v,
                                  const row&) {
                    s = s * u + c * x, c = held = xt::sin(held * v) + x;
                    return 0.0;
                  })),
                  w, h, xs);
    check_stopped("factor", factor,
                  squares(over([](row& s, row& c, row& held, row&, const row& u, const row&, const row& x, const row& v,
                                  const row&) {
                    s = xt::tanh(s * u) * c, c = held = xt::sin(held * v) + x;
                    return 0.0;
                  })),
                  w, h, xs);
    check_stopped(
        "used behind a stop", used_behind_stop,
        [&](const row& u, const row& g, const auto&... rest) {
          const auto [last, emitted] = over([](row& s, row&, row& held, row&, const row& by, const row& factors,
                                               const row& x, const row& v, const row&) {
            s = s * by + held * factors;
            const double all = xt::sum(held * by * held * by)();
            held = held * v + x;
            return all;
          })(u, g, rest...);
          return xt::sum(last * g)() + emitted;
        },
        w, h, xs);
    check_stopped(
        "condition", condition,
        squares(over([](row& s, row& c, row&, row&, const row& u, const row&, const row& x, const row&, const row&) {
          s = xt::where(c > 0.0, s * u, s - u * u), c = c * u - x;
          return 0.0;
        })),
        w, h, xs);
    check_stopped("entrance", entrance,
                  squares([&](const row& u, const row& g, const auto& rows, const row& v, const row& start) {
                    row s = start;
                    for (std::size_t t = 0; t < rows.shape(0); ++t) s = xt::sin(s * u) + xt::view(rows, t) * g;
                    static_cast<void>(v);
                    return std::pair(s, 0.0);
                  }),
                  w, h, xs);
    check_stopped(
        "emission", emission,
        [&](const auto&... all) {
          const auto [last, emitted] = over(
              [](row& s, row&, row&, row& stopped, const row& u, const row&, const row& x, const row& v, const row&) {
                s = xt::sin(s * u) + x, stopped = xt::sin(stopped * v) + x;
                return xt::sum(stopped * u * stopped * u)();
              })(all...);
          return xt::sum(last)() + emitted;
        },
        w, h, xs);
    const matrix ws = xt::stack(xt::xtuple(h, w));
    const matrix in_batch = batched(gradient(factor, wrt<0>))(each(ws), h, xs);
    const row by_w = gradient(factor, wrt<0>)(w, h, xs);
    for (std::size_t i = 0; i < 3; ++i) nearly(in_batch(1, i), by_w(i), "in a batch", 1e-14);
  }
}

// What no derivative reads is not there: a matrix that is no argument of the derivative moves the state on.
BOOST_AUTO_TEST_CASE(a_linear_step) {
  constexpr auto f = [](const auto& w, const auto& h0, const auto& a, const auto& xs) {
    const auto [last, all] = scan(
        [&](auto h, auto x) {
          const auto next = dot(a, h) - x * w;
          return std::pair(next, next + w);
        },
        h0, xs);
    return sum(square(last)) + sum(all * all[0]);
  };
  const matrix a = random<matrix>({3, 3}, 4), xs = random<matrix>({4, 3}, 5);
  const auto by_hand = [&](const row& w, row h) {
    row sum = 0 * w, first = sum;
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      h = times(a, h) - xt::view(xs, t) * w;
      sum += h + w;
      if (t == 0) first = h + w;
    }
    return xt::sum(h * h)() + xt::sum(sum * first)();
  };
  const row w = random<row>({3}, 1), h = random<row>({3}, 2), d = random<row>({3}, 3), e = random<row>({3}, 6);
  const auto [by_w, by_h] = gradient(f, wrt<0, 1>)(w, h, a, xs);
  const auto [along_w, along_h] = hvp(f, wrt<0, 1>, tangent(d, e))(w, h, a, xs);
  // Differences of quadratic functions are exact, but for rounding.
  for (std::size_t i = 0; i < 3; ++i) {
    row up = w, down = w, above = h, below = h;
    up(i) += 0.5, down(i) -= 0.5, above(i) += 0.5, below(i) -= 0.5;
    nearly(by_w(i), by_hand(up, h) - by_hand(down, h), "by w", 1e-13);
    nearly(by_h(i), by_hand(w, above) - by_hand(w, below), "by h", 1e-13);
    const auto second = [&](const row& u, const row& v, const row& g, const row& k) {
      return (by_hand(u + d, g + e) - by_hand(u - d, g - e) - by_hand(v + d, k + e) + by_hand(v - d, k - e)) / 2;
    };
    nearly(along_w(i), second(up, down, h, h), "by w twice", 1e-12);
    nearly(along_h(i), second(w, w, above, below), "by h twice", 1e-12);
  }
}

BOOST_AUTO_TEST_SUITE_END()
