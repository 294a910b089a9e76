// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_106) {
  numbers draw(106);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {5});
  const auto C = draw.between<tensor<4>>(-1.5, 1.5, {2, 3, 2, 5});
  const auto f = mean((mean(pow(stop_gradient(norm<0>(a, keep_dims)), a)) * b) * c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.195308745292354);
  check("by a", r.gradient[a], {0.0908339294013264, 0.0657931938025219});
  check("by b", r.gradient[b],
        {0.160162002914978, 0.0623805137220075, -0.218518155126243, 0.0241694622551791, -0.0224772055424485});
  check_sums("by c", r.gradient[c], {-2.51172186993335, -131.794522071505, -125.216496061611, -129.796154796502});
}

BOOST_AUTO_TEST_CASE(formula_107) {
  numbers draw(107);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {33});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto u = slice<0>(a, -21, 14);
  const auto f = sum(where(b > stop_gradient(u), stop_gradient(u), b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.28546999873848);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {0, 1});
}

BOOST_AUTO_TEST_CASE(formula_108) {
  numbers draw(108);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto B = draw.between<fixed<33>>(0.5, 2.0);
  const std::vector<int> I{0, 1, 0, 1, 0, 1, 1, 1, 1, 2, 2};
  const auto f = mean(b / sum(sinh(stop_gradient(one_hot(i, 3) * reshape<11, 3>(a))) - one_hot(i, 3)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.204455192324617);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {-0.189628599183034, -9.72277544902103, -9.14814333028456, -9.4182204260907});
}

BOOST_AUTO_TEST_CASE(formula_109) {
  numbers draw(109);
  const auto A = draw.between<fixed<17, 3>>(-1.5, 1.5);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {17});
  const std::vector<int> I{2, 1, 2, 2, 1, 1, 2, 0, 0, 0, 1, 1, 2, 2, 1, 1, 2};
  const auto f = sum(expm1(b) + amax<1>((slice<0>(b, -8, -5) * a) - one_hot(i, 3)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 12.055016372426);
  check_sums("by a", r.gradient[a], {-12.2032481258285, -419.111007690249, -555.291507861247, -795.406972654586});
  check_sums("by b", r.gradient[b], {15.8981303448967, 860.752008092736, 978.547880131779, 983.56651546308});
}

BOOST_AUTO_TEST_CASE(formula_110) {
  numbers draw(110);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {17, 3});
  const auto C = draw.between<fixed<17, 3>>(-1.5, 1.5);
  const auto dA = draw.between<tensor<1>>(-1, 1, {3});
  const auto dB = draw.between<tensor<2>>(-1, 1, {17, 3});
  const auto dC = draw.between<fixed<17, 3>>(-1, 1);
  const auto u = max(a, b);
  const auto u1 = where(!((c >= u) || (c <= 0.3)), u, c);
  const auto f = sum(atan2(u1, stop_gradient(mean<1>(u1, keep_dims))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -15.4608900159074);
  check("by a", r.gradient[a], {1.34333823211429, 0, 0});
  check_sums("by b", r.gradient[b], {0.772007784891879, 58.942959420646, 42.252729936954, 30.564127788411});
  check_sums("by c", r.gradient[c], {16.8705471381755, 501.547843231115, 831.467693686697, 472.840921624263});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a], {-0.139424089528717, 0, 0});
  check_sums("hvp by b", h[b], {0.700756850271583, 53.2022674275684, 36.8743961282523, 32.4061272936055});
  check_sums("hvp by c", h[c], {2.96252309066717, 1009.32930147869, 1281.96679919866, 775.135441553373});
}

BOOST_AUTO_TEST_CASE(formula_111) {
  numbers draw(111);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {3});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto u = outer(amin<0>(a, keep_dims), b);
  const auto u1 = -stop_gradient(u);
  const auto f = mean(where(u1 <= u, u1, u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.622292134235577);
  check("by a", r.gradient[a], {0, -0.312814986918708, 0});
  check_sums("by b", r.gradient[b], {0.309911579288053, 15.2701887249204, 9.86082297734713, 14.5658442265385});
}

BOOST_AUTO_TEST_CASE(formula_112) {
  numbers draw(112);
  const auto A = draw.between<fixed<4, 9>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto C = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto D = draw.between<tensor<1>>(-1.5, 1.5, {9});
  const auto f = sum(c * mean(b * (mean(reshape<3, -1>(where(d > 0, sqrt(d), d / 2_c))) + a)));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 0.0529245406263405);
  check_sums("by a", r.gradient[a], {0.144108923514702, 7.9447598074942, 8.52261515834632, 8.38126032715982});
  check("by b", r.gradient[b],
        {-0.0636667125664284, 0.0227358795099079, 0.0569564904982473, 0.00374710321756724, -0.0655648892389019,
         0.00314780596501995, -0.0710394642061039, 0.0630198767652936, 0.0607594749051736});
  check("by c", r.gradient[c], {0.0428485158414541, 0.0428485158414541, 0.0428485158414541, 0.0428485158414541});
  check("by d", r.gradient[d],
        {0.00800605130637235, 0.00800605130637235, 0.00991631404836903, 0.0101689193179781, 0.00800605130637235,
         0.00800605130637235, 0.00832371042775134, 0.00800605130637235, 0.00800605130637235});
}

BOOST_AUTO_TEST_CASE(formula_113) {
  numbers draw(113);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = stop_gradient(concatenate<0>(tanh(a), a));
  const auto f = mean(sum<0, 1>(where((u >= b) && (u <= 0.3), b, u), keep_dims));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.80173606653674);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {6});
}

BOOST_AUTO_TEST_CASE(formula_114) {
  numbers draw(114);
  const auto A = draw.between<fixed<4, 2, 3>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {2, 4});
  const auto f = mean(sum(stop_gradient(-a)) + b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 6.26129244210259);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125});
}

BOOST_AUTO_TEST_CASE(formula_115) {
  numbers draw(115);
  const auto A = draw.between<fixed<9, 9>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto C = draw.between<fixed<1, 9>>(0.5, 2.0);
  const auto dA = draw.between<fixed<9, 9>>(-1, 1);
  const auto dB = draw.between<std::vector<double>>(-1, 1, {9});
  const auto dC = draw.between<fixed<1, 9>>(-1, 1);
  const auto f = mean(dot(softmax<1>(a), b) / c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.453680247107301);
  check_sums("by a", r.gradient[a], {8.40256683676266e-18, 1.56292491369709, 2.21826846099651, -2.31413113764547});
  check("by b", r.gradient[b],
        {0.158320159329904, 0.0962970145091363, 0.077885431649586, 0.145647373318372, 0.0579635487526877,
         0.145899022471295, 0.22212954655876, 0.14594175813453, 0.17616000617953});
  check("by c", r.gradient[c],
        {0.011268744681595, 0.047989378359204, 0.174513135520539, 0.141026788335599, 0.0126676647153453,
         0.0181382922137084, 0.0848157358030946, 0.13424746385284, 0.0277694270281176});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {-2.13316777436523e-17, -3.33835554205215, -0.73959466430402, -5.94363274500687});
  check("hvp by b", h[b],
        {0.0816554512261575, 0.0309624818849515, -0.0146001173310656, 0.0512939423698738, 0.00824869665340079,
         0.0584681602010871, -0.113966771321506, 0.0130833256973942, 0.00720565278375332});
  check("hvp by c", h[c],
        {0.0117450627346295, -0.0807199210096063, 0.174827221375305, 0.215142658137797, -0.0274294734922187,
         -0.0248349164660623, -0.0738095884916819, -0.453032189997605, 0.0297945962792308});
}

BOOST_AUTO_TEST_CASE(formula_116) {
  numbers draw(116);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto B = draw.between<fixed<17>>(-1.5, 1.5);
  const std::vector<int> I{0, 1, 1};
  const auto u = mean<0>(stop_gradient(take(a, i)), keep_dims);
  const auto f = sum(b * sum(where(!(u > 0.3), a, u) / -0.4));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 4.34150788706617);
  check("by a", r.gradient[a], {5.04408435374223, 5.04408435374223, 5.04408435374223});
  check_sums("by b", r.gradient[b], {-36.580293321903, -1736.48804181034, -1654.72032732608, -1723.57735004966});
}

BOOST_AUTO_TEST_CASE(formula_117) {
  numbers draw(117);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {4});
  const auto C = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto f = sum(mean(b - slice<1>(a, 0, 3)) - c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -8.27232860087991);
  check("by a", r.gradient[a],
        {-0.666666666666667, -0.666666666666667, -0.666666666666667, -0.666666666666667, -0.666666666666667,
         -0.666666666666667, -0.666666666666667, -0.666666666666667, -0.666666666666667, -0.666666666666667,
         -0.666666666666667, -0.666666666666667});
  check("by b", r.gradient[b], {2, 2, 2, 2});
  check("by c", r.gradient[c], {-1, -1, -1, -1, -1, -1, -1, -1});
}

BOOST_AUTO_TEST_CASE(formula_118) {
  numbers draw(118);
  const auto A = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto u = stop_gradient(a);
  const auto f = sum(where((stop_gradient(b) < 0.3) || (u > 0.3), u, a) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.213256657956938);
  check("by a", r.gradient[a], {1.50421249889965, 0, 1.50421249889965});
  check("by b", r.gradient[b], {0.14177295968019});
}

BOOST_AUTO_TEST_CASE(formula_119) {
  numbers draw(119);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {3, 3});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto f = mean(log_softmax<0>(where(!(a <= b), stop_gradient(sum<1>(a, keep_dims)), a) / 0.7));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.98300940755597);
  check("by a", r.gradient[a],
        {-0.0672239394597807, 0.155846506697211, 0.0543094825557802, 0.112846018300325, 0.155662570840561,
         0.0742075991960672, -0.0456220788405447, 0, -0.128517081751848});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_120) {
  numbers draw(120);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto B = draw.between<fixed<9, 1>>(0.5, 2.0);
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto dA = draw.between<tensor<2>>(-1, 1, {9, 3});
  const auto dB = draw.between<fixed<9, 1>>(-1, 1);
  const auto dC = draw.between<tensor<1>>(-1, 1, {3});
  const auto f = mean((sum(reshape<-1, 9>(clamp(a, -0.5, 0.8))) / b) - c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.61826184501436);
  check_sums("by a", r.gradient[a], {11.0768414528596, 515.073127557972, 615.687770754781, 589.841807364775});
  check("by b", r.gradient[b],
        {-0.155061495980447, -0.35394765685184, -0.0794903338605354, -0.0731850879714443, -0.262505615356101,
         -0.114503601226493, -0.10883608484347, -0.217261558213243, -0.0807599333894114});
  check("by c", r.gradient[c], {-0.333333333333333, -0.333333333333333, -0.333333333333333});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {-0.191261074273898, -8.89363995373628, -10.6309280450575, -10.1846522050851});
  check("hvp by b", h[b],
        {-0.0469088342575088, 0.291631626766308, 0.0857906660225506, 0.0494612195210266, 0.954375341270879,
         0.271266723046059, 0.301843318182575, -0.0603836175861151, 0.0734928261239172});
  check("hvp by c", h[c], {0, 0, 0});
}
