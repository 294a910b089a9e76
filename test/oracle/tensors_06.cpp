// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_76) {
  numbers draw(76);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const auto B = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto f = mean(sin(dot(log1p(pow(a, b)) + 1.3, a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.170299518226641);
  check("by a", r.gradient[a],
        {1.62686910691585, 1.50522381091649, 1.5397798275883, 1.51490277275079, 1.57929485710261});
  check("by b", r.gradient[b], {0.282551318863079, 0.157840101589884, 0.340752577520142});
}

BOOST_AUTO_TEST_CASE(formula_77) {
  numbers draw(77);
  const auto A = draw.between<fixed<4, 2, 3>>(-1.5, 1.5);
  const auto B = draw.between<fixed<4, 1, 3>>(-1.5, 1.5);
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {2, 4});
  const auto f = sum(c / sum(expand_dims<0>(logsumexp(stop_gradient(mean(a, keep_dims)), a)) * b));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 17.5002081294584);
  check_sums("by a", r.gradient[a], {6.94782258708312, -371.226065159236, -598.865463798493, 1419.23446353161});
  check("by b", r.gradient[b],
        {-19.4881799369483, -70.9447699393529, -32.8115533660706, -24.2558213523971, -21.6089686182993,
         -75.2984614404612, -63.2925913011144, -39.4476245284579, -23.5150468249428, -16.5994095542343,
         -82.6161501250078, -37.0157736958771});
  check("by c", r.gradient[c],
        {1.81675736221269, 1.81675736221269, 1.81675736221269, 1.81675736221269, 1.81675736221269, 1.81675736221269,
         1.81675736221269, 1.81675736221269});
}

BOOST_AUTO_TEST_CASE(formula_78) {
  numbers draw(78);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {5, 4});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto u = log_softmax<0>(b);
  const auto f = mean(a / sum(stop_gradient(prod(u, keep_dims)) * u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.0782862544513828);
  check_sums("by a", r.gradient[a], {0.217940073666193, 10.7880336464765, 10.1124194181113, 11.3764718453753});
  check("by b", r.gradient[b], {0.00382122535583802, -0.0102899463010668, 0.00646872094522881});
}

BOOST_AUTO_TEST_CASE(formula_79) {
  numbers draw(79);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = sigmoid(a * b);
  const auto f = dot(log_softmax<0>(stop_gradient(u)), u);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -2.25927881016933);
  check("by a", r.gradient[a], {-0.2424124556179, -0.255386311952347, -0.27196681341516});
  check("by b", r.gradient[b], {-0.50868848237295});
}

BOOST_AUTO_TEST_CASE(formula_80) {
  numbers draw(80);
  const auto A = draw.between<tensor<3>>(-1.5, 1.5, {4, 2, 3});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto dA = draw.between<tensor<3>>(-1, 1, {4, 2, 3});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {3});
  const auto f = sum(a * atan2(b, atan2(stop_gradient(b), b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.50395223186718);
  check_sums("by a", r.gradient[a], {-8.02191761430905, -27.4759312748639, -147.126124718926, -447.67675253369});
  check("by b", r.gradient[b], {0.164250425919126, 2.23784184218453, -2.48229558287579});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-5.60873521773032, -269.051878832333, -338.878442653628, -306.081161105197});
  check("hvp by b", h[b], {-0.0452244830291285, 0.272508510636373, -0.00783996001667719});
}

BOOST_AUTO_TEST_CASE(formula_81) {
  numbers draw(81);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<fixed<3, 1, 5>>(0.5, 2.0);
  const auto u = sqrt(b);
  const auto f = mean(a + mean(u - where(!((b >= u) || (b <= u)), u, b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.500414943366154);
  check("by a", r.gradient[a], {0.5, 0.5});
  check_sums("by b", r.gradient[b], {-0.555721731116339, -25.8784396089997, -25.2419476117894, -27.658065040165});
}

BOOST_AUTO_TEST_CASE(formula_82) {
  numbers draw(82);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto B = draw.between<fixed<1>>(-1.5, 1.5);
  const auto u = concatenate<0>(a, stop_gradient(mean<0>(a, keep_dims)));
  const auto f = sum(dot(pow(u, 3_c), u) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 8.03158791605445);
  check("by a", r.gradient[a], {7.90287677828655, 9.77416528251952});
  check("by b", r.gradient[b], {6.46496511329458});
}

BOOST_AUTO_TEST_CASE(formula_83) {
  numbers draw(83);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {17, 3});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto u = erf(slice<0>(b, 5, -6));
  const auto f = mean(a - dot(u, stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -4.39456509241724);
  check_sums("by a", r.gradient[a], {1, 50.6666666666667, 48.1372549019608, 50.0588235294118});
  check_sums("by b", r.gradient[b], {0.276547945844565, 36.6121406634806, 24.5899649281999, 8.29600948631627});
}

BOOST_AUTO_TEST_CASE(formula_84) {
  numbers draw(84);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {4, 9});
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto C = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const std::vector<int> I{4, 3};
  const auto u = dot(c, take<1>(b, i));
  const auto f = sum(a * mean(log_softmax<0>(where(u > 0, sqrt(u), u / 2_c))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, -8.32689169101947);
  check_sums("by a", r.gradient[a], {-52.3126667247886, -2663.58661407049, -2550.24250283345, -2653.41470665178});
  check("by b", r.gradient[b], {0, 0, 0, 0.193378008857858, 0.188203267340639, 0, 0, 0, 0});
  check("by c", r.gradient[c], {0.213354157632001, 0.246357802771273, -0.357317792977721, -0.129092444703209});
}

BOOST_AUTO_TEST_CASE(formula_85) {
  numbers draw(85);
  const auto A = draw.between<fixed<4, 1, 3>>(0.5, 2.0);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto dA = draw.between<fixed<4, 1, 3>>(-1, 1);
  const auto dB = draw.between<tensor<1>>(-1, 1, {3});
  const auto f = sum(mean(sum<-3, 1>(stop_gradient(slice<2>(a, 1, 3)), keep_dims)) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -4.63344868697694);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-8.38112187843571, -4.49011797884055, -8.34691572168686});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check("hvp by b", h[b], {-4.39166942973128, 2.44134866859325, -1.48959791252697});
}

BOOST_AUTO_TEST_CASE(formula_86) {
  numbers draw(86);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<fixed<1>>(0.5, 2.0);
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {16});
  const std::vector<int> I{0, 2, 7, -9, 2, 12};
  const auto f = mean(b / (mean(-stop_gradient(take(c, i))) * a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, -5.86490118063066);
  check("by a", r.gradient[a], {-8.45926861060154, -2.00589319082085});
  check("by b", r.gradient[b], {-3.28696454279173});
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_87) {
  numbers draw(87);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {4});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {9});
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {4, 9});
  const auto f = mean(c + mean(sum(outer(b, stop_gradient(slice<0>(b, 1, 9)))) / a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 2.33955908414767);
  check("by a", r.gradient[a], {-0.174747940559786, -0.756656811675581, -0.166461299767135, -0.134981764298637});
  check("by b", r.gradient[b],
        {-1.74181710755886, -1.74181710755886, -1.74181710755886, -1.74181710755886, -1.74181710755886,
         -1.74181710755886, -1.74181710755886, -1.74181710755886, -1.74181710755886});
  check_sums("by c", r.gradient[c], {1, 50.9166666666667, 48.75, 50.7222222222222});
}

BOOST_AUTO_TEST_CASE(formula_88) {
  numbers draw(88);
  const auto A = draw.between<fixed<3, 5>>(-1.5, 1.5);
  const auto B = draw.between<tensor<3>>(-1.5, 1.5, {2, 3, 5});
  const auto f = sum(b) * sum(reshape<-1>(stop_gradient(slice<0>(a, 1, 3))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.96347948095417);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {22.9013087707112, 1129.79789935509, 1110.71347537949, 1138.95842286337});
}

BOOST_AUTO_TEST_CASE(formula_89) {
  numbers draw(89);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 33});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {2});
  const auto u = stop_gradient(a);
  const auto u1 = stack<0>(a, u);
  const auto f = mean(b / mean(u + where(u1 < 0.3, u, u1)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.370051932871488);
  check_sums("by a", r.gradient[a], {-0.11962146225514, -5.93322452785495, -5.52053048307471, -7.26700383199976});
  check("by b", r.gradient[b], {-1.06674439551989, -1.06674439551989});
}

BOOST_AUTO_TEST_CASE(formula_90) {
  numbers draw(90);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {3, 1});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto dA = draw.between<tensor<2>>(-1, 1, {3, 1});
  const auto dB = draw.between<double>(-1, 1);
  const auto f = mean(stop_gradient(concatenate<1>(pow(a, 3_c), a, a)) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.88957044103607);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-3.76123312299916});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0, 0, 0});
  check("hvp by b", h[b], {3.77295118246959});
}
