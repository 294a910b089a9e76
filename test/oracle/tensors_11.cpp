// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_101) {
  numbers draw(101);
  const auto A = draw.between<fixed<5>>(0.5, 2.0);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {2});
  const std::vector<int> I{4, 0};
  const auto f = sum(logsumexp(a, dot(b, stop_gradient(take(a, i)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 9.52746481867273);
  check("by a", r.gradient[a],
        {0.760263125006548, 0.82362332293432, 0.80371873731866, 0.741182429860649, 0.717808590610095});
  check("by b", r.gradient[b], {1.56567569655582, 1.82000731571098});
}

BOOST_AUTO_TEST_CASE(formula_102) {
  numbers draw(102);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {5, 4});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {5, 3});
  const auto f = sum(a * mean(stop_gradient(b * max(b, c))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.16181808639385);
  check_sums("by a", r.gradient[a], {16.1090729236152, 797.399109718952, 747.460983655745, 840.893606612713});
  check_zero(r.gradient[b]);
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_103) {
  numbers draw(103);
  const auto A = draw.between<fixed<2, 1, 1>>(0.5, 2.0);
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {3, 5});
  const auto C = draw.between<fixed<2, 3, 5>>(-1.5, 1.5);
  const auto f = mean((log1p(stop_gradient(norm(a))) * b) * c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.149292540198074);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {-0.145582045465184, -3.64349989671266, -2.33386500857106, -8.58486242617016});
  check_sums("by c", r.gradient[c], {1.29610594028389, 65.4795603153014, 63.3143866172216, 66.6072419224088});
}

BOOST_AUTO_TEST_CASE(formula_104) {
  numbers draw(104);
  const auto A = draw.between<fixed<1>>(-1.5, 1.5);
  const auto B = draw.between<fixed<2>>(-1.5, 1.5);
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {16, 2});
  const auto f = sum((a - softmax<-1>(b)) * c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -2.82536358974705);
  check("by a", r.gradient[a], {2.93138305560285});
  check("by b", r.gradient[b], {-0.126550496780657, 0.126550496780657});
  check_sums("by c", r.gradient[c], {-26.2297728779864, -1331.45369672002, -1158.52239769901, -1274.87084091079});
}

BOOST_AUTO_TEST_CASE(formula_105) {
  numbers draw(105);
  const auto A = draw.between<fixed<1, 9>>(0.5, 2.0);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto dA = draw.between<fixed<1, 9>>(-1, 1);
  const auto dB = draw.between<tensor<2>>(-1, 1, {9, 9});
  const auto f = sum(mean(log1p(a)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.428250207585653);
  check("by a", r.gradient[a],
        {0.0212492137293836, 0.0207729253875911, 0.0187806316391405, 0.0322349971667054, 0.0180761462766476,
         0.0183694356680337, 0.0209999990875868, 0.0197438424875742, 0.0174329176859584});
  check_sums("by b", r.gradient[b], {74.7181972589906, 3794.94646325293, 3770.96284437967, 3854.90551043607});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {0.0796399741258231, 0.0770137246161411, 0.0696236787107682, 0.130778050422231, 0.0593551662884358,
         0.0662733753583929, 0.073100707525363, 0.0707403674203103, 0.0600128280002604});
  check_sums("hvp by b", h[b], {-12.9464152280439, -657.550027755215, -653.3943882993, -667.939126395004});
}

BOOST_AUTO_TEST_CASE(formula_106) {
  numbers draw(106);
  const auto A = draw.between<fixed<2>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {2, 33});
  const auto f = sum(a * mean(transpose(b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.0383699199992673);
  check("by a", r.gradient[a], {-0.0305603637544678, -0.0305603637544678});
  check_sums("by b", r.gradient[b], {1.25554526469463, 64.2610894566432, 62.7772632347314, 64.1279255649332});
}

BOOST_AUTO_TEST_CASE(formula_107) {
  numbers draw(107);
  const auto A = draw.between<tensor<4>>(0.5, 2.0, {2, 3, 2, 5});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {2});
  const auto u = stop_gradient(logsumexp(b, keep_dims));
  const auto f = mean(mean(u * (u * b)) / a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 10.3932371517761);
  check_sums("by a", r.gradient[a], {-11.421923956948, -544.90145086567, -531.531586268294, -528.644036878888});
  check("by b", r.gradient[b], {2.91648576909477, 2.91648576909477});
}

BOOST_AUTO_TEST_CASE(formula_108) {
  numbers draw(108);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {4});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {9, 4});
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const std::vector<int> I{3, 0, 2};
  const auto f = mean(sum(take<1>(outer(b, a), i)) + c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, -12.0230975765982);
  check("by a", r.gradient[a], {3.51983366907566, 3.51983366907566, 3.51983366907566, 3.51983366907566});
  check_sums("by b", r.gradient[b], {-91.1680298331976, -4777.88008199906, -4062.04221812358, -4521.2589609871});
  check("by c", r.gradient[c],
        {0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111,
         0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111});
}

BOOST_AUTO_TEST_CASE(formula_109) {
  numbers draw(109);
  const auto A = draw.between<fixed<2, 1>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {2, 33});
  const std::vector<int> I{29, 25, 9, 1, 19};
  const auto f = sum(take<1>(a * b, i));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 0.866053207026072);
  check("by a", r.gradient[a], {0.386413750185824, -1.70053793452705});
  check_sums("by b", r.gradient[b], {-2.2127858722642, -81.9262472828507, -132.674803575582, -175.416951803685});
}

BOOST_AUTO_TEST_CASE(formula_110) {
  numbers draw(110);
  const auto A = draw.between<by_columns<2>>(0.5, 2.0, {2, 4});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto dA = draw.between<by_columns<2>>(-1, 1, {2, 4});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {3});
  const auto f = sum(a * sum(stop_gradient(prod(b, keep_dims)) + b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 15.925835871448);
  check("by a", r.gradient[a],
        {1.49121637207434, 1.49121637207434, 1.49121637207434, 1.49121637207434, 1.49121637207434, 1.49121637207434,
         1.49121637207434, 1.49121637207434});
  check("by b", r.gradient[b], {10.6797619511745, 10.6797619511745, 10.6797619511745});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {0.538355715357864, 0.538355715357864, 0.538355715357864, 0.538355715357864, 0.538355715357864,
         0.538355715357864, 0.538355715357864, 0.538355715357864});
  check("hvp by b", h[b], {-0.764749332687235, -0.764749332687235, -0.764749332687235});
}
