// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_121) {
  numbers draw(121);
  const auto A = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto B = draw.between<fixed<2, 3, 5>>(0.5, 2.0);
  const auto u = pow(a, 3_c);
  const auto f = sum(b / mean(u / stop_gradient(transpose(u))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 25.2067878466989);
  check("by a", r.gradient[a], {-11.5128864834985, -18.8317605404855, -33.0304042245438});
  check_sums("by b", r.gradient[b], {20.1662104732754, 994.866383348255, 978.061207953858, 1002.93286753756});
}

BOOST_AUTO_TEST_CASE(formula_122) {
  numbers draw(122);
  const auto A = draw.between<fixed<5, 3>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {5, 4});
  const auto f = mean(sum(expm1(a)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.27297391533586);
  check_sums("by a", r.gradient[a], {5.20688781314446, 222.362371925108, 257.36153507123, 217.899028282228});
  check_sums("by b", r.gradient[b], {4.85384510847443, 240.265332869484, 225.218413033213, 253.370714662365});
}

BOOST_AUTO_TEST_CASE(formula_123) {
  numbers draw(123);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = sum(min(concatenate<0>(max(stop_gradient(1.3 * b), a), a), b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 10.7830116310078);
  check_sums("by a", r.gradient[a], {13, 528, 493, 666});
  check("by b", r.gradient[b], {21});
}

BOOST_AUTO_TEST_CASE(formula_124) {
  numbers draw(124);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(0.5, 2.0);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto f = mean((stop_gradient(slice<1>(a, 1, 3)) - amin(a)) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.22274174867728);
  check("by a", r.gradient[a], {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -0.599686347047357, 0});
  check("by b", r.gradient[b], {-0.133575185599218});
}

BOOST_AUTO_TEST_CASE(formula_125) {
  numbers draw(125);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {33});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {33});
  const auto u = stop_gradient(b);
  const auto f = sum(b * where(a >= u, a, u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 15.2028990209864);
  check_sums("by a", r.gradient[a], {-5.45982902448616, -414.8422518742, -179.843827932302, -253.264434391756});
  check_sums("by b", r.gradient[b], {11.4844101527633, 570.629952754187, 521.314407447499, 676.0671412533});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-2.69501282167389, -199.480901931636, -130.813794210466, -135.407695860326});
  check_sums("hvp by b", h[b], {-3.23346653777802, -197.054532670441, -80.3926503329504, -195.587250407593});
}

BOOST_AUTO_TEST_CASE(formula_126) {
  numbers draw(126);
  const auto A = draw.between<fixed<1>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {16});
  const auto C = draw.between<fixed<2>>(-1.5, 1.5);
  const auto D = draw.between<tensor<2>>(-1.5, 1.5, {16, 2});
  const auto f = sum(mean(b / (a * dot(sin(c), c))) * d);
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 0.110513697380927);
  check("by a", r.gradient[a], {-0.109087801419838});
  check_sums("by b", r.gradient[b], {3.4699208869425, 155.929569856979, 158.965750633053, 170.242993515617});
  check("by c", r.gradient[c], {0.0701725802026946, 0.0626554633505919});
  check_sums("by d", r.gradient[d], {0.470531994528941, 23.7912739733696, 22.3649738649537, 23.6442327250793});
}

BOOST_AUTO_TEST_CASE(formula_127) {
  numbers draw(127);
  const auto A = draw.between<fixed<3, 5>>(-1.5, 1.5);
  const auto B = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto f = mean(pow(logsumexp(c, stop_gradient(sum<0>(a))), -1.5) - b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.66658824870264);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-0.333333333333333, -0.333333333333333, -0.333333333333333});
  check("by c", r.gradient[c],
        {-0.0525698599712594, -0.00179334143464687, -0.0501797748090715, -0.0417516090877389, -0.331158829101422});
}

BOOST_AUTO_TEST_CASE(formula_128) {
  numbers draw(128);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto f = mean(b * stop_gradient(square(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.0171744167770518);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {0.872147543507171, 43.8085395668524, 44.1106347102272, 45.1191781036883});
}

BOOST_AUTO_TEST_CASE(formula_129) {
  numbers draw(129);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {5});
  const auto B = draw.between<fixed<2, 1, 1>>(0.5, 2.0);
  const auto u = atan(max(b, a));
  const auto u1 = sum<0, 1>(stop_gradient(u));
  const auto f = mean(where((u >= 0.3) || (u1 <= 0.3), u, u1));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.934549579083258);
  check("by a", r.gradient[a], {0, 0.0565299513457896, 0.0799469436226467, 0.0711287309999422, 0.0459405685363132});
  check("by b", r.gradient[b], {0.05373918637158, 0.0486691120041941});
}

BOOST_AUTO_TEST_CASE(formula_130) {
  numbers draw(130);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto B = draw.between<fixed<9, 1>>(-1.5, 1.5);
  const auto C = draw.between<fixed<3>>(-1.5, 1.5);
  const auto dA = draw.between<tensor<2>>(-1, 1, {9, 3});
  const auto dB = draw.between<fixed<9, 1>>(-1, 1);
  const auto dC = draw.between<fixed<3>>(-1, 1);
  const auto f = mean(c - (b * pow(a, 3_c)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.0146974964965907);
  check_sums("by a", r.gradient[a], {-0.00936773565943457, -15.1498866088993, 4.64359589010862, -15.765432552834});
  check("by b", r.gradient[b],
        {0.0360991580405565, -0.0511694189021169, -0.00986513971305124, -0.00524181225214583, 0.148751509995914,
         -0.0061616482640673, -0.039268212857443, 0.0455416180407114, -0.223722023241738});
  check("by c", r.gradient[c], {0.333333333333333, 0.333333333333333, 0.333333333333333});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {0.614048655414934, 23.9967620039879, 31.635365572019, 31.2299484531802});
  check("hvp by b", h[b],
        {0.10514835299121, 0.0867252397632298, 0.00312739765924371, -0.0169490633612061, -0.00824636969819941,
         0.0332449706269819, 0.0890772140187205, 0.0965391260305706, 0.0913423778662982});
  check("hvp by c", h[c], {0, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_131) {
  numbers draw(131);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto u = b * a;
  const auto f = mean(concatenate<0>(stop_gradient(u), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.0532182132204294);
  check_sums("by a", r.gradient[a], {-0.488461268664552, -22.2840985429399, -23.3386388219374, -24.7155237139042});
  check("by b", r.gradient[b],
        {0.0486159177956245, -0.0610320874075555, 0.0201087498898193, -0.0305340685325368, 0.0899778659175978});
}

BOOST_AUTO_TEST_CASE(formula_132) {
  numbers draw(132);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {3, 5});
  const auto B = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto f = mean(a * log(max(stop_gradient(mean<-2>(b)), b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.2985619656995);
  check_sums("by a", r.gradient[a], {-1.0093960534382, -46.8314274201665, -45.4372091434125, -50.8883361500125});
  check("by b", r.gradient[b], {0.416781440868932, 0.927014725948801, 0});
}

BOOST_AUTO_TEST_CASE(formula_133) {
  numbers draw(133);
  const auto A = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto u = slice<2>(a, 2, 4);
  const auto f = sum(c * mean(max(b * concatenate<2>(stop_gradient(u), u), a)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 2.3872403210206);
  check("by a", r.gradient[a],
        {0.506029878047309, 0.506029878047309, -0.412016963248848, 0.506029878047309, 0, 0, 0.506029878047309,
         -0.412016963248848});
  check("by b", r.gradient[b], {-0.866034189187358});
  check("by c", r.gradient[c],
        {0.589698460650335, 0.589698460650335, 0.589698460650335, 0.589698460650335, 0.589698460650335,
         0.589698460650335, 0.589698460650335, 0.589698460650335, 0.589698460650335, 0.589698460650335,
         0.589698460650335, 0.589698460650335});
}

BOOST_AUTO_TEST_CASE(formula_134) {
  numbers draw(134);
  const auto A = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto u = min(a, b);
  const auto f = mean(u * (u + stop_gradient(norm<0, 2>(u))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.375016186589145);
  check("by a", r.gradient[a],
        {-0.0102195615631262, 0.129116176763919, 0.00454096154692474, 0.134327222033406, 0.29690716495299,
         0.193331836190544, 0.0086371441941307, 0});
  check("by b", r.gradient[b], {0.432596947809809});
}

BOOST_AUTO_TEST_CASE(formula_135) {
  numbers draw(135);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {2, 33});
  const auto B = draw.between<fixed<2>>(0.5, 2.0);
  const auto dA = draw.between<by_columns<2>>(-1, 1, {2, 33});
  const auto dB = draw.between<fixed<2>>(-1, 1);
  const auto u = expand_dims<2>(a);
  const auto f = mean(slice<1>(where(u > 0, log(u), u / 2_c), 21, 33) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.47220856797022);
  check_sums("by a", r.gradient[a], {1.94988598714127, 120.513854931622, 98.4409348494201, 97.1800459737041});
  check("by b", r.gradient[b], {-0.5, -0.5});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {6.83665684660269, 279.77679092004, 262.467276570802, 413.531668680361});
  check("hvp by b", h[b], {0, 0});
}
