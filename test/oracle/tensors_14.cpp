// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_131) {
  numbers draw(131);
  const auto A = draw.between<fixed<17>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto u = amin(a);
  const auto f = mean(b - (u * stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.681939530597341);
  check_sums("by a", r.gradient[a], {-0.616198967032227, -12.9401783076768, -32.0423462856758, -58.5389018680616});
  check_sums("by b", r.gradient[b], {1, 47.4705882352941, 45.2352941176471, 47.1176470588235});
}

BOOST_AUTO_TEST_CASE(formula_132) {
  numbers draw(132);
  const auto A = draw.between<by_columns<2>>(0.5, 2.0, {17, 3});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {17, 3});
  const auto f = mean(stop_gradient(dot(a, b))) * sum(c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 15.7310886436261);
  check_zero(r.gradient[a]);
  check_zero(r.gradient[b]);
  check_sums("by c", r.gradient[c], {248.118048461076, 12571.3144553612, 11943.7217445479, 12420.4976023751});
}

BOOST_AUTO_TEST_CASE(formula_133) {
  numbers draw(133);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {17});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto C = draw.between<double>(-1.5, 1.5);
  const std::vector<int> I{13, 12, 8};
  const auto f = mean(outer(stop_gradient(take(b * c, i)), -0.4 * a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, 0.0324110073707379);
  check_sums("by a", r.gradient[a], {0.0262323601003857, 1.24526556476537, 1.18662852454098, 1.23600708472994});
  check_zero(r.gradient[b]);
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_134) {
  numbers draw(134);
  const auto A = draw.between<tensor<3>>(0.5, 2.0, {2, 3, 5});
  const auto B = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto f = mean(stop_gradient(log(a)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.0771661168762996);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {0.0492814955691909, 0.0684300201681742});
}

BOOST_AUTO_TEST_CASE(formula_135) {
  numbers draw(135);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const auto B = draw.between<fixed<3, 1, 5>>(-1.5, 1.5);
  const auto dA = draw.between<std::vector<double>>(-1, 1, {5});
  const auto dB = draw.between<fixed<3, 1, 5>>(-1, 1);
  const auto f = mean(b * mean(slice<0>(a, 3, 5)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.120274490845581);
  check("by a", r.gradient[a], {0, 0, 0, -0.0358161358096712, -0.0358161358096712});
  check_sums("by b", r.gradient[b], {1.67905453961764, 74.773895497639, 73.318714896637, 84.0646639501899});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0, 0, 0, -0.0838691990436998, -0.0838691990436998});
  check_sums("hvp by b", h[b], {-0.844307231644312, -37.59981538256, -36.8680824484683, -42.2716487309919});
}

BOOST_AUTO_TEST_CASE(formula_136) {
  numbers draw(136);
  const auto A = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto B = draw.between<tensor<3>>(-1.5, 1.5, {2, 3, 5});
  const auto f = sum(sinh(b) + a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -11.5192161581157);
  check("by a", r.gradient[a], {15, 15});
  check_sums("by b", r.gradient[b], {40.5685264763915, 2006.04195946351, 2015.13242370982, 2011.40096722926});
}

BOOST_AUTO_TEST_CASE(formula_137) {
  numbers draw(137);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {33});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto f = mean(expand_dims<-2>(where((c > b) || (a <= b), a, c)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.18680212768309);
  check_sums("by a", r.gradient[a], {0.484848484848485, 26.2424242424242, 21.7878787878788, 20.5454545454545});
  check_zero(r.gradient[b]);
  check_sums("by c", r.gradient[c], {0.515151515151515, 25.030303030303, 26.4545454545455, 29.1212121212121});
}

BOOST_AUTO_TEST_CASE(formula_138) {
  numbers draw(138);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto C = draw.between<fixed<3, 5>>(-1.5, 1.5);
  const auto D = draw.between<tensor<3>>(-1.5, 1.5, {2, 3, 5});
  const std::vector<int> I{0, 0, 2};
  const auto f = sum(((stop_gradient(one_hot(i, 5) * c) / a) * b) * d);
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D, i = I);
  check_value(r.value, -0.796044419348687);
  check("by a", r.gradient[a], {-0.647421379924382, -0, 0.0797390887269997, -0, -0});
  check("by b", r.gradient[b], {0.961237336250416, -0.736668884233649});
  check_zero(r.gradient[c]);
  check_sums("by d", r.gradient[d], {0.138514848496253, 42.2349854752286, 39.4574333806928, -19.9871897685946});
}

BOOST_AUTO_TEST_CASE(formula_139) {
  numbers draw(139);
  const auto A = draw.between<fixed<1>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {16, 2});
  const std::vector<int> I{11, 4, 11};
  const auto u = pow(sqrt(take(b, i)), a);
  const auto f = sum(stop_gradient(u) / u);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 6);
  check("by a", r.gradient[a], {-0.638792772021123});
  check_sums("by b", r.gradient[b], {1.76081599017778, 59.1736834567789, 115.261817651715, 73.6627447769077});
}

BOOST_AUTO_TEST_CASE(formula_140) {
  numbers draw(140);
  const auto A = draw.between<fixed<3, 5>>(-1.5, 1.5);
  const auto B = draw.between<tensor<3>>(0.5, 2.0, {2, 3, 5});
  const auto dA = draw.between<fixed<3, 5>>(-1, 1);
  const auto dB = draw.between<tensor<3>>(-1, 1, {2, 3, 5});
  const auto u = sum(a);
  const auto f = (stop_gradient(u) * u) / mean(b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 21.7130319355532);
  check_sums("by a", r.gradient[a], {65.5718351102349, 2920.13239024246, 2863.30346648026, 3282.96321118576});
  check_sums("by b", r.gradient[b], {-19.1096247098837, -942.741485687597, -926.81679842936, -950.38533557155});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-3.97933661836684, -177.21312407127, -173.764365668685, -199.232120026233});
  check_sums("hvp by b", h[b], {9.01836620858955, 444.906066290418, 437.390761116593, 448.513412773853});
}
