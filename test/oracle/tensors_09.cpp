// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_81) {
  numbers draw(81);
  const auto A = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto B = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto f = mean(sum<-2>(a - stop_gradient(softmax<-2>(b))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.05797741178329);
  check("by a", r.gradient[a], {0.6, 0.6, 0.6, 0.6, 0.6});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_82) {
  numbers draw(82);
  const auto A = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto f = sum(b * (argmax<-1>(stop_gradient(c)) + a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 19.0112050269981);
  check("by a", r.gradient[a], {1.88552910060879, 1.88552910060879, 1.88552910060879});
  check("by b", r.gradient[b], {10.0826897982427});
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_83) {
  numbers draw(83);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {5, 3});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto f = sum(mean(stop_gradient(slice<1>(a, 0, 2))) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -2.8123901879007);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-1, -1, -1});
}

BOOST_AUTO_TEST_CASE(formula_84) {
  numbers draw(84);
  const auto A = draw.between<fixed<2, 3, 5>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto C = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto f = mean(b) + mean(argmax<2>(a * c));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 2.41877011722828);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {1, 44.5333333333333, 43.6666666666667, 50.0666666666667});
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_85) {
  numbers draw(85);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto dA = draw.between<fixed<1, 3, 1, 4>>(-1, 1);
  const auto dB = draw.between<double>(-1, 1);
  const auto u = log(b);
  const auto f = mean((stop_gradient(u) + u) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.238697988264357);
  check("by a", r.gradient[a],
        {-0.0833333333333333, -0.0833333333333333, -0.0833333333333333, -0.0833333333333333, -0.0833333333333333,
         -0.0833333333333333, -0.0833333333333333, -0.0833333333333333, -0.0833333333333333, -0.0833333333333333,
         -0.0833333333333333, -0.0833333333333333});
  check("by b", r.gradient[b], {1.1449550016342});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check("hvp by b", h[b], {0.743211795989051});
}

BOOST_AUTO_TEST_CASE(formula_86) {
  numbers draw(86);
  const auto A = draw.between<fixed<1, 9>>(0.5, 2.0);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto f = sum(a * amax(stop_gradient(mean<-2>(b, keep_dims)), keep_dims));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 5.05549040482123);
  check("by a", r.gradient[a],
        {0.439074306875657, 0.439074306875657, 0.439074306875657, 0.439074306875657, 0.439074306875657,
         0.439074306875657, 0.439074306875657, 0.439074306875657, 0.439074306875657});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_87) {
  numbers draw(87);
  const auto A = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto f = mean(hypot(outer(a, sigmoid(b)), b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.24721484660721);
  check("by a", r.gradient[a], {0.110882954922505, 0.0694686844894439, 0.112189781712788});
  check("by b", r.gradient[b],
        {0.168613803493033, 0.186534687415112, 0.182251639382744, -0.185538483511887, -0.187419197991474});
}

BOOST_AUTO_TEST_CASE(formula_88) {
  numbers draw(88);
  const auto A = draw.between<fixed<3>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {17});
  const auto C = draw.between<by_columns<2>>(0.5, 2.0, {17, 3});
  const auto f = mean(c / (slice<0>(sqrt(b), -9, -6) * a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.943799446403131);
  check("by a", r.gradient[a], {-0.41664528446421, -0.196388328536115, -1.98577141562431});
  check_sums("by b", r.gradient[b], {0.733912267165829, 42.2343411974478, 56.8690376357679, 15.7146657208125});
  check_sums("by c", r.gradient[c], {-0.697882453891659, -36.6709662276015, -42.306344869727, -34.753892394896});
}

BOOST_AUTO_TEST_CASE(formula_89) {
  numbers draw(89);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const std::vector<int> I{8, 3, 5, 6, 1, 7, 6, 7, 3};
  const auto f = sum(atan2(a * stop_gradient(b), b) - one_hot(i, 9));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -17.7247124765301);
  check_sums("by a", r.gradient[a], {52.7112857365802, 2690.72014471741, 2777.31459529921, 2722.00877840704});
  check("by b", r.gradient[b],
        {0.273485398736386, 0.811898739245552, -0.0808775601856571, 3.09117968146804, 2.17601713971819,
         2.57322623551831, -0.0486506082073611, -1.07891561380083, 1.97364365203168});
}

BOOST_AUTO_TEST_CASE(formula_90) {
  numbers draw(90);
  const auto A = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const auto dA = draw.between<fixed<3, 1>>(-1, 1);
  const auto dB = draw.between<double>(-1, 1);
  const auto dC = draw.between<std::vector<double>>(-1, 1, {5});
  const auto f = mean(b * (a + sum(stop_gradient(c))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 6.17865656097595);
  check("by a", r.gradient[a], {0.256083607560063, 0.256083607560063, 0.256083607560063});
  check("by b", r.gradient[b], {8.0424991143134});
  check_zero(r.gradient[c]);
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a], {-0.25888111594081, -0.25888111594081, -0.25888111594081});
  check("hvp by b", h[b], {-0.0655928603678909});
  check("hvp by c", h[c], {0, 0, 0, 0, 0});
}
