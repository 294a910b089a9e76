// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_171) {
  numbers draw(171);
  const auto A = draw.between<fixed<3>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {2, 4});
  const auto f = sum(clamp(expand_dims<0>(outer(b, a)), -0.5, 0.8));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.702732899407294);
  check("by a", r.gradient[a], {0.902093874710655, -0.491017385847409, -0.491017385847409});
  check("by b", r.gradient[b],
        {-0.910132385981331, -0.910132385981331, -0.910132385981331, -0.910132385981331, -0.910132385981331,
         -0.910132385981331, -0.910132385981331, -0.107402566171904});
}

BOOST_AUTO_TEST_CASE(formula_172) {
  numbers draw(172);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {17});
  const auto B = draw.between<fixed<3>>(-1.5, 1.5);
  const auto f = sum(sum(log(a)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -2.32357324268154);
  check_sums("by a", r.gradient[a], {-21.1062319938466, -1110.42793227416, -945.82726385037, -1053.06115313286});
  check("by b", r.gradient[b], {1.83486490841663, 1.83486490841663, 1.83486490841663});
}

BOOST_AUTO_TEST_CASE(formula_173) {
  numbers draw(173);
  const auto A = draw.between<fixed<3, 1, 5>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const std::vector<int> I{1, 1, 0};
  const auto f = sum(a * sum(take(b, i)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.670474910172635);
  check_sums("by a", r.gradient[a], {48.9026932960389, 2177.79994145026, 2135.41760726036, 2448.39484435501});
  check("by b", r.gradient[b], {-0.205655823324646, -0.411311646649292, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_174) {
  numbers draw(174);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto f = sum(a / atan(dot(b, stop_gradient(b))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.458168711675145);
  check_sums("by a", r.gradient[a], {24.8912823786476, 1267.38112777947, 1213.45001595907, 1262.54115620585});
  check("by b", r.gradient[b],
        {0.00600228831937548, 0.00522689524528574, -0.00552872251075625, 0.00466325587236897, 0.00430032804523697,
         2.18138735262427e-05, -0.00229612215354467, -0.00307014831644399, -0.00646990772989136});
}

BOOST_AUTO_TEST_CASE(formula_175) {
  numbers draw(175);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {2});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {5});
  const auto f = mean(outer(log_softmax<0>(b), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.59901277196299);
  check("by a", r.gradient[a], {-0.999636276469719, -0.999636276469719});
  check("by b", r.gradient[b],
        {0.0789916120610812, -0.240325119938697, 0.10438824827622, -0.0664447247244632, 0.123389984325859});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {-0.0659981757526949, -0.0659981757526949});
  check("hvp by b", h[b],
        {-0.00105092977870205, 0.155038180737707, -0.0248624796791659, -0.113279383610009, -0.0158453876698296});
}

BOOST_AUTO_TEST_CASE(formula_176) {
  numbers draw(176);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const std::vector<int> I{2, 2, 2};
  const auto u = logsumexp(b, sum<0>(a, keep_dims));
  const auto f = sum(stop_gradient(take<1>(u, i)) - u);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -2.84513699529128);
  check("by a", r.gradient[a],
        {-0.788158406042676, -0.917867502133723, -0.427165654248748, -0.539985376704903, -0.754313744605711,
         -0.900690529093176, -0.688773200687914, -0.744571532815225, -0.399078989993856, -0.824022988777473,
         -0.732685451677204, -0.56243748441783});
  check("by b", r.gradient[b], {-3.72024913880156});
}

BOOST_AUTO_TEST_CASE(formula_177) {
  numbers draw(177);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<fixed<1>>(0.5, 2.0);
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {16, 2});
  const auto f = mean(slice<0>(max(hypot(a, b), c), 2, 5));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.98715260826396);
  check("by a", r.gradient[a], {0.162735986602061, 0.277980120428002});
  check("by b", r.gradient[b], {0.706513551657023});
  check_sums("by c", r.gradient[c], {0.166666666666667, 3.5, 8.66666666666667, 15.8333333333333});
}

BOOST_AUTO_TEST_CASE(formula_178) {
  numbers draw(178);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {17, 2});
  const std::vector<int> I{-12, 3, 13};
  const auto f = sum(take(b - a, i));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 8.34967576775219);
  check("by a", r.gradient[a], {-3, -3});
  check_sums("by b", r.gradient[b], {6, 296, 291, 258});
}

BOOST_AUTO_TEST_CASE(formula_179) {
  numbers draw(179);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {2, 4});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {3});
  const std::vector<int> I{0, 0, 1, 2};
  const auto f = mean(sum(stop_gradient(take(b, i)), keep_dims) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 5.23934836641506);
  check("by a", r.gradient[a], {-0.125, -0.125, -0.125, -0.125, -0.125, -0.125, -0.125, -0.125});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_180) {
  numbers draw(180);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {5, 17});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {5});
  const auto dB = draw.between<by_columns<2>>(-1, 1, {5, 17});
  const auto f = mean(sum(slice<0>(a, 0, 5)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.51230691371934);
  check("by a", r.gradient[a],
        {0.0649173355936236, 0.0649173355936236, 0.0649173355936236, 0.0649173355936236, 0.0649173355936236});
  check_sums("by b", r.gradient[b], {7.89168115164697, 400.061812734668, 396.533767043344, 399.50475288867});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-0.0812631565305425, -0.0812631565305425, -0.0812631565305425, -0.0812631565305425, -0.0812631565305425});
  check_sums("hvp by b", h[b], {2.10185181680222, 106.551523277656, 105.611871877203, 106.403157267058});
}
