#include <boost/test/unit_test.hpp>
#include <xtensor/xview.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "check_against.hpp"

/// Loops over tensors with checkpoints. Values come from loops written by hand; derivatives from differences of these,
/// and second ones from differences of gradients; or both from closed forms.
using namespace tapeless;
using namespace tapeless_test;

BOOST_AUTO_TEST_SUITE(checkpoints_of_tensors)

template <int Count>
constexpr auto recurrent = [](const auto& w, const auto& h0, const auto& xs) {
  return sum(square(scan<checkpoints<Count>>([&](auto h, auto x) { return tanh(dot(w, h) + x); }, h0, xs)));
};
BOOST_AUTO_TEST_CASE(every_length) {
  const auto by_hand = [](const matrix& w, row h, const matrix& xs) {
    for (std::size_t t = 0; t < xs.shape(0); ++t) h = xt::tanh(times(w, h) + xt::view(xs, t, xt::all()));
    return xt::sum(h * h)();
  };
  for (const std::size_t steps : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 11u, 24u}) {
    const matrix w = random<matrix>({3, 3}, 1), xs = random<matrix>({steps, 3}, 3);
    check_against<2>("one", recurrent<1>, by_hand, w, random<row>({3}, 2), xs);
    check_against<2>("four", recurrent<4>, by_hand, w, random<row>({3}, 2), xs);
  }
}

// tanh(w h + x) for w = [[0.9, -0.4], [0.3, 0.7]], h from (0.5, -0.2), and x of step t (sin(t), cos(t) / 2): the last h
// after 60 steps, its sum differentiated by w by tangents of the recurrence. By mpmath with 50 digits.
BOOST_AUTO_TEST_CASE(sixty_steps) {
  constexpr auto f = [](const auto& w, const auto& h0, const auto& xs) {
    return sum(scan<checkpoints<4>>([&](auto h, auto x) { return tanh(dot(w, h) + x); }, h0, xs));
  };
  const matrix w{{0.9, -0.4}, {0.3, 0.7}};
  matrix xs = xt::zeros<double>({60, 2});
  for (std::size_t t = 0; t < 60; ++t) {
    xs(t, 0) = std::sin(static_cast<double>(t)), xs(t, 1) = std::cos(static_cast<double>(t)) / 2;
  }
  const auto [last, slopes] = value_and_gradient(f, wrt<0>)(w, row{0.5, -0.2}, xs);
  nearly(last, 0.683713231504946399, "sum", 1e-14);
  const matrix expected{{-0.372546935616773461, 0.207915110377746566}, {0.160355844928546701, 0.402810749411037854}};
  for (std::size_t i = 0; i < 4; ++i) nearly(slopes.flat(i), expected.flat(i), "by w", 1e-13);
}

BOOST_AUTO_TEST_CASE(several_carries_and_what_is_stacked) {
  constexpr auto f = [](const auto& w, const auto& h0, const auto& xs, const auto& ys) {
    const auto [last, all] = scan<checkpoints<2>>(
        [&](auto c, auto x, auto y) {
          const auto& [m, h, s] = c;
          const auto next = tanh(dot(m, h) + x * y);
          return std::pair(std::tuple(m + 0.1 * outer(h, x), next, s * 0.5 + sum(square(next))), next * s);
        },
        std::tuple(w, h0, 1.0), xs, ys);
    const auto& [m, h, s] = last;
    return sum(square(m)) + sum(h) * s + sum(sin(all));
  };
  const auto by_hand = [](matrix m, row h, const matrix& xs, const row& ys) {
    double s = 1, all = 0;
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      const row x = xt::view(xs, t, xt::all()), before = h;
      h = xt::tanh(times(m, h) + x * ys(t));
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) m(i, j) += 0.1 * before(i) * x(j);
      all += xt::sum(xt::sin(h * s))();
      s = s * 0.5 + xt::sum(h * h)();
    }
    return xt::sum(m * m)() + xt::sum(h)() * s + all;
  };
  for (const std::size_t steps : {1u, 7u})
    check_against<2>("several", f, by_hand, random<matrix>({2, 2}, 1), random<row>({2}, 2),
                     random<matrix>({steps, 2}, 3), random<row>({steps}, 4));
}

BOOST_AUTO_TEST_CASE(the_number_of_the_step) {
  static constexpr auto f = [](const auto& w, const auto& h0, auto n) {
    return sum(scan<checkpoints<2>>([&](auto h, auto k) { return sin(w * h) + 0.1 * k; }, h0, steps(n)));
  };
  const auto by_hand = [](const row& w, row h, double n) {
    for (double k = 0; k < n; ++k) h = xt::sin(w * h) + 0.1 * k;
    return xt::sum(h)();
  };
  static constexpr auto nine = [](const auto& w, const auto& h0) { return f(w, h0, 9); };
  check_against<2>(
      "constant", nine, [&](const row& w, const row& h) { return by_hand(w, h, 9); }, row{0.3, 1.2}, row{1., 2.});
  const auto [found, by_w] = value_and_gradient(f, wrt<0>)(row{0.3, 1.2}, row{1., 2.}, 6);
  nearly(found, by_hand(row{0.3, 1.2}, row{1., 2.}, 6), "at run time", 1e-14);
  const double d = 1e-5;
  nearly(by_w(1), (by_hand(row{0.3, 1.2 + d}, row{1., 2.}, 6) - by_hand(row{0.3, 1.2 - d}, row{1., 2.}, 6)) / (2 * d),
         "by w", 1e-8);
  BOOST_CHECK_THROW(value(f)(row{0.3, 1.2}, row{1., 2.}, -1), std::invalid_argument);
}

// Each step passes on a state behind a stop: d/dw of its square is 2 tanh(s w + x) (1 - tanh(s w + x)^2) s.
BOOST_AUTO_TEST_CASE(carries_behind_stops) {
  constexpr auto truncated = [](const auto& w, const auto& h0, const auto& xs) {
    return sum(scan<checkpoints<2>>(
        [&](auto c, auto x) {
          const auto state = tanh(stop_gradient(c[0]) * w + x);
          return std::array{state, c[1] + square(state)};
        },
        std::array{h0, 0 * h0}, xs)[1]);
  };
  // What is carried is read through another carry that no derivative flows through.
  constexpr auto beside = [](const auto& w, const auto& h0, const auto& xs) {
    return sum(
        scan<checkpoints<2>>([&](auto c, auto x) { return std::array{c[0] * w * c[1], stop_gradient(sin(c[1] + x))}; },
                             std::array{h0, h0}, xs)[0]);
  };
  const row w{0.7, -0.4}, h{0.5, 1.5};
  const matrix xs = random<matrix>({13, 2}, 1);
  row expected = xt::zeros<double>({2}), s = h, factor = xt::ones<double>({2}), c = h;
  double total = 0;
  for (std::size_t t = 0; t < 13; ++t) {
    const row x = xt::view(xs, t, xt::all()), next = xt::tanh(s * w + x);
    expected += 2 * next * (1 - next * next) * s, total += xt::sum(next * next)(), s = next;
    factor *= c, c = xt::sin(c + x);
  }
  const auto [found, by_w] = value_and_gradient(truncated, wrt<0>)(w, h, xs);
  nearly(found, total, "truncated", 1e-14);
  const auto [product, by_both] = value_and_gradient(beside, wrt<0, 1>)(w, h, xs);
  const row powers = h * factor * xt::pow(w, 13);
  nearly(product, xt::sum(powers)(), "beside", 1e-13);
  for (std::size_t i = 0; i < 2; ++i) {
    nearly(by_w(i), expected(i), "truncated by w", 1e-13);
    nearly(std::get<0>(by_both)(i), 13 * powers(i) / w(i), "beside by w", 1e-12);
    // The first step reads the other carry where it starts, before the stop.
    nearly(std::get<1>(by_both)(i), 2 * powers(i) / h(i), "beside by h", 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(loops_that_end_and_equations) {
  static constexpr auto f = [](const auto& w, const auto& x0) {
    return sum(while_loop<checkpoints<2>>([](auto x) { return sum(square(x)) > 0.01; },
                                          [&](auto x) { return tanh(dot(w, x)); }, x0, 50));
  };
  const auto by_hand = [](const matrix& w, row x) {
    for (int k = 0; k < 50 && xt::sum(x * x)() > 0.01; ++k) x = xt::tanh(times(w, x));
    return xt::sum(x)();
  };
  const matrix w = {{0.6, 0.1}, {-0.2, 0.5}};
  check_against<2>("some steps", f, by_hand, w, row{1., 0.7});
  check_against("no step", f, by_hand, w, row{0.01, 0.07});

  constexpr auto decay = [](const auto& m, const auto& y0) {
    return sum(
        square(odeint<checkpoints<2>>([](auto, auto y, auto a) { return -1 * dot(a, y); }, y0, 0.0, 1.0, 12, m)));
  };
  const auto stepped = [](const matrix& m, row y) {
    const double h = 1.0 / 12;
    for (int i = 0; i < 12; ++i) {
      const row a = -times(m, y), b = -times(m, y + h / 2 * a), c = -times(m, y + h / 2 * b), d = -times(m, y + h * c);
      y += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return xt::sum(y * y)();
  };
  check_against("equation", decay, stepped, w, row{1., 0.7});
}

BOOST_AUTO_TEST_CASE(loops_in_loops_and_branches) {
  constexpr auto f = [](const auto& w, const auto& h0, const auto& xs) {
    return sum(scan<checkpoints<1>>(
        [&](auto h, auto x) {
          const auto inner = scan<checkpoints<2>>([&](auto c, auto y) { return sin(c * w) + y * x; }, h, xs);
          return cond(
              sum(inner) > 0, [&inner = inner] { return inner; },
              [&inner = inner, &w = w] {
                return scan<checkpoints<1>>([&](auto c, auto) { return c * w; }, inner, steps(3));
              });
        },
        h0, xs));
  };
  const auto by_hand = [](const row& w, row h, const matrix& xs) {
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      for (std::size_t k = 0; k < xs.shape(0); ++k)
        h = xt::sin(h * w) + xt::view(xs, k, xt::all()) * xt::view(xs, t, xt::all());
      if (!(xt::sum(h)() > 0)) h *= w * w * w;
    }
    return xt::sum(h)();
  };
  check_against("nested", f, by_hand, row{0.8, -0.9}, row{0.3, 0.6}, random<matrix>({4, 2}, 3));
}

// c = a^n h: closed forms to the third order.
template <int Count>
constexpr auto power = [](const auto& a, const auto& h, auto n) {
  return scan<checkpoints<Count>>([&](auto c, auto) { return a * c; }, h, steps(n));
};
BOOST_AUTO_TEST_CASE(derivatives_of_derivatives) {
  const row a{0.9, -1.1}, h{2., 0.5};
  const auto pow = [&](double n) { return row(xt::pow(a, n)); };
  // The gradient of a function of the gradient: the backward loop is gone back through.
  static constexpr auto penalty = [](const auto& w, const auto& g) {
    return sum(square(gradient([](const auto& v, const auto& k) { return sum(power<2>(v, k, 9)); }, wrt<0>)(w, g)));
  };
  const auto [found, slopes] = value_and_gradient(penalty, wrt<0, 1>)(a, h);
  nearly(found, xt::sum(81 * pow(16) * h * h)(), "penalty", 1e-13);
  const row by_a = 81 * 16 * pow(15) * h * h, by_h = 2 * 81 * pow(16) * h;
  // The Hessian along a tangent, and its derivative.
  constexpr auto third = [](const auto& w, const auto& g) { return sum(power<2>(w, g, 9)); };
  const row one = xt::ones<double>({2});
  const auto curved = hvp(third, wrt<0>, tangent(one))(a, h);
  static constexpr auto second = [](const auto& w, const auto& g, const auto& along) {
    return sum(hvp([](const auto& v, const auto& k) { return sum(power<2>(v, k, 9)); }, wrt<0>, tangent(along))(w, g));
  };
  const auto cubed = gradient(second, wrt<0>)(a, h, one);
  for (std::size_t i = 0; i < 2; ++i) {
    nearly(std::get<0>(slopes)(i), by_a(i), "penalty by a", 1e-13);
    nearly(std::get<1>(slopes)(i), by_h(i), "penalty by h", 1e-13);
    nearly(curved(i), 72 * pow(7)(i) * h(i), "second", 1e-13);
    nearly(cubed(i), 504 * pow(6)(i) * h(i), "third", 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(several_loops_go_back_over_one) {
  const row a{0.9, -1.1}, h{2., 0.5};
  const auto pow = [&](double n) { return row(xt::pow(a, n)); };
  constexpr auto rows = jacobian([](const auto& w, const auto& g) { return power<2>(w, g, 9); }, wrt<0, 1>);
  const auto [by_a, by_h] = rows(a, h);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      nearly(by_a(i, j), i == j ? 9 * pow(8)(i) * h(i) : 0, "row by a", 1e-13);
      nearly(by_h(i, j), i == j ? pow(9)(i) : 0, "row by h", 1e-13);
    }
  constexpr auto numbers = jacobian(
      [](const auto& w, const auto& g) {
        const auto c = power<2>(w, g, 9);
        return std::array{sum(c), sum(c * c)};
      },
      wrt<0>);
  const auto each = numbers(a, h);
  // A gradient and its tangent.
  static constexpr auto slope = [](const auto& w, const auto& g) {
    return sum(gradient([](const auto& v, const auto& k) { return sum(power<2>(v, k, 9)); }, wrt<0>)(w, g));
  };
  const auto [steep, along] = value_and_jvp(slope, wrt<0>, tangent(row{1., 1.}))(a, h);
  nearly(steep, xt::sum(9 * pow(8) * h)(), "slope", 1e-13);
  nearly(along, xt::sum(72 * pow(7) * h)(), "tangent of the slope", 1e-13);
  // Two loops whose steps are the same, over different numbers.
  constexpr auto two = [](const auto& w, const auto& g) { return sum(power<2>(w, g, 9) * power<2>(w, 3 * g, 5)); };
  const auto by_both = gradient(two, wrt<0>)(a, h);
  for (std::size_t j = 0; j < 2; ++j) {
    nearly(each[0](j), 9 * pow(8)(j) * h(j), "sum", 1e-13);
    nearly(each[1](j), 18 * pow(17)(j) * h(j) * h(j), "sum of squares", 1e-13);
    nearly(by_both(j), 42 * pow(13)(j) * h(j) * h(j), "product", 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(each_element_of_a_batch) {
  constexpr auto f = [](const auto& a, const auto& h, auto n) { return sum(square(power<2>(a, h, n))); };
  const row a{0.9, -1.1};
  const matrix hs{{1., 2.}, {0.5, -1.}, {3., 0.}};
  const auto [values, slopes] = batched(value_and_gradient(f, wrt<0, 1>))(a, each(hs), 9);
  for (std::size_t b = 0; b < 3; ++b) {
    double expected = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      expected += std::pow(a(i), 18) * hs(b, i) * hs(b, i);
      nearly(std::get<1>(slopes)(b, i), 2 * std::pow(a(i), 18) * hs(b, i), "by h", 1e-13);
      nearly(std::get<0>(slopes)(b, i), 18 * std::pow(a(i), 17) * hs(b, i) * hs(b, i), "by a", 1e-13);
    }
    nearly(values(b), expected, "value", 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(other_memory) {
  // A carry that starts in columns, one of floats, and one of no elements.
  constexpr auto f = [](const auto& w, const auto& m) {
    return sum(scan<checkpoints<2>>([&](auto c, auto) { return c * transpose(w); }, transpose(m), steps(8)));
  };
  const matrix w{{1.1, 0.7, 0.9}, {-0.8, 1.2, 0.6}}, m{{1., 2., 3.}, {4., 5., 6.}};
  const auto by_w = gradient(f, wrt<0>)(w, m);
  for (std::size_t i = 0; i < 6; ++i) nearly(by_w.flat(i), 8 * std::pow(w.flat(i), 7) * m.flat(i), "columns", 1e-13);
  constexpr auto g = [](const auto& a, const auto& h) { return sum(power<2>(a, h, 9)); };
  const auto of_floats = gradient(g, wrt<0>)(xt::xtensor<float, 1>{0.5f, 2.f}, xt::xtensor<float, 1>{1.f, 1.f});
  BOOST_TEST(of_floats(0) == 9.f / 256);
  BOOST_TEST(of_floats(1) == 9.f * 256);
  const row none = xt::zeros<double>({0});
  BOOST_TEST(gradient(g, wrt<0>)(none, none).size() == 0u);
  // Extents of 1 that are broadcast.
  constexpr auto wide = [](const auto& a, const auto& h) { return sum(power<2>(a, h, 9)); };
  const auto of_one = gradient(wide, wrt<0>)(row{1.1}, row{1., 2.});
  nearly(of_one(0), 9 * std::pow(1.1, 8) * 3, "one factor", 1e-13);
}

// What a call that is broken off has kept is no other's.
BOOST_AUTO_TEST_CASE(a_step_that_throws) {
  constexpr auto f = [](const auto& w, const auto& h, const auto& which) {
    const auto walked = scan<checkpoints<2>>([&](auto c, auto k) { return c * w[k]; }, h, which);
    return sum(walked) * sum(scan<checkpoints<2>>([&](auto c, auto k) { return c * w[k]; }, walked, which));
  };
  const row w{2., 3.}, h{1., 1.}, good{0., 1., 1., 0., 1.}, bad{0., 1., 7.};
  for (int i = 0; i < 2; ++i) {
    BOOST_CHECK_THROW(gradient(f, wrt<0>)(w, h, bad), std::out_of_range);
    const auto slopes = gradient(f, wrt<0>)(w, h, good);
    // 4 w0^6 w1^9.
    nearly(slopes(0), 24 * std::pow(2., 5) * std::pow(3., 9), "by w", 1e-13);
    nearly(slopes(1), 36 * std::pow(2., 6) * std::pow(3., 8), "by w", 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(engines_agree) {
  const matrix w = random<matrix>({3, 3}, 1), xs = random<matrix>({20, 3}, 3);
  const row h = random<row>({3}, 2);
  const engine_report report = compare_engines(value_and_gradient(recurrent<4>))(w, h, xs);
  BOOST_TEST(report.checks.size() == 4u);
  BOOST_TEST(report.passed(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
