#include <tapeless/xtensor.hpp>

#include <boost/hana.hpp>
#include <boost/test/unit_test.hpp>
#include <xtensor/xrandom.hpp>
#include <xtensor/xview.hpp>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

/// Verbs, and `call`, in functions over tensors. Values come from closed forms; derivatives of them from differences.
namespace {

using namespace tapeless;
using matrix = xt::xtensor<double, 2>;
using row = xt::xtensor<double, 1>;

template <class X>
X random(const typename X::shape_type& shape, unsigned seed) {
  xt::random::seed(seed);
  return xt::random::randn<double>(shape);
}

void nearly(double a, double b, const std::string& what, double tolerance = 1e-12) {
  BOOST_TEST(std::abs(a - b) <= tolerance * (1 + std::abs(b)), what << ": " << a << " is not " << b);
}
template <class X>
void nearly_all(const X& a, const X& b, const std::string& what) {
  BOOST_REQUIRE(a.shape() == b.shape());
  for (std::size_t i = 0; i < a.size(); ++i) nearly(a.data()[i], b.data()[i], what);
}
/// Whether `g` is the gradient of `f` at `x`.
template <class F, class X>
void is_gradient(const F& f, X x, const X& g, const std::string& what) {
  BOOST_REQUIRE(x.shape() == g.shape());
  for (std::size_t i = 0; i < x.size(); ++i) {
    double& each = x.data()[i];
    const double at = each, h = 1e-5;
    each = at + h;
    const double up = f(x);
    each = at - h;
    const double down = f(x);
    each = at;
    nearly(g.data()[i], (up - down) / (2 * h), what, 1e-7);
  }
}

constexpr auto form = [](const auto& x, const auto& a) { return dot(x, dot(a, x)); };
constexpr auto slope_of_form = [](const auto& x, const auto& a) { return gradient(form, wrt<0>)(x, a); };
constexpr auto layer = [](const auto& x, const auto& a) { return tanh(dot(a, x)); };

}  // namespace

BOOST_AUTO_TEST_SUITE(verbs_inside)

BOOST_AUTO_TEST_CASE(gradients) {
  const row x = random<row>({4}, 1);
  const matrix a = random<matrix>({4, 4}, 2);
  // (A + A') x
  const row expected = xt::sum(a * x, 1) + xt::sum(a * xt::view(x, xt::all(), xt::newaxis()), 0);
  nearly_all(value(slope_of_form)(x, a), expected, "slope");
  static constexpr auto penalty = [](const auto& y, const auto& b) { return sum(square(slope_of_form(y, b)) * y); };
  const auto [by_x, by_a] = gradient(penalty)(x, a);
  is_gradient([&](const row& y) { return value(penalty)(y, a); }, x, by_x, "penalty by x");
  is_gradient([&](const matrix& b) { return value(penalty)(x, b); }, a, by_a, "penalty by a");
}

BOOST_AUTO_TEST_CASE(an_argument_that_meets_itself_along_other_axes) {
  const matrix x = random<matrix>({3, 3}, 3);
  static constexpr auto f = [](const auto& m) { return sum(m * transpose(m)) + sum(square(dot(m, m))); };
  static constexpr auto slope = [](const auto& m) { return gradient(f)(m); };
  is_gradient([](const matrix& m) { return value(f)(m); }, x, value(slope)(x), "slope");
  static constexpr auto penalty = [](const auto& m) { return sum(square(slope(m)) * m); };
  is_gradient([](const matrix& m) { return value(penalty)(m); }, x, gradient(penalty)(x), "penalty");
}

BOOST_AUTO_TEST_CASE(a_derivative_that_meets_itself_along_other_axes) {
  // Twice x, but 0 in the first row.
  static constexpr auto f = [](const auto& x) { return sum(square(slice<0>(concatenate<1>(x, x), 1))) * 0.5; };
  static constexpr auto products = [](const auto& x) {
    const auto slope = gradient(f)(x);
    return sum(einsum<"ij,ik->jk">(slope, square(slope)));
  };
  const matrix x{{1, 2}, {3, 4}, {5, 6}};
  const auto r = value_and_gradient(products)(x);
  nearly(r.value, 6 * 36 + 6 * 64 + 8 * 36 + 8 * 64 + 10 * 100 + 10 * 144 + 12 * 100 + 12 * 144, "value");
  // 2 d/ds of sum over j, k of s_j s_k^2, at s = 2 x
  const auto by = [](double s, double other) { return 2 * (s * s + other * other + 2 * s * (s + other)); };
  nearly_all(r.gradient, matrix{{0, 0}, {by(6, 8), by(8, 6)}, {by(10, 12), by(12, 10)}}, "gradient");
}

BOOST_AUTO_TEST_CASE(extents_of_one) {
  static constexpr auto f = [](const auto& p, const auto& q) { return sum(square(p * q) * p); };
  static constexpr auto slope = [](const auto& p, const auto& q) { return gradient(f, wrt<0>)(p, q); };
  static constexpr auto times = [](const auto& p, const auto& q) { return sum(slope(p, q) * p); };
  static constexpr auto times_other = [](const auto& p, const auto& q) { return sum(slope(p, q) * q); };
  const matrix q = random<matrix>({3, 4}, 4);
  for (const std::size_t rows : {1u, 3u})
    for (const std::size_t columns : {1u, 4u}) {
      const matrix p = random<matrix>({rows, columns}, 5);
      // 3 p^2 q^2, summed where p is broadcast
      matrix expected = xt::zeros<double>(p.shape());
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
          const std::size_t k = rows == 1 ? 0 : i, l = columns == 1 ? 0 : j;
          expected(k, l) += 3 * p(k, l) * p(k, l) * q(i, j) * q(i, j);
          sum += 3 * std::pow(p(k, l), 3) * q(i, j) * q(i, j);
        }
      nearly_all(value(slope)(p, q), expected, "slope");
      const auto r = value_and_gradient(times, wrt<0>)(p, q);
      double beside = 0;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 4; ++j) beside += expected(rows == 1 ? 0 : i, columns == 1 ? 0 : j) * q(i, j);
      nearly(value(times_other)(p, q), beside, "beside another");
      nearly(r.value, sum, "value");
      nearly_all(r.gradient, matrix(3 * expected), "gradient");
    }
  const matrix none = xt::zeros<double>({std::size_t{0}, std::size_t{4}});
  BOOST_TEST(value(times)(none, none) == 0.0);
  BOOST_CHECK_THROW(value(times)(matrix(random<matrix>({2, 4}, 6)), q), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(third_order) {
  static constexpr auto f = [](const auto& x) { return sum(x * x * x * x); };
  static constexpr auto second = [](const auto& x) { return sum(gradient(f)(x)); };
  static constexpr auto third = [](const auto& x) { return sum(square(gradient(second)(x))); };
  const row x = random<row>({5}, 7);
  const auto r = value_and_gradient(third)(x);
  nearly(r.value, xt::sum(144 * xt::pow(x, 4))(), "value");
  nearly_all(r.gradient, row(576 * xt::pow(x, 3)), "gradient");
}

BOOST_AUTO_TEST_CASE(a_step_of_descent_inside) {
  // Two steps of the inner problem, then the loss of another one: model-agnostic meta-learning.
  static constexpr auto loss = [](const auto& w, const auto& x, const auto& t) { return mean(square(dot(x, w) - t)); };
  static constexpr auto after = [](const auto& w, const auto& x, const auto& t, const auto& y, const auto& u) {
    const auto once = w - 0.1 * gradient(loss, wrt<0>)(w, x, t);
    const auto twice = once - 0.1 * gradient(loss, wrt<0>)(once, x, t);
    return loss(twice, y, u);
  };
  const matrix x = random<matrix>({5, 4}, 8), y = random<matrix>({6, 4}, 9);
  const row w = random<row>({4}, 10), t = random<row>({5}, 11), u = random<row>({6}, 12);
  const auto step = [&](const row& at) {
    const row rest = xt::sum(x * at, 1) - t;
    return row(at - 0.1 * 2.0 / 5.0 * xt::sum(x * xt::view(rest, xt::all(), xt::newaxis()), 0));
  };
  const auto by_hand = [&](const row& at) {
    const row rest = xt::sum(y * step(step(at)), 1) - u;
    return xt::mean(rest * rest)();
  };
  const auto r = value_and_gradient(after, wrt<0>)(w, x, t, y, u);
  nearly(r.value, by_hand(w), "value");
  is_gradient(by_hand, w, r.gradient, "gradient");
}

BOOST_AUTO_TEST_CASE(directions) {
  const row x = random<row>({4}, 13), v = random<row>({4}, 14), c = random<row>({5}, 15);
  const matrix a = random<matrix>({5, 4}, 16);
  const row slopes = 1 - xt::square(xt::tanh(xt::sum(a * x, 1)));
  static constexpr auto along = [](const auto& p, const auto& b, const auto& d) {
    return jvp(layer, wrt<0>, tangent(d))(p, b);
  };
  static constexpr auto back = [](const auto& p, const auto& b, const auto& d) {
    return vjp(layer, wrt<0>, cotangent(d))(p, b);
  };
  nearly_all(value(along)(x, a, v), row(slopes * xt::sum(a * v, 1)), "jvp");
  nearly_all(value(back)(x, a, c), row(xt::sum(a * xt::view(slopes * c, xt::all(), xt::newaxis()), 0)), "vjp");
  static constexpr auto energy = [](const auto& p, const auto& b) { return sum(exp(dot(b, p))) + dot(p, p) * sum(p); };
  static constexpr auto curvature = [](const auto& p, const auto& b, const auto& d) {
    return hvp(energy, wrt<0>, tangent(d))(p, b);
  };
  const auto product = [&](const row& p, const row& d) {
    const row weights = xt::exp(xt::sum(a * p, 1)) * xt::sum(a * d, 1);
    return row(xt::sum(a * xt::view(weights, xt::all(), xt::newaxis()), 0) + 2 * d * xt::sum(p)() +
               2 * p * xt::sum(d)() + 2 * xt::sum(p * d)());
  };
  nearly_all(value(curvature)(x, a, v), product(x, v), "hvp");
  static constexpr auto square_of = [](const auto& f) {
    return [f](const row& e) { return xt::sum(xt::square(f(e)))(); };
  };
  static constexpr auto s = [](const auto& p, const auto& b, const auto& d) { return sum(square(curvature(p, b, d))); };
  const auto by = gradient(s, wrt<0, 2>)(x, a, v);
  is_gradient(square_of([&](const row& p) { return product(p, v); }), x, std::get<0>(by), "hvp by x");
  is_gradient(square_of([&](const row& d) { return product(x, d); }), v, std::get<1>(by), "hvp by v");
  static constexpr auto q = [](const auto& p, const auto& b, const auto& d) { return sum(square(back(p, b, d))); };
  is_gradient([&](const row& d) { return value(q)(x, a, d); }, c, gradient(q, wrt<2>)(x, a, c), "vjp by c");
  is_gradient([&](const row& p) { return value(q)(p, a, c); }, x, gradient(q, wrt<0>)(x, a, c), "vjp by x");
  BOOST_CHECK_THROW(value(along)(x, a, c), std::invalid_argument);
  BOOST_CHECK_THROW(value(back)(x, a, v), std::invalid_argument);
  // A tangent of one element is not broadcast.
  const auto said = [&](const auto& call) -> std::string {
    try {
      call();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing";
  };
  const std::string other = said([&] { return value(along)(x, a, row{1.0}); });
  BOOST_TEST(other.starts_with("tapeless: a tangent or cotangent inside a function must have the shape of what it "
                               "belongs to; their extents are 4 and 1"),
             other);
}

BOOST_AUTO_TEST_CASE(values_and_matrices_of_numbers) {
  static constexpr auto f = [](const auto& x) {
    const auto [value, slope] = value_and_gradient([](const auto& y) { return sum(y * y * y); })(x);
    const auto h = hessian([](const auto& p, const auto& q) { return p * p * q; })(x[0], x[1]);
    const auto j =
        jacobian([](const auto& p, const auto& y) { return std::array{p * p, sum(y) * p}; }, wrt<0>)(x[2], x);
    return value * sum(slope) + h[0][1] + j[0][0] * j[1][0];
  };
  const row x{0.5, -1.0, 2.0};
  const double cubes = 0.125 - 1 + 8, squares = 3 * (0.25 + 1 + 4), all = 1.5;
  const auto r = value_and_gradient(f)(x);
  nearly(r.value, cubes * squares + 2 * 0.5 + 2 * 2.0 * all, "value");
  for (std::size_t i = 0; i < 3; ++i)
    nearly(r.gradient[i],
           3 * x[i] * x[i] * squares + cubes * 6 * x[i] + (i == 0 ? 2 : 0) + (i == 2 ? 2 * all : 0) + 2 * 2.0,
           "gradient");
}

template <class T>
struct parameters {
  BOOST_HANA_DEFINE_STRUCT(parameters, (T, w), (T, b));
};
struct tensors {
  BOOST_HANA_DEFINE_STRUCT(tensors, (matrix, w), (row, b));
};

BOOST_AUTO_TEST_CASE(structs) {
  static constexpr auto f = [](const auto& p, const auto& x) {
    const auto& [w, b] = p;
    return sum(square(dot(w, x) + b));
  };
  static constexpr auto norm_of_gradient = [](const auto& p, const auto& x) {
    const auto& [w, b] = gradient(f, wrt<0>)(p, x);
    return sum(square(w)) + sum(square(b));
  };
  const tensors p{random<matrix>({3, 2}, 17), random<row>({3}, 18)};
  const row x = random<row>({2}, 19);
  const row rest = xt::sum(p.w * x, 1) + p.b;
  const double length = xt::sum(rest * rest)(), by_x = 1 + xt::sum(x * x)();
  const auto r = value_and_gradient(norm_of_gradient, wrt<0>)(p, x);
  nearly(r.value, 4 * length * by_x, "value");
  nearly_all(r.gradient.b, row(8 * rest * by_x), "by b");
}

BOOST_AUTO_TEST_CASE(what_does_not_depend) {
  const row x{1.0, 2.0, 3.0};
  // The derivative of a sum is 1, of what is stopped 0; each as often as x has elements.
  static constexpr auto ones = [](const auto& y) { return sum(gradient([](const auto& z) { return sum(z); })(y)); };
  static constexpr auto zeros = [](const auto& y) {
    return sum(square(gradient([](const auto& z) { return sum(stop_gradient(z) * 2.0); })(y)) + 1.0);
  };
  BOOST_TEST(value(ones)(x) == 3.0);
  BOOST_TEST(value(zeros)(x) == 3.0);
  BOOST_TEST((gradient(ones)(x) == row{0, 0, 0}));
  // What is the same for all elements is there as often as these.
  static constexpr auto product = [](const auto& y) {
    const auto slope = gradient([](const auto& z) { return sum(z) * 2.0; })(y);
    return prod(slope) + logsumexp(slope) + sum(slope * slope) + mean(slope);
  };
  nearly(value(product)(x), 8 + 2 + std::log(3.0) + 12 + 2, "constant slopes");
  // A stop of the argument holds outside as well.
  static constexpr auto cut = [](const auto& y) {
    return sum(gradient([](const auto& z) { return sum(z * z * z); })(stop_gradient(y)) * y);
  };
  nearly_all(gradient(cut)(x), row(3 * x * x), "stopped");
}

BOOST_AUTO_TEST_CASE(selections) {
  // The branch that is not taken has an infinite slope.
  static constexpr auto f = [](const auto& x) { return sum(where(x > 0.0, sqrt(abs(x)), x * x)); };
  static constexpr auto g = [](const auto& x) { return sum(square(gradient(f)(x))); };
  const row x{0.0, 4.0, -3.0};
  const auto r = value_and_gradient(g)(x);
  nearly(r.value, 0 + 1.0 / 16 + 36, "value");
  nearly_all(r.gradient, row{0, -1.0 / 64, -24}, "gradient");
}

BOOST_AUTO_TEST_CASE(calls) {
  static constexpr auto f = [](const auto& w, const auto& x) {
    constexpr auto part = [](const auto& a, const auto& b) { return sum(sin(a * b)); };
    return call(part, w, x) * call(part, x, w) + call([](const auto& a) { return a * a; }, w[0]);
  };
  const row w = random<row>({4}, 20), x = random<row>({4}, 21);
  const auto by_hand = [&](const row& v) { return std::pow(xt::sum(xt::sin(v * x))(), 2) + v[0] * v[0]; };
  const auto r = value_and_gradient(f, wrt<0>)(w, x);
  nearly(r.value, by_hand(w), "value");
  is_gradient(by_hand, w, r.gradient, "gradient");
}

BOOST_AUTO_TEST_CASE(a_call_of_a_number_in_the_function_of_a_verb) {
  static constexpr auto twice = [](const auto& a) { return a * a; };
  static constexpr auto f = [](const auto& c, const auto& y) { return call(twice, c) * sum(y); };
  static constexpr auto g = [](const auto& c, const auto& y) { return gradient(f, wrt<0>)(c, y) + sum(y); };
  const auto r = value_and_gradient(g, wrt<0>)(2.0, matrix{{1, 2}, {3, 4}});
  BOOST_TEST(r.value == 50.0);
  BOOST_TEST(r.gradient == 20.0);
}

BOOST_AUTO_TEST_CASE(engines_agree) {
  static constexpr auto penalty = [](const auto& y, const auto& b) { return sum(square(slope_of_form(y, b)) * y); };
  const row x = random<row>({4}, 22);
  const matrix a = random<matrix>({4, 4}, 23);
  BOOST_TEST(compare_engines(value_and_gradient(penalty))(x, a).passed(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
