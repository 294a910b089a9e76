// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_111) {
  numbers draw(111);
  const auto A = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = sum(softmax<1>(stop_gradient(atan(a))) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.823891196550751);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {1});
}

BOOST_AUTO_TEST_CASE(formula_112) {
  numbers draw(112);
  const auto A = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const auto C = draw.between<fixed<2, 3, 5>>(0.5, 2.0);
  const std::vector<int> I{1, 3, 2, 4, 1};
  const auto f = mean((expand_dims<0>(take(b, i)) - a) / c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, 1.90627569322507);
  check("by a", r.gradient[a], {-0.427241620883775, -0.448752916879184});
  check("by b", r.gradient[b], {0, 0.338783485555986, 0.194438657074619, 0.222795378674559, 0.119977016457796});
  check_sums("by c", r.gradient[c], {-1.89274442118722, -80.8555021811014, -100.612852013864, -92.369922197237});
}

BOOST_AUTO_TEST_CASE(formula_113) {
  numbers draw(113);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {4, 9});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto f = mean(b + expand_dims<0>(square(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.07022457497084);
  check_sums("by a", r.gradient[a], {2.71659443122331, 133.687344907754, 133.887291349069, 135.999317893396});
  check("by b", r.gradient[b],
        {0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111,
         0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111});
}

BOOST_AUTO_TEST_CASE(formula_114) {
  numbers draw(114);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {17, 3});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {17});
  const auto f = mean(sum(stop_gradient(amax<0>(a))) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 6.4407826085371);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {5.65126182402077, 268.268723057927, 255.63649074541, 266.274160061214});
}

BOOST_AUTO_TEST_CASE(formula_115) {
  numbers draw(115);
  const auto A = draw.between<by_columns<2>>(0.5, 2.0, {8, 8});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {8});
  const auto C = draw.between<double>(0.5, 2.0);
  const auto dA = draw.between<by_columns<2>>(-1, 1, {8, 8});
  const auto dB = draw.between<tensor<1>>(-1, 1, {8});
  const auto dC = draw.between<double>(-1, 1);
  const auto f = mean(b * (stop_gradient(c) - a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.653117986111863);
  check_sums("by a", r.gradient[a], {-1.13149354802165, -56.8118348320928, -59.0368393286579, -58.5956697700612});
  check("by b", r.gradient[b],
        {0.0551363602646505, 0.0639201659184683, 0.0591903813604454, 0.0758849810325529, 0.112780753335522,
         0.0929805899755648, 0.0536700414627185, 0.0644952778611892});
  check_zero(r.gradient[c]);
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {0.0627159147116895, 4.91226102497156, 2.45083659466657, 0.557539939608851});
  check("hvp by b", h[b],
        {0.0266666515068694, -0.0240651119059488, 0.00923318794659953, 0.0389653703059141, 0.0223900367813837,
         0.00821547417236282, 0.00665377412534029, 0.0280808043011142});
  check("hvp by c", h[c], {0});
}

BOOST_AUTO_TEST_CASE(formula_116) {
  numbers draw(116);
  const auto A = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto B = draw.between<fixed<5>>(0.5, 2.0);
  const auto f = mean(reshape<2, 5>(where(a < 0.3, b, (b * stop_gradient(sum(b))))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 6.60901590106152);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b],
        {0.864494683902941, 0.864494683902941, 0.864494683902941, 0.864494683902941, 0.864494683902941});
}

BOOST_AUTO_TEST_CASE(formula_117) {
  numbers draw(117);
  const auto A = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = sum(atan(sin(a)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.246969054475507);
  check("by a", r.gradient[a], {-0.37215688695331, -0.357978153279819, -0.408658356893997});
  check("by b", r.gradient[b], {0.446014655038037});
}

BOOST_AUTO_TEST_CASE(formula_118) {
  numbers draw(118);
  const auto A = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const std::vector<int> I{2, 2, 3, 1};
  const auto u = where(b > a, a, stop_gradient(take<2>(a, i)));
  const auto f = mean(where(u > 0.3, u, a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.128572435701998);
  check("by a", r.gradient[a], {0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_119) {
  numbers draw(119);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto u = expm1(a);
  const auto f = mean(reshape<1, -1, 2>(concatenate<0>(u, stop_gradient(slice<0>(u, 1, 3)))) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.313976738896165);
  check("by a", r.gradient[a],
        {0.312556808370576, 0.153998813411229, 0.0459482872210603, 0.0335450383069931, 0.167924166058691,
         0.0341766838924892, 0.271538746077599, 0.4952828623761});
  check("by b", r.gradient[b], {0.224118336815294});
}

BOOST_AUTO_TEST_CASE(formula_120) {
  numbers draw(120);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {9, 3});
  const auto dA = draw.between<tensor<2>>(-1, 1, {9, 3});
  const auto dB = draw.between<tensor<2>>(-1, 1, {9, 3});
  const auto f = sum(outer(-slice<0>(slice<1>(b, -3, 2), 4, 9), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -13.5968639971761);
  check_sums("by a", r.gradient[a], {-349.367258056936, -16795.5074428853, -16083.8333986953, -17921.2463855132});
  check_sums("by b", r.gradient[b], {-10.5080061012451, -623.124761803833, -442.387056862418, -544.314716044495});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-67.3928212976981, -3239.84748312638, -3102.56581011255, -3457.00212953007});
  check_sums("hvp by b", h[b], {-1.86104359657552, -110.359885276929, -78.3499354158296, -96.4020583026122});
}
