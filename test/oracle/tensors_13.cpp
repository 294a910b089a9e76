// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_181) {
  numbers draw(181);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const auto B = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto C = draw.between<double>(0.5, 2.0);
  const auto D = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto f = sum(c * (b * (stop_gradient(d) / a)));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 7.84430460086689);
  check("by a", r.gradient[a],
        {0.0911061461859808, -2.42085435523646, 0.625589307871209, -0.343128078378019, -6.50425693186228});
  check("by b", r.gradient[b], {-4.83232778031627, -0.112436023577896, 0.65573262508407});
  check("by c", r.gradient[c], {6.09633692792492});
  check_zero(r.gradient[d]);
}

BOOST_AUTO_TEST_CASE(formula_182) {
  numbers draw(182);
  const auto A = draw.between<fixed<5, 4>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const std::vector<int> I{2, 0, 2};
  const auto f = sum(outer(b - stop_gradient(take(b, i)), take(a, i)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 2.62200487621848);
  check_sums("by a", r.gradient[a], {2.3562467593496, 102.300380135095, 119.38316914038, 89.3410229586723});
  check("by b", r.gradient[b], {13.3534649500407, 13.3534649500407, 13.3534649500407});
}

BOOST_AUTO_TEST_CASE(formula_183) {
  numbers draw(183);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {17, 3});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {17, 3});
  const auto u = a - b;
  const auto u1 = argmax<0>(u);
  const auto u2 = abs(u);
  const auto f = mean(where((u1 >= 0.3) && (u1 >= stop_gradient(u2)), u2, u1));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.919809479420806);
  check_sums("by a", r.gradient[a], {0.294117647058824, 15.2156862745098, 15.4705882352941, 13.5882352941176});
  check_sums("by b", r.gradient[b], {-0.294117647058824, -15.2156862745098, -15.4705882352941, -13.5882352941176});
}

BOOST_AUTO_TEST_CASE(formula_184) {
  numbers draw(184);
  const auto A = draw.between<fixed<3, 1, 5>>(-1.5, 1.5);
  const auto B = draw.between<fixed<2, 3, 2, 5>>(-1.5, 1.5);
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {5});
  const auto f = sum(b * (a * stop_gradient(mean<-1>(c))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -1.01465935286552);
  check_sums("by a", r.gradient[a], {0.509746136984193, -2.18398439122019, 1.92853260959029, 23.3953287710099});
  check_sums("by b", r.gradient[b], {-3.08866534761936, -111.589198007766, -164.033049501541, -136.180320045882});
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_185) {
  numbers draw(185);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {16});
  const auto B = draw.between<fixed<16, 2>>(-1.5, 1.5);
  const auto dA = draw.between<tensor<1>>(-1, 1, {16});
  const auto dB = draw.between<fixed<16, 2>>(-1, 1);
  const auto f = sum(b + mean(atan2(stop_gradient(a), a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -9.30846471329505);
  check_sums("by a", r.gradient[a], {-150.00015752411, -7719.46151794441, -3081.3906826838, -11273.8080417982});
  check_sums("by b", r.gradient[b], {32, 1618, 1521, 1608});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-4612.46370850192, -120698.529303505, 100814.572961817, -441560.467957464});
  check_sums("hvp by b", h[b], {0, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_186) {
  numbers draw(186);
  const auto A = draw.between<fixed<8>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto f = sum(amax<0>(reshape<2, 4>(a)) + b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.68028793515651);
  check("by a", r.gradient[a], {0, 1, 1, 1, 1, 0, 0, 0});
  check("by b", r.gradient[b], {4});
}

BOOST_AUTO_TEST_CASE(formula_187) {
  numbers draw(187);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = sum(b * log_softmax<0>(a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -22.6339787764894);
  check("by a", r.gradient[a],
        {0.451502946801922, 0.427441406282115, 0.216602696855136, 0.354471068813831, 0.0743274847785512,
         -0.824438449733263, -1.11538501738989, 0.415477863591597});
  check("by b", r.gradient[b], {-17.2856788642681});
}

BOOST_AUTO_TEST_CASE(formula_188) {
  numbers draw(188);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto B = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto u = where(b > a, a, b);
  const auto f = mean(outer(u, a) * stop_gradient(mean(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.0706468615507244);
  check_sums("by a", r.gradient[a], {0.30007032303175, 12.6825624163335, 13.0082179079013, 14.1959295971574});
  check("by b", r.gradient[b], {0.0118566080606338, 0.0237132161212675, 0});
}

BOOST_AUTO_TEST_CASE(formula_189) {
  numbers draw(189);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {4, 3});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {5, 3});
  const auto f = mean(c) - mean(logsumexp(relu(b), a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -2.13605943420886);
  check("by a", r.gradient[a],
        {-0.0372535783866253, -0.0582952105515401, -0.0671422006369529, -0.0464021452617403, -0.0566429161995669,
         -0.0707525089941014, -0.0262164284619313, -0.0557289118557243, -0.0694590017409805, -0.0505610577806573,
         -0.056530098395693, -0.0723121281833392});
  check("by b", r.gradient[b], {-0.172900123442379, -0.106136196330809, -0});
  check_sums("by c", r.gradient[c], {1, 44.5333333333333, 43.6666666666667, 50.0666666666667});
}

BOOST_AUTO_TEST_CASE(formula_190) {
  numbers draw(190);
  const auto A = draw.between<fixed<2, 1>>(-1.5, 1.5);
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {2});
  const auto dA = draw.between<fixed<2, 1>>(-1, 1);
  const auto dB = draw.between<tensor<1>>(-1, 1, {2});
  const auto f = mean(dot(stop_gradient(exp2(b)), expm1(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 4.97049874787964);
  check("by a", r.gradient[a], {4.15745455350574, 4.52089919197914});
  check_zero(r.gradient[b]);
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {-2.63764337875153, -4.12707329835484});
  check("hvp by b", h[b], {0, 0});
}

BOOST_AUTO_TEST_CASE(formula_191) {
  numbers draw(191);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {17, 3});
  const auto f = sum(b / stop_gradient(sum(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -4.35854497405297);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {56.6371291217657, 2869.61454216946, 2726.3559214497, 2835.18805191898});
}

BOOST_AUTO_TEST_CASE(formula_192) {
  numbers draw(192);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {2, 4});
  const auto B = draw.between<fixed<4, 2, 3>>(0.5, 2.0);
  const auto f = sum(a) / mean(reshape<-1, 12>(slice<2>(b, -3, 3)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.31280235770733);
  check("by a", r.gradient[a],
        {0.804677404048631, 0.804677404048631, 0.804677404048631, 0.804677404048631, 0.804677404048631,
         0.804677404048631, 0.804677404048631, 0.804677404048631});
  check_sums("by b", r.gradient[b], {-1.05638239322886, -50.4422592766779, -50.9704504732923, -53.5673905233132});
}

BOOST_AUTO_TEST_CASE(formula_193) {
  numbers draw(193);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<fixed<3>>(-1.5, 1.5);
  const auto f = mean(min(reshape<3, -1>(outer(a, b)), stop_gradient(norm<0>(b))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.148822901375266);
  check("by a", r.gradient[a],
        {-0.0852030845393544, -0.0852030845393544, -0.0852030845393544, -0.0852030845393544, -0.0852030845393544,
         -0.0852030845393544, -0.0852030845393544, -0.0852030845393544, -0.0852030845393544});
  check("by b", r.gradient[b], {-0.0646920160226021, -0.0646920160226021, -0.0646920160226021});
}

BOOST_AUTO_TEST_CASE(formula_194) {
  numbers draw(194);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {16, 2});
  const auto C = draw.between<fixed<1>>(0.5, 2.0);
  const auto f = sum(sum(a * stop_gradient(slice<0>(b, 12, 14))) + c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.63647438629218);
  check("by a", r.gradient[a], {2.38160096592344, -0.739773909440159});
  check_zero(r.gradient[b]);
  check("by c", r.gradient[c], {1});
}

BOOST_AUTO_TEST_CASE(formula_195) {
  numbers draw(195);
  const auto A = draw.between<fixed<2>>(0.5, 2.0);
  const auto B = draw.between<fixed<2, 3, 2, 5>>(-1.5, 1.5);
  const auto C = draw.between<fixed<3, 1, 5>>(-1.5, 1.5);
  const auto dA = draw.between<fixed<2>>(-1, 1);
  const auto dB = draw.between<fixed<2, 3, 2, 5>>(-1, 1);
  const auto dC = draw.between<fixed<3, 1, 5>>(-1, 1);
  const auto f = sum(c * min(b, stop_gradient(logsumexp(a))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -8.58140051390018);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {-0.414154800779258, -199.645245683447, 66.7589363713092, 29.7846372804067});
  check_sums("by c", r.gradient[c], {-8.18954507736002, -553.199713652115, -425.135037868347, -1.05505434705646});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a], {0, 0});
  check_sums("hvp by b", h[b], {-8.10714692813677, -312.267792625943, -459.04760165701, -241.935029765095});
  check_sums("hvp by c", h[c], {11.8328168680113, 592.985087482717, 957.704734828186, 495.03696813017});
}
