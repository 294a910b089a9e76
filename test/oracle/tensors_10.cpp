// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_136) {
  numbers draw(136);
  const auto A = draw.between<fixed<33>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(b - transpose(stack<1>(a, stop_gradient(a))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.30544956893575);
  check_sums("by a", r.gradient[a], {-0.5, -25.6363636363636, -24.1212121212121, -24.8333333333333});
  check("by b", r.gradient[b], {1});
}

BOOST_AUTO_TEST_CASE(formula_137) {
  numbers draw(137);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {17, 3});
  const auto f = mean(dot(a, stop_gradient(a)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.431577759309683);
  check("by a", r.gradient[a], {-0.166258622888655, -0.0607098856613415, -0.101390538726979});
  check_sums("by b", r.gradient[b], {4.47656409316421, 226.81258072032, 215.489506837611, 224.091531957809});
}

BOOST_AUTO_TEST_CASE(formula_138) {
  numbers draw(138);
  const auto A = draw.between<fixed<4, 1, 3>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<2>>(0.5, 2.0, {2, 4});
  const auto u = mean<-3>(a, keep_dims);
  const auto u1 = stop_gradient(where(u > 0.3, a, u));
  const auto f = sum(mean(where(a <= u1, a, u1)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -5.76447438300361);
  check("by a", r.gradient[a],
        {0.899791548602807, 0.899791548602807, 0.899791548602807, 0, 0, 0.899791548602807, 0, 0.899791548602807, 0,
         0.899791548602807, 0, 0});
  check("by b", r.gradient[b],
        {-0.533871279404904, -0.533871279404904, -0.533871279404904, -0.533871279404904, -0.533871279404904,
         -0.533871279404904, -0.533871279404904, -0.533871279404904});
}

BOOST_AUTO_TEST_CASE(formula_139) {
  numbers draw(139);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = sum(concatenate<0>(stop_gradient(2_c * a), a, a) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 17.3569673934323);
  check("by a", r.gradient[a],
        {0.843486410492792, 0.843486410492792, 0.843486410492792, 0.843486410492792, 0.843486410492792,
         0.843486410492792, 0.843486410492792, 0.843486410492792});
  check("by b", r.gradient[b], {41.1552982419521});
}

BOOST_AUTO_TEST_CASE(formula_140) {
  numbers draw(140);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<tensor<4>>(0.5, 2.0, {2, 3, 2, 5});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {5});
  const auto dB = draw.between<tensor<4>>(-1, 1, {2, 3, 2, 5});
  const std::vector<int> I{0, 0, 0, 0, 2, 0};
  const auto f = sum(sum(outer(stop_gradient(take(a, i)), a)) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 6.55680948930409);
  check("by a", r.gradient[a], {5.2410762116343, 5.2410762116343, 5.2410762116343, 5.2410762116343, 5.2410762116343});
  check_sums("by b", r.gradient[b], {-7.42485965345629, -396.509086496705, -334.165549861293, -363.862953868886});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B, i = I);
  check("hvp by a", h[a],
        {-0.0207546099559584, -0.0207546099559584, -0.0207546099559584, -0.0207546099559584, -0.0207546099559584});
  check_sums("hvp by b", h[b], {-2.15408999820039, -155.973461735293, -92.1502052349456, -15.2646827331366});
}

BOOST_AUTO_TEST_CASE(formula_141) {
  numbers draw(141);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {4});
  const auto f = sum(mean(stack<1>(b, stop_gradient(b))) + a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.535408595011294);
  check("by a", r.gradient[a], {1, 1, 1, 1, 1, 1, 1, 1, 1});
  check("by b", r.gradient[b], {1.125, 1.125, 1.125, 1.125});
}

BOOST_AUTO_TEST_CASE(formula_142) {
  numbers draw(142);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto B = draw.between<fixed<17>>(0.5, 2.0);
  const auto f = mean(outer(stop_gradient(sum<0>(a)) * b, a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.204397594373879);
  check_sums("by a", r.gradient[a], {-2.17360102099785, -103.182119055604, -98.3234814792555, -102.414965754075});
  check_sums("by b", r.gradient[b], {0.150328326509564, 7.13617408783637, 6.80014606387381, 7.08311703142123});
}

BOOST_AUTO_TEST_CASE(formula_143) {
  numbers draw(143);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {8, 8});
  const auto f = mean(max(stop_gradient(outer(b, a)), dot(b, a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.416487331730215);
  check("by a", r.gradient[a],
        {-0.20786695080408, 0.228245861247034, -0.0315317444002578, -0.166490194845431, 0.146726491211779,
         -0.107730216221314, -0.0733922190689344, 0.0439589484690323});
  check_sums("by b", r.gradient[b], {0.293381958181464, 5.15952782055791, 14.2589501247654, 23.2174639727535});
}

BOOST_AUTO_TEST_CASE(formula_144) {
  numbers draw(144);
  const auto A = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {9});
  const auto u = erf(amax(a));
  const auto f = sum(softplus(where(u > b, b, u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 10.7020309198487);
  check("by a", r.gradient[a], {0, 0, 0, 1.12927783055379});
  check("by b", r.gradient[b],
        {0, 0, 0, 0, 0.673894816365401, 0.668497792439413, 0.671073644603164, 0, 0.699311462875283});
}

BOOST_AUTO_TEST_CASE(formula_145) {
  numbers draw(145);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {33});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto C = draw.between<fixed<33>>(0.5, 2.0);
  const auto dA = draw.between<std::vector<double>>(-1, 1, {33});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {33});
  const auto dC = draw.between<fixed<33>>(-1, 1);
  const auto f = mean((stop_gradient(mean(c, keep_dims)) / a) * b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.112167476500407);
  check_sums("by a", r.gradient[a], {-0.0544697039038761, 0.379042378560133, -4.90106562541103, -9.72531664671327});
  check_sums("by b", r.gradient[b], {1.16445040235445, 61.6985777895754, 58.5718843934267, 58.9094370220237});
  check_zero(r.gradient[c]);
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {-0.328966000821428, -11.663133241293, -15.583051839676, -8.21042595917254});
  check_sums("hvp by b", h[b], {0.171530130075384, 15.3575028773446, 10.6420659548418, 10.2776136114423});
  check_sums("hvp by c", h[c], {0, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_146) {
  numbers draw(146);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto B = draw.between<by_columns<2>>(0.5, 2.0, {16, 2});
  const auto C = draw.between<fixed<1>>(0.5, 2.0);
  const auto f = mean(outer(b, a) / pow(stop_gradient(mean(b)), c));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.1051803258853);
  check("by a", r.gradient[a], {0.393710369866641, 0.393710369866641});
  check_sums("by b", r.gradient[b], {0.860289810465398, 43.4984035416567, 40.8906500536835, 43.2295629758863});
  check("by c", r.gradient[c], {-0.276841560087979});
}

BOOST_AUTO_TEST_CASE(formula_147) {
  numbers draw(147);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const auto B = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto f = mean(a / sum(clamp(slice<0>(-b, 2, 4), -0.5, 0.8)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.354499061557715);
  check_sums("by a", r.gradient[a], {-4.37495021253466, -222.75788165489, -213.278822861065, -221.907196891342});
  check("by b", r.gradient[b], {-0, -0, -0, -1.55091574470526});
}

BOOST_AUTO_TEST_CASE(formula_148) {
  numbers draw(148);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {17, 3});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {17, 3});
  const std::vector<int> I{1, 0, 0, 0, 1, 0, 2, 2};
  const auto f = mean(a * sum(stop_gradient(slice<0>(b, 2, 10)) - one_hot(i, 3)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 0.98808072279395);
  check_sums("by a", r.gradient[a], {-3.84584466127951, -194.856129504829, -185.128404773357, -192.518459220521});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_149) {
  numbers draw(149);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = pow(a, 3_c);
  const auto f = sum(concatenate<0>(stop_gradient(u), u) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -16.4993235228544);
  check("by a", r.gradient[a],
        {0.00656366278783786, 3.83543315859767, 2.52746310520753, 0.5677961260341, 0.0469218321731856, 2.36791628200217,
         0.343360777253943, 6.24270578189495});
  check("by b", r.gradient[b], {-16});
}

BOOST_AUTO_TEST_CASE(formula_150) {
  numbers draw(150);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {9, 9});
  const auto dA = draw.between<tensor<2>>(-1, 1, {9, 9});
  const auto dB = draw.between<tensor<2>>(-1, 1, {9, 9});
  const auto u = log(b);
  const auto f = mean(a + dot(u, stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.297502226641056);
  check_sums("by a", r.gradient[a], {1, 50.7901234567901, 50.4691358024691, 51.5925925925926});
  check_sums("by b", r.gradient[b], {1.29947215083899, 61.2609281860569, 66.2239467562749, 71.3679842990395});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {0, 0, 0, 0});
  check_sums("hvp by b", h[b], {0.126913782041392, 7.5903626917411, 2.58217749976229, 7.20347239535781});
}
