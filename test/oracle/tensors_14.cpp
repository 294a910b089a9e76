// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_196) {
  numbers draw(196);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<fixed<1>>(-1.5, 1.5);
  const auto f = mean(log_softmax<1>(outer(stack<0>(stop_gradient(a), a), b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.740756524952913);
  check("by a", r.gradient[a], {0.0595700436438298, -0.0595700436438298});
  check("by b", r.gradient[b], {-0.118555973762635});
}

BOOST_AUTO_TEST_CASE(formula_197) {
  numbers draw(197);
  const auto A = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = tanh(b);
  const auto u1 = stop_gradient(u);
  const auto f = sum(where((u1 > 0.3) && (u > 0.3), u, u1) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.282215923910701);
  check("by a", r.gradient[a],
        {0.351494939171599, 0.351494939171599, 0.351494939171599, 0.351494939171599, 0.351494939171599});
  check("by b", r.gradient[b], {-0.703704343961878});
}

BOOST_AUTO_TEST_CASE(formula_198) {
  numbers draw(198);
  const auto A = draw.between<fixed<2, 17>>(0.5, 2.0);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto f = mean(mean(b * logsumexp(stop_gradient(amax<0>(a)), square(a))) + c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.793238875923246);
  check_sums("by a", r.gradient[a], {-0.538321106315749, -30.0624953149412, -29.5902757619274, -26.0796709222924});
  check("by b", r.gradient[b], {2.34784461376243});
  check_sums("by c", r.gradient[c], {1, 47.4705882352941, 45.2352941176471, 47.1176470588235});
}

BOOST_AUTO_TEST_CASE(formula_199) {
  numbers draw(199);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {17});
  const auto f = mean(a * erf(stop_gradient(sum(b))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.0946161819322924);
  check_sums("by a", r.gradient[a], {0.999999999999992, 47.4705882352937, 45.2352941176467, 47.1176470588232});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_200) {
  numbers draw(200);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {8});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {8});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {8});
  const auto f = mean(logsumexp(a, stop_gradient(logsumexp(a))) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.44160029840568);
  check("by a", r.gradient[a],
        {0.0530935852954941, 0.00368606880077502, 0.0363297085570397, 0.0350623774731798, 0.00691150708501333,
         0.00758033713023267, 0.00652492711587867, 0.00400916809368276});
  check("by b", r.gradient[b],
        {0.339947040400033, 0.300892328379447, 0.317819316627245, 0.317597158701111, 0.309451659913701,
         0.304268813576222, 0.301854665029466, 0.306046926681625});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {0.0442548287971099, -0.00304818924210027, 0.028936987777785, 0.0347895685699526, 0.00739097972164299,
         -0.00249645760876467, 0.00369022818681474, -0.0080065923666871});
  check("hvp by b", h[b],
        {0.0332812107079599, -0.00159243195874984, 0.0142361142140418, 0.0161744464664628, 0.00820446512911083,
         0.000627890758611006, 0.000562159826661391, -0.00300161405475608});
}

BOOST_AUTO_TEST_CASE(formula_201) {
  numbers draw(201);
  const auto A = draw.between<fixed<8, 8>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto u = stop_gradient(amin<1>(a));
  const auto u1 = dot(min(u, a), u);
  const auto f = mean(concatenate<0>(concatenate<0>(u1, u, u), u1, u) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 4.45865166603559);
  check_sums("by a", r.gradient[a], {-0.340291686084078, -13.6049618601669, -21.8052922249312, -20.7929254180779});
  check("by b", r.gradient[b], {3.43586162735629});
}

BOOST_AUTO_TEST_CASE(formula_202) {
  numbers draw(202);
  const auto A = draw.between<fixed<2, 1>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<2>>(0.5, 2.0, {2, 33});
  const auto f = mean(a * mean(stop_gradient(mean<1>(slice<1>(b, 8, 25), keep_dims))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.567123049093379);
  check("by a", r.gradient[a], {0.618949408732578, 0.618949408732578});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_203) {
  numbers draw(203);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto f = mean((sum(a) - exp2(exp2(b))) - c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 3.22180829333799);
  check_sums("by a", r.gradient[a], {15, 668, 655, 751});
  check("by b", r.gradient[b], {-0.313143298602806});
  check("by c", r.gradient[c], {-0.333333333333333, -0.333333333333333, -0.333333333333333});
}

BOOST_AUTO_TEST_CASE(formula_204) {
  numbers draw(204);
  const auto A = draw.between<fixed<2, 3, 5>>(0.5, 2.0);
  const auto B = draw.between<fixed<3, 1>>(0.5, 2.0);
  const std::vector<int> I{2, 2, 2, 1, 0, 2};
  const auto u = take<1>(b / a, i);
  const auto f = sum(stop_gradient(take<1>(u, i)) - u);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -1.41784675822027);
  check_sums("by a", r.gradient[a], {60.8747170834756, 2741.95405667447, 3177.81180365769, 2664.89128966514});
  check("by b", r.gradient[b], {-7.35991912782182, -8.63971307294137, -34.1620125326339});
}

BOOST_AUTO_TEST_CASE(formula_205) {
  numbers draw(205);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {9, 9});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {9});
  const auto dA = draw.between<by_columns<2>>(-1, 1, {9, 9});
  const auto dB = draw.between<tensor<1>>(-1, 1, {9});
  const auto f = sum(b * stack<0>(stop_gradient(a) * a, a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -4.81714501746221);
  check_sums("by a", r.gradient[a], {1.83133433592077, -271.498946593285, 354.214619645512, -80.5528977817276});
  check("by b", r.gradient[b],
        {7.14227446117094, 5.47745595907538, 4.90316015612692, 7.23985083576334, 6.09241164598965, 3.4841435457535,
         14.4304228444459, 6.19756854523585, 0.856801925762429});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {3.53845229311163, 210.029432975601, 340.403460842612, 201.807109156543});
  check("hvp by b", h[b],
        {3.07380282002164, -2.8102613132346, -3.13927769564934, -4.56919258764529, -0.928334099915072, 1.57738194085225,
         2.85646855329447, 4.3146147709719, 1.14863571686562});
}

BOOST_AUTO_TEST_CASE(formula_206) {
  numbers draw(206);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto B = draw.between<double>(0.5, 2.0);
  const std::vector<int> I{25, 1, 2, 26, 2, 22};
  const auto u = hypot(b, a);
  const auto f = mean(take(cos(atan2(u, stop_gradient(dot(u, a)))), i));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.742453176449854);
  check_sums("by a", r.gradient[a], {-0.0755107748737241, -4.91879794995387, -2.02618230181069, -3.06872414159878});
  check("by b", r.gradient[b], {0.204914916849847});
}

BOOST_AUTO_TEST_CASE(formula_207) {
  numbers draw(207);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {5});
  const auto f = mean(stop_gradient(sum<0>(sqrt(a), keep_dims)) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.70123984614489);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-0.2, -0.2, -0.2, -0.2, -0.2});
}

BOOST_AUTO_TEST_CASE(formula_208) {
  numbers draw(208);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {4, 9});
  const auto B = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto C = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const std::vector<int> I{3, 3};
  const auto f = mean(sum(max(c, dot(stop_gradient(take(b, i)), c))) - a);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, -4.50754225518784);
  check_sums("by a", r.gradient[a], {-1, -50.9166666666667, -48.75, -50.7222222222222});
  check_zero(r.gradient[b]);
  check("by c", r.gradient[c],
        {0.815090126271867, 2, 0.815090126271867, 0.815090126271867, 0.815090126271867, 2, 0.815090126271867,
         0.815090126271867, 0.815090126271867});
}

BOOST_AUTO_TEST_CASE(formula_209) {
  numbers draw(209);
  const auto A = draw.between<fixed<4, 1>>(0.5, 2.0);
  const auto B = draw.between<fixed<9>>(-1.5, 1.5);
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const std::vector<int> I{-4, 1, 3};
  const auto f = sum(a - dot(b, transpose(stop_gradient(take(c, i)))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, 9.00038153214715);
  check("by a", r.gradient[a], {3, 3, 3, 3});
  check("by b", r.gradient[b],
        {9.64407705312784, 1.24343153426584, -2.31640945389699, 0.599250938091078, 6.44203259443959, -4.64463380661077,
         -5.11847890872437, 5.90459696571557, -3.19986794386053});
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_210) {
  numbers draw(210);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<fixed<33>>(-1.5, 1.5);
  const auto dA = draw.between<std::vector<double>>(-1, 1, {2});
  const auto dB = draw.between<fixed<33>>(-1, 1);
  const auto f = sum(mean(relu(stop_gradient(b) * b)) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.27340827660597);
  check("by a", r.gradient[a], {0.789952586359766, 0.789952586359766});
  check_sums("by b", r.gradient[b], {-0.13077789383369, -7.63781252702128, 0.140280648177049, -12.5683908983077});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {-0.0634362989469356, -0.0634362989469356});
  check_sums("hvp by b", h[b], {-0.00869857240620363, -0.508022138480015, 0.00933063944972982, -0.835975064695805});
}
