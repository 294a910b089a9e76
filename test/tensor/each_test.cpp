#include <tapeless/xtensor.hpp>

#include <boost/hana.hpp>
#include <boost/test/unit_test.hpp>
#include <xtensor/xrandom.hpp>
#include <xtensor/xview.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

/// `batched(verb)(w, each(x))`: what it gives of an element is what the verb gives of that element, which other tests
/// compare with closed forms.
namespace {

using namespace tapeless;
using cube = xt::xtensor<double, 3>;
using matrix = xt::xtensor<double, 2>;
using row = xt::xtensor<double, 1>;

template <class X>
X random(const typename X::shape_type& shape, unsigned seed) {
  xt::random::seed(seed);
  return xt::random::randn<double>(shape);
}
void nearly(double a, double b, const std::string& what) {
  BOOST_TEST(std::abs(a - b) <= 1e-12 * (1 + std::abs(b)), what << ": " << a << " is not " << b);
}
template <class X>
void nearly_all(const X& a, const X& b, const std::string& what) {
  BOOST_REQUIRE(a.shape() == b.shape());
  for (std::size_t i = 0; i < a.size(); ++i) nearly(a.data()[i], b.data()[i], what);
}
row element(const matrix& x, std::size_t k) { return xt::view(x, k, xt::all()); }
matrix element(const cube& x, std::size_t k) { return xt::view(x, k, xt::all(), xt::all()); }

/// Compares values and gradients by all of (w, x, y) of each element, where x and y are marked.
template <class F, class W, class X, class Y>
void compare(const F&, const W& w, const X& x, const Y& y, const std::string& what) {
  const auto all = batched(value_and_gradient(F{}))(w, each(x), each(y));
  BOOST_REQUIRE(all.value.size() == x.shape()[0]);
  for (std::size_t k = 0; k < x.shape()[0]; ++k) {
    const auto one = value_and_gradient(F{})(w, element(x, k), element(y, k));
    nearly(all.value(k), one.value, what);
    nearly_all(element(std::get<0>(all.gradient), k), std::get<0>(one.gradient), what + " by w");
    nearly_all(element(std::get<1>(all.gradient), k), std::get<1>(one.gradient), what + " by x");
    nearly_all(element(std::get<2>(all.gradient), k), std::get<2>(one.gradient), what + " by y");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(each_of_a_batch)

BOOST_AUTO_TEST_CASE(a_closed_form) {
  // x' w + w' w of each row: the gradients by w are x + 2 w, by x they are w.
  const matrix x = random<matrix>({3, 2}, 1);
  const row w{0.5, -2.0};
  const auto r =
      batched(value_and_gradient([](const auto& v, const auto& e) { return dot(e, v) + dot(v, v); }))(w, each(x));
  const auto& [by_w, by_x] = r.gradient;
  for (std::size_t k = 0; k < 3; ++k) {
    nearly(r.value(k), x(k, 0) * 0.5 - x(k, 1) * 2 + 4.25, "value");
    for (std::size_t i = 0; i < 2; ++i) {
      nearly(by_w(k, i), x(k, i) + 2 * w(i), "by w");
      BOOST_TEST(by_x(k, i) == w(i));
    }
  }
}

BOOST_AUTO_TEST_CASE(operations) {
  const matrix w = random<matrix>({2, 4}, 2), x = random<matrix>({5, 4}, 3), y = random<matrix>({5, 2}, 4);
  compare([](const auto& v, const auto& e, const auto& t) { return mean(square(dot(v, tanh(e)) + e[0] - t)); }, w, x, y,
          "layer");
  compare(
      [](const auto& v, const auto& e, const auto& t) {
        const auto both = concatenate<0>(slice<0>(e, 1, 3), t, dot(v, e));
        return logsumexp(both) + sum(reshape<2, 3>(both) * dot(v, transpose(v))[0][1]) + amax(e) + e[-1] * t[0];
      },
      w, x, y, "moves");
  compare(
      [](const auto& v, const auto& e, const auto& t) {
        return sum(softmax<0>(e) * v) + sum(outer(e, t) * transpose(v)) + sum<0>(v * e)[1] + prod(e) * norm(t);
      },
      w, x, y, "reductions");
  const cube a = random<cube>({4, 3, 3}, 5);
  const row v = random<row>({3}, 6);
  const matrix z = random<matrix>({4, 3}, 7);
  compare([](const auto& u, const auto& m,
             const auto& e) { return sum(m * transpose(m)) + dot(u, dot(m, e)) + sum(square(dot(m, m))); },
          v, a, z, "matrices");
}

BOOST_AUTO_TEST_CASE(verbs_inside) {
  const matrix x = random<matrix>({5, 4}, 11), y = random<matrix>({5, 4}, 12);
  const row w = random<row>({4}, 13);
  compare(
      [](const auto& v, const auto& e, const auto& t) {
        constexpr auto f = [](const auto& p, const auto& q) { return sum(tanh(p * q)) * sum(p); };
        return sum(square(
                   gradient([](const auto& p, const auto& q) { return sum(tanh(p * q)) * sum(p); }, wrt<0>)(v, e))) +
               sum(hvp(f, wrt<0>, tangent(t))(v, e) * t) + sum(gradient(f, wrt<1>)(v, e) * v);
      },
      w, x, y, "penalty");
}

BOOST_AUTO_TEST_CASE(directions) {
  const matrix x = random<matrix>({5, 4}, 14), dx = random<matrix>({5, 4}, 15), c = random<matrix>({5, 3}, 16);
  const matrix w = random<matrix>({3, 4}, 17), dw = random<matrix>({3, 4}, 18);
  constexpr auto layer = [](const auto& v, const auto& e) { return tanh(dot(v, e)); };
  constexpr auto loss = [](const auto& v, const auto& e) { return sum(exp(dot(v, e))); };
  const auto along = batched(value_and_jvp(layer, tangent(dw, dx)))(w, each(x));
  const auto back = batched(vjp(layer, cotangent(c)))(w, each(x));
  const auto product = batched(hvp(loss, wrt<0>, tangent(dw)))(w, each(x));
  for (std::size_t k = 0; k < 5; ++k) {
    const row e = element(x, k), de = element(dx, k), ck = element(c, k);
    const auto one = value_and_jvp(layer, tangent(dw, de))(w, e);
    nearly_all(element(along.value, k), one.value, "value");
    nearly_all(element(along.tangent, k), one.tangent, "jvp");
    const auto [by_w, by_x] = vjp(layer, cotangent(ck))(w, e);
    nearly_all(element(std::get<0>(back), k), by_w, "vjp by w");
    nearly_all(element(std::get<1>(back), k), by_x, "vjp by x");
    nearly_all(element(product, k), hvp(loss, wrt<0>, tangent(dw))(w, e), "hvp");
  }
}

BOOST_AUTO_TEST_CASE(extents_of_one) {
  // What is broadcast in each element, and a batch of one beside one of five.
  const matrix one = random<matrix>({5, 1}, 19), x = random<matrix>({5, 4}, 20);
  compare([](const auto& v, const auto& e, const auto& t) { return sum(square(e * t) * v) + sum(e) * sum(t); },
          random<row>({1}, 21), one, x, "broadcast");
  constexpr auto f = [](const auto& e, const auto& t) { return sum(e * e * t); };
  const matrix alone = random<matrix>({1, 4}, 22);
  const auto r = batched(value_and_gradient(f))(each(alone), each(x));
  for (std::size_t k = 0; k < 5; ++k) nearly(r.value(k), value(f)(element(alone, 0), element(x, k)), "value");
  const matrix none = xt::zeros<double>({std::size_t{0}, std::size_t{4}});
  const auto empty = batched(value_and_gradient(f))(each(none), each(none));
  BOOST_TEST(empty.value.size() == 0u);
  BOOST_TEST((std::get<0>(empty.gradient).shape() == none.shape()));
  const auto of_views = batched(value_and_gradient(f))(each(xt::view(x, xt::range(0, 4, 2), xt::all())),
                                                       each(xt::view(x, xt::range(1, 5, 2), xt::all())));
  for (std::size_t k = 0; k < 2; ++k)
    nearly(of_views.value(k), value(f)(element(x, 2 * k), element(x, 2 * k + 1)), "views");
  const matrix other = random<matrix>({3, 4}, 23);
  BOOST_CHECK_THROW(batched(value_and_gradient(f))(each(other), each(x)), std::invalid_argument);
}

struct parameters {
  BOOST_HANA_DEFINE_STRUCT(parameters, (matrix, w), (row, b));
};

BOOST_AUTO_TEST_CASE(structs_and_existing_results) {
  constexpr auto g = [](const auto& p, const auto& e, const auto& n) {
    const auto& [w, b] = p;
    return sum(square(dot(w, e) + b)) + e[n];
  };
  const parameters p{random<matrix>({3, 2}, 24), random<row>({3}, 25)};
  const matrix x = random<matrix>({4, 2}, 26), again = random<matrix>({4, 2}, 27);
  const auto step = batched(value_and_gradient(g, wrt<0>));
  auto r = step(p, each(x), 1);
  const auto check = [&](const matrix& from) {
    for (std::size_t k = 0; k < 4; ++k) {
      const auto one = value_and_gradient(g, wrt<0>)(p, element(from, k), 1);
      nearly(r.value(k), one.value, "value");
      nearly_all(element(boost::hana::at_key(r.gradient, BOOST_HANA_STRING("w")), k), one.gradient.w, "by w");
      nearly_all(element(boost::hana::at_key(r.gradient, BOOST_HANA_STRING("b")), k), one.gradient.b, "by b");
    }
  };
  check(x);
  step(into(r), p, each(again), 1);
  check(again);
}

BOOST_AUTO_TEST_CASE(numbers_and_loops) {
  const std::vector<double> x{1, 2, 3};
  const auto [by_a, by_c] = batched(gradient([](auto a, auto c) { return a * a * c; }))(each(x), 2.0);
  for (std::size_t k = 0; k < 3; ++k) {
    BOOST_TEST(by_a[k] == 4 * x[k]);
    BOOST_TEST(by_c[k] == x[k] * x[k]);
  }
  // Growth at rates that differ, over steps that all share.
  constexpr auto growth = [](auto rate, auto steps_) {
    return scan([&](auto y, auto h) { return y * (1 + rate * h); }, 1.0, steps_);
  };
  const std::vector<double> rates{0.1, 0.2}, h{0.5, 0.25, 0.25};
  const auto r = batched(value_and_gradient(growth, wrt<0>))(each(rates), h);
  for (std::size_t k = 0; k < 2; ++k) {
    double product = 1, slope = 0;
    for (const double each_h : h) product *= 1 + rates[k] * each_h;
    for (const double each_h : h) slope += product / (1 + rates[k] * each_h) * each_h;
    nearly(r.value[k], product, "value");
    nearly(r.gradient[k], slope, "gradient");
  }
}

BOOST_AUTO_TEST_SUITE_END()
