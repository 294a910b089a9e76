// Structs as arguments of functions and as operands of stops: values by closed forms, types by static_assert.
#include <tapeless/tapeless.hpp>

#include <boost/hana/adapt_struct.hpp>
#include <boost/hana/at_key.hpp>
#include <boost/hana/define_struct.hpp>
#include <boost/hana/fold.hpp>
#include <boost/hana/members.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/transform.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/unpack.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <type_traits>

using namespace tapeless;
namespace hana = boost::hana;
namespace tt = boost::test_tools;

namespace model {

using big = boost::multiprecision::cpp_bin_float_50;

// Members of fixed types: a traced function reads them without names.
struct oscillator {
  double mass, stiffness;
};

struct settings {
  float scale;
  bool squared;
  int power;
  std::array<int, 2> shift;
};

// Class templates over the number type: a traced function sees the same members.
template <class T>
struct line {
  std::array<T, 2> slope;
  T offset;
};

// An integer stays one, whatever the number type.
template <class T>
struct power_law {
  BOOST_HANA_DEFINE_STRUCT(power_law, (T, scale), (int, exponent), (T, shift), (bool, squared));
};

template <class T>
struct sum_of_power_laws {
  BOOST_HANA_DEFINE_STRUCT(sum_of_power_laws, (power_law<T>, first), (T, weight));
};

template <class T, std::size_t N>
struct layer {
  BOOST_HANA_DEFINE_STRUCT(layer, (std::array<std::array<T, N>, N>, weights), (std::array<T, N>, bias));
};

template <class T>
struct network {
  BOOST_HANA_DEFINE_STRUCT(network, (std::array<layer<T, 2>, 2>, layers), (std::tuple<T, line<T>>, head));
};

// Adapted for `traced` too, so that it is a struct for Boost.Hana and for stops in traced functions.
template <class T>
struct range {
  T low, high;
};

// Adapted in another order than declared.
template <class T>
struct swapped {
  T first, second;
};

// With a constructor, and a member that is not adapted.
class box {
 public:
  explicit box(std::string text) : label(std::move(text)) {}
  box() : box("made by default") {}
  double width = 1, height = 2;
  std::string label;
};

struct formulas {
  Variable<"x"> x;
  decltype(variable<"x"> * variable<"y">) product;
  double number;
};

template <class A, class B>
struct parts {
  A a;
  B b;
};

struct point {
  double x;
};
struct weighted_point : point {
  double weight;
};

template <class A, class B>
struct pair_of {
  BOOST_HANA_DEFINE_STRUCT(pair_of, (A, a), (B, b), (std::string, text));
};

}  // namespace model

BOOST_HANA_ADAPT_STRUCT(model::oscillator, mass, stiffness);
BOOST_HANA_ADAPT_STRUCT(model::settings, scale, squared, power, shift);
BOOST_HANA_ADAPT_STRUCT(model::line<double>, slope, offset);
BOOST_HANA_ADAPT_STRUCT(model::line<model::big>, slope, offset);
BOOST_HANA_ADAPT_STRUCT(model::range<double>, low, high);
BOOST_HANA_ADAPT_STRUCT(model::range<tapeless::traced>, low, high);
BOOST_HANA_ADAPT_STRUCT(model::swapped<double>, second, first);
BOOST_HANA_ADAPT_STRUCT(model::box, width, height);
BOOST_HANA_ADAPT_STRUCT(model::formulas, x, product, number);
using formula_parts = model::parts<Variable<"x">, Variable<"x">>;
BOOST_HANA_ADAPT_STRUCT(formula_parts, a, b);
BOOST_HANA_ADAPT_STRUCT(model::weighted_point, x, weight);

namespace {

const auto near = tt::tolerance(1e-13);

// (2 m + k^2) t, its gradient (2 t, 2 k t; 2 m + k^2)
constexpr auto by_bindings = [](auto p, auto t) {
  const auto [m, k] = p;
  return (2 * m + k * k) * t;
};
constexpr auto by_pointers = [](auto p, auto t) {
  return (2 * p[&model::oscillator::mass] + square(p[&model::oscillator::stiffness])) * t;
};
constexpr auto by_keys = [](auto p, auto t) {
  return (2 * hana::at_key(p, BOOST_HANA_STRING("mass")) + square(hana::at_key(p, BOOST_HANA_STRING("stiffness")))) * t;
};
constexpr auto by_unpacking = [](auto p, auto t) {
  return hana::unpack(hana::members(p), [&](auto m, auto k) { return (2 * m + k * k) * t; });
};

constexpr auto is_right_for_oscillator = [](auto f) {
  const auto [p, t] = gradient(f)(model::oscillator{3, 5}, 7.0);
  static_assert(std::is_same_v<decltype(p), const model::oscillator>);
  return p.mass == 14 && p.stiffness == 70 && t == 31;
};

constexpr auto prediction = [](auto p, auto x) { return p.slope[0] * x[0] + p.slope[1] * x[1] + p.offset; };

}  // namespace

BOOST_AUTO_TEST_CASE(plain_struct) {
  static_assert(is_right_for_oscillator(by_bindings));
  static_assert(is_right_for_oscillator(by_pointers));
  static_assert(is_right_for_oscillator(by_keys));
  static_assert(is_right_for_oscillator(by_unpacking));
  const auto only = value_and_gradient(by_pointers, wrt<0>)(model::oscillator{3, 5}, 7.0);
  static_assert(std::is_same_v<decltype(only.gradient), model::oscillator>);
  BOOST_TEST(only.value == 217);
  BOOST_TEST(only.gradient.stiffness == 70);
}

BOOST_AUTO_TEST_CASE(inherited_members) {
  constexpr auto g = gradient([](auto p) {
    return square(p[&model::weighted_point::x]) * p[&model::weighted_point::weight];
  })(model::weighted_point{{3}, 5});
  static_assert(g.x == 30 && g.weight == 9);
}

BOOST_AUTO_TEST_CASE(class_template) {
  constexpr auto f = [](auto p, auto x) { return square(prediction(p, x)); };
  constexpr auto g = gradient(f, wrt<0>)(model::line<double>{{1, 2}, 3}, std::array{0.5, 4.0});
  static_assert(std::is_same_v<decltype(g), const model::line<double>>);
  // 2 r (x0, x1, 1) with r = 0.5 + 8 + 3
  static_assert(g.slope[0] == 11.5 && g.slope[1] == 92 && g.offset == 23);

  const auto big = gradient(f, wrt<0>)(model::line<model::big>{{1, 2}, 3}, std::array{0.5, 4.0});
  static_assert(std::is_same_v<decltype(big), const model::line<model::big>>);
  BOOST_TEST(big.slope[1] == 92);

  const auto order = gradient([](auto p) {
    const auto& [second, first] = p;
    return first * first + 3 * second;
  })(model::swapped<double>{5, 7});
  BOOST_TEST(order.first == 10);
  BOOST_TEST(order.second == 3);
  const auto named = gradient([](auto p) {
    return square(p[&model::swapped<double>::first]) + 3 * p[&model::swapped<double>::second];
  })(model::swapped<double>{5, 7});
  BOOST_TEST(named.first == 10);
}

BOOST_AUTO_TEST_CASE(nested) {
  using network = model::network<double>;
  constexpr auto f = [](auto p, auto x) {
    for (const auto& layer : p.layers) {
      auto next = layer.bias;
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) next[i] += layer.weights[i][j] * x[j];
      x = next;
    }
    const auto& [factor, output] = p.head;
    return factor * prediction(output, x);
  };
  constexpr network at{{{{{{{1, 2}, {3, 4}}}, {5, 6}}, {{{{7, 8}, {9, 10}}}, {11, 12}}}},
                       {0.5, model::line<double>{{13, 14}, 15}}};
  // h = (6, 7), y = (109, 136)
  constexpr auto all = value_and_gradient(f)(at, std::array{-1.0, 1.0});
  static_assert(all.value == 0.5 * (13 * 109 + 14 * 136 + 15));
  constexpr network g = std::get<0>(all.gradient);
  static_assert(std::get<0>(g.head) == 13 * 109 + 14 * 136 + 15);
  static_assert(std::get<1>(g.head).slope[1] == 0.5 * 136 && std::get<1>(g.head).offset == 0.5);
  static_assert(g.layers[1].bias[0] == 6.5 && g.layers[1].bias[1] == 7);
  static_assert(g.layers[1].weights[0][1] == 6.5 * 7 && g.layers[1].weights[1][0] == 7 * 6);
  // Through the second layer: W^T (6.5, 7) = (108.5, 122)
  static_assert(g.layers[0].bias[0] == 108.5 && g.layers[0].weights[1][0] == -122);
  static_assert(std::get<1>(all.gradient)[1] == 2 * 108.5 + 4 * 122);
}

BOOST_AUTO_TEST_CASE(arrays_and_tuples) {
  const std::array<std::array<double, 3>, 2> matrix{{{1, 2, 3}, {4, 5, 6}}};
  const auto g = gradient([](auto m) { return m[0][0] * m[1][2] + m[0][1] * m[0][1]; })(matrix);
  static_assert(std::is_same_v<decltype(g), const std::array<std::array<double, 3>, 2>>);
  BOOST_TEST(g[0][0] == 6);
  BOOST_TEST(g[0][1] == 4);
  BOOST_TEST(g[1][2] == 1);

  const std::array<model::oscillator, 2> two{{{1, 2}, {3, 4}}};
  const auto of_structs =
      gradient([](auto p) { return p[0][&model::oscillator::mass] * p[1][&model::oscillator::stiffness]; })(two);
  static_assert(std::is_same_v<decltype(of_structs), const std::array<model::oscillator, 2>>);
  BOOST_TEST(of_structs[0].mass == 4);
  BOOST_TEST(of_structs[0].stiffness == 0);
  BOOST_TEST(of_structs[1].stiffness == 1);

  // Arrays and tuples take the number type of the call, structs keep their own.
  const auto t = gradient([](auto p, auto a) { return std::get<0>(p) * std::get<1>(p)[0] * a; })(
      std::tuple(2.0f, std::array{3.0f}), 5.0);
  static_assert(std::is_same_v<decltype(t), const std::tuple<std::tuple<double, std::array<double, 1>>, double>>);
  BOOST_TEST(std::get<0>(std::get<0>(t)) == 15);
}

BOOST_AUTO_TEST_CASE(integers_are_constants) {
  constexpr auto f = [](auto s, auto x, auto n) {
    const auto [scale, squared, power, shift] = s;
    return where(squared, square(scale), scale) * power * x + shift[1] * n;
  };
  constexpr auto g = value_and_gradient(f, wrt<0, 1>)(model::settings{3, true, 5, {1, 2}}, 7.0, 11);
  static_assert(std::is_same_v<decltype(g.value), double>);
  static_assert(g.value == 9 * 5 * 7 + 22);
  constexpr model::settings ds = std::get<0>(g.gradient);
  static_assert(ds.scale == 2 * 3 * 5 * 7 && !ds.squared && ds.power == 0 && ds.shift[1] == 0);
  static_assert(std::get<1>(g.gradient) == 45);
  const auto h = hessian(f, wrt<0, 1>)(model::settings{3, false, 5, {1, 2}}, 7.0, 11);
  static_assert(std::is_same_v<decltype(h), const std::array<std::array<double, 2>, 2>>);
  BOOST_TEST(h[0][1] == 5);
  BOOST_TEST(jvp(f, tangent(model::settings{1, false, 0, {}}, 2.0, 0))(model::settings{3, true, 5, {1, 2}}, 7.0, 11) ==
             210 + 2 * 45);
}

BOOST_AUTO_TEST_CASE(all_verbs) {
  constexpr auto f = [](auto p, auto x) { return square(prediction(p, x)); };
  const model::line<double> p{{1, 2}, 3};
  const std::array x{0.5, 4.0};
  // H = 2 u u^T with u = (x0, x1, 1)
  const auto h = hessian(f, wrt<0>)(p, x);
  static_assert(std::is_same_v<decltype(h), const std::array<std::array<double, 3>, 3>>);
  BOOST_TEST(h[0][1] == 4);
  BOOST_TEST(h[2][2] == 2);
  const auto all = hessian(f)(p, x);
  BOOST_TEST(all.size() == 5u);
  // d^2 / d slope0 dx0 = 2 r + 2 x0 slope0
  BOOST_TEST(all[0][3] == 2 * 11.5 + 2 * 0.5);
  const auto [value, j] =
      value_and_jacobian([](auto q, auto y) { return std::array{prediction(q, y), q.offset * y[0]}; }, wrt<0>)(p, x);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(j)>, std::array<std::array<double, 3>, 2>>);
  BOOST_TEST(value[0] == 11.5);
  BOOST_TEST(j[0][1] == 4);
  BOOST_TEST(j[1][0] == 0);
  BOOST_TEST(j[1][2] == 0.5);
  const auto direction = tangent(model::line<double>{{1, -1}, 2}, std::array{0.0, 0.0});
  // u.v = 0.5 - 4 + 2
  BOOST_TEST(jvp(f, direction)(p, x) == 2 * 11.5 * -1.5);
  const auto [hp, hx] = hvp(f, direction)(p, x);
  static_assert(std::is_same_v<decltype(hp), const model::line<double>>);
  BOOST_TEST(hp.slope[1] == 2 * 4 * -1.5);
  BOOST_TEST(hp.offset == 2 * -1.5);
  BOOST_TEST(hx[0] == 2 * -1.5 * 1 + 2 * 11.5 * 1);
}

BOOST_AUTO_TEST_CASE(checks) {
  constexpr auto f = [](auto p, auto x, auto n) {
    return exp(stop_gradient(p.bias[0]) * x * p.bias[0]) * sin(p.weights[1][0]) * n;
  };
  const auto report = check_gradient(f)(model::layer<double, 2>{{{{1, 2}, {3, 4}}}, {0.5, 6}}, 0.25, 2);
  BOOST_TEST(report.passed(1e-9));
  BOOST_TEST(report.checks.size() == 7u);
  BOOST_TEST(report.checks[2].variable == "argument 0.weights[1][0]");
  BOOST_TEST(report.checks[2].derivative == 2 * std::exp(0.0625) * std::cos(3), near);
  BOOST_TEST(report.checks[4].variable == "argument 0.bias[0]");
  BOOST_TEST(report.checks[6].variable == "argument 1");
  BOOST_TEST(!check_gradient([](auto a) { return grad_scale(sin(a), 2); })(1.25).passed(1e-3));
}

BOOST_AUTO_TEST_CASE(class_with_constructor) {
  model::box b("label");
  const auto area = [](auto p) { return p[&model::box::width] * p[&model::box::height]; };
  const auto g = gradient(area)(b);
  BOOST_TEST(g.width == 2);
  BOOST_TEST(g.height == 1);
  b = transform_leaves([](double a, double da) { return a - da / 2; }, b, g);
  BOOST_TEST(b.width == 0);
  BOOST_TEST(b.height == 1.5);
  BOOST_TEST(b.label == "label");
}

BOOST_AUTO_TEST_CASE(stops) {
  // In traced functions.
  constexpr auto g = gradient([](auto p) {
    const auto held = stop_gradient<"target">(p);
    return p.low * p.high + held.low * hana::at_key(held, BOOST_HANA_STRING("high")) + p.low;
  })(model::range<double>{3, 5});
  static_assert(g.low == 6 && g.high == 3);
  constexpr auto of_layer = gradient([](auto p) {
    const auto held = stop_gradient(p);
    return p.bias[1] * held.bias[1] * p.weights[0][1] * held.weights[0][1];
  })(model::layer<double, 2>{{{{1, 2}, {3, 4}}}, {5, 6}});
  static_assert(of_layer.bias[1] == 6 * 2 * 2 && of_layer.weights[0][1] == 6 * 6 * 2 && of_layer.bias[0] == 0);
  constexpr auto plain = gradient([](auto p) {
    const auto [m, k] = stop_gradient(p);
    return m * p[&model::oscillator::mass] + k;
  })(model::oscillator{3, 5});
  static_assert(plain.mass == 3 && plain.stiffness == 0);

  // Over structs of numbers: the struct as it is.
  constexpr auto same = stop_gradient(model::settings{3, true, 5, {1, 2}});
  static_assert(std::is_same_v<decltype(same), const model::settings>);
  static_assert(same.scale == 3 && same.squared && same.power == 5 && same.shift[1] == 2);

  // Over structs of formulas.
  constexpr auto x = variable<"x">;
  constexpr auto y = variable<"y">;
  constexpr auto s = stop_gradient(model::formulas{x, x * y, 2.5});
  const auto [sx, product, number] = s;
  static_assert(std::is_same_v<decltype(sx), const StopGradient<Variable<"x">>>);
  static_assert(std::is_same_v<decltype(product), const StopGradient<decltype(x * y)>>);
  static_assert(std::is_same_v<decltype(number), const double>);
  static_assert(s[&model::formulas::number] == 2.5);
  static_assert(hana::at_key(s, BOOST_HANA_STRING("product"))(x = 2.0, y = 3.0) == 6.0);
  BOOST_TEST(gradient(x * product)(x = 2.0, y = 3.0)[x] == 6.0);

  using plain_pair = model::pair_of<Variable<"x">, std::array<decltype(x * y), 1>>;
  const auto rebound = stop_gradient<"n">(plain_pair{x, {x * y}, "text"});
  static_assert(
      std::is_same_v<decltype(rebound), const model::pair_of<StopGradient<Variable<"x">, "n">,
                                                             std::array<StopGradient<decltype(x * y), "n">, 1>>>);
  BOOST_TEST(rebound.text == "text");
  const auto parts = stop_gradient(formula_parts{x, x});
  static_assert(std::is_same_v<decltype(parts.b), StopGradient<Variable<"x">>>);
  // Twice is once.
  static_assert(std::is_same_v<decltype(stop_gradient(s)), std::remove_const_t<decltype(s)>>);
  static_assert(
      std::is_same_v<decltype(stop_gradient(hana::make_tuple(x, 3, std::tuple(y, true)))),
                     hana::tuple<StopGradient<Variable<"x">>, int, std::tuple<StopGradient<Variable<"y">>, bool>>>);
}

BOOST_AUTO_TEST_CASE(gradient_descent) {
  // A plane through four points: slope (2, -1), offset 0.5.
  constexpr auto loss = [](auto p, auto xs, auto ts) {
    auto sum = 0 * p.offset;
    for (std::size_t i = 0; i < ts.size(); ++i) sum += square(prediction(p, xs[i]) - ts[i]);
    return sum / static_cast<int>(ts.size());
  };
  const std::array<std::array<double, 2>, 4> xs{{{0, 0}, {1, 0}, {0, 1}, {1, 2}}};
  const std::array ts{0.5, 2.5, -0.5, 0.5};

  model::line<double> p{};
  const auto down = gradient(loss, wrt<0>);
  for (int step = 0; step < 1000; ++step)
    p = transform_leaves([](double a, double da) { return a - 0.3 * da; }, p, down(p, xs, ts));

  BOOST_TEST(p.slope[0] == 2, near);
  BOOST_TEST(p.slope[1] == -1, near);
  BOOST_TEST(p.offset == 0.5, near);
}

BOOST_AUTO_TEST_CASE(leaves) {
  const auto twice = [](auto a) { return 2 * a; };
  static_assert(transform_leaves(twice, 3.0) == 6.0);
  constexpr auto s = transform_leaves(twice, model::settings{3, true, 5, {1, 2}});
  static_assert(std::is_same_v<decltype(s), const model::settings>);
  static_assert(s.scale == 6 && s.squared && s.power == 5 && s.shift[0] == 1);
  constexpr auto sum =
      transform_leaves([](auto a, auto b, auto c) { return a + b * c; }, std::tuple(1.0, std::array{2.0f}),
                       std::tuple(3.0, std::array{4.0}), std::tuple(5.0, std::array{Zero{}}));
  static_assert(std::is_same_v<decltype(sum), const std::tuple<double, std::array<float, 1>>>);
  static_assert(std::get<0>(sum) == 16.0 && std::get<1>(sum)[0] == 2.0f);
  // On the arguments of a function.
  constexpr auto g = gradient([](auto p) {
    const auto [low, high] = transform_leaves([](auto a) { return a * a; }, p);
    return low + 2 * high;
  })(model::range<double>{3, 5});
  static_assert(g.low == 6 && g.high == 20);
}

BOOST_AUTO_TEST_CASE(hana_algorithms) {
  const auto g = gradient(by_pointers, wrt<0>)(model::oscillator{3, 5}, 7.0);
  BOOST_TEST(hana::at_key(g, BOOST_HANA_STRING("stiffness")) == 70);
  BOOST_TEST(hana::fold(hana::members(g), 0.0, [](double sum, double d) { return sum + d; }) == 84);

  constexpr auto x = variable<"x">;
  constexpr auto y = variable<"y">;
  constexpr auto map = gradient(x * y + stop_gradient(variable<"z">))(x = 2.0, y = 3.0, variable<"z"> = 1.0);
  constexpr auto scaled = hana::transform(map, [](auto d) { return 2 * d; });
  static_assert(scaled[x] == 6.0 && hana::at_key(scaled, y) == 4.0);
  static_assert(hana::fold(scaled, 0.0, [](double sum, auto entry) { return sum + hana::second(entry); }) == 10.0);
  static_assert(
      std::is_same_v<decltype(hana::transform(map, [](auto d) { return d; })), std::remove_const_t<decltype(map)>>);
}

BOOST_AUTO_TEST_CASE(integer_members) {
  const model::power_law<double> p{5, 3, 2, true};
  // The other members keep their names; integers are read without.
  const auto by_name = gradient([](auto q, auto x) { return q.scale * x * q.shift; }, wrt<0>)(p, 7.0);
  static_assert(std::is_same_v<decltype(by_name), const model::power_law<double>>);
  BOOST_TEST(by_name.scale == 14.0);
  BOOST_TEST(by_name.shift == 35.0);
  BOOST_TEST(by_name.exponent == 0);
  const auto both = gradient([](const auto& q) {
    const auto& [scale, exponent, shift, squared] = q;
    auto copy = q;
    copy.scale *= 2;
    copy = stop_gradient(copy);
    return where(squared, square(scale), scale) * exponent * q[&model::power_law<double>::exponent] * q.shift *
           copy.scale;
  })(p);
  BOOST_TEST(both.scale == 2 * 5.0 * 9 * 2 * 10);
  BOOST_TEST(both.shift == 5.0 * 5 * 9 * 10);

  // Nor does a struct with integers take the names of the struct around it away.
  const auto nested = gradient([](auto q) {
    const auto& [first, weight] = q;
    auto copy = q;
    copy.weight = stop_gradient(weight);
    const auto& [scale, exponent, shift, squared] = first;
    return q.weight * scale * exponent * first.shift * copy.weight;
  })(model::sum_of_power_laws<double>{p, 7});
  static_assert(std::is_same_v<decltype(nested), const model::sum_of_power_laws<double>>);
  BOOST_TEST(nested.weight == 5.0 * 3 * 2 * 7);
  BOOST_TEST(nested.first.scale == 7.0 * 3 * 2 * 7);
  BOOST_TEST(nested.first.shift == 7.0 * 5 * 3 * 7);
  BOOST_TEST(nested.first.exponent == 0);
}

// A verb of a struct or a pair inside a function: of a^2 b and its derivative 2 a b.
BOOST_AUTO_TEST_CASE(verbs_of_structs_inside) {
  constexpr model::line<double> second = gradient([](const auto& p) {
    return gradient([](const auto& q) { return square(q.slope[0]) * q.offset; })(p).slope[0];
  })(model::line<double>{{3, 1}, 4});
  static_assert(second.slope[0] == 8 && second.slope[1] == 0 && second.offset == 6);
  constexpr auto of_pair = gradient([](auto a, auto b) {
    return gradient([](const auto& q) { return square(q.first) * q.second; })(std::pair{a, b}).first;
  })(3.0, 4.0);
  static_assert(of_pair == std::tuple{8.0, 6.0});
}
