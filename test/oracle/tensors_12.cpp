// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_166) {
  numbers draw(166);
  const auto A = draw.between<tensor<3>>(-1.5, 1.5, {4, 2, 3});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto u = constant<1, 3> * a;
  const auto f = sum(b - (u + stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 19.378598514655);
  check_sums("by a", r.gradient[a], {-8, -382, -386, -405.666666666667});
  check("by b", r.gradient[b], {8, 8, 8});
}

BOOST_AUTO_TEST_CASE(formula_167) {
  numbers draw(167);
  const auto A = draw.between<fixed<17, 3>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const std::vector<int> I{0, 0, 2, 1, 2, 1, 1, 2, 1, 0, 2, 2, 0, 2, 1, 2, 0};
  const auto f = sum(b * mean(pow(stop_gradient(logsumexp<0>(a)), a) - one_hot(i, 3)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -10.7400195567771);
  check_sums("by a", r.gradient[a], {-15.8566802660221, -796.421722299578, -710.851342251322, -812.700246576733});
  check_sums("by b", r.gradient[b], {20.3915931158803, 968.000920265614, 922.419712124234, 960.803887401185});
}

BOOST_AUTO_TEST_CASE(formula_168) {
  numbers draw(168);
  const auto A = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto f = sum(sin((a + b) * stop_gradient(mean(b))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.2558541051634);
  check("by a", r.gradient[a], {-0.553692431095479, -0.554321974241602, -0.553205696854254, -0.554169133961341});
  check("by b", r.gradient[b],
        {-0.246018567882417, -0.245717669381371, -0.246521203268125, -0.246517590753872, -0.246189259292618,
         -0.245527999074592, -0.246446963530968, -0.246438036362138, -0.246011946606575});
}

BOOST_AUTO_TEST_CASE(formula_169) {
  numbers draw(169);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {8, 8});
  const auto f = mean(c - (b + amax(a)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -1.55149416179335);
  check("by a", r.gradient[a], {0, 0, -1, 0, 0, 0, 0, 0});
  check("by b", r.gradient[b], {-1});
  check_sums("by c", r.gradient[c], {1, 50.765625, 49.390625, 51.046875});
}

BOOST_AUTO_TEST_CASE(formula_170) {
  numbers draw(170);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto dA = draw.between<std::vector<double>>(-1, 1, {8});
  const auto dB = draw.between<double>(-1, 1);
  const auto u = logsumexp(a);
  const auto f = u - pow(b, u);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.72056421132003);
  check("by a", r.gradient[a],
        {0.0828589479235764, 0.150043462482453, 0.275704613773169, 0.0513944124816629, 0.197377912934065,
         0.199780837649115, 0.0823704120745085, 0.0958779606284344});
  check("by b", r.gradient[b], {-0.685343219848178});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {0.0284025758293616, 0.102119842728741, -0.119654847818219, 0.040714062083351, -0.00597582534340586,
         0.156511615556664, 0.0444455370342671, 0.0354514199108226});
  check("hvp by b", h[b], {-1.27925665850319});
}

BOOST_AUTO_TEST_CASE(formula_171) {
  numbers draw(171);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {8, 8});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {8});
  const auto u = a + b;
  const auto f = mean(concatenate<-2>(stop_gradient(u), u, u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.1072661043426);
  check_sums("by a", r.gradient[a], {0.666666666666667, 33.84375, 32.9270833333333, 34.03125});
  check("by b", r.gradient[b],
        {0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333,
         0.0833333333333333, 0.0833333333333333, 0.0833333333333333});
}

BOOST_AUTO_TEST_CASE(formula_172) {
  numbers draw(172);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<fixed<2, 1, 4>>(0.5, 2.0);
  const auto u = where(a > 0, sqrt(a), a / 2_c);
  const auto f = sum(mean(hypot(u, stop_gradient(slice<1>(u, 0, 3)))) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 7.44041687129146);
  check("by a", r.gradient[a],
        {0.296686272366876, -0.22348326493568, -0.22348326493568, 0.240363622123656, -0.22348326493568,
         0.185519290854313, 0.189534997032831, -0.22348326493568, -0.22348326493568, -0.22348326493568,
         -0.22348326493568, 0.193082014559872});
  check("by b", r.gradient[b],
        {-0.441178218145787, -1.71128452740186, -0.529755379136766, -1.50790648326926, -0.446010895536302,
         -0.628879004610312, -1.20723320282153, -1.05003143373747});
}

BOOST_AUTO_TEST_CASE(formula_173) {
  numbers draw(173);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<double>(-1.5, 1.5);
  const std::vector<int> I{1, 0, -3, -1};
  const auto f = mean(take<1>(exp2(a), i) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 0.633857682582104);
  check("by a", r.gradient[a],
        {0.146129489207697, 0.016426186263077, 0.0634943449583705, 0.0293545073325337, 0.0326506579569968,
         0.0168733483503609, 0.0430640391356461, 0.0706234235204152, 0.0207406688329489});
  check("by b", r.gradient[b], {1.18542172462154});
}

BOOST_AUTO_TEST_CASE(formula_174) {
  numbers draw(174);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<fixed<2, 3, 2, 5>>(-1.5, 1.5);
  const auto C = draw.between<fixed<3, 1, 5>>(-1.5, 1.5);
  const auto f = mean(b * (a - (c * 1.3)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.0187846492509853);
  check("by a", r.gradient[a],
        {-0.0212599703908246, -0.0400307354936519, -0.0236330140724932, 0.0607777066811815, -0.0493207926858779});
  check_sums("by b", r.gradient[b], {-0.467703781285185, -19.9127774172929, -23.9910915703297, -19.2348044232755});
  check_sums("by c", r.gradient[c], {0.0955068477501659, 2.59236884097679, 0.424646590526516, 3.17838492910768});
}

BOOST_AUTO_TEST_CASE(formula_175) {
  numbers draw(175);
  const auto A = draw.between<fixed<4, 9>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto dA = draw.between<fixed<4, 9>>(-1, 1);
  const auto dB = draw.between<std::vector<double>>(-1, 1, {9});
  const auto u = atan2(b, a);
  const auto f = mean(where(!(a > u), u, stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.356478888505247);
  check_sums("by a", r.gradient[a], {-0.0433633903774447, -2.56193297112168, -2.16302383699286, -2.39931596568621});
  check("by b", r.gradient[b], {0, 0.0255315027022633, 0, 0, 0, 0, 0, 0.00952419974390873, 0});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-0.029472440656157, -1.21360677017921, -1.7233925072517, -2.34831554078366});
  check("hvp by b", h[b], {0, 0.0414045419984704, 0, 0, 0, 0, 0, -0.0143207810934967, 0});
}

BOOST_AUTO_TEST_CASE(formula_176) {
  numbers draw(176);
  const auto A = draw.between<fixed<4, 3>>(0.5, 2.0);
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {5, 4});
  const auto f = sum(b + tanh(stop_gradient(logsumexp(a))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 23.311314762379);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {20, 990, 928, 1044});
}

BOOST_AUTO_TEST_CASE(formula_177) {
  numbers draw(177);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto C = draw.between<by_columns<2>>(0.5, 2.0, {4, 9});
  const auto f = sum(outer(a, min(-stop_gradient(b), c)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -15.5396459571202);
  check("by a", r.gradient[a],
        {-3.28281484464315, -3.28281484464315, -3.28281484464315, -3.28281484464315, -3.28281484464315,
         -3.28281484464315, -3.28281484464315, -3.28281484464315, -3.28281484464315});
  check_zero(r.gradient[b]);
  check_sums("by c", r.gradient[c], {33.1354422493071, 1888.72020821051, 2087.53286170635, 1869.78566978233});
}

BOOST_AUTO_TEST_CASE(formula_178) {
  numbers draw(178);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto f = amin(min(stop_gradient(mean<1>(b, keep_dims)), atan2(b, a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -2.77659386919841);
  check("by a", r.gradient[a], {0.24096716164319, 0, 0, 0, 0, 0, 0, 0, 0});
  check("by b", r.gradient[b], {-0.630604893923291, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_179) {
  numbers draw(179);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {5, 17});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto u = stop_gradient(mean<0>(a));
  const auto f = sum(mean(logsumexp(logsumexp(u, a), u)) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.569134191977185);
  check_sums("by a", r.gradient[a], {-0.171311458396952, -8.52362840320928, -8.73444845563353, -8.32383173725896});
  check("by b", r.gradient[b], {-4.25514132947158, -6.70157032611244});
}

BOOST_AUTO_TEST_CASE(formula_180) {
  numbers draw(180);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<fixed<9>>(-1.5, 1.5);
  const auto dA = draw.between<fixed<1, 9>>(-1, 1);
  const auto dB = draw.between<fixed<9>>(-1, 1);
  const auto f = mean(a * dot(hypot(stop_gradient(b), b), b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 8.26267831878037);
  check("by a", r.gradient[a],
        {1.16686782263941, 1.16686782263941, 1.16686782263941, 1.16686782263941, 1.16686782263941, 1.16686782263941,
         1.16686782263941, 1.16686782263941, 1.16686782263941});
  check("by b", r.gradient[b],
        {2.41318068167, 2.02861964381539, 0.113493562956292, 0.706633404465309, 1.69935457932608, 1.38121023021323,
         1.82499409196446, 0.205331728030449, 2.44263634846999});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-0.8382897357231, -0.8382897357231, -0.8382897357231, -0.8382897357231, -0.8382897357231, -0.8382897357231,
         -0.8382897357231, -0.8382897357231, -0.8382897357231});
  check("hvp by b", h[b],
        {-0.916924834139783, 0.781730329203354, 0.937869288318603, -1.14627152371667, -1.01484882151323,
         1.22635277231744, 0.106145776096644, 0.846453242371418, -1.07302696416896});
}
