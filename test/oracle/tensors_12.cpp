// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_166) {
  numbers draw(166);
  const auto A = draw.between<fixed<3>>(-1.5, 1.5);
  const auto B = draw.between<fixed<9, 1>>(-1.5, 1.5);
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {9, 3});
  const std::vector<int> I{1, 2, 1, 0};
  const auto f = sum((mean(slice<1>(take<1>(c, i), 1, -1)) / a) + b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, 12.9064875942283);
  check("by a", r.gradient[a], {-44.2754443202873, -17.089290854761, -29.1143181361123});
  check("by b", r.gradient[b], {3, 3, 3, 3, 3, 3, 3, 3, 3});
  check_sums("by c", r.gradient[c], {8.0788933299908, 416.96066130897, 413.818869458418, 402.149356870653});
}

BOOST_AUTO_TEST_CASE(formula_167) {
  numbers draw(167);
  const auto A = draw.between<fixed<4>>(0.5, 2.0);
  const auto B = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto C = draw.between<double>(-1.5, 1.5);
  const auto D = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto u = transpose<1, 0, 2>(b);
  const auto f = sum(a * stop_gradient(where((abs(c) > 0.3) || (u < 0.3), u, d)));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 12.0914332422381);
  check("by a", r.gradient[a], {3.84278420677538, 5.03644525447695, -2.7511211432289, 4.63129519793731});
  check_zero(r.gradient[b]);
  check_zero(r.gradient[c]);
  check_zero(r.gradient[d]);
}

BOOST_AUTO_TEST_CASE(formula_168) {
  numbers draw(168);
  const auto A = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto f = mean((slice<1>(b, 6, 8) * abs(stop_gradient(norm<-1>(b)))) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.0660444366988442);
  check("by a", r.gradient[a], {0.305982597809843, 0.305982597809843, 0.305982597809843, 0.305982597809843});
  check("by b", r.gradient[b], {0, 0, 0, 0, 0, 0, -0.071178109128578, -0.071178109128578, 0});
}

BOOST_AUTO_TEST_CASE(formula_169) {
  numbers draw(169);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {8});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {8, 8});
  const auto u = slice<0>(dot(a, b), 4, 8);
  const auto f = sum(mean(u) / stop_gradient(slice<0>(u, -2, 4)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.595812056263683);
  check("by a", r.gradient[a],
        {0.792745279286646, -0.166947063413201, 1.51585909702968, -0.686758365000125, -0.564208604931242,
         1.23259460423213, -0.607546243641154, -0.304589086504094});
  check_sums("by b", r.gradient[b], {0.216291429516574, 54.631989166692, -17.8468544119504, 26.7468613389678});
}

BOOST_AUTO_TEST_CASE(formula_170) {
  numbers draw(170);
  const auto A = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<fixed<4>>(-1.5, 1.5);
  const auto C = draw.between<double>(0.5, 2.0);
  const auto dA = draw.between<fixed<2, 1, 4>>(-1, 1);
  const auto dB = draw.between<fixed<4>>(-1, 1);
  const auto dC = draw.between<double>(-1, 1);
  const auto f = mean((b + logsumexp(stop_gradient(sum<2>(a, keep_dims)), a)) * c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.49724152964538);
  check("by a", r.gradient[a],
        {0.172493342739161, 0.195559683268607, 0.211454302112149, 0.148538576178374, 0.185065549323458,
         0.185533582041129, 0.143147128186443, 0.151440911537995});
  check("by b", r.gradient[b], {0.468362249593885, 0.468362249593885, 0.468362249593885, 0.468362249593885});
  check("by c", r.gradient[c], {0.265415034023631});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a],
        {-0.00484297407238202, 0.0205830558668156, 0.00544771012082654, 0.0176938921686386, 0.023651038861976,
         0.0225699427203429, 0.00134683413394255, 0.0265943709847202});
  check("hvp by b", h[b], {-0.0142356782519425, -0.0142356782519425, -0.0142356782519425, -0.0142356782519425});
  check("hvp by c", h[c], {0.275905471522759});
}

BOOST_AUTO_TEST_CASE(formula_171) {
  numbers draw(171);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 17});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = sum(stop_gradient(sum<-2>(expand_dims<2>(-a))) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.15419646042555);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-9.66667200648008});
}

BOOST_AUTO_TEST_CASE(formula_172) {
  numbers draw(172);
  const auto A = draw.between<fixed<4, 1>>(0.5, 2.0);
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto C = draw.between<fixed<9>>(-1.5, 1.5);
  const auto u = outer(b, c);
  const auto u1 = stop_gradient(u - c);
  const auto f = mean(mean(where(u <= u1, u1, b)) + a);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.74269449984573);
  check("by a", r.gradient[a], {0.25, 0.25, 0.25, 0.25});
  check("by b", r.gradient[b],
        {0, 0.111111111111111, 0, 0.111111111111111, 0, 0, 0, 0.111111111111111, 0.111111111111111});
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_173) {
  numbers draw(173);
  const auto A = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto f = mean(sum(amax<0>(log1p(exp2(pow(a, 3_c))), keep_dims)) + b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.37102707362237);
  check("by a", r.gradient[a], {2.5369424697216, 0, 0, 0});
  check("by b", r.gradient[b],
        {0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111,
         0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111});
}

BOOST_AUTO_TEST_CASE(formula_174) {
  numbers draw(174);
  const auto A = draw.between<tensor<4>>(0.5, 2.0, {2, 3, 2, 5});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {5});
  const auto u = atan(a);
  const auto f = mean(hypot(stop_gradient(u), u) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.291840685279155);
  check_sums("by a", r.gradient[a], {-0.0694360775807747, -3.98976880701396, -3.02730979089944, -2.39784995268467});
  check("by b", r.gradient[b],
        {-0.430103037907496, -0.254891532816548, -0.127562991952473, -0.119011505460531, -0.180048589609058});
}

BOOST_AUTO_TEST_CASE(formula_175) {
  numbers draw(175);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {2});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {5});
  const std::vector<int> I{1, 3, 2, 3};
  const auto u = slice<0>(b, 1, 5);
  const auto f = mean(a - dot(take(u, i), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -1.5015717751992);
  check("by a", r.gradient[a], {0.5, 0.5});
  check("by b", r.gradient[b], {0, 0.923588053520577, 0.291117042438647, -0.962137016450119, 3.60766698983855});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B, i = I);
  check("hvp by a", h[a], {0, 0});
  check("hvp by b", h[b], {0, 0.174793214152936, 0.891219146033385, -1.1135192472085, 1.48721121274271});
}

BOOST_AUTO_TEST_CASE(formula_176) {
  numbers draw(176);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {5, 4});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto u = concatenate<0>(stop_gradient(sum(b, keep_dims)), b);
  const auto f = sum(a * where(u > 0, sqrt(u), u / 2_c));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.308121877428318);
  check_sums("by a", r.gradient[a], {-1.9984229035467, -100.712588032339, -62.121162989536, -4.66146100643215});
  check("by b", r.gradient[b], {1.88384617312525, -0.944581443508544, -1.03260270938398});
}

BOOST_AUTO_TEST_CASE(formula_177) {
  numbers draw(177);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto D = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto f = sum(((b + sum(stack<2>(softmax<1>(a), a))) * c) * d);
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 0.563783969126675);
  check("by a", r.gradient[a],
        {0.848607763136693, 0.848607763136693, 0.848607763136693, 0.848607763136693, 0.848607763136693,
         0.848607763136693, 0.848607763136693, 0.848607763136693, 0.848607763136693});
  check("by b", r.gradient[b],
        {-2.82622084620901, -0.354633435598695, -0.941351618071171, -2.59475169995566, 2.42026157642293,
         1.28277887976604, 0.658206483865695, 2.23835505396626, 0.96596336895031});
  check_sums("by c", r.gradient[c], {48.788481708465, 3641.7855091199, 1309.51952708253, 1701.71583508857});
  check_sums("by d", r.gradient[d], {-43.6844446333807, -1190.84031201683, -3916.61860464303, -1071.03601560247});
}

BOOST_AUTO_TEST_CASE(formula_178) {
  numbers draw(178);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto B = draw.between<fixed<17, 3>>(-1.5, 1.5);
  const auto u = exp2(a);
  const auto f = sum(b * mean(stack<1>(where(!(u >= 0.3), u, stop_gradient(amin(u))), a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.70234618342553);
  check_sums("by a", r.gradient[a], {-4.45987202027341, -211.712748256508, -201.743622564133, -210.138675778765});
  check_sums("by b", r.gradient[b], {9.7334245198116, 493.160175670454, 468.540337179166, 487.243780374098});
}

BOOST_AUTO_TEST_CASE(formula_179) {
  numbers draw(179);
  const auto A = draw.between<fixed<1, 5>>(0.5, 2.0);
  const auto B = draw.between<double>(-1.5, 1.5);
  const std::vector<int> I{3, 2, 1, 0, 3, 1};
  const auto u = where((b <= 0.3) || (b <= a), b, a);
  const auto u1 = hypot(a, u);
  const auto f = mean(outer(u1 * u, log_softmax<1>(stop_gradient(take<1>(u1, i)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.389241882040272);
  check("by a", r.gradient[a],
        {-0.0677347707095192, -0.0687177063527989, -0.0677154656148058, -0.0677481027350387, -0.0684787156185945});
  check("by b", r.gradient[b], {-2.13534240721859});
}

BOOST_AUTO_TEST_CASE(formula_180) {
  numbers draw(180);
  const auto A = draw.between<fixed<3>>(0.5, 2.0);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {5, 3});
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {5, 4});
  const auto dA = draw.between<fixed<3>>(-1, 1);
  const auto dB = draw.between<tensor<2>>(-1, 1, {5, 3});
  const auto dC = draw.between<tensor<2>>(-1, 1, {5, 4});
  const auto f = mean(b / (a * stop_gradient(norm(c))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.118573900295976);
  check("by a", r.gradient[a], {-0.0445169257405322, -0.0336489642038701, -0.00744845482876545});
  check_sums("by b", r.gradient[b], {0.152950658588107, 6.44783671199393, 6.49469945892134, 7.86111417511005});
  check_zero(r.gradient[c]);
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a], {-0.0473890817934435, 0.045101136105591, 0.00372779316435128});
  check_sums("hvp by b", h[b], {-0.013956044362527, -1.88499417642557, -1.24566981207702, -0.594795076987336});
  check_sums("hvp by c", h[c], {0, 0, 0, 0});
}
