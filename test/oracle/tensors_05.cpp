// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_41) {
  numbers draw(41);
  const auto A = draw.between<fixed<3>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto u = atan2(a, b);
  const auto f = mean(concatenate<0>(u, stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.211586532404847);
  check("by a", r.gradient[a], {0.0960422816745981, 0.0921334405978766, 0.101050503266373});
  check("by b", r.gradient[b], {-0.0713262071140551});
}

BOOST_AUTO_TEST_CASE(formula_42) {
  numbers draw(42);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto f = mean(amin<0>(logsumexp(min(b, a), stop_gradient(amax<0>(b))), keep_dims));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.447082816410833);
  check("by a", r.gradient[a], {0.0457871844281446, 0, 0, 0, 0, 0, 0, 0, 0});
  check("by b", r.gradient[b],
        {0, 0.0555555555555556, 0.0555555555555556, 0.0555555555555556, 0.0555555555555555, 0.0555555555555556,
         0.0555555555555556, 0.0555555555555555, 0.0555555555555556});
}

BOOST_AUTO_TEST_CASE(formula_43) {
  numbers draw(43);
  const auto A = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {9});
  const auto u = where((a < 0.3) || (b < 0.3), b, a);
  const auto f = sum(stop_gradient(prod<-2>(u, keep_dims)) * u);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -22.3535275818465);
  check("by a", r.gradient[a], {1.06848396644184, 1.06848396644184, 0, 0});
  check("by b", r.gradient[b],
        {0.838244620090478, 0.559155618924684, 6.26551647448256, 0.346194473725063, 13.4276443298955, 0.57868669460514,
         0.0164297524471533, 0.614436905826787, 0.0384942398019992});
}

BOOST_AUTO_TEST_CASE(formula_44) {
  numbers draw(44);
  const auto A = draw.between<fixed<4, 9>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const std::vector<int> I{5, 7, 4, 3};
  const auto f = sum(dot(stop_gradient(take<1>(b, i)), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.350477739231745);
  check_sums("by a", r.gradient[a], {-11.5322227210422, -638.388349844557, -690.571886138558, -518.933254058442});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_45) {
  numbers draw(45);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {2, 33});
  const auto B = draw.between<fixed<2>>(-1.5, 1.5);
  const auto dA = draw.between<by_columns<2>>(-1, 1, {2, 33});
  const auto dB = draw.between<fixed<2>>(-1, 1);
  const auto f = sum(b / sum(slice<1>(a, 30, 33)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.245961155171791);
  check_sums("by a", r.gradient[a], {-0.32097085874612, -18.7233000935236, -19.1512612385185, -17.6533972310366});
  check("by b", r.gradient[b], {-0.217494275008546, -0.217494275008546});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {0.156296385107885, 9.11728913129332, 9.32568431143716, 8.5963011809337});
  check("hvp by b", h[b], {-0.0134501267337015, -0.0134501267337015});
}

BOOST_AUTO_TEST_CASE(formula_46) {
  numbers draw(46);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {2, 17});
  const auto f = mean(stop_gradient(b + a) + c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.644338507491596);
  check_zero(r.gradient[a]);
  check_zero(r.gradient[b]);
  check_sums("by c", r.gradient[c], {1, 50.0588235294118, 47.6764705882353, 48.5882352941176});
}

BOOST_AUTO_TEST_CASE(formula_47) {
  numbers draw(47);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {8, 8});
  const auto B = draw.between<fixed<8>>(-1.5, 1.5);
  const std::vector<int> I{0, 1, 0};
  const auto f = mean(hypot(b, take(a, i) * stop_gradient(sum(b, keep_dims))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 2.65166313351517);
  check_sums("by a", r.gradient[a], {-0.359317721757837, -15.3416505100789, 22.915480316491, -56.1054870266393});
  check("by b", r.gradient[b],
        {-0.0823738615343734, 0.029963416243375, -0.0224057312316574, 0.0878740607026803, -0.0606165376850899,
         -0.0568134004979387, -0.0747731406888764, -0.0401091102325404});
}

BOOST_AUTO_TEST_CASE(formula_48) {
  numbers draw(48);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = sum(asinh(b) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.70474995619531);
  check("by a", r.gradient[a], {-1, -1, -1, -1, -1, -1, -1, -1, -1});
  check("by b", r.gradient[b], {8.9345201949442});
}

BOOST_AUTO_TEST_CASE(formula_49) {
  numbers draw(49);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<fixed<16>>(-1.5, 1.5);
  const auto u = amax<0>(a);
  const auto f = sum(b * (u * stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -3.24935975690566);
  check("by a", r.gradient[a], {0, 3.10565621066976});
  check_sums("by b", r.gradient[b], {17.5149467127409, 787.077917903795, 802.403496277443, 859.327073093851});
}

BOOST_AUTO_TEST_CASE(formula_50) {
  numbers draw(50);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {5, 3});
  const auto B = draw.between<fixed<4, 3>>(-1.5, 1.5);
  const auto dA = draw.between<tensor<2>>(-1, 1, {5, 3});
  const auto dB = draw.between<fixed<4, 3>>(-1, 1);
  const auto f = mean(a - mean(log1p(stop_gradient(b) - b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.237474039260984);
  check_sums("by a", r.gradient[a], {1, 44.5333333333333, 43.6666666666667, 50.0666666666667});
  check("by b", r.gradient[b],
        {0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333,
         0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333,
         0.0833333333333333, 0.0833333333333333});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {0, 0, 0, 0});
  check("hvp by b", h[b],
        {-0.0668800841008996, -0.0352063011930043, 0.0566351124892485, 0.000181635182125014, -0.0656214569768037,
         0.0533169393753557, -0.00468607887378245, -0.0350466496862378, -0.0701603377176575, -0.0429953023758695,
         0.0737590144033353, -0.078615736602161});
}
