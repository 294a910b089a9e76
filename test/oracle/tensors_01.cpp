// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_1) {
  numbers draw(1);
  const auto A = draw.between<fixed<17>>(-1.5, 1.5);
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto u = log_softmax<0>(b);
  const auto f = sum(mean(outer(stop_gradient(u), asinh(log_softmax<0>(u)))) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -7.59834886055381);
  check_sums("by a", r.gradient[a], {17.7960827376134, 844.790515838472, 805.011036777925, 838.509545460491});
  check("by b", r.gradient[b], {0.071975971965017, -0.0933770513749612, 0.0214010794099442});
}

BOOST_AUTO_TEST_CASE(formula_2) {
  numbers draw(2);
  const auto A = draw.between<fixed<8, 8>>(0.5, 2.0);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto u = where(!((a > b) || (a >= b)), a, b);
  const auto f = mean(u + transpose(stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.09868153945947);
  check_sums("by a", r.gradient[a], {0.46875, 21.59375, 20.25, 21.796875});
  check("by b", r.gradient[b], {0.53125});
}

BOOST_AUTO_TEST_CASE(formula_3) {
  numbers draw(3);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto B = draw.between<fixed<9, 1>>(0.5, 2.0);
  const std::vector<int> I{2, 1, 0, 2};
  const auto f = sum(b * sum(slice<0>(stop_gradient(take<1>(concatenate<0>(stop_gradient(a), a), i)), 11, 18)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -11.3335617326286);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b],
        {-1.00642717024611, -1.00642717024611, -1.00642717024611, -1.00642717024611, -1.00642717024611,
         -1.00642717024611, -1.00642717024611, -1.00642717024611, -1.00642717024611});
}

BOOST_AUTO_TEST_CASE(formula_4) {
  numbers draw(4);
  const auto A = draw.between<fixed<4>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const std::vector<int> I{3, -4, -2, 1, -1};
  const auto f = mean(sum(exp(take(stop_gradient(a) + a, i))) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 17.8092816788439);
  check("by a", r.gradient[a], {11.0079286914915, 4.87168848317133, 1.29774676832216, 0.631288357725104});
  check("by b", r.gradient[b],
        {-0.0833333333333333, -0.0833333333333333, -0.0833333333333333, -0.0833333333333333, -0.0833333333333333,
         -0.0833333333333333, -0.0833333333333333, -0.0833333333333333, -0.0833333333333333, -0.0833333333333333,
         -0.0833333333333333, -0.0833333333333333});
}

BOOST_AUTO_TEST_CASE(formula_5) {
  numbers draw(5);
  const auto A = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {5});
  const auto dA = draw.between<fixed<2, 1, 1>>(-1, 1);
  const auto dB = draw.between<tensor<1>>(-1, 1, {5});
  const auto u = stop_gradient(slice<0>(b, -5, 2));
  const auto f = mean(hypot(u, min(a, u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.03932265628326);
  check("by a", r.gradient[a], {-0.44497336867813, 0});
  check_zero(r.gradient[b]);
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0.0402555796316044, 0});
  check("hvp by b", h[b], {0, 0, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_6) {
  numbers draw(6);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 1});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto C = draw.between<by_columns<2>>(0.5, 2.0, {2, 33});
  const auto f = sum(concatenate<1>((a * b) + a, stop_gradient(c + a) - c));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -4.5261419456208);
  check("by a", r.gradient[a], {-0.908828481523706, -0.908828481523706});
  check("by b", r.gradient[b], {-0.141040097056441, -0.141040097056441});
  check_sums("by c", r.gradient[c], {-66, -3378, -3300, -3371});
}

BOOST_AUTO_TEST_CASE(formula_7) {
  numbers draw(7);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {3});
  const auto B = draw.between<fixed<4, 1, 3>>(-1.5, 1.5);
  const auto f = mean(b - stop_gradient(expm1(prod(a))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -16.4186886653086);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b],
        {0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333,
         0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333,
         0.0833333333333333, 0.0833333333333333});
}

BOOST_AUTO_TEST_CASE(formula_8) {
  numbers draw(8);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto f = sum(concatenate<0>(b * stop_gradient(mean<0>(a, keep_dims)), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.43903559151235);
  check("by a", r.gradient[a], {1, 1, 1, 1, 1});
  check("by b", r.gradient[b], {0.348877495922557});
}

BOOST_AUTO_TEST_CASE(formula_9) {
  numbers draw(9);
  const auto A = draw.between<tensor<3>>(-1.5, 1.5, {4, 2, 3});
  const auto B = draw.between<fixed<4, 1, 3>>(0.5, 2.0);
  const auto u = reshape<4, -1>(a);
  const auto f = sum(sum(dot(amax<1>(u), stop_gradient(u))) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -16.0751920238806);
  check_sums("by a", r.gradient[a], {4.48359938360918, 855.528456963379, -1037.90737185902, 2033.89405270195});
  check("by b", r.gradient[b], {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1});
}

BOOST_AUTO_TEST_CASE(formula_10) {
  numbers draw(10);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto dA = draw.between<std::vector<double>>(-1, 1, {5});
  const auto dB = draw.between<fixed<2, 1, 1>>(-1, 1);
  const auto f = sum(((b * 1.3) + stop_gradient(b)) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.41090810443192);
  check("by a", r.gradient[a],
        {-2.82308886308367, -2.82308886308367, -2.82308886308367, -2.82308886308367, -2.82308886308367});
  check("by b", r.gradient[b], {-1.11019549428494, -1.11019549428494});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-1.42406976484883, -1.42406976484883, -1.42406976484883, -1.42406976484883, -1.42406976484883});
  check("hvp by b", h[b], {-3.04145542147637, -3.04145542147637});
}

BOOST_AUTO_TEST_CASE(formula_11) {
  numbers draw(11);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {33});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {33});
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const std::vector<int> I{13, 20, 12, 2, 10, 6};
  const auto f = mean(a - (c - outer(take(b, i), c)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, 1.21304574271211);
  check_sums("by a", r.gradient[a], {1, 51.2727272727273, 48.2424242424242, 49.6666666666667});
  check_sums("by b", r.gradient[b], {0.192443608713458, 10.1674373270277, 9.26936715303157, 12.4126127620181});
  check_sums("by c", r.gradient[c], {-0.525984709861681, -26.9686705783626, -25.3747775181756, -26.1239072564635});
}

BOOST_AUTO_TEST_CASE(formula_12) {
  numbers draw(12);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto B = draw.between<fixed<9, 1>>(0.5, 2.0);
  const auto u = max(a, b);
  const auto u1 = stop_gradient(u);
  const auto f = mean(max(pow(u1, 3_c), logsumexp(u1, u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.69334695334509);
  check_sums("by a", r.gradient[a], {0.0740740740740741, 3.48148148148148, 4.64814814814815, 5.24074074074074});
  check("by b", r.gradient[b],
        {0.0555555555555556, 0.0185185185185185, 0.0185185185185185, 0, 0, 0.037037037037037, 0, 0.0555555555555555,
         0.0555555555555556});
}

BOOST_AUTO_TEST_CASE(formula_13) {
  numbers draw(13);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {2, 17});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {17});
  const auto D = draw.between<double>(-1.5, 1.5);
  const auto f = mean((c + (d - dot(b, stop_gradient(b)))) * a);
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, -8.4959943948441);
  check_sums("by a", r.gradient[a], {-6.82054011774967, -334.169970609623, -325.950867107381, -328.828533711674});
  check_sums("by b", r.gradient[b], {1.02431176511719, -130.77623714995, -15.6079643785048, 1.49655824427714});
  check_sums("by c", r.gradient[c], {1.24612412139976, 57.2851897706099, 55.2409409941611, 59.4489607535517});
  check("by d", r.gradient[d], {1.24612412139976});
}

BOOST_AUTO_TEST_CASE(formula_14) {
  numbers draw(14);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {9, 4});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {4});
  const auto f = mean(b * mean(mean<0>(stop_gradient(reshape<12, -1>(a)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.18168808137193);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {0.307888325898274, 0.307888325898274, 0.307888325898274, 0.307888325898274});
}

BOOST_AUTO_TEST_CASE(formula_15) {
  numbers draw(15);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {3, 3});
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto dA = draw.between<tensor<1>>(-1, 1, {3});
  const auto dB = draw.between<tensor<2>>(-1, 1, {3, 3});
  const auto dC = draw.between<tensor<2>>(-1, 1, {3, 3});
  const auto f = sum(min(c, pow(a, -1.5)) / b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -3.22003532409377);
  check("by a", r.gradient[a], {-0, -0.172924246048938, -0.322022262102409});
  check("by b", r.gradient[b],
        {1.53110553122546, -0.108341525514906, -0.0994775837596435, 0.29886833690856, 1.07590551940094,
         0.356217546980606, -0.309711179883073, 0.454614923331051, -0.16970641503227});
  check("by c", r.gradient[c],
        {1.24450086455177, 0, 0.735654034683536, 0.515040807650479, 0.854207492419203, 0.591958845993158,
         0.657862761155125, 0.67282435368826, 0});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a], {0, -0.167843774338215, -0.628007888536223});
  check("hvp by b", h[b],
        {-1.61159279923152, -0.00221943941855784, 0.0821226626296823, 0.406871928842102, -1.30609692652336,
         0.0712458303620894, 0.305783146798883, 0.0118614028966252, -0.274631666187375});
  check("hvp by c", h[c],
        {-0.636786893705038, -0, 0.108761001075498, 0.240056357536046, -0.45292712973884, 0.287944628773831,
         -0.243475104561561, -0.12596178058825, 0});
}
