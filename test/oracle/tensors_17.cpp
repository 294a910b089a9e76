// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_161) {
  numbers draw(161);
  const auto A = draw.between<fixed<2>>(0.5, 2.0);
  const auto B = draw.between<tensor<4>>(-1.5, 1.5, {2, 3, 2, 5});
  const auto f = mean(b / mean(log_softmax<0>(stop_gradient(a))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.324655720470006);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {-1.44091995438356, -72.7904730289429, -71.6857677305822, -73.1266876849658});
}

BOOST_AUTO_TEST_CASE(formula_162) {
  numbers draw(162);
  const auto A = draw.between<fixed<2, 1, 1>>(0.5, 2.0);
  const auto B = draw.between<tensor<3>>(0.5, 2.0, {2, 3, 5});
  const std::vector<int> I{-1, 4, 0, 1, -4, 4};
  const auto f = sum(mean<0, 2>(stop_gradient(take<2>(b, i))) + a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 13.6603389959365);
  check("by a", r.gradient[a], {3, 3});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_163) {
  numbers draw(163);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto B = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto u = where(b > 0, log(b), b / 2_c);
  const auto f = mean(mean(stack<2>(stop_gradient(u), u)) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.933631265095041);
  check("by a", r.gradient[a],
        {-0.111111111111111, -0.111111111111111, -0.111111111111111, -0.111111111111111, -0.111111111111111,
         -0.111111111111111, -0.111111111111111, -0.111111111111111, -0.111111111111111});
  check("by b", r.gradient[b], {0.0625, 0.0625, 0.85996449906565, 0.0625});
}

BOOST_AUTO_TEST_CASE(formula_164) {
  numbers draw(164);
  const auto A = draw.between<fixed<9>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1, 9>>(0.5, 2.0);
  const auto f = mean(a * mean(slice<1>(b, -2, 9)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.183307319179678);
  check("by a", r.gradient[a],
        {0.127420083821274, 0.127420083821274, 0.127420083821274, 0.127420083821274, 0.127420083821274,
         0.127420083821274, 0.127420083821274, 0.127420083821274, 0.127420083821274});
  check("by b", r.gradient[b], {0, 0, 0, 0, 0, 0, 0, -0.0799225651798409, -0.0799225651798409});
}

BOOST_AUTO_TEST_CASE(formula_165) {
  numbers draw(165);
  const auto A = draw.between<fixed<2, 1, 4>>(0.5, 2.0);
  const auto B = draw.between<fixed<1, 3, 1, 4>>(0.5, 2.0);
  const auto dA = draw.between<fixed<2, 1, 4>>(-1, 1);
  const auto dB = draw.between<fixed<1, 3, 1, 4>>(-1, 1);
  const auto f = mean(b * amin<0, -2>(a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.03789755908644);
  check("by a", r.gradient[a], {0.184066789834326, 0, 0, 0.199484827846514, 0, 0.33801209272957, 0.306728149092164, 0});
  check("by b", r.gradient[b],
        {0.0559890305030419, 0.09227785643141, 0.0944078005901885, 0.0803929853705036, 0.0559890305030419,
         0.09227785643141, 0.0944078005901885, 0.0803929853705036, 0.0559890305030419, 0.09227785643141,
         0.0944078005901885, 0.0803929853705036});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0.079628045048081, 0, 0, 0.0739361285188248, 0, -0.107970817414099, -0.025994062629836, 0});
  check("hvp by b", h[b],
        {-0.0371690378309394, -0.0562648120365407, 0.0412581841420653, 0.0442510202810716, -0.0371690378309394,
         -0.0562648120365407, 0.0412581841420653, 0.0442510202810716, -0.0371690378309394, -0.0562648120365407,
         0.0412581841420653, 0.0442510202810716});
}

BOOST_AUTO_TEST_CASE(formula_166) {
  numbers draw(166);
  const auto A = draw.between<fixed<4>>(-1.5, 1.5);
  const auto B = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto f = mean(a - slice<2>(stop_gradient(b), 0, 4));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.252233443026074);
  check("by a", r.gradient[a], {0.25, 0.25, 0.25, 0.25});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_167) {
  numbers draw(167);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {8});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {8, 8});
  const auto f = sum(a * mean(max(b, stop_gradient(mean(b)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.23946554392351);
  check("by a", r.gradient[a],
        {0.227134532201301, 0.227134532201301, 0.227134532201301, 0.227134532201301, 0.227134532201301,
         0.227134532201301, 0.227134532201301, 0.227134532201301});
  check_sums("by b", r.gradient[b], {4.77576488403173, 214.139135122713, 220.455469324175, 283.926925202274});
}

BOOST_AUTO_TEST_CASE(formula_168) {
  numbers draw(168);
  const auto A = draw.between<by_columns<2>>(0.5, 2.0, {8, 8});
  const auto B = draw.between<fixed<8>>(-1.5, 1.5);
  const auto C = draw.between<double>(0.5, 2.0);
  const auto f = mean(outer(dot(stop_gradient(b), a), b) / c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.732356609667603);
  check_sums("by a", r.gradient[a], {0.538345964192673, 23.3508062089119, 23.5290859264758, 21.7946380328304});
  check("by b", r.gradient[b],
        {-0.423187704947689, -0.423187704947689, -0.423187704947689, -0.423187704947689, -0.423187704947689,
         -0.423187704947689, -0.423187704947689, -0.423187704947689});
  check("by c", r.gradient[c], {-1.0531613827695});
}

BOOST_AUTO_TEST_CASE(formula_169) {
  numbers draw(169);
  const auto A = draw.between<fixed<1, 9>>(0.5, 2.0);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const auto f = sum(slice<1>(b * logsumexp<1>(a, keep_dims), 0, 6));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -7.56498381772519);
  check("by a", r.gradient[a],
        {-0.10124352736783, -0.215346551542126, -0.384808910477405, -0.29443379014281, -0.13293491758853,
         -0.1570641694897, -0.367737161296784, -0.185488179376669, -0.283385038258562});
  check_sums("by b", r.gradient[b], {85.542780731438, 4287.83188416333, 4159.51771306617, 3888.63224074995});
}

BOOST_AUTO_TEST_CASE(formula_170) {
  numbers draw(170);
  const auto A = draw.between<fixed<2, 4>>(-1.5, 1.5);
  const auto B = draw.between<fixed<3>>(0.5, 2.0);
  const auto dA = draw.between<fixed<2, 4>>(-1, 1);
  const auto dB = draw.between<fixed<3>>(-1, 1);
  const auto u = b * -0.4;
  const auto f = sum(sum(where(u >= b, stop_gradient(u), u)) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 5.77286544945877);
  check("by a", r.gradient[a],
        {-1.89196643917447, -1.89196643917447, -1.89196643917447, -1.89196643917447, -1.89196643917447,
         -1.89196643917447, -1.89196643917447, -1.89196643917447});
  check("by b", r.gradient[b], {1.22050060295523, 1.22050060295523, 1.22050060295523});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-0.540904474324037, -0.540904474324037, -0.540904474324037, -0.540904474324037, -0.540904474324037,
         -0.540904474324037, -0.540904474324037, -0.540904474324037});
  check("hvp by b", h[b], {-1.49651955510328, -1.49651955510328, -1.49651955510328});
}
