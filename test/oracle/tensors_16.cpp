// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_151) {
  numbers draw(151);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {9, 9});
  const auto B = draw.between<fixed<1, 9>>(0.5, 2.0);
  const auto u = pow(b, a);
  const auto u1 = stop_gradient(mean(u));
  const auto f = mean(where(u1 >= u, u, u1));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.05128338930471);
  check_sums("by a", r.gradient[a], {-0.0495879866269131, -2.02823495031012, -2.38851557842914, -2.02485889651717});
  check("by b", r.gradient[b],
        {0, 0.0115103386869737, 0.135526681287348, 0.125136972894691, 0.102864121393136, 0.121389128477215,
         0.005363620522409, 0.0051800405777166, 0.0181205193491474});
}

BOOST_AUTO_TEST_CASE(formula_152) {
  numbers draw(152);
  const auto A = draw.between<fixed<3, 1, 5>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto f = sum(softmax<0>(sin(b)) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.28632646020051);
  check_sums("by a", r.gradient[a], {3, 120.437045194098, 109.860803650532, 144.381911950577});
  check("by b", r.gradient[b],
        {-0.0205677435749406, 0.0270324861264271, -0.239621826844922, -0.10800220559827, 0.389967073072724});
}

BOOST_AUTO_TEST_CASE(formula_153) {
  numbers draw(153);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {4, 3});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {5, 4});
  const auto u = stop_gradient(b);
  const auto f = sum(mean(logsumexp(u, pow(pow(u, 3_c), -1.5) + b)) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -18.3745596981679);
  check("by a", r.gradient[a],
        {3.65741666559773, 3.65741666559773, 3.65741666559773, 3.65741666559773, 3.65741666559773, 3.65741666559773,
         3.65741666559773, 3.65741666559773, 3.65741666559773, 3.65741666559773, 3.65741666559773, 3.65741666559773});
  check_sums("by b", r.gradient[b], {-3.4417980122126, -174.610218305997, -169.899056176657, -175.257295179022});
}

BOOST_AUTO_TEST_CASE(formula_154) {
  numbers draw(154);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {17, 3});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto f = mean(a * sum(concatenate<0>(b, square(stop_gradient(slice<0>(b, -8, 14))))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.336025394099946);
  check_sums("by a", r.gradient[a], {5.08457824287118, 257.61863097214, 244.757638946054, 254.528004981375});
  check_sums("by b", r.gradient[b], {-1.12348191469139, -53.3323473621146, -50.8210348469221, -52.9358243334});
}

BOOST_AUTO_TEST_CASE(formula_155) {
  numbers draw(155);
  const auto A = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto dA = draw.between<fixed<3, 1>>(-1, 1);
  const auto dB = draw.between<double>(-1, 1);
  const auto f = sum(b + logsumexp(stop_gradient(amin(a)), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 8.9736872629502);
  check("by a", r.gradient[a], {0.595574928346297, 0.512837479607572, 0.5});
  check("by b", r.gradient[b], {3});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0.0182793408661169, -0.175173015744245, 0.145602316081339});
  check("hvp by b", h[b], {0});
}

BOOST_AUTO_TEST_CASE(formula_156) {
  numbers draw(156);
  const auto A = draw.between<fixed<8>>(0.5, 2.0);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(b + stop_gradient(max(b, reshape<2, 4>(a))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.89504262325705);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {1});
}

BOOST_AUTO_TEST_CASE(formula_157) {
  numbers draw(157);
  const auto A = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto B = draw.between<fixed<5>>(0.5, 2.0);
  const auto C = draw.between<fixed<2, 3, 5>>(0.5, 2.0);
  const auto f = sum((clamp(a * stop_gradient(a), -0.5, 0.8) * b) / c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 4.47835806707155);
  check("by a", r.gradient[a], {-7.98044412926203, -0.892100304488969});
  check("by b", r.gradient[b],
        {0.97651447671781, 0.936556650211208, 0.961540956680929, 0.736698336161082, 0.729246916736926});
  check_sums("by c", r.gradient[c], {-4.45867500874529, -193.930191718528, -209.479430484113, -238.209633786449});
}

BOOST_AUTO_TEST_CASE(formula_158) {
  numbers draw(158);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {9, 9});
  const auto B = draw.between<fixed<1, 9>>(0.5, 2.0);
  const auto C = draw.between<std::vector<double>>(0.5, 2.0, {9});
  const auto f = mean((a + outer(b, stop_gradient(norm<1>(b)))) - c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 5.06946308454557);
  check_sums("by a", r.gradient[a], {1, 50.7901234567901, 50.4691358024691, 51.5925925925926});
  check("by b", r.gradient[b],
        {0.440496002474128, 0.440496002474128, 0.440496002474128, 0.440496002474128, 0.440496002474128,
         0.440496002474128, 0.440496002474128, 0.440496002474128, 0.440496002474128});
  check("by c", r.gradient[c],
        {-0.111111111111111, -0.111111111111111, -0.111111111111111, -0.111111111111111, -0.111111111111111,
         -0.111111111111111, -0.111111111111111, -0.111111111111111, -0.111111111111111});
}

BOOST_AUTO_TEST_CASE(formula_159) {
  numbers draw(159);
  const auto A = draw.between<fixed<9, 4>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {4, 9});
  const std::vector<int> I{0, 2, 3, 0, 3};
  const auto f = mean(b - norm<1>(take<1>(a, i)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -1.85774191773234);
  check_sums("by a", r.gradient[a], {-0.35996664589538, -42.1277323928357, 1.07445575164983, -27.6065168058601});
  check_sums("by b", r.gradient[b], {1, 50.9166666666667, 48.75, 50.7222222222222});
}

BOOST_AUTO_TEST_CASE(formula_160) {
  numbers draw(160);
  const auto A = draw.between<fixed<3, 1, 5>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {5});
  const auto dA = draw.between<fixed<3, 1, 5>>(-1, 1);
  const auto dB = draw.between<std::vector<double>>(-1, 1, {2});
  const auto dC = draw.between<tensor<1>>(-1, 1, {5});
  const auto f = mean(max(argmax<0>(b), c) * a);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.212205048100857);
  check_sums("by a", r.gradient[a], {1.0708963125343, 46.5847058003387, 45.9469001589872, 53.271122364407});
  check_zero(r.gradient[b]);
  check("by c", r.gradient[c], {0, -0.114202881983576, -0, -0, -0.0600513523258508});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {-0.121994508673434, -4.3010900722356, -1.99570097578489, -3.9459455721139});
  check("hvp by b", h[b], {0, 0});
  check("hvp by c", h[c], {0, 0.159373280883785, 0, 0, -0.0349714200796116});
}
