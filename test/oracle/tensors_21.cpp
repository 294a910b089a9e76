// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_201) {
  numbers draw(201);
  const auto A = draw.between<fixed<2, 1>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {2, 33});
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto f = mean(c + sum(b + (constant<1, 3> * a)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 12.2450868055434);
  check("by a", r.gradient[a], {11, 11});
  check_sums("by b", r.gradient[b], {66, 3378, 3300, 3371});
  check("by c", r.gradient[c], {0.5, 0.5});
}

BOOST_AUTO_TEST_CASE(formula_202) {
  numbers draw(202);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(0.5, 2.0);
  const auto B = draw.between<fixed<2, 1, 4>>(0.5, 2.0);
  const auto f = mean(b * mean(a + stop_gradient(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.21415755036318);
  check("by a", r.gradient[a],
        {0.115212686251036, 0.115212686251036, 0.115212686251036, 0.115212686251036, 0.115212686251036,
         0.115212686251036, 0.115212686251036, 0.115212686251036, 0.115212686251036, 0.115212686251036,
         0.115212686251036, 0.115212686251036});
  check("by b", r.gradient[b],
        {0.290600010343757, 0.290600010343757, 0.290600010343757, 0.290600010343757, 0.290600010343757,
         0.290600010343757, 0.290600010343757, 0.290600010343757});
}

BOOST_AUTO_TEST_CASE(formula_203) {
  numbers draw(203);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {1, 9});
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {9, 9});
  const auto f = sum(a / mean(concatenate<0>(c, log(b))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.750320470591513);
  check_sums("by a", r.gradient[a], {71.6349174379819, 3638.34630049207, 3615.35237637617, 3695.83111078181});
  check("by b", r.gradient[b],
        {-0.00516128624275345, -0.00701543410784822, -0.00578258338345758, -0.0102759483077191, -0.00768286061048438,
         -0.00646260078000126, -0.00490033761847211, -0.00708851887573685, -0.00428591285131254});
  check_sums("by c", r.gradient[c], {-0.597212721809453, -30.3325078706678, -30.1408099599635, -30.8117526474284});
}

BOOST_AUTO_TEST_CASE(formula_204) {
  numbers draw(204);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {5, 4});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const std::vector<int> I{-3, 0, 0, -2, 1};
  const auto u = take(b, i);
  const auto f = mean(mean(where(u > 0, log(u), u / 2_c)) / a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -1.15904255485369);
  check_sums("by a", r.gradient[a], {1.05415087771661, 47.3192406918622, 56.9394095707726, 50.4781445216372});
  check("by b", r.gradient[b], {0.242759291154243, 7.25190956290094, 0});
}

BOOST_AUTO_TEST_CASE(formula_205) {
  numbers draw(205);
  const auto A = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto dA = draw.between<fixed<2, 1, 4>>(-1, 1);
  const auto dB = draw.between<double>(-1, 1);
  const auto f = mean(stop_gradient(slice<2>(a, 2, 4)) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.529594447621801);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-0.698083948447115});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0, 0, 0, 0, 0, 0, 0, 0});
  check("hvp by b", h[b], {-0.866410079906869});
}

BOOST_AUTO_TEST_CASE(formula_206) {
  numbers draw(206);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {17, 2});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {2});
  const std::vector<int> I{-10, 4, -2, -9, 13};
  const auto u = log1p(where((a > 0.3) || (b <= 0.3), a, b));
  const auto f = mean(outer(u, stop_gradient(take(u, i))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 0.476674479831836);
  check_sums("by a", r.gradient[a], {0.1411073026153, 7.72155136927956, 7.90886408998648, 6.18556562133723});
  check("by b", r.gradient[b], {0.112671994005339, 0.110186245367893});
}

BOOST_AUTO_TEST_CASE(formula_207) {
  numbers draw(207);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {5});
  const auto f = mean(stop_gradient(slice<0>(slice<0>(b, -5, 4), -2, 4)) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.196482723903136);
  check("by a", r.gradient[a], {-0.5, -0.5});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_208) {
  numbers draw(208);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {17, 2});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {5, 17});
  const std::vector<int> I{3, 14, 10, 12, 3};
  const auto u = reshape<17, -1, 1>(one_hot(i, 17) * b);
  const auto f = sum(a - mean(stop_gradient(u) - u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 9.21555302581543);
  check_sums("by a", r.gradient[a], {34, 1702, 1621, 1652});
  check_sums("by b", r.gradient[b], {2, 28.8, 116.8, 91.6});
}

BOOST_AUTO_TEST_CASE(formula_209) {
  numbers draw(209);
  const auto A = draw.between<fixed<1>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<2>>(0.5, 2.0, {16, 2});
  const auto f = mean(b / (-stop_gradient(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.866054371253609);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {0.682771833263666, 34.5226508193941, 32.4529986998136, 34.3092846214992});
}

BOOST_AUTO_TEST_CASE(formula_210) {
  numbers draw(210);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {16});
  const auto B = draw.between<fixed<2>>(-1.5, 1.5);
  const auto C = draw.between<fixed<1>>(-1.5, 1.5);
  const auto dA = draw.between<tensor<1>>(-1, 1, {16});
  const auto dB = draw.between<fixed<2>>(-1, 1);
  const auto dC = draw.between<fixed<1>>(-1, 1);
  const auto f = mean((b * sum(-a)) * c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -1.38024585714979);
  check_sums("by a", r.gradient[a], {-1.22561675102068, -55.0761527489919, -56.148567406135, -60.1318218469522});
  check("by b", r.gradient[b], {-10.7797365669606, -10.7797365669606});
  check("by c", r.gradient[c], {-1.1535596477131});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {1.00849143745269, 45.3190839705304, 46.2015139783015, 49.4791111500227});
  check("hvp by b", h[b], {-1.63393705776201, -1.63393705776201});
  check("hvp by c", h[c], {0.807927043459836});
}
