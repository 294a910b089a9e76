// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_16) {
  numbers draw(16);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 4});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto f = mean(sum(mean<-1>(reshape<-1, 3>(b), keep_dims)) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.082202409222207);
  check_sums("by a", r.gradient[a], {-0.323093645657922, -16.4508514580825, -15.7508152258237, -16.3880276936491});
  check("by b", r.gradient[b],
        {0.0848076198412141, 0.0848076198412141, 0.0848076198412141, 0.0848076198412141, 0.0848076198412141,
         0.0848076198412141, 0.0848076198412141, 0.0848076198412141, 0.0848076198412141});
}

BOOST_AUTO_TEST_CASE(formula_17) {
  numbers draw(17);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 4});
  const auto B = draw.between<fixed<4, 1, 3>>(0.5, 2.0);
  const std::vector<int> I{1, 1};
  const auto f = mean(mean(slice<1>(a - one_hot(i, 4), 1, 3) - one_hot(i, 2)) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -2.76028415770749);
  check("by a", r.gradient[a], {0, 0.25, 0.25, 0, 0, 0.25, 0.25, 0});
  check("by b", r.gradient[b],
        {-0.0833333333333333, -0.0833333333333333, -0.0833333333333333, -0.0833333333333333, -0.0833333333333333,
         -0.0833333333333333, -0.0833333333333333, -0.0833333333333333, -0.0833333333333333, -0.0833333333333333,
         -0.0833333333333333, -0.0833333333333333});
}

BOOST_AUTO_TEST_CASE(formula_18) {
  numbers draw(18);
  const auto A = draw.between<fixed<3, 5>>(-1.5, 1.5);
  const auto B = draw.between<fixed<5>>(-1.5, 1.5);
  const auto u = hypot(stop_gradient(sigmoid(a)), b);
  const auto f = mean(outer(stop_gradient(u), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.555346894272535);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b],
        {-0.1278238644463, -0.0715608867853099, 0.0892418486568803, -0.102637871091288, 0.121278090274422});
}

BOOST_AUTO_TEST_CASE(formula_19) {
  numbers draw(19);
  const auto A = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto C = draw.between<fixed<9>>(-1.5, 1.5);
  const auto D = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const auto u = dot(b, c) * transpose(concatenate<1>(a, d));
  const auto u1 = stop_gradient(sum(c, keep_dims));
  const auto f = mean(where(!((u > 0.3) && (u < u1)), u, u1));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 0.0675323155857572);
  check("by a", r.gradient[a], {0.0611541442284707, 0, 0, 0});
  check("by b", r.gradient[b],
        {0.440095009859288, -0.480479803172702, -0.565120179371082, -0.510190647004443, 0.117585201300778,
         -0.0520106105564571, -0.229885743519103, 0.307907384278406, -0.308418475255388});
  check("by c", r.gradient[c],
        {0.261807200024163, 0.0309893717301447, 0.10773564270096, -0.53077134788042, 0.123266057706073,
         -0.617284834996573, 0.527639676459537, 0.399583143513029, -0.199771644745888});
  check_sums("by d", r.gradient[d], {1.52885360571177, 77.7880714586148, 67.2084045070893, 82.6192488526639});
}

BOOST_AUTO_TEST_CASE(formula_20) {
  numbers draw(20);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {5});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto dA = draw.between<tensor<1>>(-1, 1, {5});
  const auto dB = draw.between<double>(-1, 1);
  const std::vector<int> I{1, 1, 1, 0, 0};
  const auto f = mean((outer(a, stop_gradient(slice<0>(a, -5, 2))) / b) - one_hot(i, 2));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.512563095452274);
  check("by a", r.gradient[a],
        {-0.010885777820744, -0.010885777820744, -0.010885777820744, -0.010885777820744, -0.010885777820744});
  check("by b", r.gradient[b], {0.0208734638150081});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B, i = I);
  check("hvp by a", h[a],
        {-0.0180633608794285, -0.0180633608794285, -0.0180633608794285, -0.0180633608794285, -0.0180633608794285});
  check("hvp by b", h[b], {0.0649985651436078});
}

BOOST_AUTO_TEST_CASE(formula_21) {
  numbers draw(21);
  const auto A = draw.between<fixed<4, 1, 3>>(0.5, 2.0);
  const auto B = draw.between<tensor<3>>(-1.5, 1.5, {4, 2, 3});
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto f = mean((dot(log_softmax<0>(c), stop_gradient(c)) * a) * b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.131554413105281);
  check("by a", r.gradient[a],
        {-0.0266225108551306, 0.0798910945958995, -0.0501671423784643, 0.0797131633372186, 0.0101048480748022,
         -0.019598457924504, -0.00586180434538921, -0.019952536714374, -0.106560376463106, 0.0513694011354797,
         0.0594096774388588, 0.0242958095977532});
  check_sums("by b", r.gradient[b], {1.2027040059629, 57.6618587500507, 58.2052087025709, 59.1641663619892});
  check("by c", r.gradient[c], {0.0421812943240728, 0.0858442991494337, -0.128025593473506});
}

BOOST_AUTO_TEST_CASE(formula_22) {
  numbers draw(22);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {33});
  const auto B = draw.between<double>(-1.5, 1.5);
  const std::vector<int> I{22, -15, 11};
  const auto u = take(a, i);
  const auto f = mean(b + stack<0>(u, softmax<-1>(stop_gradient(u))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 0.0850705456695227);
  check_sums("by a", r.gradient[a], {0.5, 12, 30.6666666666667, 15.8333333333333});
  check("by b", r.gradient[b], {1});
}

BOOST_AUTO_TEST_CASE(formula_23) {
  numbers draw(23);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {3, 5});
  const auto B = draw.between<fixed<5>>(0.5, 2.0);
  const auto C = draw.between<fixed<2, 1, 1>>(0.5, 2.0);
  const auto f = sum(c + argmax<0>(erf(b) * a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 25.3092795763208);
  check_zero(r.gradient[a]);
  check_zero(r.gradient[b]);
  check("by c", r.gradient[c], {5, 5});
}

BOOST_AUTO_TEST_CASE(formula_24) {
  numbers draw(24);
  const auto A = draw.between<tensor<3>>(-1.5, 1.5, {2, 3, 5});
  const auto B = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto C = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto f = sum(mean(sigmoid(atan2(log_softmax<0>(b), slice<2>(a, -2, 5)))) + c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 2.34550722221614);
  check_sums("by a", r.gradient[a], {0.48020961534308, 24.8835374921559, 20.2751122200261, 27.3856382623273});
  check("by b", r.gradient[b], {-0.0481581716253743, -0.00726481728848896, 0.0554229889138632});
  check("by c", r.gradient[c], {1, 1, 1, 1, 1});
}

BOOST_AUTO_TEST_CASE(formula_25) {
  numbers draw(25);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto B = draw.between<by_columns<2>>(0.5, 2.0, {9, 3});
  const auto dA = draw.between<tensor<1>>(-1, 1, {3});
  const auto dB = draw.between<by_columns<2>>(-1, 1, {9, 3});
  const auto u = dot(sqrt(b), a);
  const auto u1 = sum(a);
  const auto f = sum(where(u <= u1, u, u1));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.66533902815305);
  check("by a", r.gradient[a], {9.54849296443276, 9.92433989634884, 8.64593227541328});
  check_sums("by b", r.gradient[b], {1.85120465094438, 129.110146058555, 26.3265888917713, 135.953164382241});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0.104459320741132, -0.872364796017247, -0.378178556316158});
  check_sums("hvp by b", h[b], {-0.890315338109904, -48.602898290536, -102.874569957084, -32.5160839048897});
}

BOOST_AUTO_TEST_CASE(formula_26) {
  numbers draw(26);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {8, 8});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {8});
  const auto u = slice<0>(a, 2, -3);
  const auto f = sum(mean(stack<2>(stop_gradient(u), u)) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.170722336920794);
  check_sums("by a", r.gradient[a], {2.91571837768741, 159.757069444123, 144.571036227001, 142.505735709472});
  check("by b", r.gradient[b],
        {-0.00923476223467133, -0.0126644503449292, -0.00901273674892884, -0.0570279508025109, -0.0076416532099455,
         -0.010066069192723, -0.0116391810471863, -0.0255263222912287});
}

BOOST_AUTO_TEST_CASE(formula_27) {
  numbers draw(27);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {8, 8});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto u = a * 2_c;
  const auto f = mean(max(expand_dims<1>(dot(stop_gradient(u), u)), b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 4.28474063807501);
  check_sums("by a", r.gradient[a], {1.86241356288661, 131.679714154012, 102.523068520193, 92.0693920268273});
  check("by b", r.gradient[b], {0.625});
}

BOOST_AUTO_TEST_CASE(formula_28) {
  numbers draw(28);
  const auto A = draw.between<fixed<4, 1, 3>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto u = expand_dims<-2>(a);
  const auto u1 = stop_gradient(u);
  const auto u2 = log1p(u / u1);
  const auto f = mean(where((u2 > u1) || (u2 > b), b, u2));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.607797958050972);
  check("by a", r.gradient[a],
        {0, 0, 0.0524816568557876, 0, 0, 0.0331346686445723, 0, 0, 0.0325963681117899, 0, 0, 0.0305224339049128});
  check("by b", r.gradient[b], {0.333333333333333, 0.333333333333333, 0});
}

BOOST_AUTO_TEST_CASE(formula_29) {
  numbers draw(29);
  const auto A = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto B = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto u = mean<0>(b * a);
  const auto f = mean(outer(u, stop_gradient(amax<0>(u, keep_dims))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.34615787752697);
  check("by a", r.gradient[a], {-0.07185727523714, -0.07185727523714, -0.07185727523714});
  check("by b", r.gradient[b],
        {0.35667095420489, 0.35667095420489, 0.35667095420489, 0.35667095420489, 0.35667095420489});
}

BOOST_AUTO_TEST_CASE(formula_30) {
  numbers draw(30);
  const auto A = draw.between<fixed<4, 1, 3>>(-1.5, 1.5);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto dA = draw.between<fixed<4, 1, 3>>(-1, 1);
  const auto dB = draw.between<tensor<1>>(-1, 1, {3});
  const auto f = mean(a * min(b, square(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.111789091165061);
  check("by a", r.gradient[a],
        {0.138522025040655, 0.0701639167914394, 0.00765592785675821, 0.000386243587106323, 0.078634328187273,
         0.00765592785675821, 0.019397884185702, 3.20477689064062e-05, 0.00765592785675821, 0.0305826937206194,
         0.16956083138086, 0.00765592785675821});
  check("by b", r.gradient[b], {0, 0.112310994643397, 0.0416725132575596});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {0.176545653005351, -0.190526178076831, 0.0640416479734898, 0.00986083297208226, 0.0356472977215024,
         0.0640416479734898, 0.0988872831896973, 0.0045170616815532, 0.0640416479734898, 0.00336430560895811,
         -0.260439647253119, 0.0640416479734898});
  check("hvp by b", h[b], {0, -0.0226848267978142, -0.042231558841761});
}
