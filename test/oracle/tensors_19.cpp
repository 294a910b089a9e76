// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_181) {
  numbers draw(181);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto f = sum(b * sum(stack<1>(stop_gradient(a), a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -22.0905337375793);
  check("by a", r.gradient[a],
        {-5.56669298422835, -5.56669298422835, -5.56669298422835, -5.56669298422835, -5.56669298422835});
  check_sums("by b", r.gradient[b], {59.5251088936465, 2650.85151606372, 2599.26308835589, 2980.22378527523});
}

BOOST_AUTO_TEST_CASE(formula_182) {
  numbers draw(182);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 17});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {17});
  const std::vector<int> I{-4, -16, -6, 2};
  const auto f = mean((a + sum(take(b, i))) / c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, 1.5111099639834);
  check_sums("by a", r.gradient[a], {0.34039052873535, 13.8366039843763, 29.2637408919351, 7.15293042245017});
  check_sums("by b", r.gradient[b], {1.3615621149414, 66.3761531033932, 62.291466758569, 76.5878689654537});
  check_sums("by c", r.gradient[c], {-13.6959191807808, -709.460190238868, -609.104666342257, -694.170043857658});
}

BOOST_AUTO_TEST_CASE(formula_183) {
  numbers draw(183);
  const auto A = draw.between<fixed<2>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {16});
  const std::vector<int> I{14, 11};
  const auto f = sum(a * exp(mean<0>(take(b, i), keep_dims)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -7.99190364433487);
  check("by a", r.gradient[a], {6.01309142515004, 6.01309142515004});
  check_sums("by b", r.gradient[b], {-7.99190364433487, -71.9271327990139, -251.744964796549, -227.769253863544});
}

BOOST_AUTO_TEST_CASE(formula_184) {
  numbers draw(184);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 17});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {17});
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto f = sum(c * sum(argmax<1>(stop_gradient(b * a))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -19.8900226128241);
  check_zero(r.gradient[a]);
  check_zero(r.gradient[b]);
  check_sums("by c", r.gradient[c], {289, 13719, 13073, 13617});
}

BOOST_AUTO_TEST_CASE(formula_185) {
  numbers draw(185);
  const auto A = draw.between<fixed<8>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {8});
  const auto dA = draw.between<fixed<8>>(-1, 1);
  const auto dB = draw.between<std::vector<double>>(-1, 1, {8});
  const auto f = sum(pow(a, amax<0>(b, keep_dims)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 13.7839239991271);
  check("by a", r.gradient[a],
        {2.42823915014049, 1.59263748239756, 2.55284046378901, 1.94879551035193, 2.22830127119057, 3.04895799825151,
         2.57482326432544, 1.82915333087378});
  check("by b", r.gradient[b], {0, 0, 0, 0, 0, 0, 4.78045596927765, 0});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-1.13094564504969, -1.99001554695921, -1.2788094236808, -0.433540252310961, -2.15428111193218,
         -4.22895466302959, -2.44233586574102, 0.322620469471379});
  check("hvp by b", h[b], {0, 0, 0, 0, 0, 0, -0.875027881835099, 0});
}

BOOST_AUTO_TEST_CASE(formula_186) {
  numbers draw(186);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<by_columns<2>>(0.5, 2.0, {3, 5});
  const auto f = mean(dot(stop_gradient(a + b), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 5.59658691345761);
  check("by a", r.gradient[a],
        {1.90639026598371, -0.135470700280494, 1.19382676025565, 1.71154430052803, 2.45493078858356});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_187) {
  numbers draw(187);
  const auto A = draw.between<fixed<9, 1>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {3});
  const std::vector<int> I{0, 0, 1, -3};
  const auto f = mean(take<1>(a + log_softmax<0>(b), i));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -1.8870008905344);
  check("by a", r.gradient[a],
        {0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111,
         0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111});
  check("by b", r.gradient[b], {0.478276539150907, -0.210162945572058, -0.268113593578848});
}

BOOST_AUTO_TEST_CASE(formula_188) {
  numbers draw(188);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {9});
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto f = mean(stop_gradient(clamp(b, -0.5, 0.8)) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.453627838648786);
  check("by a", r.gradient[a],
        {-0.111111111111111, -0.111111111111111, -0.111111111111111, -0.111111111111111, -0.111111111111111,
         -0.111111111111111, -0.111111111111111, -0.111111111111111, -0.111111111111111});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_189) {
  numbers draw(189);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = where(b <= a, a, b);
  const auto f = mean(constant<1, 3> - concatenate<0>(stop_gradient(u), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.576079078422741);
  check("by a", r.gradient[a], {0, -0.0625, 0, -0.0625, -0.0625, -0.0625, 0, -0.0625});
  check("by b", r.gradient[b], {-0.1875});
}

BOOST_AUTO_TEST_CASE(formula_190) {
  numbers draw(190);
  const auto A = draw.between<fixed<2, 1>>(-1.5, 1.5);
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {2});
  const auto dA = draw.between<fixed<2, 1>>(-1, 1);
  const auto dB = draw.between<tensor<1>>(-1, 1, {2});
  const auto f = mean(outer(stop_gradient(exp2(b)), expm1(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.5454435067052);
  check("by a", r.gradient[a], {1.89297343071992, 2.50639757478789});
  check_zero(r.gradient[b]);
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {-1.20097255939471, -2.28805953566066});
  check("hvp by b", h[b], {0, 0});
}
