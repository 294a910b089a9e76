#include <boost/test/unit_test.hpp>
#include <xtensor/xview.hpp>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "../message_of.hpp"
#include "check_against.hpp"

/// Loops that carry tensors, with verbs and branches in them, and in verbs, batches and branches.
namespace {

using namespace tapeless;
using namespace tapeless_test;

constexpr auto recurrent = [](const auto& w, const auto& h0, const auto& xs) {
  return sum(square(scan([&](auto h, auto x) { return tanh(dot(w, h) + x); }, h0, xs)));
};
template <class X>
void nearly_all(const X& a, const X& b, const std::string& what) {
  BOOST_REQUIRE(a.shape() == b.shape());
  for (std::size_t i = 0; i < a.size(); ++i) nearly(a.data()[i], b.data()[i], what, 1e-12);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scans_inside)

BOOST_AUTO_TEST_CASE(a_gradient_through_a_scan_is_penalised) {
  static constexpr auto penalty = [](const auto& w, const auto& h0, const auto& xs) {
    return sum(square(gradient(recurrent, wrt<0>)(w, h0, xs)));
  };
  const auto by_hand = [](const matrix& w, const row& h0, const matrix& xs) {
    const matrix g = gradient(recurrent, wrt<0>)(w, h0, xs);
    return xt::sum(g * g)();
  };
  check_against("penalty", penalty, by_hand, random<matrix>({2, 2}, 1), random<row>({2}, 2), random<matrix>({3, 2}, 3));
}

BOOST_AUTO_TEST_CASE(a_gradient_is_taken_in_each_step) {
  // Descent along the gradient of cosh(w x), as inner steps of meta-learning make it.
  const auto by_hand = [](const row& w, row x) {
    for (int k = 0; k < 3; ++k) x -= 0.1 * w * xt::sinh(w * x);
    return xt::sum(x * x)();
  };
  static constexpr auto f = [](const auto& w, const auto& x0) {
    constexpr auto inner = [](const auto& x, const auto& v) { return sum(cosh(v * x)); };
    return sum(square(scan([&](auto x, auto) { return x - 0.1 * gradient(inner, wrt<0>)(x, w); }, x0, steps(3))));
  };
  check_against("descent", f, by_hand, random<row>({3}, 1), random<row>({3}, 2));
}

BOOST_AUTO_TEST_CASE(each_element_of_a_batch_has_its_loop) {
  const matrix w = random<matrix>({3, 3}, 1), hs = random<matrix>({5, 3}, 2);
  const cube xs = random<cube>({5, 4, 3}, 3);
  const row values = batched(value(recurrent))(w, each(hs), each(xs));
  const auto all = batched(value_and_gradient(recurrent))(w, each(hs), each(xs));
  for (std::size_t b = 0; b < 5; ++b) {
    const row h = xt::view(hs, b, xt::all());
    const matrix x = xt::view(xs, b, xt::all(), xt::all());
    const auto one = value_and_gradient(recurrent)(w, h, x);
    nearly(values(b), one.value, "value", 1e-12), nearly(all.value(b), one.value, "value", 1e-12);
    nearly_all(matrix(xt::view(std::get<0>(all.gradient), b)), std::get<0>(one.gradient), "by what is whole");
    nearly_all(row(xt::view(std::get<1>(all.gradient), b)), std::get<1>(one.gradient), "by first carries");
    nearly_all(matrix(xt::view(std::get<2>(all.gradient), b)), std::get<2>(one.gradient), "by sequences");
  }
}

BOOST_AUTO_TEST_CASE(stops_and_selections_in_steps) {
  constexpr auto f = [](const auto& w, const auto& h0, const auto& xs) {
    return sum(scan([&](auto h, auto x) { return where(x > 0, sqrt(x) * h * w, stop_gradient(h) + x * w); }, h0, xs));
  };
  const row w = {0.7, 0.8}, h0 = {0.3, 0.4};
  // The square roots of negative numbers are not chosen.
  const matrix xs = {{0.5, -0.1}, {-0.3, 0.2}, {0.1, 0.6}};
  const auto [by_w, by_h, by_x] = gradient(f)(w, h0, xs);
  for (std::size_t j = 0; j < 2; ++j) {
    double h = h0(j), slope = 0, by_first = 1;
    for (std::size_t t = 0; t < 3; ++t) {
      const double x = xs(t, j);
      slope = x > 0 ? std::sqrt(x) * (slope * w(j) + h) : x;
      by_first = x > 0 ? by_first * std::sqrt(x) * w(j) : 0;
      h = x > 0 ? std::sqrt(x) * h * w(j) : h + x * w(j);
      BOOST_TEST(std::isfinite(by_x(t, j)));
    }
    nearly(by_w(j), slope, "by w", 1e-13), nearly(by_h(j), by_first, "by h0", 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(a_stopped_sequence_has_no_derivative) {
  constexpr auto f = [](const auto& w, const auto& xs) {
    return sum(scan([&](auto h, auto x) { return sin(w * h) + x; }, w, stop_gradient(xs)));
  };
  const auto [by_w, by_x] = gradient(f)(row{0.3, 0.5}, random<matrix>({3, 2}, 1));
  for (const double each : by_x) BOOST_TEST(each == 0);
  BOOST_TEST(by_w(0) != 0);
}

BOOST_AUTO_TEST_CASE(matrices_of_derivatives) {
  constexpr auto f = [](const auto& w, const auto& xs) {
    return scan([&](auto h, auto x) { return sin(w * h) + x; }, w, xs);
  };
  constexpr auto total = [](const auto& w, const auto& xs) {
    return sum(scan([&](auto h, auto x) { return sin(w * h) + x; }, w, xs));
  };
  const row w = {0.3, 0.5};
  const matrix xs = random<matrix>({3, 2}, 1);
  const matrix j = jacobian(f, wrt<0>)(w, xs), h = hessian(total, wrt<0>)(w, xs);
  const auto [pulled, by_x] = vjp(f, cotangent(row{1.0, 2.0}))(w, xs);
  for (std::size_t k = 0; k < 2; ++k) {
    row up = w, down = w;
    up(k) += 1e-5, down(k) -= 1e-5;
    const row values = (value(f)(up, xs) - value(f)(down, xs)) / 2e-5;
    const row slopes = (gradient(total, wrt<0>)(up, xs) - gradient(total, wrt<0>)(down, xs)) / 2e-5;
    for (std::size_t i = 0; i < 2; ++i) nearly(j(i, k), values(i), "jacobian", 1e-8);
    for (std::size_t i = 0; i < 2; ++i) nearly(h(i, k), slopes(i), "hessian", 1e-8);
    nearly(pulled(k), j(0, k) + 2 * j(1, k), "vjp", 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(branches_of_tensors) {
  static constexpr auto f = [](const auto& w, const auto& x) {
    const auto y = cond(
        sum(x) > 0, [&](const auto& a) { return tanh(dot(w, a)); }, [&](const auto& a) { return log(a) * a[0] + w[1]; },
        x);
    return sum(square(y));
  };
  const auto taken = [](const matrix& w, const row& x) {
    double result = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double y = std::tanh(w(i, 0) * x(0) + w(i, 1) * x(1) + w(i, 2) * x(2));
      result += y * y;
    }
    return result;
  };
  const matrix w = random<matrix>({3, 3}, 1);
  // The logarithm of a negative number is not taken.
  const row x = {0.5, 0.3, -0.1};
  check_against<2>("branch", f, taken, w, x);
  const matrix xs = {{0.5, 0.3, -0.1}, {0.2, 0.3, -0.7}};
  const auto both = batched(value_and_gradient(f))(w, each(xs));
  nearly(both.value(0), taken(w, x), "in a batch", 1e-13);
  nearly_all(matrix(xt::view(std::get<0>(both.gradient), 0)), std::get<0>(gradient(f)(w, x)), "in a batch");
  BOOST_TEST(std::isnan(both.value(1)));
}

BOOST_AUTO_TEST_CASE(a_branch_in_each_step) {
  static constexpr auto f = [](const auto& w, const auto& h0, const auto& xs) {
    return sum(scan(
        [&](auto h, auto x) { return cond(sum(h) > 0.2, [&] { return tanh(dot(w, h)); }, [&] { return sin(h) + x; }); },
        h0, xs));
  };
  const auto by_hand = [](const matrix& w, row h, const matrix& xs) {
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      const row before = h;
      const bool first = before(0) + before(1) > 0.2;
      for (std::size_t i = 0; i < 2; ++i)
        h(i) = first ? std::tanh(w(i, 0) * before(0) + w(i, 1) * before(1)) : std::sin(before(i)) + xs(t, i);
    }
    return h(0) + h(1);
  };
  check_against("branches", f, by_hand, random<matrix>({2, 2}, 1), row{0.1, 0.05}, random<matrix>({6, 2}, 3));
}

// Rows as many as the call says: J = diag(1 - y^2) w, where y = tanh(w x).
BOOST_AUTO_TEST_CASE(jacobians_and_hessians_of_vectors_inside) {
  static constexpr auto layer = [](const auto& x, const auto& w) { return tanh(dot(w, x)); };
  static constexpr auto f = [](const auto& w, const auto& x) {
    const auto all = value_and_jacobian(layer, wrt<0>)(x, w);
    return sum(square(all.jacobian[0][0])) + sum(all.value[0]);
  };
  const auto by_hand = [](const matrix& w, const row& x) {
    const row y = xt::tanh(times(w, x));
    double result = xt::sum(y)();
    for (std::size_t i = 0; i < w.shape(0); ++i)
      for (std::size_t j = 0; j < w.shape(1); ++j) result += std::pow((1 - y(i) * y(i)) * w(i, j), 2);
    return result;
  };
  check_against<2>("rows", f, by_hand, random<matrix>({3, 2}, 1), random<row>({2}, 2));
  check_against("one row", f, by_hand, random<matrix>({1, 2}, 3), random<row>({2}, 4));
  static constexpr auto curved = [](const auto& w, const auto& x) {
    const auto h = hessian([](const auto& y, const auto& v) { return sum(layer(y, v)); }, wrt<0>)(x, w)[0][0];
    return sum(h * h) + trace(h);
  };
  // -2 sum over i of y (1 - y^2) w[i] w[i]'.
  const auto curved_by_hand = [](const matrix& w, const row& x) {
    const row y = xt::tanh(times(w, x));
    double result = 0;
    for (std::size_t j = 0; j < w.shape(1); ++j)
      for (std::size_t k = 0; k < w.shape(1); ++k) {
        double h = 0;
        for (std::size_t i = 0; i < w.shape(0); ++i) h -= 2 * y(i) * (1 - y(i) * y(i)) * w(i, j) * w(i, k);
        result += h * h + (j == k ? h : 0);
      }
    return result;
  };
  check_against("hessian", curved, curved_by_hand, random<matrix>({3, 2}, 1), random<row>({2}, 2));
}

BOOST_AUTO_TEST_CASE(the_number_of_the_step_picks_elements) {
  static constexpr auto f = [](const auto& w, const auto& u) {
    const auto body = [&](auto h, auto k) { return tanh(dot(w, h)) * u[k] + u[-1 * k - 1] * w[k]; };
    return sum(square(scan(body, u, steps(3))));
  };
  const auto by_hand = [](const matrix& w, const row& u) {
    row h = u;
    for (std::size_t k = 0; k < 3; ++k) h = xt::tanh(times(w, h)) * u(k) + u(2 - k) * xt::view(w, k);
    return xt::sum(h * h)();
  };
  check_against<2>("numbers of steps", f, by_hand, random<matrix>({3, 3}, 5), random<row>({3}, 6));
}

// A chain of products meets its own axes again and again: what has been summed is moved, not summed once more.
BOOST_AUTO_TEST_CASE(a_long_chain_of_products) {
  static constexpr auto f = [](const auto& w, const auto& x) {
    const auto layer = [&](auto h, auto before) { return tanh(dot(w, h)) + 0.5 * before; };
    auto a = layer(x, x), b = layer(a, x);
    for (int k = 0; k < 4; ++k) {
      const auto next = layer(b, a);
      a = b, b = next;
    }
    return sum(square(b) + a) + sum(dot(transpose(w), w));
  };
  const auto by_hand = [](const matrix& w, const row& x) {
    const auto layer = [&](const row& h, const row& before) { return row(xt::tanh(times(w, h)) + 0.5 * before); };
    row a = layer(x, x), b = layer(a, x);
    for (int k = 0; k < 4; ++k) {
      const row next = layer(b, a);
      a = b, b = next;
    }
    double squares = 0;
    for (std::size_t i = 0; i < 3; ++i) squares += std::pow(xt::sum(xt::view(w, i))(), 2);
    return xt::sum(b * b + a)() + squares;
  };
  check_against<2>("chain", f, by_hand, matrix(1.5 * random<matrix>({3, 3}, 7)), random<row>({3}, 8));
}

BOOST_AUTO_TEST_CASE(a_loop_in_each_step_over_what_is_around_it) {
  // Also with the length taken outside first.
  static constexpr auto f = [](const auto& w, const auto& h0, const auto& xs) {
    const auto before = scan([&](auto h, auto x) { return h * x; }, h0, xs);
    return sum(scan(
        [&](auto h, auto x) {
          const auto [last, all] = scan([&](auto d, auto y) { return std::pair(sin(d) + x * y, d * y); }, h, xs);
          return dot(w, last) + sum<0>(all);
        },
        before, xs));
  };
  const auto by_hand = [](const matrix& w, row h, const matrix& xs) {
    for (std::size_t t = 0; t < xs.shape(0); ++t) h *= xt::view(xs, t, xt::all());
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      row all = xt::zeros<double>({2});
      for (std::size_t k = 0; k < xs.shape(0); ++k)
        for (std::size_t i = 0; i < 2; ++i) all(i) += h(i) * xs(k, i), h(i) = std::sin(h(i)) + xs(t, i) * xs(k, i);
      h = times(w, h) + all;
    }
    return h(0) + h(1);
  };
  check_against("loops", f, by_hand, random<matrix>({2, 2}, 1), row{0.1, 0.05}, random<matrix>({3, 2}, 3));
}

BOOST_AUTO_TEST_CASE(derivatives_that_loops_of_numbers_do_not_have) {
  const std::vector<double> xs = {0.3, 0.5};
  // (p sin(a) + p) sin(b) + p
  constexpr auto steps_of_one = [](auto p, auto as) {
    return scan([&](auto c, auto x) { return c * sin(x) + p; }, p, as);
  };
  const auto h = hessian(steps_of_one, wrt<1>)(0.5, xs);
  const double s = std::sin(0.3), t = std::sin(0.5), c = std::cos(0.3), d = std::cos(0.5);
  nearly(h(0, 0), -0.5 * s * t, "by a, a", 1e-14), nearly(h(0, 1), 0.5 * c * d, "by a, b", 1e-14);
  nearly(h(1, 0), 0.5 * c * d, "by b, a", 1e-14), nearly(h(1, 1), -0.5 * (s + 1) * t, "by b, b", 1e-14);
  // p (1 + a b)^3
  constexpr auto around = [](auto p, auto as) {
    return scan([&](auto e, auto) { return e + scan([&](auto f, auto y) { return f * y; }, e, as); }, p, steps(3));
  };
  auto [by_p, by_as] = gradient(around)(0.5, xs);
  nearly(by_p, std::pow(1.15, 3), "by p", 1e-14);
  nearly(by_as[0], 1.5 * 1.15 * 1.15 * 0.5, "by a", 1e-14), nearly(by_as[1], 1.5 * 1.15 * 1.15 * 0.3, "by b", 1e-14);
  auto r = gradient(around, wrt<1>)(0.5, xs);
  gradient(around, wrt<1>)(into(r), 1.0, xs);
  nearly(r[0], 3 * 1.15 * 1.15 * 0.5, "into", 1e-14);
  constexpr auto branch = [](auto p, auto as) {
    return cond(p > 0, [&] { return sum(as * as * p); }, [&] { return sum(log(as)); });
  };
  const auto [by_q, by_branch] = gradient(branch)(0.5, xs);
  nearly(by_q, 0.34, "by p", 1e-14), nearly(by_branch[1], 0.5, "in a branch", 1e-14);
}

BOOST_AUTO_TEST_CASE(integers_pick_elements) {
  // Effects of groups, and rows of an embedding.
  static constexpr auto f = [](const auto& u, const auto& w, const auto& groups, const auto& ys) {
    return scan([&](auto s, auto k, auto y) { return s + square(y - u[k]) + sum(square(w[k])) * y; }, 0.0, groups, ys);
  };
  const row u = {0.1, 0.2, 0.3}, ys = {1., 2., 3., 4.};
  const matrix w = random<matrix>({3, 2}, 2);
  std::vector<int> groups = {2, 0, -1, 1};
  const auto [value, slopes] = value_and_gradient(f, wrt<0, 1>)(u, w, groups, ys);
  double expected = 0;
  row by_u = xt::zeros<double>({3});
  matrix by_w = xt::zeros<double>({3, 2});
  for (std::size_t i = 0; i < 4; ++i) {
    const auto k = static_cast<std::size_t>((groups[i] + 3) % 3);
    expected += (ys(i) - u(k)) * (ys(i) - u(k)) + (w(k, 0) * w(k, 0) + w(k, 1) * w(k, 1)) * ys(i);
    by_u(k) -= 2 * (ys(i) - u(k));
    for (std::size_t j = 0; j < 2; ++j) by_w(k, j) += 2 * w(k, j) * ys(i);
  }
  nearly(value, expected, "value", 1e-13);
  nearly_all(std::get<0>(slopes), by_u, "by effects"), nearly_all(std::get<1>(slopes), by_w, "by rows");
  groups[1] = 3;
  BOOST_TEST(message_of<std::exception>([&] { value_and_gradient(f, wrt<0, 1>)(u, w, groups, ys); }).find("index 3") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(shapes_that_do_not_fit) {
  const matrix w = xt::ones<double>({3, 3});
  BOOST_TEST(message_of<std::exception>(
                 [&] { value(recurrent)(w, row{1., 2., 3.}, matrix(xt::ones<double>({4, 2}))); }) != "");
  // Batches of two and of three elements; one of one is for all.
  const cube threes = random<cube>({3, 4, 3}, 3);
  const matrix twos = random<matrix>({2, 3}, 2), one = xt::view(twos, xt::range(0, 1), xt::all());
  BOOST_TEST(message_of<std::exception>([&] { batched(value(recurrent))(w, each(twos), each(threes)); }) != "");
  BOOST_TEST(message_of<std::exception>([&] { batched(value_and_gradient(recurrent))(w, each(twos), each(threes)); }) !=
             "");
  const row shared = batched(value(recurrent))(w, each(one), each(threes));
  const row first = xt::view(one, 0, xt::all());
  for (std::size_t b = 0; b < 3; ++b)
    nearly(shared(b), value(recurrent)(w, first, matrix(xt::view(threes, b, xt::all(), xt::all()))), "one for all",
           1e-12);
  // A carry that grows from one element to three.
  constexpr auto grows = [](const auto& h0, const auto& xs) {
    return sum(scan([](auto h, auto x) { return h + x; }, h0, xs));
  };
  BOOST_TEST(message_of<std::exception>([&] { value(grows)(row{1.}, w); }).find("must keep their shapes") !=
             std::string::npos);
  constexpr auto together = [](const auto& h0, const auto& xs, const auto& ys) {
    return sum(scan([](auto h, auto x, auto y) { return h + x * y; }, h0, xs, ys));
  };
  BOOST_TEST(message_of<std::exception>([&] {
               value(together)(row{1., 2., 3.}, w, matrix(xt::ones<double>({2, 3})));
             }).find("equally long") != std::string::npos);
  BOOST_TEST(message_of<std::exception>([&] {
               value(together)(row{1., 2., 3.}, w, matrix(xt::ones<double>({1, 3})));
             }).find("equally long") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(numbers_of_other_types) {
  constexpr auto f = [](const auto& w, const auto& xs) {
    return sum(scan([&](auto h, auto x) { return tanh(w * h + x); }, w, xs));
  };
  const xt::xtensor<float, 1> w = {0.5f, 0.25f};
  const xt::xtensor<float, 2> xs = {{1.f, 2.f}, {0.f, 0.5f}};
  const float got = value(f)(w, xs);
  nearly(got, std::tanh(0.5 * std::tanh(1.25)) + std::tanh(0.25 * std::tanh(2.0625) + 0.5), "float", 1e-6);
}

BOOST_AUTO_TEST_SUITE_END()
