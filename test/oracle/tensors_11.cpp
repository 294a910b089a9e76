// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_151) {
  numbers draw(151);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 17});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<tensor<1>>(0.5, 2.0, {17});
  const std::vector<int> I{13, 2, 7};
  const auto f = mean(outer(stop_gradient(take<1>(a, i)), dot(pow(slice<0>(c, 13, 15), 3_c), a)) - b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, -0.869000152371968);
  check_sums("by a", r.gradient[a], {0.876428502788599, 43.1994168863122, 41.1497254826293, 42.2014081352996});
  check("by b", r.gradient[b], {-1});
  check_sums("by c", r.gradient[c], {0.146542538620919, 16.9429737017174, 12.5567751519698, 11.8084121160759});
}

BOOST_AUTO_TEST_CASE(formula_152) {
  numbers draw(152);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {4});
  const auto f = mean(b + mean(stop_gradient(prod<2>(a)) * a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.76714190174124);
  check("by a", r.gradient[a],
        {0.0873653626786694, 0.130088528717599, 0.128369727212332, 0.118435599799316, 0.0873653626786694,
         0.130088528717599, 0.128369727212332, 0.118435599799316, 0.0873653626786694, 0.130088528717599,
         0.128369727212332, 0.118435599799316});
  check("by b", r.gradient[b], {0.25, 0.25, 0.25, 0.25});
}

BOOST_AUTO_TEST_CASE(formula_153) {
  numbers draw(153);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {3, 5});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const auto u = stop_gradient(a);
  const auto f = mean(mean(b * slice<1>(concatenate<0>(a, u, u), 0, -3)) * c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.87393969989671);
  check_sums("by a", r.gradient[a], {0.56891585241724, 20.5757899957568, 31.9541070441016, 20.8602479219655});
  check("by b", r.gradient[b], {1.14101037262471});
  check("by c", r.gradient[c],
        {0.360647010951597, 0.360647010951597, 0.360647010951597, 0.360647010951597, 0.360647010951597});
}

BOOST_AUTO_TEST_CASE(formula_154) {
  numbers draw(154);
  const auto A = draw.between<fixed<5>>(0.5, 2.0);
  const auto B = draw.between<fixed<2, 3, 2, 5>>(-1.5, 1.5);
  const auto C = draw.between<fixed<3, 1, 5>>(0.5, 2.0);
  const auto D = draw.between<fixed<2>>(0.5, 2.0);
  const auto f = mean(sum(b * (atan(c) + a)) * d);
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, -8.70798219956725);
  check("by a", r.gradient[a],
        {-1.46184076320959, -7.21940369526185, 5.48764618473087, -1.22619988785909, 1.05558005131768});
  check_sums("by b", r.gradient[b], {197.986063858592, 9885.22052737608, 9782.37893777823, 10111.5364513238});
  check_sums("by c", r.gradient[c], {0.17630977284703, 16.3178606017434, -248.891651226991, 62.6523232067246});
  check("by d", r.gradient[d], {-2.9177671568626, -2.9177671568626});
}

BOOST_AUTO_TEST_CASE(formula_155) {
  numbers draw(155);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {17, 2});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {2});
  const auto dB = draw.between<tensor<2>>(-1, 1, {17, 2});
  const auto f = mean(log_softmax<0>(max(hypot(stop_gradient(amin(a)), a), b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -2.84691417206666);
  check("by a", r.gradient[a], {0.00828870975550982, 0.0276819512794588});
  check_sums("by b", r.gradient[b], {-0.0480365651444182, -2.41721411019965, -1.6431676509546, -2.24577092346778});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {-0.0132013229909172, -0.0175837329311997});
  check_sums("hvp by b", h[b], {0.0781849999365357, 2.56970038787617, 1.69797537151177, 7.17471056844472});
}

BOOST_AUTO_TEST_CASE(formula_156) {
  numbers draw(156);
  const auto A = draw.between<fixed<8>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = sum(slice<2>(expand_dims<-2>(stop_gradient(reshape<2, 4>(a))), 0, 2) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -6.00378493778584);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-4});
}

BOOST_AUTO_TEST_CASE(formula_157) {
  numbers draw(157);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {9});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto f = sum(log(atan2(b + logsumexp<0>(a), a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 15.2991392415718);
  check("by a", r.gradient[a],
        {-1.40705201976654, -1.31288664670692, -1.4576224338263, -1.43288688253724, -1.64707128151165,
         -1.05513883070033, -1.03021353430289, -0.24720438574013, -0.933151140706867});
  check_sums("by b", r.gradient[b], {7.03098660332505, 348.946246937449, 351.665801255995, 375.165991126783});
}

BOOST_AUTO_TEST_CASE(formula_158) {
  numbers draw(158);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {3});
  const auto B = draw.between<fixed<9, 3>>(-1.5, 1.5);
  const std::vector<int> I{2, 2, 0, 1, -2, 2};
  const auto f = sum(dot(mean<1>(stop_gradient(take<1>(b, i))), b) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 3.00873966876889);
  check("by a", r.gradient[a], {-1, -1, -1});
  check_sums("by b", r.gradient[b], {12.1326545889641, 561.978351035844, 628.776444521163, 511.597446674526});
}

BOOST_AUTO_TEST_CASE(formula_159) {
  numbers draw(159);
  const auto A = draw.between<fixed<4, 1, 3>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {2, 4});
  const auto C = draw.between<fixed<4, 2, 3>>(-1.5, 1.5);
  const std::vector<int> I{2, 2, 2, 2};
  const auto f = mean(c * sum(b - stop_gradient(take<2>(a, i))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, -1.05008836159798);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b],
        {-0.194196419415156, -0.194196419415156, -0.194196419415156, -0.194196419415156, -0.194196419415156,
         -0.194196419415156, -0.194196419415156, -0.194196419415156});
  check_sums("by c", r.gradient[c], {21.6294072725016, 1032.80419726195, 1043.6189008982, 1096.79119377643});
}

BOOST_AUTO_TEST_CASE(formula_160) {
  numbers draw(160);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {3, 5});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {5});
  const auto C = draw.between<double>(-1.5, 1.5);
  const auto dA = draw.between<by_columns<2>>(-1, 1, {3, 5});
  const auto dB = draw.between<tensor<1>>(-1, 1, {5});
  const auto dC = draw.between<double>(-1, 1);
  const auto f = mean(logsumexp<1>(min(b, a)) * c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.20590937503231);
  check_sums("by a", r.gradient[a], {0.558245177964665, 23.9787643503991, 24.0888730299447, 33.6201663968988});
  check("by b", r.gradient[b], {0.229086372551211, 0, 0, 0, 0});
  check("by c", r.gradient[c], {1.5316411164295});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {0.408710199764957, 19.8950826492683, 14.3631691974178, 27.1575324650091});
  check("hvp by b", h[b], {0.198341524620071, 0, 0, 0, 0});
  check("hvp by c", h[c], {0.312903770280695});
}

BOOST_AUTO_TEST_CASE(formula_161) {
  numbers draw(161);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {4});
  const auto C = draw.between<fixed<9, 4>>(-1.5, 1.5);
  const auto D = draw.between<tensor<1>>(0.5, 2.0, {9});
  const auto f = mean(c + (b / sum(min(d, a))));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 0.258763345021393);
  check_sums("by a", r.gradient[a], {0.041381051782871, 2.33731595932216, 1.86785506150959, 2.1418261629686});
  check("by b", r.gradient[b], {0.0435869129677324, 0.0435869129677324, 0.0435869129677324, 0.0435869129677324});
  check_sums("by c", r.gradient[c], {1, 50.9166666666667, 48.75, 50.7222222222222});
  check("by d", r.gradient[d],
        {0, 0.001426932820099, 0.002853865640198, 0.001426932820099, 0, 0.001426932820099, 0, 0.002853865640198, 0});
}

BOOST_AUTO_TEST_CASE(formula_162) {
  numbers draw(162);
  const auto A = draw.between<by_columns<3>>(-1.5, 1.5, {2, 3, 5});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = mean<-2>(a);
  const auto f = mean(sum<0, 2>(where(stop_gradient(expand_dims<0>(u / b)) < 0.3, u, b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.703185753060126);
  check_sums("by a", r.gradient[a], {2.5, 152.666666666667, 106.833333333333, 141});
  check("by b", r.gradient[b], {2.5});
}

BOOST_AUTO_TEST_CASE(formula_163) {
  numbers draw(163);
  const auto A = draw.between<fixed<3>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto f = mean((pow(a, 3_c) + stop_gradient(mean<0>(a))) + b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.64861033861823);
  check("by a", r.gradient[a], {0.244151113748607, 2.24245360640955, 0.000674545273090518});
  check("by b", r.gradient[b],
        {0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111,
         0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111});
}

BOOST_AUTO_TEST_CASE(formula_164) {
  numbers draw(164);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {5, 4});
  const auto f = mean(a * mean(pow(pow(b, -1.5), -1.5)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.998532964543471);
  check("by a", r.gradient[a], {0.621690759360348, 0.621690759360348, 0.621690759360348});
  check_sums("by b", r.gradient[b], {1.57376437401649, 75.3134525750214, 69.5203260877364, 80.5640037014245});
}

BOOST_AUTO_TEST_CASE(formula_165) {
  numbers draw(165);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const auto C = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto dA = draw.between<std::vector<double>>(-1, 1, {9});
  const auto dB = draw.between<tensor<2>>(-1, 1, {4, 9});
  const auto dC = draw.between<fixed<4, 1>>(-1, 1);
  const auto f = mean(slice<1>(min(dot(b, a), c), 0, -1));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -3.0872158579002);
  check("by a", r.gradient[a],
        {0.577394622064845, -0.0841983078672542, -0.836519060231056, -0.611556413286159, 0.06037426381855,
         -0.173911214770708, 0.131751803160529, -0.70870963808089, 0.377060197352925});
  check_sums("by b", r.gradient[b], {1.11989490565373, 66.2385588301059, 81.5413424801274, -3.44833556560258});
  check("by c", r.gradient[c], {0.0833333333333333, 0, 0.0833333333333333, 0});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a],
        {0.217817966229197, -0.04228548373823, 0.170747805233462, 0.167306424429317, 0.0484136275706877,
         -0.0257835353379061, 0.0696323706006161, -0.109172070993035, -0.178372238147246});
  check_sums("hvp by b", h[b], {3.73136019391537, 181.55968130049, 191.974117952697, 173.48556470847});
  check("hvp by c", h[c], {0, 0, 0, 0});
}
