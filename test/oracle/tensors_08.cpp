// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_106) {
  numbers draw(106);
  const auto A = draw.between<fixed<2>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {2, 33});
  const auto f = mean(a / amax(b, keep_dims));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.429233861528551);
  check("by a", r.gradient[a], {0.341870479383274, 0.341870479383274});
  check_sums("by b", r.gradient[b], {-0.293484772016599, -9.68499747654777, -6.45666498436518, -2.93484772016599});
}

BOOST_AUTO_TEST_CASE(formula_107) {
  numbers draw(107);
  const auto A = draw.between<fixed<2, 1, 1>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto C = draw.between<by_columns<3>>(0.5, 2.0, {2, 3, 5});
  const auto D = draw.between<by_columns<2>>(-1.5, 1.5, {3, 5});
  const auto f = sum(c + min(stop_gradient(a) - a, where(d <= b, d, b)));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 15.9923370170837);
  check("by a", r.gradient[a], {-1, -1});
  check("by b", r.gradient[b], {4, 0, 0, 6, 4});
  check_sums("by c", r.gradient[c], {30, 1480, 1455, 1492});
  check_sums("by d", r.gradient[d], {14, 422, 408, 760});
}

BOOST_AUTO_TEST_CASE(formula_108) {
  numbers draw(108);
  const auto A = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<fixed<4>>(0.5, 2.0);
  const auto C = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto D = draw.between<double>(-1.5, 1.5);
  const auto f = sum((sum(max(b, c)) * a) * d);
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 0.74017517277791);
  check("by a", r.gradient[a],
        {-0.412710178331179, -0.412710178331179, -0.412710178331179, -0.412710178331179, -0.412710178331179,
         -0.412710178331179, -0.412710178331179, -0.412710178331179});
  check("by b", r.gradient[b], {0.151095285881708, 0.100730190587805, 0.151095285881708, 0});
  check("by c", r.gradient[c],
        {0, 0.0503650952939025, 0, 0.0503650952939025, 0, 0, 0, 0.0503650952939025, 0, 0, 0, 0.0503650952939025});
  check("by d", r.gradient[d], {-26.3568914424634});
}

BOOST_AUTO_TEST_CASE(formula_109) {
  numbers draw(109);
  const auto A = draw.between<fixed<33>>(-1.5, 1.5);
  const auto B = draw.between<fixed<2>>(-1.5, 1.5);
  const auto f = sum(dot(outer(b, stop_gradient(a)), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 9.94162780663018);
  check_sums("by a", r.gradient[a], {0.650350446572447, 146.664780091163, 37.3461984797487, -102.681621910162});
  check("by b", r.gradient[b], {17.6248044364402, 17.6248044364402});
}

BOOST_AUTO_TEST_CASE(formula_110) {
  numbers draw(110);
  const auto A = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto B = draw.between<tensor<3>>(-1.5, 1.5, {2, 3, 5});
  const auto dA = draw.between<fixed<3, 1>>(-1, 1);
  const auto dB = draw.between<tensor<3>>(-1, 1, {2, 3, 5});
  const std::vector<int> I{0, 2, 0};
  const auto u = take<2>(b, i);
  const auto f = sum(a * sum(hypot(u, stop_gradient(u) / 1.3)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 0.282706590074914);
  check("by a", r.gradient[a], {16.1249397519709, 16.1249397519709, 16.1249397519709});
  check_sums("by b", r.gradient[b], {-1.38777878078145e-17, -1.25068388320368, -2.48747127881621, -0.264033264231888});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B, i = I);
  check("hvp by a", h[a], {3.63598128314784, 3.63598128314784, 3.63598128314784});
  check_sums("hvp by b", h[b], {-0.111597186401362, -33.3771068810698, -64.6075919632654, -11.1662118513017});
}

BOOST_AUTO_TEST_CASE(formula_111) {
  numbers draw(111);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto f = sum(dot(a, sin(b)) * c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 9.23957861033695);
  check_sums("by a", r.gradient[a], {-5.92333056439199, -223.795951685909, 49.8329803022462, -244.007280387697});
  check("by b", r.gradient[b],
        {-3.16017212683723, 0.850335119868323, 3.25308800223923, 6.8135833072289, 3.41455573977798, -3.43243350939619,
         -4.86992035931355, -0.508413424246662, 5.88763058630024});
  check_sums("by c", r.gradient[c], {-35.6552691476334, -1861.16902686206, -1790.59529886555, -1340.31087411005});
}

BOOST_AUTO_TEST_CASE(formula_112) {
  numbers draw(112);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {17});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = b - dot(softmax<0>(where(a > 0, log(a), a / 2_c)), a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.972639803234853);
  check_sums("by a", r.gradient[a], {-1.24342693521396, -67.4017023822199, -52.6538092824873, -60.2404759799494});
  check("by b", r.gradient[b], {1});
}

BOOST_AUTO_TEST_CASE(formula_113) {
  numbers draw(113);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {5, 17});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto f = mean(a * sum(stop_gradient(exp2(b))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.912715887744751);
  check_sums("by a", r.gradient[a], {4.58016047790184, 232.187194109165, 230.139592954338, 231.863888663666});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_114) {
  numbers draw(114);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {9});
  const auto B = draw.between<fixed<1, 9>>(0.5, 2.0);
  const auto f = mean(min(transpose(pow(stop_gradient(b), a)), b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.755266032359851);
  check("by a", r.gradient[a],
        {-0.00403862643502893, -0.03121091312648, -0.00376256268001817, -0.0100961004662773, 0, 0.000976157712813712,
         -0.014897993947281, -0.0214310807552115, 0.00853116067419643});
  check("by b", r.gradient[b],
        {0.0740740740740741, 0.0987654320987654, 0.0617283950617284, 0.0987654320987654, 0.0123456790123457,
         0.037037037037037, 0.0864197530864197, 0.0987654320987654, 0.0246913580246914});
}

BOOST_AUTO_TEST_CASE(formula_115) {
  numbers draw(115);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {33});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto dA = draw.between<std::vector<double>>(-1, 1, {33});
  const auto dB = draw.between<double>(-1, 1);
  const auto f = mean(b - atan2(stop_gradient(norm<0>(a, keep_dims)), pow(a, 3_c)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.500843195305873);
  check_sums("by a", r.gradient[a], {0.50009716038426, 25.9849764264577, 23.1578426895488, 24.7278573700455});
  check("by b", r.gradient[b], {1});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {0.0200287505934298, 0.0963515152434318, -0.460199442076661, 0.594680440758297});
  check("hvp by b", h[b], {0});
}

BOOST_AUTO_TEST_CASE(formula_116) {
  numbers draw(116);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {9});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {4, 9});
  const auto u = stop_gradient(mean(b, keep_dims));
  const auto f = sum(where(u > 0.3, u, a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 12.7511754728626);
  check("by a", r.gradient[a], {1, 1, 1, 1, 1, 1, 1, 1, 1});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_117) {
  numbers draw(117);
  const auto A = draw.between<tensor<4>>(-1.5, 1.5, {2, 3, 2, 5});
  const auto B = draw.between<fixed<5>>(-1.5, 1.5);
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {2});
  const auto f = sum(c - sum((-0.4 * mean(b, keep_dims)) * a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.08758438649684);
  check_sums("by a", r.gradient[a], {9.09393546334186, 459.395306489819, 452.423289301257, 461.517224764599});
  check("by b", r.gradient[b],
        {0.354353383572005, 0.354353383572005, 0.354353383572005, 0.354353383572005, 0.354353383572005});
  check("by c", r.gradient[c], {1, 1});
}

BOOST_AUTO_TEST_CASE(formula_118) {
  numbers draw(118);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {3, 3});
  const auto C = draw.between<double>(0.5, 2.0);
  const auto f = mean((a * outer(stop_gradient(amin<1>(b)), b)) / c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.0877661244576072);
  check("by a", r.gradient[a], {-0.0211413329203047, 0.161103292440598, -0.113326967869937});
  check("by b", r.gradient[b],
        {-0.00860069653290334, -0.0226013199530507, 0.0216505954703077, -0.00860069653290334, -0.0226013199530507,
         0.0216505954703077, -0.00860069653290334, -0.0226013199530507, 0.0216505954703077});
  check("by c", r.gradient[c], {-0.0667629372106801});
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
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {17});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto dA = draw.between<tensor<1>>(-1, 1, {17});
  const auto dB = draw.between<double>(-1, 1);
  const auto f = mean((stop_gradient(amax(a, keep_dims)) * expand_dims<0>(a)) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.15641135123475);
  check_sums("by a", r.gradient[a], {1.49920105229693, 71.167955835507, 67.8168005421374, 70.6388260523434});
  check("by b", r.gradient[b], {-0.1587321490842});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-0.447677310669228, -21.2515052770628, -20.2508148179198, -21.093501520356});
  check("hvp by b", h[b], {0.225015151877586});
}
