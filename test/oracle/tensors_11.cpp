// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_151) {
  numbers draw(151);
  const auto A = draw.between<fixed<4, 1, 3>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<3>>(-1.5, 1.5, {4, 2, 3});
  const auto C = draw.between<fixed<3>>(-1.5, 1.5);
  const auto f = sum((a * amax(c, keep_dims)) + b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 2.64577422134615);
  check("by a", r.gradient[a],
        {1.89949174174084, 1.89949174174084, 1.89949174174084, 1.89949174174084, 1.89949174174084, 1.89949174174084,
         1.89949174174084, 1.89949174174084, 1.89949174174084, 1.89949174174084, 1.89949174174084, 1.89949174174084});
  check_sums("by b", r.gradient[b], {24, 1146, 1158, 1217});
  check("by c", r.gradient[c], {0, 0, 5.75448996003461});
}

BOOST_AUTO_TEST_CASE(formula_152) {
  numbers draw(152);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const auto B = draw.between<fixed<1, 9>>(0.5, 2.0);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const std::vector<int> I{3, 3, 1};
  const auto u = take(a / b, i);
  const auto f = sum(c * atan2(u, 0.7 * stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, 15.7276653893228);
  check_sums("by a", r.gradient[a], {80.7479028039843, 4002.70849519864, 4603.74474249593, 2754.00907434823});
  check("by b", r.gradient[b],
        {-0.489980261539742, 0.364782098248957, -3.36104178493597, 1.32125515327937, -0.182590757696143,
         -0.214691044072213, -0.924659469220075, 1.05665942101094, -2.55719425612454});
  check("by c", r.gradient[c],
        {2.88021108721706, 2.88021108721706, 2.88021108721706, -6.54456687355231, -3.40297421996252, 2.88021108721706,
         -0.261381566372729, -6.54456687355231, -0.261381566372729});
}

BOOST_AUTO_TEST_CASE(formula_153) {
  numbers draw(153);
  const auto A = draw.between<fixed<8>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = sum(relu(a) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -3.77111320232995);
  check("by a", r.gradient[a], {-0, -1.44018544297587, -0, -0, -1.44018544297587, -1.44018544297587, -0, -0});
  check("by b", r.gradient[b], {-5.43110233780972});
}

BOOST_AUTO_TEST_CASE(formula_154) {
  numbers draw(154);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {17, 3});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto f = mean(a * sum(concatenate<0>(b, square(stop_gradient(slice<0>(b, -8, 14))))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.336025394099946);
  check_sums("by a", r.gradient[a], {5.08457824287118, 257.61863097214, 244.757638946054, 254.528004981375});
  check_sums("by b", r.gradient[b], {-1.12348191469139, -53.3323473621146, -50.8210348469221, -52.9358243334});
}

BOOST_AUTO_TEST_CASE(formula_155) {
  numbers draw(155);
  const auto A = draw.between<fixed<5>>(0.5, 2.0);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto dA = draw.between<fixed<5>>(-1, 1);
  const auto dB = draw.between<double>(-1, 1);
  const auto f = mean(transpose(stack<1>(stop_gradient(a), a)) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.10778062428257);
  check("by a", r.gradient[a],
        {0.138095930501671, 0.138095930501671, 0.138095930501671, 0.138095930501671, 0.138095930501671});
  check("by b", r.gradient[b], {-2.91075926603695});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-0.180159043746521, -0.180159043746521, -0.180159043746521, -0.180159043746521, -0.180159043746521});
  check("hvp by b", h[b], {7.72866114616266});
}

BOOST_AUTO_TEST_CASE(formula_156) {
  numbers draw(156);
  const auto A = draw.between<fixed<9>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {9, 9});
  const auto f = mean((sum(a) * b) / stop_gradient(norm<-1>(a, keep_dims)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.11040554708593);
  check("by a", r.gradient[a],
        {0.41149805414263, 0.41149805414263, 0.41149805414263, 0.41149805414263, 0.41149805414263, 0.41149805414263,
         0.41149805414263, 0.41149805414263, 0.41149805414263});
  check_sums("by b", r.gradient[b], {-0.904410260789527, -45.9351088010878, -45.6448042729332, -46.6608701214745});
}

BOOST_AUTO_TEST_CASE(formula_157) {
  numbers draw(157);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {2});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {5});
  const auto f = mean(a - sum(stop_gradient(b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -5.62138400674862);
  check("by a", r.gradient[a], {0.5, 0.5});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_158) {
  numbers draw(158);
  const auto A = draw.between<fixed<9, 1>>(0.5, 2.0);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const std::vector<int> I{7, 8};
  const auto f = mean(max(take(expand_dims<-2>(b), i) - -0.4, a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 1.5916572056784);
  check("by a", r.gradient[a],
        {0.0925925925925926, 0.0555555555555556, 0.111111111111111, 0.111111111111111, 0.0925925925925926,
         0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111});
  check_sums("by b", r.gradient[b], {0.0925925925925926, 4.81481481481481, 2.31481481481481, 4.51851851851852});
}

BOOST_AUTO_TEST_CASE(formula_159) {
  numbers draw(159);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto B = draw.between<fixed<3>>(-1.5, 1.5);
  const auto f = mean(b * sum(stop_gradient(asinh(a))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.50497985578915);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-0.509580736965124, -0.509580736965124, -0.509580736965124});
}

BOOST_AUTO_TEST_CASE(formula_160) {
  numbers draw(160);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<by_columns<3>>(0.5, 2.0, {2, 3, 5});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {5});
  const auto dB = draw.between<by_columns<3>>(-1, 1, {2, 3, 5});
  const auto f = mean(logsumexp<2>(b, keep_dims) + a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.908780736608);
  check("by a", r.gradient[a], {0.2, 0.2, 0.2, 0.2, 0.2});
  check_sums("by b", r.gradient[b], {1, 49.5627093248876, 51.835304564097, 48.7741985663571});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0, 0, 0, 0, 0});
  check_sums("hvp by b", h[b], {-6.23416249179165e-19, 5.83826130819486, 1.66634443526351, 2.02614238703028});
}

BOOST_AUTO_TEST_CASE(formula_161) {
  numbers draw(161);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {4, 9});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {1, 9});
  const auto u = a * sin(max(b, a));
  const auto f = mean(concatenate<1>(u, stop_gradient(u), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.29680145406121);
  check_sums("by a", r.gradient[a], {0.661642573625841, 35.3114952689759, 31.1966394426942, 33.2656546533354});
  check("by b", r.gradient[b], {0.00186204602619618, 0, 0, 0, 0, 0, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_162) {
  numbers draw(162);
  const auto A = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto f = mean(prod<0, 2>(a) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.0163376900044419);
  check("by a", r.gradient[a], {-0.0904165299944252, -0.0129492237207411});
  check("by b", r.gradient[b],
        {-0.0774112318801865, -0.0795628054691234, -0.0376315798356871, -0.0972428017039619, -0.181028223370762});
}

BOOST_AUTO_TEST_CASE(formula_163) {
  numbers draw(163);
  const auto A = draw.between<fixed<3>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto u = dot(b, a);
  const auto f = mean((u / stop_gradient(u)) + a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.65520897049234);
  check("by a", r.gradient[a], {0.12543860420377, 1.06638236541248, 0.140965660942736});
  check("by b", r.gradient[b],
        {-0.133470817823533, -0.404500162179703, 0.00701556282816618, -0.157076827164221, -0.476041153404828,
         0.00825635421876684, -0.0894355625192472, -0.271045762164273, 0.00470095874257491});
}

BOOST_AUTO_TEST_CASE(formula_164) {
  numbers draw(164);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<tensor<4>>(-1.5, 1.5, {2, 3, 2, 5});
  const auto f = mean(mean(erf(tanh(a))) + b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.559732596163065);
  check("by a", r.gradient[a], {0.0918966632849424, 0.0759368404442127});
  check_sums("by b", r.gradient[b], {1, 50.5166666666667, 49.75, 50.75});
}

BOOST_AUTO_TEST_CASE(formula_165) {
  numbers draw(165);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {2});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto dA = draw.between<tensor<1>>(-1, 1, {2});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {5});
  const std::vector<int> I{-4, -1, -4};
  const auto f = mean(outer(b, outer(a, stop_gradient(take(b, i)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.155077092114517);
  check("by a", r.gradient[a], {-0.0638238974014921, -0.0638238974014921});
  check("by b", r.gradient[b],
        {-0.111392549359419, -0.111392549359419, -0.111392549359419, -0.111392549359419, -0.111392549359419});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B, i = I);
  check("hvp by a", h[a], {0.0949111588304902, 0.0949111588304902});
  check("hvp by b", h[b],
        {-0.00281719597424807, -0.00281719597424807, -0.00281719597424807, -0.00281719597424807, -0.00281719597424807});
}
