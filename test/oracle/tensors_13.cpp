// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_121) {
  numbers draw(121);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {17, 2});
  const auto f = sum(stop_gradient(b) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.0599681739913148);
  check("by a", r.gradient[a], {2.66496067920931, -5.68305388753445});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_122) {
  numbers draw(122);
  const auto A = draw.between<by_columns<4>>(-1.5, 1.5, {2, 3, 2, 5});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {2});
  const auto f = sum(dot(b, stop_gradient(b)) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 15.7463205572558);
  check_sums("by a", r.gradient[a], {98.0984628941328, 4955.60735053527, 4880.39852898311, 4978.49699187724});
  check("by b", r.gradient[b], {-12.3116560222134, -0.273506134033159});
}

BOOST_AUTO_TEST_CASE(formula_123) {
  numbers draw(123);
  const auto A = draw.between<by_columns<3>>(0.5, 2.0, {2, 3, 5});
  const auto B = draw.between<double>(0.5, 2.0);
  const std::vector<int> I{3, 4, 3};
  const auto f = sum(expand_dims<0>(stop_gradient(take<1>(mean<0>(a), i))) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -2.95661801563418);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-9});
}

BOOST_AUTO_TEST_CASE(formula_124) {
  numbers draw(124);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {4});
  const auto B = draw.between<fixed<4, 9>>(0.5, 2.0);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto f = sum(b * mean(sum(where(c > 0, sqrt(c), c / 2_c)) * a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -10.4233700820286);
  check("by a", r.gradient[a], {-5.58512626962352, -5.58512626962352, -5.58512626962352, -5.58512626962352});
  check_sums("by b", r.gradient[b], {-8.6334696353337, -439.587495599074, -420.881644722518, -437.908765392204});
  check("by c", r.gradient[c],
        {21.3414221510949, 10.139358226044, 10.139358226044, 10.139358226044, 19.0930009276724, 10.139358226044,
         10.139358226044, 10.1996407385289, 10.139358226044});
}

BOOST_AUTO_TEST_CASE(formula_125) {
  numbers draw(125);
  const auto A = draw.between<tensor<4>>(-1.5, 1.5, {2, 3, 2, 5});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {2});
  const auto dA = draw.between<tensor<4>>(-1, 1, {2, 3, 2, 5});
  const auto dB = draw.between<tensor<1>>(-1, 1, {2});
  const auto u = b - constant<1, 3>;
  const auto f = mean(sum(outer(u, stop_gradient(u))) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.01020331810359);
  check_sums("by a", r.gradient[a], {6.95146610072136, 351.164895854774, 345.835438510888, 352.786904611609});
  check("by b", r.gradient[b], {-0.383151549337515, -0.383151549337515});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {2.40825713441892, 121.657122907062, 119.810792437341, 122.21904957176});
  check("hvp by b", h[b], {-0.172894009275091, -0.172894009275091});
}

BOOST_AUTO_TEST_CASE(formula_126) {
  numbers draw(126);
  const auto A = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto B = draw.between<fixed<3, 5>>(-1.5, 1.5);
  const auto u = a * b;
  const auto f = mean(min(stop_gradient(u), pow(u, 3_c)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.19391277609284);
  check("by a", r.gradient[a], {-0.642846691881153, -1.79538864168971, 0.28541136891381});
  check_sums("by b", r.gradient[b], {4.4728323741342, 283.179129579265, 226.647097185022, 302.159265116411});
}

BOOST_AUTO_TEST_CASE(formula_127) {
  numbers draw(127);
  const auto A = draw.between<fixed<2, 1>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto f = mean(b * (2_c + sqrt(outer(stop_gradient(amin<-1>(a)), a))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.706774313663805);
  check("by a", r.gradient[a], {-0.0533913147255271, -0.045816483649122});
  check("by b", r.gradient[b], {1.79148929291386, 1.79148929291386});
}

BOOST_AUTO_TEST_CASE(formula_128) {
  numbers draw(128);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto f = mean(reshape<36>(dot(b, a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.108752238533144);
  check("by a", r.gradient[a],
        {0.0320603356380297, 0.0320603356380297, 0.0320603356380297, 0.0320603356380297, 0.0320603356380297,
         0.0320603356380297, 0.0320603356380297, 0.0320603356380297, 0.0320603356380297});
  check("by b", r.gradient[b], {0.0942253240551297, 0.0942253240551297, 0.0942253240551297, 0.0942253240551297});
}

BOOST_AUTO_TEST_CASE(formula_129) {
  numbers draw(129);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {17});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const std::vector<int> I{-14, -4};
  const auto f = sum(hypot(stop_gradient(take(a, i)), take(hypot(b, a), i)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 4.4051809579368);
  check_sums("by a", r.gradient[a], {1.40413209779476, 62.4505970093048, 96.893062531137, 82.8328655678556});
  check_sums("by b", r.gradient[b], {0.238089938316327, 10.9875547642632, 16.3344618610357, 14.1762041995007});
}

BOOST_AUTO_TEST_CASE(formula_130) {
  numbers draw(130);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {9, 9});
  const auto dA = draw.between<fixed<1, 9>>(-1, 1);
  const auto dB = draw.between<by_columns<2>>(-1, 1, {9, 9});
  const auto f = sum(erf(a * softmax<1>(b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.322029308451969);
  check("by a", r.gradient[a],
        {1.30176074335235, 0.996496834059687, 0.756225521205301, 0.993724527015454, 0.636946612563885, 1.03030280427788,
         1.12333612403035, 2.30909749795524, 0.830503382425115});
  check_sums("by b", r.gradient[b], {1.90169061053957e-16, 8.35327874756899, -8.3767475510729, 10.8917479677025});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {0.151384082843723, -0.18908682799161, -0.0154403263715981, -0.0327171980625828, -0.402962183056575,
         -0.0225497392513227, -0.0736489357383034, 0.882347687580759, -0.247995809283527});
  check_sums("hvp by b", h[b], {3.44505240307269e-16, -13.2739489376335, 8.17949837734242, -3.263408105072});
}
