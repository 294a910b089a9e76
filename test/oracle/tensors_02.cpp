// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_11) {
  numbers draw(11);
  const auto A = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto f = mean(b - mean(square(stop_gradient(where(a > 0, log(a), a / 2_c)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.98428005936479);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b],
        {0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333,
         0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333,
         0.0833333333333333, 0.0833333333333333});
}

BOOST_AUTO_TEST_CASE(formula_12) {
  numbers draw(12);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {5, 17});
  const auto u = amin<1>(b);
  const auto f = mean((u / stop_gradient(u)) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.204761945225653);
  check("by a", r.gradient[a], {-0.2, -0.2, -0.2, -0.2, -0.2});
  check_sums("by b", r.gradient[b], {1.87554611180372, 114.766391203162, 104.460573924575, 60.6457419366217});
}

BOOST_AUTO_TEST_CASE(formula_13) {
  numbers draw(13);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {9});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {4, 9});
  const auto f = amax<0>(a + stop_gradient(logsumexp(b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 6.9131980476103);
  check("by a", r.gradient[a], {0, 0, 0, 0, 0, 0, 0, 0, 1});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_14) {
  numbers draw(14);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {9});
  const auto C = draw.between<by_columns<2>>(0.5, 2.0, {9, 9});
  const auto D = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto f = sum(d / sum((clamp(a, -0.5, 0.8) + b) / c));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, -0.654354674520206);
  check("by a", r.gradient[a],
        {0, 0, 0, 0, 0.657317141457162, 1.00169034692481, 0.831484700270804, 0.703876623179889, 0});
  check("by b", r.gradient[b],
        {0.861202202516446, 0.962146157452461, 0.667919114674179, 0.775744029904562, 0.657317141457162,
         1.00169034692481, 0.831484700270804, 0.703876623179889, 1.02187222532851});
  check_sums("by c", r.gradient[c], {-0.430179606979224, -72.6249635192725, 15.9202114841802, -33.8297821205247});
  check_sums("by d", r.gradient[d], {11.6557694020131, 591.997966912125, 588.256608832466, 601.351362111271});
}

BOOST_AUTO_TEST_CASE(formula_15) {
  numbers draw(15);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {17});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {17, 3});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {17});
  const auto dB = draw.between<tensor<2>>(-1, 1, {17, 3});
  const auto f = mean(mean(log_softmax<0>(a * 2_c)) + b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -3.11147349667762);
  check_sums("by a", r.gradient[a], {-1.74448129552918e-16, 3.9887196103424, -6.37557828120282, -8.78313468111784});
  check_sums("by b", r.gradient[b], {1, 50.6666666666667, 48.1372549019608, 50.0588235294118});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {3.84241249928863e-16, -11.7540972420647, 2.52014847371727, -24.211658275602});
  check_sums("hvp by b", h[b], {0, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_16) {
  numbers draw(16);
  const auto A = draw.between<fixed<2, 33>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto f = sum(mean(stop_gradient(slice<1>(square(a), 30, 32))) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -11.3373208864037);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {89.1585911373402, 4571.40412740544, 4301.22657850441, 4428.2100264879});
}

BOOST_AUTO_TEST_CASE(formula_17) {
  numbers draw(17);
  const auto A = draw.between<by_columns<3>>(0.5, 2.0, {2, 3, 5});
  const auto B = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto f = mean(where(!((a < b) || (b > a)), a, b) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.0123788815282187);
  check_sums("by a", r.gradient[a], {-0.1, -7.26666666666667, -4.06666666666667, -5.16666666666667});
  check("by b", r.gradient[b], {0.1, 0});
}

BOOST_AUTO_TEST_CASE(formula_18) {
  numbers draw(18);
  const auto A = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = min(b, a);
  const auto f = mean(slice<1>(outer(stop_gradient(u), u), 3, 5));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.655078934998446);
  check("by a", r.gradient[a], {-0.15028215351062, -0, -0, -0, -0});
  check("by b", r.gradient[b], {-0.60112861404248});
}

BOOST_AUTO_TEST_CASE(formula_19) {
  numbers draw(19);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto B = draw.between<fixed<5, 4>>(-1.5, 1.5);
  const auto f = sum(b - mean(stop_gradient(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -22.119919688031);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {20, 990, 928, 1044});
}

BOOST_AUTO_TEST_CASE(formula_20) {
  numbers draw(20);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {33});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto dA = draw.between<tensor<1>>(-1, 1, {33});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {2});
  const std::vector<int> I{23, -9, -11, -10, -32};
  const auto f = mean(take(hypot(stop_gradient(amax<0>(b, keep_dims)), a), i));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 1.03782863051064);
  check_sums("by a", r.gradient[a], {0.390750047142103, 28.0897070583798, 5.05230588919841, 41.7746430092967});
  check_zero(r.gradient[b]);
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B, i = I);
  check_sums("hvp by a", h[a], {-0.345584252484441, -8.81019440174797, -23.0818605660248, -15.571986914993});
  check("hvp by b", h[b], {0, 0});
}
