// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_16) {
  numbers draw(16);
  const auto A = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(b * outer(mean<1>(a, keep_dims), 2_c / stop_gradient(slice<0>(a, 1, 3))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.0660137275063377);
  check("by a", r.gradient[a], {-0.081730098303931, -0.081730098303931, -0.081730098303931});
  check("by b", r.gradient[b], {-0.390108076394429});
}

BOOST_AUTO_TEST_CASE(formula_17) {
  numbers draw(17);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto f = mean(max(a, min(amin<0>(b), stop_gradient(mean(b)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.0487180114002034);
  check_sums("by a", r.gradient[a], {0.814814814814815, 40.7283950617284, 42.5555555555556, 42.3950617283951});
  check_sums("by b", r.gradient[b], {0.185185185185185, 11.8271604938272, 10.358024691358, 12.3827160493827});
}

BOOST_AUTO_TEST_CASE(formula_18) {
  numbers draw(18);
  const auto A = draw.between<fixed<3, 5>>(-1.5, 1.5);
  const auto B = draw.between<fixed<5>>(-1.5, 1.5);
  const auto f = sum(stop_gradient(sigmoid(a)) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 8.03452493246126);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-3, -3, -3, -3, -3});
}

BOOST_AUTO_TEST_CASE(formula_19) {
  numbers draw(19);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto B = draw.between<fixed<5, 4>>(-1.5, 1.5);
  const auto f = sum(a / sum(reshape<10, -1>(expm1(b))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.29906306984235);
  check("by a", r.gradient[a], {0.0827364494651036, 0.0827364494651036, 0.0827364494651036});
  check_sums("by b", r.gradient[b], {-0.793931401140157, -34.2805456835212, -32.6796015642834, -43.1125695856367});
}

BOOST_AUTO_TEST_CASE(formula_20) {
  numbers draw(20);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {33});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto dA = draw.between<tensor<1>>(-1, 1, {33});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {2});
  const auto f = sum(min(outer(b, a), stop_gradient(amax<0>(b, keep_dims))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -3.5140924504563);
  check_sums("by a", r.gradient[a], {-6.26199827448559, -443.402585516639, -307.61228964809, -311.262412968913});
  check("by b", r.gradient[b], {8.41750595039572, -2.68244462305794});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-1.30766707905925, 4.55466487237927, -58.9257464892817, -64.155729339065});
  check("hvp by b", h[b], {-0.179529636250589, 0.741826355802746});
}

BOOST_AUTO_TEST_CASE(formula_21) {
  numbers draw(21);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {33});
  const auto u = c / b;
  const auto f = sum(concatenate<0>(u, concatenate<0>(a, u, u)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 6.74866641858874);
  check_sums("by a", r.gradient[a], {33, 1692, 1592, 1639});
  check("by b", r.gradient[b], {-3.97784864658061});
  check_sums("by c", r.gradient[c], {63.0018852222543, 3230.27847866831, 3039.36367496451, 3129.0936327053});
}

BOOST_AUTO_TEST_CASE(formula_22) {
  numbers draw(22);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {33});
  const auto u = b - a;
  const auto f = mean(clamp(expand_dims<0>(u) * stop_gradient(u), -0.5, 0.8));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.584037615684523);
  check_sums("by a", r.gradient[a], {-0.137821442271895, -6.30894949720658, -8.41408269739745, -7.69770159596386});
  check_sums("by b", r.gradient[b], {0.137821442271895, 6.30894949720658, 8.41408269739745, 7.69770159596386});
}

BOOST_AUTO_TEST_CASE(formula_23) {
  numbers draw(23);
  const auto A = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(log(hypot(a, stop_gradient(sigmoid(b)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.235996919877563);
  check("by a", r.gradient[a],
        {-0.173898736393059, -0.200486304908619, 0.064637740506468, -0.131963277139968, 0.242609416321437});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_24) {
  numbers draw(24);
  const auto A = draw.between<fixed<4, 9>>(-1.5, 1.5);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {9});
  const std::vector<int> I{2, 3, 1};
  const auto u = take(a, i) - b;
  const auto f = sum(abs(where(!(u <= 0.3), u, stop_gradient(u))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 25.3314848618263);
  check_sums("by a", r.gradient[a], {17, 890, 814, 777});
  check("by b", r.gradient[b], {-3, -2, -0, -3, -3, -2, -3, -1, -0});
}

BOOST_AUTO_TEST_CASE(formula_25) {
  numbers draw(25);
  const auto A = draw.between<fixed<4, 3>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {5, 4});
  const auto dA = draw.between<fixed<4, 3>>(-1, 1);
  const auto dB = draw.between<tensor<2>>(-1, 1, {5, 4});
  const auto f = mean(sum(hypot(a, stop_gradient(mean<-2>(a, keep_dims)))) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 18.3570079747023);
  check(
      "by a", r.gradient[a],
      {0.636276465986763, -1.22891336991163, 1.26802725942425, 0.979843955860332, -0.998825647748851, 1.18081091094377,
       0.498283582678127, -1.18475414833853, 1.16658013654192, 1.21609135247877, 0.973259088623214, -1.22425575050025});
  check_sums("by b", r.gradient[b], {13.5385942068647, 670.160413239803, 628.190771198522, 706.714617598338});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-0.208536912760434, 0.374643315563816, -0.363076623001075, -0.671673128647689, 0.402160616938964,
         0.0409507410847422, -1.376822638114, 0.486525560862353, -0.289638060618663, -0.0970374983114602,
         0.340108873118544, 0.279133753848812});
  check_sums("hvp by b", h[b], {-1.42177496288836, -70.3778606629737, -65.9703582780198, -74.2166530627722});
}

BOOST_AUTO_TEST_CASE(formula_26) {
  numbers draw(26);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<fixed<8>>(-1.5, 1.5);
  const auto f = mean(b * (a * logsumexp(sigmoid(c), keep_dims)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.196294170855233);
  check("by a", r.gradient[a],
        {0.210028012661907, 0.210028012661907, 0.210028012661907, 0.210028012661907, 0.210028012661907,
         0.210028012661907, 0.210028012661907, 0.210028012661907});
  check("by b", r.gradient[b], {0.30455110375057});
  check("by c", r.gradient[c],
        {0.00181163869691887, 0.00231251030635362, 0.00205268784741786, 0.00172136551118373, 0.00225433028908832,
         0.00153967391165228, 0.00211442464313083, 0.00163497792593218});
}

BOOST_AUTO_TEST_CASE(formula_27) {
  numbers draw(27);
  const auto A = draw.between<fixed<2, 1, 4>>(0.5, 2.0);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {4});
  const auto u = stop_gradient(where(a < 0.3, a, b));
  const auto f = sum(slice<2>(where(a < u, u, a), 1, 4));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 8.27269059828142);
  check("by a", r.gradient[a], {0, 1, 0, 1, 0, 1, 0, 1});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_28) {
  numbers draw(28);
  const auto A = draw.between<fixed<2, 3, 5>>(0.5, 2.0);
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {3, 5});
  const auto f = sum(mean(erf(stop_gradient(sum<2>(a)))) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -5.30443174874722);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {-15, -668, -655, -751});
}

BOOST_AUTO_TEST_CASE(formula_29) {
  numbers draw(29);
  const auto A = draw.between<fixed<4, 3>>(0.5, 2.0);
  const auto B = draw.between<fixed<5, 3>>(0.5, 2.0);
  const auto u = tanh(b);
  const auto f = sum(mean(stack<0>(stop_gradient(u), u)) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 11.9416510848923);
  check("by a", r.gradient[a],
        {0.827896953797711, 0.827896953797711, 0.827896953797711, 0.827896953797711, 0.827896953797711,
         0.827896953797711, 0.827896953797711, 0.827896953797711, 0.827896953797711, 0.827896953797711,
         0.827896953797711, 0.827896953797711});
  check_sums("by b", r.gradient[b], {2.16558573420033, 94.0025954505942, 97.3357236725151, 111.419080356182});
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
