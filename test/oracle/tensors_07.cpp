// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_91) {
  numbers draw(91);
  const auto A = draw.between<fixed<9, 1>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto f = sum(dot(a, stop_gradient(mean<0, 1>(a, keep_dims))) + b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.89978293227422);
  check("by a", r.gradient[a],
        {-0.186550184938381, -0.186550184938381, -0.186550184938381, -0.186550184938381, -0.186550184938381,
         -0.186550184938381, -0.186550184938381, -0.186550184938381, -0.186550184938381});
  check_sums("by b", r.gradient[b], {27, 1298, 1243, 1385});
}

BOOST_AUTO_TEST_CASE(formula_92) {
  numbers draw(92);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {3});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto f = sum(stop_gradient(pow(a, -1.5)) + b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 6.58834760534814);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {1, 1, 1, 1, 1, 1, 1, 1, 1});
}

BOOST_AUTO_TEST_CASE(formula_93) {
  numbers draw(93);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 17});
  const auto B = draw.between<fixed<17>>(-1.5, 1.5);
  const auto u = amin<1>(a);
  const auto f = sum(b / sum(u * stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.493684481308341);
  check_sums("by a", r.gradient[a], {-0.338672477710321, -23.5739310928412, -19.0476836318549, -25.5072553446288});
  check_sums("by b", r.gradient[b], {4.00169261314707, 189.962702282923, 181.017742324124, 188.550340184165});
}

BOOST_AUTO_TEST_CASE(formula_94) {
  numbers draw(94);
  const auto A = draw.between<fixed<2, 1, 4>>(0.5, 2.0);
  const auto B = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const std::vector<int> I{2, 1, 0};
  const auto f = mean(a / mean(square(stop_gradient(take<1>(b, i)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 1.36532431619604);
  check("by a", r.gradient[a],
        {0.159354082044102, 0.159354082044102, 0.159354082044102, 0.159354082044102, 0.159354082044102,
         0.159354082044102, 0.159354082044102, 0.159354082044102});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_95) {
  numbers draw(95);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto dA = draw.between<std::vector<double>>(-1, 1, {8});
  const auto dB = draw.between<double>(-1, 1);
  const auto f = b / dot(stop_gradient(softplus(a)), a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -3.46141443880211);
  check("by a", r.gradient[a],
        {-4.55100573055852, -5.58064886432964, -5.8019400413212, -6.47063068992929, -7.16894629110456,
         -7.79294535200793, -1.81035763106334, -1.99242716978144});
  check("by b", r.gradient[b], {-2.54880859935747});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {28.8943742314156, 35.4315872769239, 36.8365668486195, 41.0820894846806, 45.515701197474, 49.4774765617035,
         11.4939760531181, 12.6499371086135});
  check("hvp by b", h[b], {7.24066048468802});
}

BOOST_AUTO_TEST_CASE(formula_96) {
  numbers draw(96);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const std::vector<int> I{6, 4, 3, 1, 3};
  const auto f = sum(stop_gradient(take(a, i)) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 7.16622218054788);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-6.7348869265042});
}

BOOST_AUTO_TEST_CASE(formula_97) {
  numbers draw(97);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const std::vector<int> I{0, 8, 5, 0, 8};
  const auto f = mean(take<1>(where(a < 0.3, stop_gradient(mean(b, keep_dims)), b), i));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.163465985010129);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {0.8, 44.1, 39, 41.7});
}

BOOST_AUTO_TEST_CASE(formula_98) {
  numbers draw(98);
  const auto A = draw.between<fixed<2, 1>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<2>>(0.5, 2.0, {2, 33});
  const std::vector<int> I{4, 16, 6};
  const auto f = mean(min(log_softmax<-1>(-stop_gradient(take<1>(b, i))), outer(b, a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -1.54614179859698);
  check("by a", r.gradient[a], {0.532720403311809, 0.305857359554707});
  check_sums("by b", r.gradient[b], {-0.705591432600783, -36.6483633480369, -34.5102790922193, -33.8731016078408});
}

BOOST_AUTO_TEST_CASE(formula_99) {
  numbers draw(99);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {3});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {17, 3});
  const auto f = mean(mean(concatenate<0>(a, stop_gradient(a))) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.27153020103654);
  check("by a", r.gradient[a], {0.232382970739754, 0.232382970739754, 0.232382970739754});
  check_sums("by b", r.gradient[b], {0.911950215190626, 46.2054775696584, 43.8987799665291, 45.6511548898366});
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

BOOST_AUTO_TEST_CASE(formula_101) {
  numbers draw(101);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 33});
  const auto B = draw.between<fixed<2>>(0.5, 2.0);
  const auto f = mean(b / sum(-a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.374422661733566);
  check_sums("by a", r.gradient[a], {6.84647968090251, 350.415278213465, 342.323984045126, 349.689136429127});
  check("by b", r.gradient[b], {-0.138525991107813, -0.138525991107813});
}

BOOST_AUTO_TEST_CASE(formula_102) {
  numbers draw(102);
  const auto A = draw.between<fixed<8>>(0.5, 2.0);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<std::vector<double>>(0.5, 2.0, {8});
  const auto f = mean(logsumexp(stop_gradient(hypot(a, b))) + c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 5.0839961523504);
  check_zero(r.gradient[a]);
  check_zero(r.gradient[b]);
  check("by c", r.gradient[c], {0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125});
}

BOOST_AUTO_TEST_CASE(formula_103) {
  numbers draw(103);
  const auto A = draw.between<fixed<33>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto f = sum(c * (b * stack<0>(a, stop_gradient(a))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -1.24350108736706);
  check_sums("by a", r.gradient[a], {0.924068706166593, 62.9566983450213, 32.1955576332776, 77.2437171285235});
  check("by b", r.gradient[b], {7.54932157558376});
  check_sums("by c", r.gradient[c], {1.25210918671541, 47.3461225075747, 72.1797952460857, 39.7499725352773});
}

BOOST_AUTO_TEST_CASE(formula_104) {
  numbers draw(104);
  const auto A = draw.between<fixed<3, 1, 5>>(0.5, 2.0);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {5});
  const auto C = draw.between<fixed<2>>(-1.5, 1.5);
  const auto f = mean(b) * sum(stop_gradient(argmax<0>(c) + a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -7.1162637277415);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b],
        {3.66553573569541, 3.66553573569541, 3.66553573569541, 3.66553573569541, 3.66553573569541});
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_105) {
  numbers draw(105);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {8});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {8});
  const auto f = sum(b * clamp(a, -0.5, 0.8));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.389134617019014);
  check("by a", r.gradient[a],
        {1.41798176566045, -0.602189804474912, -0, 0, 0, 0, -0.367841924013496, 0.902485944518114});
  check("by b", r.gradient[b],
        {0.355129714522105, 0.466449696555012, 0.8, -0.5, 0.8, 0.8, 0.412747308105578, 0.725309564371272});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {0.0596612044887903, -0.0939981216071165, 0, -0, -0, 0, 0.703133807379349, 0.972016008557759});
  check("hvp by b", h[b], {0.599351889267262, -0.684953179995042, 0, -0, -0, 0, 0.209805889618493, -0.459902225742071});
}
