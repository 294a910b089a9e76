// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_141) {
  numbers draw(141);
  const auto A = draw.between<fixed<3, 3>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto f = sum(logsumexp(a, b - stop_gradient(transpose(a))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 10.3658958016806);
  check("by a", r.gradient[a],
        {0.640181102204217, 0.733699156540462, 0.339336701273145, 0.733699156540462, 0.826299683779764,
         0.362105770434006, 0.339336701273145, 0.362105770434006, 0.258653415429704});
  check("by b", r.gradient[b], {4.40458254209109});
}

BOOST_AUTO_TEST_CASE(formula_142) {
  numbers draw(142);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<tensor<1>>(0.5, 2.0, {17});
  const auto f = mean(b + stack<1>(c, a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.341925717227729);
  check_sums("by a", r.gradient[a], {0.5, 23.7352941176471, 22.6176470588235, 23.5588235294118});
  check("by b", r.gradient[b], {1});
  check_sums("by c", r.gradient[c], {0.5, 23.7352941176471, 22.6176470588235, 23.5588235294118});
}

BOOST_AUTO_TEST_CASE(formula_143) {
  numbers draw(143);
  const auto A = draw.between<fixed<1, 9>>(0.5, 2.0);
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {9, 9});
  const std::vector<int> I{1, 0, 1, 7};
  const auto f = sum(stop_gradient(take<1>(a, i)) / constant<1, 3>) / mean(b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 12.5594786438858);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {-9.99130442852551, -507.459585419185, -504.252500047065, -515.477298849483});
}

BOOST_AUTO_TEST_CASE(formula_144) {
  numbers draw(144);
  const auto A = draw.between<fixed<3>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto u = -0.4 - pow(a, 3_c);
  const auto f = mean(concatenate<0>(stop_gradient(u), u, b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.0225163921833612);
  check("by a", r.gradient[a], {-0.0139707912476632, -0.00070509054842286, -0.000317117423194545});
  check_sums("by b", r.gradient[b], {0.739130434782609, 35.0869565217391, 33.4347826086956, 34.8260869565217});
}

BOOST_AUTO_TEST_CASE(formula_145) {
  numbers draw(145);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto dA = draw.between<tensor<2>>(-1, 1, {9, 3});
  const auto dB = draw.between<tensor<1>>(-1, 1, {3});
  const auto f = sum(a) / mean(stack<1>(b, stop_gradient(b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -4.36512102705837);
  check_sums("by a", r.gradient[a], {56.5122448576435, 2716.77384537856, 2601.65630955744, 2898.86885658653});
  check("by b", r.gradient[b], {1.52273326119982, 1.52273326119982, 1.52273326119982});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {12.49638368199, 600.752074786037, 575.296478396798, 641.01819998356});
  check("hvp by b", h[b], {-3.00091852793295, -3.00091852793295, -3.00091852793295});
}

BOOST_AUTO_TEST_CASE(formula_146) {
  numbers draw(146);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {17});
  const auto C = draw.between<by_columns<2>>(-1.5, 1.5, {2, 17});
  const std::vector<int> I{8, 1};
  const auto f = sum(b * (a * (c - one_hot(i, 17))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, 1.64570680204426);
  check_sums("by a", r.gradient[a], {-9.24938896549974, -823.497717238028, -682.011141058902, -418.794398268841});
  check_sums("by b", r.gradient[b], {2.86227472345247, -91.9269172591371, -24.6532282992629, 40.4086905440366});
  check_sums("by c", r.gradient[c], {17.4243508423472, 849.579561502405, 599.50984924898, 1270.15705471629});
}

BOOST_AUTO_TEST_CASE(formula_147) {
  numbers draw(147);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {4, 3});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {5, 4});
  const auto f = mean(mean(amax(softmax<0>(b)) + a) + c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.72025348855889);
  check("by a", r.gradient[a],
        {0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333,
         0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333, 0.0833333333333333,
         0.0833333333333333, 0.0833333333333333});
  check("by b", r.gradient[b], {-0.129995349730826, 0.249620651299099, -0.119625301568273});
  check_sums("by c", r.gradient[c], {1, 49.5, 46.4, 52.2});
}

BOOST_AUTO_TEST_CASE(formula_148) {
  numbers draw(148);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {2, 17});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto f = mean(a * stop_gradient(mean(b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.388855874288045);
  check_sums("by a", r.gradient[a], {-0.340383649208926, -17.0392050280468, -16.2282910402256, -16.5386408380337});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_149) {
  numbers draw(149);
  const auto A = draw.between<fixed<4, 1, 3>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {3});
  const auto f = sum(a / stop_gradient(relu(b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.558923260182725);
  check(
      "by a", r.gradient[a],
      {1.56704939610563, 0.799116884312995, 0.517804748852255, 1.56704939610563, 0.799116884312995, 0.517804748852255,
       1.56704939610563, 0.799116884312995, 0.517804748852255, 1.56704939610563, 0.799116884312995, 0.517804748852255});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_150) {
  numbers draw(150);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto dA = draw.between<std::vector<double>>(-1, 1, {8});
  const auto dB = draw.between<double>(-1, 1);
  const auto f = dot(a, stop_gradient(a)) / b;
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 9.69251372204491);
  check("by a", r.gradient[a],
        {0.536960300319272, -1.02061948293086, 0.95896806709227, 1.11412316137191, 0.835811626121944, -1.06778994389459,
         1.06228022748097, 0.868626222503786});
  check("by b", r.gradient[b], {-7.21258790022628});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-0.124436428794381, 0.236520732609784, -0.22223349012182, -0.258189492511446, -0.193692930068756,
         0.247452124936966, -0.246175290441431, -0.201297460950569});
  check("hvp by b", h[b], {3.02318172104292});
}
