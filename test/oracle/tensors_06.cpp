// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_51) {
  numbers draw(51);
  const auto A = draw.between<fixed<16, 2>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {16});
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto f = mean(b * mean(stop_gradient(sin(a * c))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.139805072028586);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {-0.59775727813987, -26.8617176864104, -27.3847553047828, -29.3274664587374});
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_52) {
  numbers draw(52);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto u = atan2(a, c);
  const auto f = mean(outer(stop_gradient(u), u) * b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.221586056473738);
  check("by a", r.gradient[a],
        {-0.0282172936432337, -0.0151319649214721, -0.0180803370441579, -0.0281227276156883, -0.0254295848843038});
  check("by b", r.gradient[b], {0.118042330114331});
  check("by c", r.gradient[c], {-0.0192731230355256, -0.0211332588589446, -0.0223388871105702});
}

BOOST_AUTO_TEST_CASE(formula_53) {
  numbers draw(53);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto u = b + a;
  const auto f = mean(dot(transpose(u), stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.03450347636503);
  check("by a", r.gradient[a],
        {0.0928242247363045, 0.0928242247363045, 0.0928242247363045, -0.218608915286733, -0.218608915286733,
         -0.218608915286733, -0.24194758971002, -0.24194758971002, -0.24194758971002});
  check("by b", r.gradient[b], {-0.367732280260448, -0.367732280260448, -0.367732280260448});
}

BOOST_AUTO_TEST_CASE(formula_54) {
  numbers draw(54);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {8});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {8, 8});
  const auto C = draw.between<double>(-1.5, 1.5);
  const auto D = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const std::vector<int> I{0, 7, 2, 2, 2, 6, 5, 4};
  const auto f = mean(c - (outer(d, stop_gradient(b - one_hot(i, 8))) * a));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D, i = I);
  check_value(r.value, -1.44434273377788);
  check("by a", r.gradient[a],
        {-0.00411206956176197, 0.019183780507592, -0.00551357771683988, -0.016822834724747, 0.0114272268862388,
         0.0119223433286822, -0.00898983257049187, -0.00494377175880169});
  check_zero(r.gradient[b]);
  check("by c", r.gradient[c], {1});
  check("by d", r.gradient[d],
        {-0.014104565352969, -0.014104565352969, -0.014104565352969, -0.014104565352969, -0.014104565352969,
         -0.014104565352969, -0.014104565352969, -0.014104565352969});
}

BOOST_AUTO_TEST_CASE(formula_55) {
  numbers draw(55);
  const auto A = draw.between<fixed<2, 4>>(0.5, 2.0);
  const auto B = draw.between<fixed<4, 1, 3>>(0.5, 2.0);
  const auto dA = draw.between<fixed<2, 4>>(-1, 1);
  const auto dB = draw.between<fixed<4, 1, 3>>(-1, 1);
  const std::vector<int> I{-3, 2, -1, -1};
  const auto f = sum(b / mean(stop_gradient(take<1>(a, i)) / a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 14.4885606319542);
  check("by a", r.gradient[a],
        {2.23064652176949, 0.426713293307001, 5.11187372606428, 1.58397160434315, 2.84596865381564, 1.04857723404854,
         0.956377701631772, 1.91169612184873});
  check("by b", r.gradient[b],
        {0.915288989032618, 0.915288989032618, 0.915288989032618, 0.915288989032618, 0.915288989032618,
         0.915288989032618, 0.915288989032618, 0.915288989032618, 0.915288989032618, 0.915288989032618,
         0.915288989032618, 0.915288989032618});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B, i = I);
  check("hvp by a", h[a],
        {-1.70645564091079, 0.512641911667595, -10.3632609420056, 2.39192614525554, -1.67686073171463, 1.42728329492411,
         0.321945022390208, 4.31587503839705});
  check("hvp by b", h[b],
        {0.439750078194403, 0.439750078194403, 0.439750078194403, 0.439750078194403, 0.439750078194403,
         0.439750078194403, 0.439750078194403, 0.439750078194403, 0.439750078194403, 0.439750078194403,
         0.439750078194403, 0.439750078194403});
}

BOOST_AUTO_TEST_CASE(formula_56) {
  numbers draw(56);
  const auto A = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto B = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto C = draw.between<double>(-1.5, 1.5);
  const auto D = draw.between<tensor<3>>(0.5, 2.0, {2, 3, 5});
  const std::vector<int> I{-1, 1, -3, -2, -2, -3};
  const auto f = sum(c * (sum(stop_gradient(take<1>(softmax<1>(d), i)) * a) + b));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D, i = I);
  check_value(r.value, 24.6938451717614);
  check("by a", r.gradient[a],
        {9.89722518192297, 9.46938716538379, 10.1646905128124, 10.6372201989548, 9.24942985895796});
  check("by b", r.gradient[b], {0.824325573315996, 0.824325573315996, 0.824325573315996});
  check("by c", r.gradient[c], {29.9564225242049});
  check_zero(r.gradient[d]);
}

BOOST_AUTO_TEST_CASE(formula_57) {
  numbers draw(57);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(0.5, 2.0);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(transpose<2, 3, 1, 0>(where(a >= b, a, b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.32184804697995);
  check("by a", r.gradient[a],
        {0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0, 0.0833333333333333, 0, 0, 0.0833333333333333,
         0.0833333333333333, 0.0833333333333333, 0, 0.0833333333333333});
  check("by b", r.gradient[b], {0.333333333333333});
}

BOOST_AUTO_TEST_CASE(formula_58) {
  numbers draw(58);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(max(sin(b), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.863443120746149);
  check("by a", r.gradient[a], {0, 0, 0, 0, 0, 0, 0, 0.111111111111111, 0});
  check("by b", r.gradient[b], {0.484476457242963});
}

BOOST_AUTO_TEST_CASE(formula_59) {
  numbers draw(59);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {33});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto f = mean(b * reshape<19, 33>(outer(a, stop_gradient(slice<0>(a, -24, -5)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.07669123980399);
  check_sums("by a", r.gradient[a], {2.40675029101838, 123.400651284943, 116.107468584887, 119.535264453913});
  check("by b", r.gradient[b], {1.56205101601976});
}

BOOST_AUTO_TEST_CASE(formula_60) {
  numbers draw(60);
  const auto A = draw.between<fixed<1>>(0.5, 2.0);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {16});
  const auto dA = draw.between<fixed<1>>(-1, 1);
  const auto dB = draw.between<tensor<1>>(-1, 1, {16});
  const auto f = mean(b * outer(log(a), b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.149946557216088);
  check("by a", r.gradient[a], {0.551241885158125});
  check_sums("by b", r.gradient[b], {0.113775462483779, 0.77201438590035, 6.60000024841572, 5.86015359354707});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0.00941806623724428});
  check_sums("hvp by b", h[b], {0.126114452579209, -3.13938154420239, 5.47058332799769, 5.6733282373728});
}
