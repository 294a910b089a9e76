// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_31) {
  numbers draw(31);
  const auto A = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1, 5>>(0.5, 2.0);
  const auto u = max(b, erf(a));
  const auto f = mean(u / stop_gradient(u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1);
  check("by a", r.gradient[a], {0.0210171476277085, 0, 0});
  check("by b", r.gradient[b],
        {0.111066214463729, 0.144467379098626, 0.172609931649692, 0.120821656471878, 0.190612377900048});
}

BOOST_AUTO_TEST_CASE(formula_32) {
  numbers draw(32);
  const auto A = draw.between<fixed<3>>(0.5, 2.0);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<fixed<3, 3>>(-1.5, 1.5);
  const auto f = sum(reshape<9, -1>(outer(a, c)) * b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 6.30142508660255);
  check("by a", r.gradient[a], {2.26825587146835, 2.26825587146835, 2.26825587146835});
  check("by b", r.gradient[b], {-7.53402392582358});
  check("by c", r.gradient[c],
        {-2.32358474411863, -2.32358474411863, -2.32358474411863, -2.32358474411863, -2.32358474411863,
         -2.32358474411863, -2.32358474411863, -2.32358474411863, -2.32358474411863});
}

BOOST_AUTO_TEST_CASE(formula_33) {
  numbers draw(33);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<by_columns<4>>(-1.5, 1.5, {2, 3, 2, 5});
  const std::vector<int> I{3, 0, -4};
  const auto u = take(a, i);
  const auto f = dot(stop_gradient(u), u) - mean(b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 0.247002887085398);
  check("by a", r.gradient[a], {-0.231198706538974, -0.192763342844678, 0, 0.225753394759145, 0});
  check_sums("by b", r.gradient[b], {-1, -50.5166666666667, -49.75, -50.75});
}

BOOST_AUTO_TEST_CASE(formula_34) {
  numbers draw(34);
  const auto A = draw.between<fixed<4>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto f = sum(a / max(stop_gradient(a), b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.36652203518785);
  check("by a", r.gradient[a], {1.08681048372897, 1.08681048372897, 1.08681048372897, 0.776456308919041});
  check("by b", r.gradient[b], {-0.398339990359835});
}

BOOST_AUTO_TEST_CASE(formula_35) {
  numbers draw(35);
  const auto A = draw.between<fixed<3, 3>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto dA = draw.between<fixed<3, 3>>(-1, 1);
  const auto dB = draw.between<tensor<2>>(-1, 1, {3, 3});
  const auto u = where((b >= a) || (a < b), b, a);
  const auto f = sum(log_softmax<1>(stop_gradient(u)) / u);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.52574994067152);
  check("by a", r.gradient[a],
        {0.5101751594687, 0, 10.2273351590368, 0, 7.29404524034865, 0, 0, 0.707138708463071, 0.803354573673934});
  check("by b", r.gradient[b], {0, 1.82653350569839, 0, 6.09429830370555, 0, 2.3968070232048, 5.4203749968188, 0, 0});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-0.465247737192589, 0, 35.0038047671709, 0, 2.76209428462118, 0, 0, 1.02111730837765, 1.46137867553595});
  check("hvp by b", h[b], {0, -1.78355278643953, 0, -4.99645306054052, 0, 2.41452806909443, -10.2513929148967, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_36) {
  numbers draw(36);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {9});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {4});
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {9, 4});
  const auto f = sum(b * mean(a * mean(tanh(c))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.22508022624712);
  check("by a", r.gradient[a],
        {0.0205515686321952, 0.0205515686321952, 0.0205515686321952, 0.0205515686321952, 0.0205515686321952,
         0.0205515686321952, 0.0205515686321952, 0.0205515686321952, 0.0205515686321952});
  check("by b", r.gradient[b], {0.127008218716335, 0.127008218716335, 0.127008218716335, 0.127008218716335});
  check_sums("by c", r.gradient[c], {1.38625433625834, 67.8181972886097, 70.7741730873597, 71.6265435269508});
}

BOOST_AUTO_TEST_CASE(formula_37) {
  numbers draw(37);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto f = mean(a * transpose<0, 2, 1>(stack<2>(stop_gradient(b), b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.65159698644564);
  check("by a", r.gradient[a],
        {0.136379573976798, 0.178415434005864, -0.108585102953289, -0.11150465822383, 0.158642877479383});
  check_sums("by b", r.gradient[b], {0.00678192812799564, 7.31364895580972, 0.102047084668674, 5.53271274263165});
}

BOOST_AUTO_TEST_CASE(formula_38) {
  numbers draw(38);
  const auto A = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = -a;
  const auto f = sum(pow(norm<1>(u), stop_gradient(slice<1>(u, 0, -2))) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.87529137971741);
  check("by a", r.gradient[a],
        {0.107583490138521, -1.05208616910429, 0.115601753040955, -0.349068414067217, 0.250607536328782});
  check("by b", r.gradient[b], {3.67971761038384});
}

BOOST_AUTO_TEST_CASE(formula_39) {
  numbers draw(39);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto f = sum(outer(a, stop_gradient(amax<0>(a))) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 23.6416175390965);
  check("by a", r.gradient[a],
        {4.97573043458422, 4.97573043458422, 4.97573043458422, 4.97573043458422, 4.97573043458422, 4.97573043458422,
         4.97573043458422, 4.97573043458422, 4.97573043458422});
  check("by b", r.gradient[b], {17.2848887434236});
}

BOOST_AUTO_TEST_CASE(formula_40) {
  numbers draw(40);
  const auto A = draw.between<fixed<2>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1>>(-1.5, 1.5);
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {16, 2});
  const auto dA = draw.between<fixed<2>>(-1, 1);
  const auto dB = draw.between<fixed<1>>(-1, 1);
  const auto dC = draw.between<tensor<2>>(-1, 1, {16, 2});
  const auto f = sum(sum(relu(a) / b) * c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 14.4045655682582);
  check("by a", r.gradient[a], {5.51096927361536, 5.51096927361536});
  check("by b", r.gradient[b], {10.0494200860144});
  check_sums("by c", r.gradient[c], {-58.3529732767849, -2950.47221130744, -2773.58976106218, -2932.23690715844});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a], {1.58987751272308, 1.58987751272308});
  check("hvp by b", h[b], {-3.6449653192027});
  check_sums("hvp by c", h[c], {37.999299185059, 1921.33956504455, 1806.15418938984, 1909.46478404922});
}
