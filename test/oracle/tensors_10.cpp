// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_91) {
  numbers draw(91);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 4});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {4});
  const std::vector<int> I{8, 3};
  const auto f = mean(concatenate<-2>(a, stop_gradient(take(a, i))) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.0834620224646624);
  check_sums("by a", r.gradient[a], {0.616150873836164, 31.3952656907745, 29.7106501525837, 30.5674529161711});
  check("by b", r.gradient[b], {0.0881336727630239, 0.0467346879598374, -0.0345426092465333, -0.00761790658882649});
}

BOOST_AUTO_TEST_CASE(formula_92) {
  numbers draw(92);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto C = draw.between<fixed<3, 1, 5>>(0.5, 2.0);
  const auto f = sum((b - logsumexp<0>(a)) * c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -15.7555111268567);
  check("by a", r.gradient[a], {-9.15318239481378, -9.28990705074696});
  check("by b", r.gradient[b],
        {4.35438275586552, 2.91000838457142, 3.01473164675512, 4.61132051637923, 3.55264614198946});
  check_sums("by c", r.gradient[c], {-13.2324753238377, -570.79940924334, -600.839624921669, -567.089581070528});
}

BOOST_AUTO_TEST_CASE(formula_93) {
  numbers draw(93);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto B = draw.between<fixed<1>>(-1.5, 1.5);
  const auto u = logsumexp<0>(a, keep_dims);
  const auto f = mean(outer(b, pow(stop_gradient(u), u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -11.5203884750575);
  check("by a", r.gradient[a], {-6.07655517853508, -3.87297995813179});
  check("by b", r.gradient[b], {7.75539112677226});
}

BOOST_AUTO_TEST_CASE(formula_94) {
  numbers draw(94);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto C = draw.between<double>(0.5, 2.0);
  const auto f = sum(c * ((1.3 * stop_gradient(mean(where(a > 0, sqrt(a), a / 2_c)))) + b));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.80739990876644);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {0.576029473485439, 0.576029473485439, 0.576029473485439});
  check("by c", r.gradient[c], {3.13768651077908});
}

BOOST_AUTO_TEST_CASE(formula_95) {
  numbers draw(95);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {2});
  const auto B = draw.between<fixed<1>>(-1.5, 1.5);
  const auto dA = draw.between<tensor<1>>(-1, 1, {2});
  const auto dB = draw.between<fixed<1>>(-1, 1);
  const auto f = sum(dot(outer(b, stop_gradient(a)), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.0123034671768331);
  check("by a", r.gradient[a], {0.0284275295280275, 0.00905028072148573});
  check("by b", r.gradient[b], {0.170078493599511});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {-0.0916589878524134, -0.02918085336588});
  check("hvp by b", h[b], {-0.0395538783568967});
}

BOOST_AUTO_TEST_CASE(formula_96) {
  numbers draw(96);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {17});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto u = logsumexp(a, keep_dims);
  const auto f = mean(pow(stack<0>(stop_gradient(u), u), b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 13.1966051934768);
  check_sums("by a", r.gradient[a], {2.78257982285482, 139.425000306824, 131.463541529789, 129.321042508554});
  check("by b", r.gradient[b], {19.0542656028798});
}

BOOST_AUTO_TEST_CASE(formula_97) {
  numbers draw(97);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto B = draw.between<fixed<33>>(-1.5, 1.5);
  const auto f = sum(a + mean(stack<1>(stop_gradient(b), b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.74958698579557);
  check_sums("by a", r.gradient[a], {33, 1692, 1592, 1639});
  check_sums("by b", r.gradient[b], {16.5, 846, 796, 819.5});
}

BOOST_AUTO_TEST_CASE(formula_98) {
  numbers draw(98);
  const auto A = draw.between<fixed<3, 1, 5>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto f = mean(a * sum(-stop_gradient(b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.04497594361242);
  check_sums("by a", r.gradient[a], {-0.959082150812764, -42.7111251161951, -41.8799205854907, -48.0180463506924});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_99) {
  numbers draw(99);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {17, 3});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {17});
  const auto f = mean(b * mean(a - (0.7 - stop_gradient(sum<0>(a, keep_dims)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 4.80893574518175);
  check_sums("by a", r.gradient[a], {1.30621984193446, 66.1818053246793, 62.877837489198, 65.3878285580132});
  check_sums("by b", r.gradient[b], {3.68156690841559, 174.766146770081, 166.536761915976, 173.46677021417});
}

BOOST_AUTO_TEST_CASE(formula_100) {
  numbers draw(100);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const auto B = draw.between<fixed<1, 9>>(0.5, 2.0);
  const auto dA = draw.between<tensor<2>>(-1, 1, {4, 9});
  const auto dB = draw.between<fixed<1, 9>>(-1, 1);
  const auto u = log(b);
  const auto f = sum(a - (sin(u) - u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.0947857474316565);
  check_sums("by a", r.gradient[a], {36, 1833, 1755, 1826});
  check("by b", r.gradient[b],
        {0.0667758259083455, 5.53973663477635e-05, 0.156165355331002, 0.116000453911861, 0.376899792441116,
         0.110082166399959, 0.158443403038335, 0.270488741138588, 0.155920503474558});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {0, 0, 0, 0});
  check("hvp by b", h[b],
        {0.325141249419263, -0.0174591046801161, -0.0393772921135701, -0.447452540307924, -0.343993676216649,
         0.420354247302727, 0.413118081081299, -0.408228583267019, 1.29671461927268});
}
