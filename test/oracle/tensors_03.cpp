// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_21) {
  numbers draw(21);
  const auto A = draw.between<fixed<9>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {4, 9});
  const std::vector<int> I{0, 8, 7, 6};
  const auto f = sum(a + mean(one_hot(i, 11) * concatenate<1>(stop_gradient(slice<1>(b, -2, 9)), b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 0.297765403796556);
  check("by a", r.gradient[a], {1, 1, 1, 1, 1, 1, 1, 1, 1});
  check_sums("by b", r.gradient[b], {0.613636363636364, 27, 27.6136363636364, 35.7954545454545});
}

BOOST_AUTO_TEST_CASE(formula_22) {
  numbers draw(22);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {3, 3});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(1.3 - pow(b * reshape<-1>(a), 3_c));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -6.14971725446653);
  check("by a", r.gradient[a],
        {-3.76776159119533, -0.975124026614154, -2.85616157423329, -2.35743938260009, -0.883845058721763,
         -0.539392314722119, -1.60193132630492, -1.7354226217829, -0.444230825934884});
  check("by b", r.gradient[b], {-15.3994093586666});
}

BOOST_AUTO_TEST_CASE(formula_23) {
  numbers draw(23);
  const auto A = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = atan2(a, b);
  const auto f = mean(log(atan2(stop_gradient(norm<-2>(u)), u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.417602897930375);
  check("by a", r.gradient[a],
        {0.00739556068306867, 0.0103576596507832, 0.113000109075006, 0.00410117540765559, 0.0745444299710749});
  check("by b", r.gradient[b], {0.0326619941738651});
}

BOOST_AUTO_TEST_CASE(formula_24) {
  numbers draw(24);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {3, 3});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto f = mean(b + hypot(a, b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.3305690152889);
  check("by a", r.gradient[a],
        {0.103587624422863, 0.103168060206948, 0.0901829225022441, 0.110878191525424, 0.0998749869566284,
         0.110647723570953, 0.111067033363206, 0.0911779753172297, 0.110891003893488});
  check("by b", r.gradient[b],
        {0.151301695565353, 0.152366781818072, 0.0462056452295698, 0.118301775642082, 0.159800596554675,
         0.121248185684756, 0.107981716242728, 0.0476110652103692, 0.104120812988704});
}

BOOST_AUTO_TEST_CASE(formula_25) {
  numbers draw(25);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto C = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto dA = draw.between<tensor<2>>(-1, 1, {9, 9});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {9});
  const auto dC = draw.between<fixed<1, 9>>(-1, 1);
  const auto f = mean(c * (b - (a * stop_gradient(a))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.703841347261253);
  check_sums("by a", r.gradient[a], {-0.0368506656317489, 0.760061211648975, -2.68727369812077, -0.966260877790667});
  check("by b", r.gradient[b],
        {-0.0307621751899965, 0.079041403677489, 0.0742635827391704, 0.110735735829952, -0.00862908573291686,
         0.132069253036164, 0.114913308658442, -0.0196777483695238, 0.135408454715309});
  check("by c", r.gradient[c],
        {-0.129853247221493, -0.269830781666657, -0.288121202160602, -0.174818688008999, -0.0708170969127525,
         -0.127482296774787, 0.0622908264462781, -0.0993721332980393, -0.0960341056275377});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {0.0401276386579692, 5.31494595402951, 1.47603041743252, 3.34407018463056});
  check("hvp by b", h[b],
        {-0.0518545173867445, 0.0417023355645915, -0.0976710727168785, -0.0136844497755149, 0.104591552785977,
         0.0721778652139008, 0.0977317402077004, 0.0532760103481244, -0.0914822634632047});
  check("hvp by c", h[c],
        {0.066234264934695, -0.0154345605858258, -0.0173410048715427, -0.0880507211659503, -0.0673619613698374,
         -0.092812449846477, 0.115255689185555, 0.0581775395102928, -0.0422860996196834});
}

BOOST_AUTO_TEST_CASE(formula_26) {
  numbers draw(26);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {4, 3});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {5, 3});
  const auto f = mean(mean(a - stop_gradient(a)) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.22745069676426);
  check("by a", r.gradient[a],
        {0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333,
         0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333,
         0.0833333333333333, 0.0833333333333333});
  check_sums("by b", r.gradient[b], {-1, -44.5333333333333, -43.6666666666667, -50.0666666666667});
}

BOOST_AUTO_TEST_CASE(formula_27) {
  numbers draw(27);
  const auto A = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto B = draw.between<tensor<3>>(-1.5, 1.5, {2, 3, 5});
  const auto f = sum(b - outer(logsumexp(a, keep_dims), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -3.6140114032715);
  check("by a", r.gradient[a],
        {-13.6310828329316, -15.8098972639223, -14.043823967565, -14.0269806730749, -16.0615582954153});
  check_sums("by b", r.gradient[b], {30, 1480, 1455, 1492});
}

BOOST_AUTO_TEST_CASE(formula_28) {
  numbers draw(28);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {8, 8});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {8});
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {8});
  const auto D = draw.between<double>(-1.5, 1.5);
  const auto f = sum(d - ((pow(b, 3_c) + a) * c));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 24.94602674481);
  check_sums("by a", r.gradient[a], {5.97424135262809, 306.108452426087, 247.345137855431, 396.409631074364});
  check("by b", r.gradient[b],
        {-0.404110976402354, 14.4887820140079, -1.09970185143194, 55.0035687544708, -7.7420243617223, -7.74073819270109,
         20.8975264481053, 14.8570029480577});
  check("by c", r.gradient[c],
        {-10.8249977420479, 7.46232241255418, 5.10958617035813, 18.7181206002074, -0.243715860191862, 3.55945445655708,
         15.3133185215112, 5.35816428301536});
  check("by d", r.gradient[d], {64});
}

BOOST_AUTO_TEST_CASE(formula_29) {
  numbers draw(29);
  const auto A = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = sum(clamp(a * b, -0.5, 0.8) + stop_gradient(a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.88762139536121);
  check("by a", r.gradient[a],
        {-0.237484981649315, -0.237484981649315, -0.237484981649315, -0.237484981649315, -0.237484981649315,
         -0.237484981649315, -0.237484981649315, -0.237484981649315});
  check("by b", r.gradient[b], {1.16407070549394});
}

BOOST_AUTO_TEST_CASE(formula_30) {
  numbers draw(30);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {2});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {17, 2});
  const auto dA = draw.between<tensor<1>>(-1, 1, {2});
  const auto dB = draw.between<tensor<2>>(-1, 1, {17, 2});
  const auto f = mean(pow(b, 3_c) + a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.56963456257717);
  check("by a", r.gradient[a], {0.5, 0.5});
  check_sums("by b", r.gradient[b], {1.88023522119559, 94.033823705642, 92.5852881799155, 89.7667265551082});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0, 0});
  check_sums("hvp by b", h[b], {0.788973717307096, 43.0894344757181, 17.9845010331943, 33.8296643253304});
}
