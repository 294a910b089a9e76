// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_61) {
  numbers draw(61);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const std::vector<int> I{9, 14, 2, 0, 13};
  const auto f = sum(hypot(a, amin(stop_gradient(take(b, i)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 2.56352896676732);
  check("by a", r.gradient[a], {0.754705620878528, -0.851448200918309, -0.163394239628268});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_62) {
  numbers draw(62);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = where(a > 0, sqrt(a), a / 2_c);
  const auto f = sum(b / norm<1>(outer(stop_gradient(u), u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -7.10534289396354);
  check("by a", r.gradient[a],
        {0.886745679328516, -0.521959336399319, -0.394140570413085, 0.886745679328516, 0.886745679328516,
         -0.434173283543313, -0.631184669135839, -0.220367807610566});
  check("by b", r.gradient[b], {7.56115562570693});
}

BOOST_AUTO_TEST_CASE(formula_63) {
  numbers draw(63);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {16});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {16, 2});
  const auto f = sum(sum(stop_gradient(sinh(b))) + a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.98056052077967);
  check_sums("by a", r.gradient[a], {16, 719, 733, 785});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_64) {
  numbers draw(64);
  const auto A = draw.between<fixed<3>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {5, 3});
  const std::vector<int> I{1, 0, 0, 1, 0};
  const auto f = mean(sum(one_hot(i, 3) * b) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 3.44171488998793);
  check("by a", r.gradient[a], {2.21596036434606, 2.21596036434606, 2.21596036434606});
  check_sums("by b", r.gradient[b], {2.58858036254001, 92.6711769789323, 143.407352084716, 174.988032507705});
}

BOOST_AUTO_TEST_CASE(formula_65) {
  numbers draw(65);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<fixed<9>>(0.5, 2.0);
  const auto dA = draw.between<fixed<1, 9>>(-1, 1);
  const auto dB = draw.between<fixed<9>>(-1, 1);
  const auto f = mean(dot(atan2(stop_gradient(a), a), b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.253184913005781);
  check("by a", r.gradient[a],
        {-0.968719856526501, -0.829882258542394, 3.68930911692989, -0.698592230085785, -2.17988357912788,
         -0.327728893028812, 0.540820907557369, -0.627443704212384, -0.667098561128533});
  check("by b", r.gradient[b],
        {0.785398163397448, 0.785398163397448, -2.35619449019234, 0.785398163397448, 0.785398163397448,
         0.785398163397448, -2.35619449019234, 0.785398163397448, 0.785398163397448});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {2.8373161361258, -0.501619768488007, 11.7353413465824, -0.0167341128244497, 4.1984209854883, 0.244034268400194,
         -0.384126391692967, 0.33368385845065, 0.367666101209872});
  check("hvp by b", h[b],
        {-0.770951136696999, 0.308377052635818, 1.80544733114553, 0.150595094078356, -0.600587882623845,
         -0.418537196342566, -0.0988647252765866, -0.360287187125141, -0.0131780341710443});
}

BOOST_AUTO_TEST_CASE(formula_66) {
  numbers draw(66);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {4});
  const auto B = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto f = mean(a / sum<1>(b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.682048007981633);
  check("by a", r.gradient[a], {0.21256673940935, -0.597569275314472, 0.196805978542632, 0.248726424317037});
  check("by b", r.gradient[b],
        {-0.187522521138172, -1.22749495192379, 0.164644929602104, 0.178994029896047, -0.187522521138172,
         -1.22749495192379, 0.164644929602104, 0.178994029896047, -0.187522521138172, -1.22749495192379,
         0.164644929602104, 0.178994029896047});
}

BOOST_AUTO_TEST_CASE(formula_67) {
  numbers draw(67);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const auto C = draw.between<tensor<4>>(0.5, 2.0, {2, 3, 2, 5});
  const auto f = mean(c + (expand_dims<1>(a) * b));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.718888172856204);
  check("by a", r.gradient[a], {0.684380990492357, 0.684380990492357});
  check("by b", r.gradient[b],
        {-0.0669123026388289, -0.0669123026388289, -0.0669123026388289, -0.0669123026388289, -0.0669123026388289});
  check_sums("by c", r.gradient[c], {1, 50.5166666666667, 49.75, 50.75});
}

BOOST_AUTO_TEST_CASE(formula_68) {
  numbers draw(68);
  const auto A = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<fixed<1, 3, 1, 4>>(0.5, 2.0);
  const auto f = sum(a * sum(max(b, c)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 20.1783703993002);
  check("by a", r.gradient[a],
        {17.5912792080041, 17.5912792080041, 17.5912792080041, 17.5912792080041, 17.5912792080041, 17.5912792080041,
         17.5912792080041, 17.5912792080041});
  check("by b", r.gradient[b], {10.3236002024839});
  check("by c", r.gradient[c], {0, 0, 0, 1.14706668916487, 0, 0, 1.14706668916487, 0, 0, 0, 1.14706668916487, 0});
}

BOOST_AUTO_TEST_CASE(formula_69) {
  numbers draw(69);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {16, 2});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {16});
  const std::vector<int> I{7, 15};
  const auto u = take(b, i);
  const auto f = sum(a / logsumexp(stop_gradient(logsumexp(u, keep_dims)), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.622648014838231);
  check_sums("by a", r.gradient[a], {11.5980569086241, 586.240393792758, 554.424928148256, 584.346474183193});
  check_sums("by b", r.gradient[b], {0.0661796704159982, 3.51120990872142, 3.84041760810856, 3.08582434453496});
}

BOOST_AUTO_TEST_CASE(formula_70) {
  numbers draw(70);
  const auto A = draw.between<fixed<4, 9>>(0.5, 2.0);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {4});
  const auto dA = draw.between<fixed<4, 9>>(-1, 1);
  const auto dB = draw.between<tensor<1>>(-1, 1, {4});
  const std::vector<int> I{1, 3, 2, 2, 3};
  const auto u = take(a, i);
  const auto f = sum(mean(atan2(u, stop_gradient(u))) + b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 4.48858759021759);
  check_sums("by a", r.gradient[a], {1.71604973147228, 89.9638529122771, 93.0722965501157, 77.0297659048231});
  check("by b", r.gradient[b], {1, 1, 1, 1});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B, i = I);
  check_sums("hvp by a", h[a], {0.415267964266788, 4.52635393045121, 32.3310491324299, 6.49672460080132});
  check("hvp by b", h[b], {0, 0, 0, 0});
}
