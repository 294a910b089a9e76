// Functions over tensors: containers, views and structs of them as arguments of traced functions.
#include "../allocations.hpp"
#include "../message_of.hpp"
#include "check.hpp"

#include <boost/hana/adapt_struct.hpp>
#include <boost/hana/define_struct.hpp>

#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using namespace tapeless;
using tapeless_test::close;
using tapeless_test::matrix;
using tapeless_test::nearly;
using tapeless_test::randomise;
using tapeless_test::vector;

namespace models {

template <class T>
struct layer {
  BOOST_HANA_DEFINE_STRUCT(layer, (T, weights), (T, bias));
};
struct perceptron {
  BOOST_HANA_DEFINE_STRUCT(perceptron, (xt::xtensor<float, 2>, w1), (xt::xtensor<float, 1>, b1),
                           (xt::xtensor<float, 2>, w2), (xt::xtensor<float, 1>, b2));
};
/// A class template over its number type, whose members are tensors of that.
template <class T>
struct network {
  BOOST_HANA_DEFINE_STRUCT(network, (layer<xt::xtensor<T, 2>>, hidden), (layer<xt::xtensor<T, 2>>, last), (T, scale));
};
struct samples {
  std::span<const double> at;
  double shift;
  std::vector<int> labels;
  int count;
};
/// The names of what is innermost are longer than a place's name.
template <int Levels>
struct nested {
  BOOST_HANA_DEFINE_STRUCT(nested, (nested<Levels - 1>, the_structure_inside));
};
template <>
struct nested<0> {
  BOOST_HANA_DEFINE_STRUCT(nested, (std::vector<double>, first), (std::vector<double>, second));
};
struct innermost_product {
  template <class S>
  constexpr auto operator()(const S& s) const {
    if constexpr (std::tuple_size_v<S> == 1) {
      const auto& [inside] = s;
      return (*this)(inside);
    } else {
      const auto& [first, second] = s;
      return sum(first * second);
    }
  }
};

}  // namespace models

BOOST_HANA_ADAPT_STRUCT(models::samples, at, shift, labels, count);

namespace {

using models::layer;
using models::network;
using models::perceptron;

constexpr auto cross_entropy = [](const auto& p, const auto& x, const auto& labels) {
  const auto& [w1, b1, w2, b2] = p;
  const auto z = dot(tanh(dot(x, w1) + b1), w2) + b2;
  return mean(logsumexp<1>(z) - sum<1>(one_hot(labels, 10) * z));
};

perceptron random_perceptron(std::size_t inputs, std::size_t hidden) {
  perceptron p{xt::xtensor<float, 2>::from_shape({inputs, hidden}), xt::xtensor<float, 1>::from_shape({hidden}),
               xt::xtensor<float, 2>::from_shape({hidden, std::size_t{10}}), xt::xtensor<float, 1>::from_shape({10})};
  unsigned seed = 0;
  const auto fill = [&](auto& tensor) {
    std::mt19937 generator(++seed);
    std::normal_distribution<float> normal(0, 0.5f);
    for (float& element : tensor) element = normal(generator);
  };
  fill(p.w1), fill(p.b1), fill(p.w2), fill(p.b2);
  return p;
}

/// The same loss as plain loops in double, and its gradient by the chain rule, worked out by hand.
struct by_hand {
  double value = 0;
  std::vector<double> w1, b1, w2, b2;

  by_hand(const perceptron& p, const xt::xtensor<float, 2>& x, const std::vector<int>& labels) {
    const std::size_t n = x.shape()[0], d = x.shape()[1], h = p.b1.size(), k = p.b2.size();
    w1.resize(d * h), b1.resize(h), w2.resize(h * k), b2.resize(k);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> a(h), z(k), da(h);
      for (std::size_t j = 0; j < h; ++j) {
        double sum = p.b1(j);
        for (std::size_t m = 0; m < d; ++m) sum += double(x(i, m)) * p.w1(m, j);
        a[j] = std::tanh(sum);
      }
      double total = 0;
      for (std::size_t c = 0; c < k; ++c) {
        z[c] = p.b2(c);
        for (std::size_t j = 0; j < h; ++j) z[c] += a[j] * p.w2(j, c);
        total += std::exp(z[c]);
      }
      const std::size_t label = static_cast<std::size_t>(labels[i]);
      value += (std::log(total) - z[label]) / double(n);
      for (std::size_t c = 0; c < k; ++c) {
        const double dz = (std::exp(z[c]) / total - (c == label)) / double(n);
        b2[c] += dz;
        for (std::size_t j = 0; j < h; ++j) w2[j * k + c] += dz * a[j], da[j] += dz * p.w2(j, c);
      }
      for (std::size_t j = 0; j < h; ++j) {
        const double slope = da[j] * (1 - a[j] * a[j]);
        b1[j] += slope;
        for (std::size_t m = 0; m < d; ++m) w1[m * h + j] += slope * x(i, m);
      }
    }
  }
};
void single(const auto& computed, const std::vector<double>& expected, const char* what) {
  BOOST_REQUIRE(computed.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    BOOST_CHECK_MESSAGE(std::abs(computed.data()[i] - expected[i]) <= 2e-6,
                        what << "[" << i << "]: " << computed.data()[i] << " instead of " << expected[i]);
}

/// The gradient of `f` by its only argument, a matrix, against differences of its values.
template <class F>
void check_matrix(const char* name, F f, const matrix& at) {
  BOOST_TEST_CONTEXT(name) {
    const auto step = value_and_gradient(f);
    auto here = step(at);
    static_assert(std::is_same_v<decltype(here.gradient), matrix>);
    BOOST_TEST((here.gradient.shape() == at.shape()));
    matrix moved = at;
    auto there = here;
    for (std::size_t i = 0; i < at.size(); ++i) {
      constexpr double h = 1e-5;
      moved.data()[i] = at.data()[i] + h;
      step(into(there), moved);
      const double above = there.value;
      moved.data()[i] = at.data()[i] - h;
      step(into(there), moved);
      moved.data()[i] = at.data()[i];
      close(here.gradient.data()[i], (above - there.value) / (2 * h), "gradient");
    }
  }
}
const matrix some{{0.5, -1.25, 2.0}, {1.5, 0.25, -0.75}};

}  // namespace

BOOST_AUTO_TEST_CASE(parameters_of_a_perceptron) {
  const std::size_t n = 33, d = 7, h = 5;
  const perceptron parameters = random_perceptron(d, h);
  auto images = xt::xtensor<float, 2>::from_shape({n, d});
  for (std::size_t i = 0; i < images.size(); ++i) images.data()[i] = std::sin(0.7f * static_cast<float>(i));
  std::vector<int> labels(n);
  for (std::size_t i = 0; i < n; ++i) labels[i] = static_cast<int>(i * 7 % 10);

  const auto step = value_and_gradient(cross_entropy, wrt<0>);
  auto r = step(parameters, images, labels);
  static_assert(std::is_same_v<decltype(r.value), float> && std::is_same_v<decltype(r.gradient), perceptron>);
  const by_hand expected(parameters, images, labels);
  const auto check = [&](const perceptron& g) {
    single(g.w1, expected.w1, "w1");
    single(g.b1, expected.b1, "b1");
    single(g.w2, expected.w2, "w2");
    single(g.b2, expected.b2, "b2");
  };
  BOOST_TEST(std::abs(r.value - expected.value) < 2e-6);
  check(r.gradient);
  const auto& [value, slope] = r;
  BOOST_TEST(value == r.value);
  BOOST_TEST(&slope == &r.gradient);
  check(gradient(cross_entropy, wrt<0>)(parameters, images, labels));

  // Into the same containers.
  const float* const where = r.gradient.w1.data();
  r.gradient.w1.fill(-7), r.value = -7;
  const std::size_t before = tapeless_test::allocations;
  step(into(r), parameters, images, labels);
  const std::size_t after = tapeless_test::allocations;
  BOOST_TEST(after == before);
  BOOST_TEST(r.gradient.w1.data() == where);
  BOOST_TEST(std::abs(r.value - expected.value) < 2e-6);
  check(r.gradient);

  // Into a result of other shapes, and an empty one.
  decltype(r) other;
  step(into(other), parameters, images, labels);
  check(other.gradient);
  const perceptron wide = random_perceptron(d, 9);
  step(into(other), wide, images, labels);
  single(other.gradient.w1, by_hand(wide, images, labels).w1, "wide w1");
}

BOOST_AUTO_TEST_CASE(training_a_perceptron) {
  // Two layers tell which of two numbers has the other sign: no single one can.
  const auto loss = [](const auto& p, const auto& x, const auto& t) {
    const auto& [hidden, last, scale] = p;
    const auto z = scale * (dot(tanh(dot(x, hidden.weights) + hidden.bias), last.weights) + last.bias);
    return mean(softplus(z) - t * z);
  };
  const matrix x{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}, t{{0}, {1}, {1}, {0}};
  network<double> p{{{{0.9, -0.8, 0.3}, {-0.7, 1.1, 0.4}}, {{0.1, -0.2, 0.3}}}, {{{0.6}, {0.5}, {-0.4}}, {{0.0}}}, 1.0};
  const auto step = value_and_gradient(loss, wrt<0>);
  auto r = step(p, x, t);
  static_assert(std::is_same_v<decltype(r.gradient), network<double>>);
  const double first = r.value;
  double last = first;
  for (int i = 0; i < 300; ++i) {
    p = transform_leaves([](double a, double da) { return a - 0.3 * da; }, p, r.gradient);
    step(into(r), p, x, t);
    BOOST_TEST(r.value < last);
    last = r.value;
  }
  BOOST_TEST(first > 0.5);
  BOOST_TEST(last < 0.02);
}

BOOST_AUTO_TEST_CASE(containers_and_views) {
  const auto squares = [](auto v) { return sum(v * v); };
  const std::vector<double> numbers{1, 2, 3};
  const matrix x{{1, 2, 3}, {4, 5, 6}};
  static_assert(std::is_same_v<decltype(gradient(squares)(numbers)), std::vector<double>>);
  BOOST_TEST(gradient(squares)(numbers)[2] == 6.0);
  const std::span<const double> span(numbers);
  static_assert(std::is_same_v<decltype(gradient(squares)(span)), std::vector<double>>);
  BOOST_TEST(gradient(squares)(span)[1] == 4.0);
  BOOST_TEST(gradient(squares)(std::span(numbers).subspan(1))[1] == 6.0);
  // One of fixed extent is numbers, as in the scalar part.
  const std::span<const double, 3> three(numbers);
  static_assert(std::is_same_v<decltype(gradient([](auto v) { return v[0] * v[2]; })(three)), std::array<double, 3>>);
  BOOST_TEST(gradient([](auto v) { return v[0] * v[2]; })(three)[2] == 1.0);
  BOOST_TEST(gradient([](auto m, auto v) { return v[0] * sum(m * v[2]); }, wrt<1>)(x, three)[2] == 21.0);
  const double pair[2] = {2, 3};
  BOOST_TEST(gradient([](auto m, auto v) { return v[0] * sum(m * v[1]); }, wrt<1>)(x, pair)[1] == 42.0);
  BOOST_TEST(gradient(squares)(x)(1, 2) == 12.0);
  BOOST_TEST(gradient(squares)(xt::view(x, xt::all(), 1))(1) == 10.0);
  BOOST_TEST(gradient(squares)(xt::view(x, 1, xt::range(0, 3, 2)))(1) == 12.0);
  const xt::xtensor<double, 2, xt::layout_type::column_major> columns = x;
  BOOST_TEST(gradient(squares)(columns)(1, 2) == 12.0);
  const xt::xarray<double> dynamic = x;
  BOOST_TEST(gradient(squares)(rank<2>(dynamic))(1, 2) == 12.0);
  const xt::xtensor_fixed<double, xt::xshape<2, 2>> fixed{{1, 2}, {3, 4}};
  static_assert(std::is_same_v<decltype(gradient(squares)(fixed)), xt::xtensor_fixed<double, xt::xshape<2, 2>>>);
  BOOST_TEST(gradient(squares)(fixed)(1, 0) == 6.0);
  const std::vector<float> few{1, 2};
  static_assert(std::is_same_v<decltype(value_and_gradient(squares)(few).value), float>);
  BOOST_TEST(gradient(squares)(few)[1] == 4.0f);

  // Several arguments, a tuple; a number, and an array of numbers, which are two numbers.
  const auto g = gradient([](auto v, auto c, auto a) { return sum(exp(v * c) * a[0]) + a[1] * a[1] * v[2]; })(
      numbers, 0.5, std::array{2.0, 3.0});
  static_assert(
      std::is_same_v<std::remove_cvref_t<decltype(g)>, std::tuple<std::vector<double>, double, std::array<double, 2>>>);
  const double e1 = std::exp(0.5), e2 = std::exp(1.0), e3 = std::exp(1.5);
  nearly(std::get<0>(g)[0], e1, "by v[0]");
  nearly(std::get<0>(g)[2], e3 + 9, "by v[2]");
  nearly(std::get<1>(g), 2 * (e1 + 2 * e2 + 3 * e3), "by c");
  nearly(std::get<2>(g)[0], e1 + e2 + e3, "by a[0]");
  nearly(std::get<2>(g)[1], 2 * 3.0 * 3, "by a[1]");
  // In the order asked for.
  const auto [by_c, by_v] = gradient([](auto v, auto c) { return sum(v) * c; }, wrt<1, 0>)(numbers, 0.5);
  BOOST_TEST(by_c == 6.0);
  BOOST_TEST(by_v[0] == 0.5);
}

BOOST_AUTO_TEST_CASE(operations) {
  check_matrix("elementwise", [](auto x) { return sum(exp(x) / (1 + x * x) + where(x > 0, square(x), sin(x))); }, some);
  check_matrix("max and relu", [](auto x) { return sum(max(x, 0.3) * 2 + min(x, -0.5) * relu(x) + abs(x)); }, some);
  check_matrix("sums", [](auto x) { return sum(square(sum<0>(x))) + mean(mean<1>(x, keep_dims) * x); }, some);
  check_matrix("products", [](auto x) { return prod(x) + sum(prod<0>(x) * amax<0>(x)) + amin(x) * norm(x); }, some);
  check_matrix(
      "softmax", [](auto x) { return sum(softmax<1>(x) * x) + sum(log_softmax<0>(x) * x) + logsumexp(x); }, some);
  check_matrix("norms", [](auto x) { return sum(norm<1>(x) * logsumexp<1>(x)) + sum(argmax<1>(x) * x[0](1)); }, some);
  check_matrix(
      "matrices", [](auto x) { return sum(dot(x, transpose(x)) * 0.5) + sum(outer(x[0], x(1)) * outer(x[1], x[1])); },
      some);
  check_matrix(
      "moves",
      [](auto x) {
        return sum(square(slice<1>(x, 0, 2)) * slice<1>(x, -2, 3)) + sum(reshape<3, -1>(x) * transpose(x)) +
               sum(expand_dims<0>(x) * 2.0);
      },
      some);
  check_matrix(
      "joined", [](auto x) { return sum(square(concatenate<1>(x, x * x))) + sum(exp(stack<0>(x, sin(x)))); }, some);
  check_matrix("picked", [](auto x) { return x(0, 1) * x(1, -1) + sum(x[-1] * x[0]) + square(x[1][0]); }, some);
  // Known values.
  const auto value = [](auto f) { return value_and_gradient(f)(some).value; };
  nearly(value([](auto x) { return x(0, 1) * x(1, -1) + sum(x[-1] * x[0]) + square(x[1][0]); }),
         -1.25 * -0.75 + (0.5 * 1.5 - 1.25 * 0.25 - 2.0 * 0.75) + 1.5 * 1.5, "picked");
  nearly(value([](auto x) { return sum(argmax<1>(x) * 3) + amin(x); }), 2 * 3 - 1.25, "argmax");
  nearly(value([](auto x) { return sum(slice<1>(x, 1, 3)) * prod(x[0]); }), (-1.25 + 2.0 + 0.25 - 0.75) * -1.25,
         "slice");
  // Of one tensor.
  nearly(value([](auto x) { return max(x) - 2 * min(x); }), 2.0 + 2 * 1.25, "extremes");
}

BOOST_AUTO_TEST_CASE(loops_in_the_function) {
  // x -> tanh(x) three times: the derivative is the product of the slopes.
  const auto f = [](auto x) {
    auto s = x;
    for (int i = 0; i < 3; ++i) s = tanh(s);
    auto total = decltype(s)(0);
    for (int i = 0; i < 2; ++i) total += s[i];
    return total;
  };
  const std::vector<double> x{0.3, -1.2, 2.0};
  const auto g = gradient(f)(x);
  for (std::size_t i = 0; i < 3; ++i) {
    const double a = std::tanh(x[i]), b = std::tanh(a), c = std::tanh(b);
    nearly(g[i], i < 2 ? (1 - a * a) * (1 - b * b) * (1 - c * c) : 0.0, "tanh");
  }
}

BOOST_AUTO_TEST_CASE(stops) {
  const std::vector<double> x{1, 2, 3}, t{0.5, -1, 4};
  // The target is a constant: the gradient is that of a square with it frozen.
  const auto loss = [](auto v, auto c) { return sum(square(v - stop_gradient(tanh(v) * c))) + stop_gradient(sum(v)); };
  const auto g = gradient(loss)(x, t);
  for (std::size_t i = 0; i < 3; ++i) nearly(std::get<0>(g)[i], 2 * (x[i] - std::tanh(x[i]) * t[i]), "frozen target");
  BOOST_TEST(std::get<1>(g).size() == 3u);
  for (const double by_target : std::get<1>(g)) BOOST_TEST(by_target == 0.0);
  // The structs' members likewise.
  const auto frozen = [](const auto& p) {
    const auto stopped = stop_gradient(p);
    return sum(p.weights * stopped.bias);
  };
  const layer<std::vector<double>> p{x, t};
  const auto h = gradient(frozen)(p);
  BOOST_TEST((h.weights == t));
  BOOST_TEST((h.bias == std::vector<double>(3, 0.0)));
}

BOOST_AUTO_TEST_CASE(structs) {
  const matrix x{{1, 0}, {0, 1}, {1, 1}};
  const network<double> p{{{{1, 2}, {3, 4}}, {{0.5, 0.25}}}, {{{1}, {2}}, {{0.1}}}, 2.0};
  const auto linear = [](const auto& model, const auto& data) {
    const auto& [hidden, last, scale] = model;
    return scale * sum(dot(dot(data, hidden.weights) + hidden.bias, last.weights) + last.bias);
  };
  // scale sum_i ((x_i W + b) v + c), by hand.
  const auto r = value_and_gradient(linear)(p, x);
  const auto& [g, by_x] = r.gradient;
  nearly(r.value, 2 * (5 + 11 + 16 + 3 * 1.0 + 3 * 0.1), "value");
  nearly(g.hidden.weights(0, 1), 2 * 2 * 2, "W");
  nearly(g.hidden.bias(0, 1), 2 * 3 * 2, "b");
  nearly(g.last.weights(0, 0), 2 * (1 + 3 + 4 + 3 * 0.5), "v");
  nearly(g.last.bias(0, 0), 2 * 3, "c");
  nearly(g.scale, r.value / 2, "scale");
  nearly(by_x(2, 1), 2 * (3 + 8), "x");

  // A plain struct with a view and integers: the gradient owns its elements, integers have none.
  const std::vector<double> numbers{1, 2, 3};
  const models::samples s{numbers, 4.0, {5, 6}, 2};
  const auto h = gradient([](const auto& v) {
    const auto& [at, shift, labels, count] = v;
    return sum(at * shift) + sum(labels) * shift + sum(slice<0>(at, 0, count)) + at[count];
  })(s);
  const auto& [by_at, by_shift, by_labels, by_count] = h;
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(by_at)>, std::vector<double>>);
  BOOST_TEST((by_at == std::vector<double>{5, 5, 5}));
  BOOST_TEST(by_shift == 6.0 + 11.0);
  BOOST_TEST((by_labels == std::vector<int>{0, 0}));
  BOOST_TEST(by_count == 0);
  BOOST_TEST((h[&models::samples::shift] == by_shift));

  // An array of tensors, a tuple of a struct and a number; numbers of two kinds.
  const std::array<std::vector<float>, 2> pair{std::vector<float>{1, 2}, {3, 4}};
  const layer<std::vector<double>> weights{{1, 2}, {5, 6}};
  const auto [by_pair, by_weights] =
      gradient([](auto a, auto w) { return sum(a[0] * a[1] * w.weights) + sum(w.bias); })(pair, weights);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(by_pair)>, std::array<std::vector<double>, 2>>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(by_weights)>, layer<std::vector<double>>>);
  BOOST_TEST((by_pair[1] == std::vector<double>{1, 4}));
  BOOST_TEST((by_weights.weights == std::vector<double>{3, 8}));
  BOOST_TEST((by_weights.bias == std::vector<double>{1, 1}));

  // A struct of floats in a computation in double keeps its floats, with into(r) too.
  const layer<std::vector<float>> single{{1, 2}, {3, 4}};
  const auto both = value_and_gradient([](auto w, auto v) { return sum(w.weights * v * v) + sum(w.bias * 2); }, wrt<0>);
  auto q = both(single, std::vector<double>{3, 5});
  static_assert(std::is_same_v<decltype(q.gradient), layer<std::vector<float>>>);
  static_assert(std::is_same_v<decltype(q.value), double>);
  BOOST_TEST((q.gradient.weights == std::vector<float>{9, 25}));
  const std::vector<double> twos{2, 2};
  const std::size_t before = tapeless_test::allocations;
  both(into(q), single, twos);
  const std::size_t after = tapeless_test::allocations;
  BOOST_TEST(after == before);
  BOOST_TEST((q.gradient.weights == std::vector<float>{4, 4}));
  BOOST_TEST((q.gradient.bias == std::vector<float>{2, 2}));
}

BOOST_AUTO_TEST_CASE(integer_arguments) {
  const std::vector<double> x{1, 2, 3, 4};
  const auto at = [](auto v, auto i, auto classes, auto labels) {
    return v[i] * v(i) + sum(slice<0>(v, i, 4)) + sum(one_hot(labels, classes) * 3.0) + take(v, labels)[0] + v[0];
  };
  const std::vector<int> labels{3, 1};
  const auto r = value_and_gradient(at, wrt<0>)(x, 2, 5, labels);
  nearly(r.value, 9.0 + 7.0 + 6.0 + 4.0 + 1.0, "value");
  BOOST_TEST((r.gradient == std::vector<double>{1, 0, 7, 2}));
  const auto one = [](auto v, auto i) { return v[i]; };
  BOOST_TEST(tapeless_test::message_of<std::exception>([&] { gradient(one, wrt<0>)(x, 4); }) ==
             "tapeless: index 4 is not valid for an axis of extent 4");
  BOOST_TEST(tapeless_test::message_of<std::out_of_range>([&] { gradient(one, wrt<0>)(x, -5); }) ==
             "tapeless: index -5 is not valid for an axis of extent 4");
  BOOST_CHECK_THROW(gradient([](auto v) { return v[-5]; })(x), std::out_of_range);
  BOOST_TEST(gradient([](auto v) { return v[-4]; })(x)[0] == 1.0);
  // What is broadcast elsewhere still has one element.
  const auto beside = [](auto v, auto w) { return v[1] + sum(v * w); };
  BOOST_CHECK_THROW(gradient(beside, wrt<0>)(std::vector<double>{2}, x), std::out_of_range);
}

template <class T>
void negative_indices(std::ptrdiff_t n) {
  std::vector<T> x;
  xt::xtensor<T, 2> rows = xt::xtensor<T, 2>::from_shape({static_cast<std::size_t>(n), 2});
  xt::xtensor<T, 2> both = xt::xtensor<T, 2>::from_shape({2, static_cast<std::size_t>(n)});
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    x.push_back(static_cast<T>(k + 2));
    rows(k, 0) = static_cast<T>(k + 1), rows(k, 1) = static_cast<T>(10 * k);
    both(0, k) = x.back(), both(1, k) = 3 * x.back();
  }
  const auto one = [](auto v, auto i) { return v[i]; };
  const auto product = [](auto v, auto i, auto j) { return v[i] * v[j]; };
  // Beside a loop whose steps pick an element themselves.
  const auto in_steps = [](auto v, auto i) {
    return v[i] + scan([&](auto sum, auto e) { return sum + e * v[i]; }, 0.0, v);
  };
  const auto of_row = [](const auto& m, auto i) { return sum(m[i] * m(i, 1)); };
  T sum = 0;
  for (const T e : x) sum += e;
  for (std::ptrdiff_t i = -n; i < n; ++i) {
    const std::ptrdiff_t at = i < 0 ? i + n : i;
    const T own = x[static_cast<std::size_t>(at)];
    std::vector<T> hot(x.size());
    hot[static_cast<std::size_t>(at)] = 1;
    BOOST_TEST(value(one)(x, i) == own);
    BOOST_TEST((gradient(one, wrt<0>)(x, i) == hot));
    BOOST_TEST(value(in_steps)(x, i) == own + sum * own);
    const auto stepped = gradient(in_steps, wrt<0>)(x, i);
    for (std::size_t k = 0; k < x.size(); ++k) BOOST_TEST(stepped[k] == own + hot[k] * (1 + sum));
    const auto second = hessian(product, wrt<0>)(x, i, -1);
    for (std::ptrdiff_t a = 0; a < n; ++a)
      for (std::ptrdiff_t b = 0; b < n; ++b)
        BOOST_TEST(second(a, b) == T((a == at && b == n - 1) + (b == at && a == n - 1)));
    const T first = rows(at, 0), last = rows(at, 1);
    BOOST_TEST(value(of_row)(rows, i) == first * last + last * last);
    const auto by_rows = gradient(of_row, wrt<0>)(rows, i);
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      BOOST_TEST(by_rows(k, 0) == (k == at ? last : 0));
      BOOST_TEST(by_rows(k, 1) == (k == at ? first + 2 * last : 0));
    }
    const auto of_both = batched(value(one))(each(both), i);
    BOOST_TEST(of_both[0] == own);
    BOOST_TEST(of_both[1] == 3 * own);
  }
  for (const std::ptrdiff_t i : {-n - 1, n, n + 4}) {
    BOOST_CHECK_THROW(value(one)(x, i), std::out_of_range);
    BOOST_CHECK_THROW(value(in_steps)(x, i), std::out_of_range);
    BOOST_CHECK_THROW(gradient(of_row, wrt<0>)(rows, i), std::out_of_range);
  }
}

BOOST_AUTO_TEST_CASE(indices_from_the_back) {
  for (const std::ptrdiff_t n : {1, 3}) negative_indices<double>(n), negative_indices<float>(n);
}

BOOST_AUTO_TEST_CASE(verbs_of_numbers_inside) {
  // a -> a^3 at x[1], times the sum.
  const auto f = [](auto x) { return gradient([](auto a) { return a * a * a; })(x[1]) * sum(x); };
  const auto g = gradient(f)(std::vector<double>{1, 2, 3});
  nearly(g[0], 12, "by x[0]");
  nearly(g[1], 12 + 6 * 2 * 6, "by x[1]");
}

BOOST_AUTO_TEST_CASE(empty_extents) {
  const auto f = [](auto x, auto v) { return sum(dot(x, v) * 2.0) + sum(v); };
  const std::vector<double> none, three{1, 2, 3};
  const auto r = value_and_gradient(f)(matrix(matrix::shape_type{0, 3}), three);
  BOOST_TEST(r.value == 6.0);
  BOOST_TEST((std::get<0>(r.gradient).shape() == matrix::shape_type{0, 3}));
  BOOST_TEST((std::get<1>(r.gradient) == std::vector<double>{1, 1, 1}));
  const auto q = value_and_gradient(f)(matrix(matrix::shape_type{2, 0}), none);
  BOOST_TEST(q.value == 0.0);
  BOOST_TEST(std::get<1>(q.gradient).empty());
  BOOST_TEST(std::isnan(value_and_gradient([](auto x) { return mean(x); })(none).value));
  BOOST_CHECK_THROW(gradient([](auto x) { return amax(x); })(none), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(wrong_shapes) {
  perceptron p = random_perceptron(4, 3);
  const auto images = xt::xtensor<float, 2>::from_shape({5, 4});
  const std::vector<int> labels{1, 2, 3, 4, 5};
  const auto step = value_and_gradient(cross_entropy, wrt<0>);
  auto r = step(p, images, labels);
  r.gradient.w1.fill(9), r.value = 9;
  p.b1 = xt::xtensor<float, 1>{1, 2};
  const std::string said = tapeless_test::message_of<std::exception>([&] { step(into(r), p, images, labels); });
  BOOST_TEST(said ==
             "tapeless: the shapes do not broadcast: argument 0.w1 (4, 3) and argument 0.b1 (2), operands of add");
  // Before anything was written.
  BOOST_TEST(r.value == 9);
  BOOST_TEST(r.gradient.w1(3, 2) == 9);
  BOOST_TEST(r.gradient.b1.size() == 3u);
  const auto dots = [](auto a, auto b) { return sum(dot(a, b)); };
  BOOST_TEST(
      tapeless_test::message_of<std::exception>([&] { gradient(dots)(some, std::vector<double>{1, 2}); }) ==
      "tapeless: the shapes do not broadcast: argument 0 (2, 3) and argument 1 (2), operands of dot or multiply");
}

BOOST_AUTO_TEST_CASE(results_where_arguments_lie) {
  // The gradient of the sum of cubes, again and again in place.
  const auto step = value_and_gradient([](auto x) { return sum(x * x * x + sum(x) * x); });
  auto r = step(std::vector<double>{1, 2, 3});
  const std::vector<double> here = r.gradient;
  BOOST_TEST((here == std::vector<double>{15, 24, 39}));
  step(into(r), r.gradient);
  const double total = 15 + 24 + 39;
  for (std::size_t i = 0; i < 3; ++i) nearly(r.gradient[i], 3 * here[i] * here[i] + 2 * total, "in place");
  auto g = gradient([](auto x) { return sum(x * x); })(here);
  gradient([](auto x) { return sum(x * x); })(into(g), g);
  BOOST_TEST((g == std::vector<double>{60, 96, 156}));
}

BOOST_AUTO_TEST_CASE(transformed_leaves) {
  const layer<matrix> p{some, some * 2.0};
  const auto sums = transform_leaves([](double a, double b) { return a + b; }, p, layer<matrix>{p.bias, p.weights});
  for (std::size_t i = 0; i < some.size(); ++i) {
    nearly(sums.weights.data()[i], 3 * some.data()[i], "weights");
    nearly(sums.bias.data()[i], 3 * some.data()[i], "bias");
  }
  // Other layouts and number types; integers stay.
  const xt::xtensor<float, 2, xt::layout_type::column_major> columns = some;
  const matrix difference =
      transform_leaves([](double a, float b, double c) { return a - b + c; }, some, columns, some);
  BOOST_TEST((difference == some));
  const auto [labels, numbers] =
      transform_leaves([](auto a) { return a + 1; }, std::tuple(std::vector{1, 2}, std::vector{1.0, 2.0}));
  BOOST_TEST((labels == std::vector{1, 2}));
  BOOST_TEST((numbers == std::vector{2.0, 3.0}));
  BOOST_TEST(tapeless_test::message_of<std::exception>([&] {
               transform_leaves([](auto a, auto) { return a; }, some, matrix{{1, 2}});
             }) == "tapeless: the structures of transform_leaves must have the same shape: (2, 3) and (1, 2)");
}

namespace plain {

struct layer {
  xt::xtensor<double, 2> w;
  xt::xtensor<double, 1> b;
};

}  // namespace plain

// w x + b is (5.5, 11.25).
BOOST_AUTO_TEST_CASE(plain_structs_data_and_lists_of_variables) {
  const plain::layer p{{{1., 2.}, {3., 4.}}, {0.5, 0.25}};
  const xt::xtensor<double, 1> x{1., 2.};
  const auto loss = [](const auto& parameters, const auto& in) {
    const auto& [w, b] = parameters;
    return sum(square(dot(w, in) + b));
  };
  const auto r = value_and_gradient(bind_back(loss, std::cref(x)))(p);
  BOOST_TEST(r.value == 5.5 * 5.5 + 11.25 * 11.25);
  BOOST_TEST(r.gradient.w(1, 1) == 45.0);
  BOOST_TEST(r.gradient.b(0) == 11.0);
  BOOST_TEST(gradient(bind_back([](auto a, const auto& in) { return sum(square(in * a)); }, std::vector{1., 2., 3.}))(
                 2.0) == 56.0);
  constexpr auto w = variable<"w">;
  constexpr auto b = variable<"b">;
  constexpr auto in = variable<"in">;
  constexpr auto parameters = variables(w, b);
  const auto [gw, gb] = gradient(sum(square(dot(w, in) + b)), wrt(parameters))(parameters = p, in = x);
  BOOST_TEST(gw(1, 1) == 45.0);
  BOOST_TEST(gb(0) == 11.0);
}

// Lanes against numbers, of operations whose lanes are made of others or go through the C library one by one.
BOOST_AUTO_TEST_CASE(c_functions_and_densities_over_tensors) {
  auto x = xt::xtensor<double, 1>::from_shape({37});
  for (std::size_t i = 0; i < 37; ++i) x(i) = 0.375 * static_cast<double>(i) - 6.03125;
  const auto compare = [&](auto of_tensor, auto of_number) {
    const auto over = value_and_gradient(of_tensor)(x);
    double total = 0;
    for (std::size_t i = 0; i < 37; ++i) {
      const auto one = value_and_gradient(of_number)(x(i));
      total += one.value;
      nearly(over.gradient(i), one.gradient, "derivative");
    }
    nearly(over.value, total, "sum");
  };
#define TAPELESS_COMPARE(...)                                                                                          \
  compare([](const auto& v) { return sum(__VA_ARGS__); }, [](auto v) { return __VA_ARGS__; })
  TAPELESS_COMPARE(trunc(v) * v);
  TAPELESS_COMPARE(fmod(v, 0.75));
  TAPELESS_COMPARE(fmod(2.5, v));
  TAPELESS_COMPARE(copysign(square(v), v));
  TAPELESS_COMPARE(tgamma(v));
  TAPELESS_COMPARE(fmax(v, 1.5) * fmin(v, -1.5) + fma(v, v, 1.0) + hypot(v, 2.0, v));
  TAPELESS_COMPARE(normal_cdf(v));
  TAPELESS_COMPARE(log_normal_cdf(2.0 * v));
  TAPELESS_COMPARE(student_t_lpdf(v, 4.0, 0.5, 2.0) + normal_lpdf(v, 0.5, 2.0));
  TAPELESS_COMPARE(gamma_lpdf(square(v), 1.5, 2.0) + poisson_log_lpmf(3, v));
#undef TAPELESS_COMPARE
}

namespace outsider {

using namespace tapeless::literals;

/// x / (1 + |x|), of numbers and of lanes.
struct Softsign {
  static constexpr std::string_view name = "softsign";
  static constexpr auto value = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x)>;
    return x / (T(1) + tapeless::math::abs(x));
  };
  static constexpr tapeless::rules partials{[](auto x, auto) { return 1_c / square(1_c + abs(x)); }};
};
/// The same with a function for lanes, which counts how often it runs.
inline int calls_on_lanes = 0;
struct SoftsignOfLanes : Softsign {
  static constexpr std::string_view name = "softsign_of_lanes";
  static constexpr auto lanes = [](const auto& x) {
    ++calls_on_lanes;
    return Softsign::value(x);
  };
};
/// The differences of neighbours along an axis.
template <int Axis>
struct Diff {
  static constexpr std::string_view name = "diff";
  static constexpr bool of_tensors = true;
  template <class Lowering, class Value>
  static constexpr Value lower(Lowering& to, const Value& x) {
    const Value first = to.scalar(to.graph.constant(0)), second = to.scalar(to.graph.constant(1)),
                last = to.scalar(to.graph.constant(-1));
    Value operands[] = {to.slice(x, Axis, second), to.slice(x, Axis, first, &last)};
    return to.elementwise(tapeless::program::info<tapeless::operation::Subtract>, operands, 2);
  }
};
/// 1 minus the product of all 1 - x: the probability of any of independent events.
struct AnyOf {
  static constexpr std::string_view name = "any_of";
  static constexpr bool reduces = true;
  template <class T>
  static constexpr T neutral() {
    return T(0);
  }
  static constexpr auto combine = [](const auto& a, const auto& b) { return a + b - a * b; };
  static constexpr tapeless::rules partials{[](auto x, auto y, auto) { return (1_c - y) / (1_c - x); }};
};
/// The root of the mean square.
struct RootMeanSquare {
  static constexpr std::string_view name = "rms";
  static constexpr auto over = [](auto x, auto axes) { return sqrt(axes.sum(x * x) / axes.extent()); };
};
template <int... Axes, class E>
constexpr auto rms(const E& e) {
  return tapeless::apply<tapeless::operation::OverAxes<RootMeanSquare, false, Axes...>>(e);
}

}  // namespace outsider

// Softsign of (1, 4, 9, 16) is (1/2, 4/5, 9/10, 16/17).
BOOST_AUTO_TEST_CASE(operations_of_others_over_tensors) {
  constexpr auto x = variable<"x">;
  const xt::xtensor<double, 1> v{1., 4., 9., 16.};
  const double last = 16. / 17 - 0.9;
  const auto r = value_and_gradient(sum(square(apply<outsider::Diff<0>>(apply<outsider::Softsign>(x)))))(x = v);
  nearly(r.value, 0.3 * 0.3 + 0.1 * 0.1 + last * last, "value");
  nearly(r.gradient[x](1), 2 * (0.3 - 0.1) / 25, "derivative");
  const auto f = value_and_gradient(
      [](const auto& a) { return sum(square(apply<outsider::Diff<0>>(apply<outsider::Softsign>(a)))); })(v);
  nearly(f.gradient(1), 2 * (0.3 - 0.1) / 25, "derivative of a function");

#ifdef TAPELESS_HAS_XSIMD
  // 37 numbers in lanes of at least 2 and a rest, which is filled up.
  xt::xtensor<double, 1> many({37}, 4.);
  outsider::calls_on_lanes = 0;
  nearly(sum(apply<outsider::SoftsignOfLanes>(x))(x = many), 37 * 0.8, "sum by lanes");
  BOOST_TEST(outsider::calls_on_lanes > 0);
  BOOST_TEST(outsider::calls_on_lanes <= 19);
#endif

  // 1 - 0.5 * 0.75 * 0.8 = 0.7; by the second, 0.5 * 0.8.
  using any = operation::OverAxes<outsider::AnyOf, false>;
  const xt::xtensor<double, 1> p{0.5, 0.25, 0.2};
  const auto q = value_and_gradient(apply<any>(x))(x = p);
  nearly(q.value, 0.7, "probability");
  nearly(q.gradient[x](1), 0.4, "derivative by a probability");

  // Rows (3, 4) and (6, 8): roots of 12.5 and 50.
  const xt::xtensor<double, 2> m{{3., 4.}, {6., 8.}};
  const auto s = value_and_gradient(sum(outsider::rms<1>(x)))(x = m);
  nearly(s.value, std::sqrt(12.5) + std::sqrt(50.0), "root mean square");
  nearly(s.gradient[x](1, 0), 6 / (2 * std::sqrt(50.0)), "derivative of a root mean square");
}

BOOST_AUTO_TEST_CASE(sequences_of_a_loop) {
  constexpr auto f = [](auto p, auto xs) { return scan([&](auto c, auto x) { return c * p + x; }, p, xs); };
  const xt::xtensor<double, 1> all{1, 2, 3};
  // p^4 + p^2 + 2 p + 3, and of the first and the last p^3 + p + 3
  BOOST_TEST(gradient(f, wrt<0>)(0.5, all) == 3.5);
  BOOST_TEST(gradient(f, wrt<0>)(0.5, xt::view(all, xt::range(0, 3, 2))) == 1.75);
}

BOOST_AUTO_TEST_CASE(members_with_long_names) {
  const models::nested<8> p{{{{{{{{{{1, 2}, {3, 4}}}}}}}}}};
  const auto [value, gradient] = value_and_gradient(models::innermost_product{})(p);
  BOOST_TEST(value == 11);
  const auto& inner = gradient.the_structure_inside.the_structure_inside.the_structure_inside.the_structure_inside;
  const auto& g = inner.the_structure_inside.the_structure_inside.the_structure_inside.the_structure_inside;
  BOOST_TEST((g.first == std::vector<double>{3, 4}));
  BOOST_TEST((g.second == std::vector<double>{1, 2}));
}

BOOST_AUTO_TEST_CASE(slices_to_the_end) {
  constexpr auto x = variable<"x">;
  const xt::xtensor<double, 1> v{1., 4., 9., 16.};
  const auto r = value_and_gradient(sum(square(slice<0>(x, 1))))(x = v);
  BOOST_TEST(r.value == 16. + 81 + 256);
  BOOST_TEST(r.gradient[x](0) == 0.0);
  BOOST_TEST(r.gradient[x](3) == 32.0);
  // Bounds are integer arguments of a function.
  const auto squares_from = [](const auto& a, auto begin) { return sum(square(slice<0>(a, begin))); };
  BOOST_TEST(value_and_gradient(squares_from, wrt<0>)(v, 2).value == 81. + 256);
  BOOST_TEST(value_and_gradient(squares_from, wrt<0>)(v, -1).value == 256);
  const auto inner = [](const auto& a, auto begin, auto end) { return sum(square(slice<0>(a, begin, end))); };
  BOOST_TEST(value_and_gradient(inner, wrt<0>)(v, 1, -1).value == 16. + 81);
  BOOST_CHECK_THROW(gradient(squares_from, wrt<0>)(v, 5), std::out_of_range);
  const xt::xtensor<double, 2> m{{1., 2.}, {3., 4.}};
  BOOST_TEST(sum(slice<1>(x, 1) * slice<1>(x, -1))(x = m) == 4.0 + 16);
}
