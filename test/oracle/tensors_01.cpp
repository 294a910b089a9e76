// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_1) {
  numbers draw(1);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto f = b - (norm<0>(a) * stop_gradient(prod<-1>(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.67494903764061);
  check("by a", r.gradient[a],
        {-0.111994619149877, -0.201661777782556, -0.0664237134312431, -0.103565002504864, -0.0811676348550288});
  check("by b", r.gradient[b], {1});
}

BOOST_AUTO_TEST_CASE(formula_2) {
  numbers draw(2);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {4, 9});
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto C = draw.between<fixed<9>>(0.5, 2.0);
  const auto f = mean((sqrt(c) / a) + b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.604064129482442);
  check_sums("by a", r.gradient[a], {-0.943634446117306, -48.0825930805285, -40.6726221043373, -52.0385423818595});
  check("by b", r.gradient[b],
        {0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111,
         0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111});
  check("by c", r.gradient[c],
        {0.0478890261229154, 0.042595662702094, 0.076352451934756, 0.0389096289986474, 0.0717084119573463,
         0.0355177432200566, 0.0432003635427936, 0.0683213304252269, 0.0462368106210928});
}

BOOST_AUTO_TEST_CASE(formula_3) {
  numbers draw(3);
  const auto A = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {4, 9});
  const auto f = sum(outer(-stop_gradient(mean(b, keep_dims)), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -4.93395720631318);
  check("by a", r.gradient[a], {-1.28418443242981, -1.28418443242981, -1.28418443242981, -1.28418443242981});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_4) {
  numbers draw(4);
  const auto A = draw.between<fixed<5>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto u = dot(b, a);
  const auto f = sum(stop_gradient(u) * u);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.30611494319331);
  check("by a", r.gradient[a],
        {0.0976477401020337, 0.466404669451696, -0.739446478158527, -0.65232648671721, 0.762084840835128});
  check_sums("by b", r.gradient[b], {0.430956299329378, 27.281157518184, 51.9661484479868, 21.790003994038});
}

BOOST_AUTO_TEST_CASE(formula_5) {
  numbers draw(5);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {33});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {2});
  const auto dB = draw.between<tensor<1>>(-1, 1, {33});
  const auto u = pow(pow(a, -1.5), 3_c);
  const auto f = sum(b) / mean(u + stop_gradient(u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.0760132265260385);
  check("by a", r.gradient[a], {-0.242239966917411, -0.00301330368961653});
  check_sums("by b", r.gradient[b], {5.93137341694173, 304.117691559558, 286.143832720341, 294.591546374773});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0.359676205705403, 0.0050427984649928});
  check_sums("hvp by b", h[b], {6.18300615759709, 317.019588444069, 298.28320614832, 307.089305827322});
}

BOOST_AUTO_TEST_CASE(formula_6) {
  numbers draw(6);
  const auto A = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {4});
  const auto D = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto f = mean(d * sum(a * stop_gradient(pow(b, c))));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, -0.226115139976361);
  check("by a", r.gradient[a],
        {0.256544159062341, 0.257236389000023, 0.39700054433479, 0.211657929476502, 0.256544159062341,
         0.257236389000023, 0.39700054433479, 0.211657929476502});
  check_zero(r.gradient[b]);
  check_zero(r.gradient[c]);
  check("by d", r.gradient[d],
        {-0.0481602195671136, -0.0481602195671136, -0.0481602195671136, -0.0481602195671136, -0.0481602195671136,
         -0.0481602195671136, -0.0481602195671136, -0.0481602195671136, -0.0481602195671136, -0.0481602195671136,
         -0.0481602195671136, -0.0481602195671136});
}

BOOST_AUTO_TEST_CASE(formula_7) {
  numbers draw(7);
  const auto A = draw.between<fixed<2, 1>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto f = sum(b * slice<0>(concatenate<0>(stop_gradient(a), a), -3, 4));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 10.535005400014);
  check("by a", r.gradient[a], {2.67994241517966, 2.67994241517966});
  check("by b", r.gradient[b], {3.93105663029992, 3.93105663029992});
}

BOOST_AUTO_TEST_CASE(formula_8) {
  numbers draw(8);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {5, 3});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {5, 4});
  const auto f = mean(a * mean(max(b, stop_gradient(prod<1>(b, keep_dims)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.063388672848319);
  check_sums("by a", r.gradient[a], {0.573605887565136, 25.5445821929007, 25.0474570903443, 28.7185347707612});
  check_sums("by b", r.gradient[b], {0.0331527312859673, 1.76814566858492, 1.27638015450974, 2.1604529888022});
}

BOOST_AUTO_TEST_CASE(formula_9) {
  numbers draw(9);
  const auto A = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(b + (2_c - atan2(a, stop_gradient(mean<0, 1>(a, keep_dims)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.14287141983123);
  check("by a", r.gradient[a], {0.105028896170607, 0.307855004870705, 0.198751468542899});
  check("by b", r.gradient[b], {1});
}

BOOST_AUTO_TEST_CASE(formula_10) {
  numbers draw(10);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {4, 9});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {9});
  const auto dA = draw.between<tensor<2>>(-1, 1, {4, 9});
  const auto dB = draw.between<tensor<1>>(-1, 1, {9});
  const auto f = mean(b / atan(-a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.66832163720906);
  check_sums("by a", r.gradient[a], {1.09348444525761, 54.8823015580468, 59.4287148018722, 66.8166319170668});
  check("by b", r.gradient[b],
        {-0.149666934583519, -0.136042037422535, -0.119128412399214, -0.130606448608015, -0.135991367220539,
         -0.12696529806641, -0.132676891129428, -0.159820314754528, -0.140550188980836});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-0.180515310533969, -14.4933295788633, -14.4554543253882, -12.7707796371562});
  check("hvp by b", h[b],
        {0.032754966658647, -0.0200920147260487, -0.00435005668033856, 0.0275969410142856, -0.0217098389759925,
         -0.0154950875064808, -0.0140627958308574, 0.0135850500080432, 0.0227054808306033});
}
