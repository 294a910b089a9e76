// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_191) {
  numbers draw(191);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {4});
  const auto B = draw.between<double>(-1.5, 1.5);
  const std::vector<int> I{-4, 3, -4, 0};
  const auto f = sum(hypot(stop_gradient(take(a, i)), clamp(b, -0.5, 0.8)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 7.10836763498852);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {0.108175095863015});
}

BOOST_AUTO_TEST_CASE(formula_192) {
  numbers draw(192);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const auto B = draw.between<fixed<3, 5>>(0.5, 2.0);
  const auto f = sum(prod(sqrt(dot(b, a)), keep_dims));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 27.252187942602);
  check("by a", r.gradient[a],
        {4.47270782659314, 4.08379901907243, 4.98193282288615, 5.97275717102236, 6.67287518790529});
  check_sums("by b", r.gradient[b], {34.4372782296916, 1557.67861981994, 1436.45770373578, 1893.24660052115});
}

BOOST_AUTO_TEST_CASE(formula_193) {
  numbers draw(193);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {17, 2});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {5, 17});
  const auto f = mean(a * mean(stop_gradient(prod<0>(b, keep_dims))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.186457009766973);
  check_sums("by a", r.gradient[a], {0.157832379972071, 7.90090325624894, 7.5248908216096, 7.66879681511355});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_194) {
  numbers draw(194);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {8, 8});
  const auto B = draw.between<double>(0.5, 2.0);
  const std::vector<int> I{7, 2, 1};
  const auto f = stop_gradient(mean<0>(take(amin<0>(a), i))) * b;
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -1.42432329968274);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-1.2527096153948});
}

BOOST_AUTO_TEST_CASE(formula_195) {
  numbers draw(195);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {5, 17});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {17, 2});
  const auto dA = draw.between<by_columns<2>>(-1, 1, {5, 17});
  const auto dB = draw.between<tensor<2>>(-1, 1, {17, 2});
  const auto f = sum(stop_gradient(slice<0>(b, 9, 17))) / sum(a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -3.13469152333063);
  check_sums("by a", r.gradient[a], {-38.3372910425049, -1943.47514237828, -1926.33611814751, -1940.76898065763});
  check_zero(r.gradient[b]);
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-36.3644312505092, -1843.4627559817, -1827.20571612853, -1840.89585495225});
  check_sums("hvp by b", h[b], {0, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_196) {
  numbers draw(196);
  const auto A = draw.between<by_columns<3>>(-1.5, 1.5, {2, 3, 5});
  const auto B = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto f = mean(sum(b, keep_dims) + a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 4.64967430119853);
  check_sums("by a", r.gradient[a], {1, 49.3333333333333, 48.5, 49.7333333333333});
  check("by b", r.gradient[b], {1, 1, 1});
}

BOOST_AUTO_TEST_CASE(formula_197) {
  numbers draw(197);
  const auto A = draw.between<fixed<33>>(-1.5, 1.5);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {33});
  const auto C = draw.between<double>(0.5, 2.0);
  const auto f = mean(b * sum(a * c));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.471611330157271);
  check_sums("by a", r.gradient[a], {-8.60808538706208, -441.360014391183, -415.274907157662, -427.534907557417});
  check_sums("by b", r.gradient[b], {2.05261775732344, 105.243310466402, 99.0232566563309, 101.946681947064});
  check("by c", r.gradient[c], {-0.415401205265308});
}

BOOST_AUTO_TEST_CASE(formula_198) {
  numbers draw(198);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto B = draw.between<tensor<3>>(-1.5, 1.5, {2, 3, 5});
  const auto f = mean(dot(amax<1, 3>(expand_dims<-3>(b)), stop_gradient(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.617462002935554);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {0.866041793285889, 45.8362151316303, 63.9122406463429, 22.246553480414});
}

BOOST_AUTO_TEST_CASE(formula_199) {
  numbers draw(199);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto B = draw.between<fixed<9, 3>>(-1.5, 1.5);
  const std::vector<int> I{1, 1};
  const auto f = sum(reshape<81, 6>(outer(stop_gradient(take<1>(b, i)), a * b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.747046846031241);
  check_sums("by a", r.gradient[a], {-1.57344708891985, -47.4174507853427, -130.712078680606, -55.0258765772029});
  check_sums("by b", r.gradient[b], {0.762567050034498, 25.721599065858, 74.4014236391402, -17.3082503360912});
}

BOOST_AUTO_TEST_CASE(formula_200) {
  numbers draw(200);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto dA = draw.between<by_columns<2>>(-1, 1, {3, 3});
  const auto dB = draw.between<double>(-1, 1);
  const auto u = max(b, a);
  const auto u1 = atan2(b, u);
  const auto f = mean(where(b > u1, u1, u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.311054931921332);
  check("by a", r.gradient[a],
        {-0.00981081809859808, 0, 0.111111111111111, 0.111111111111111, 0, 0, 0, 0, 0.111111111111111});
  check("by b", r.gradient[b], {0.630261818380833});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {-0.0311949916948022, 0, -0, -0, 0, 0, 0, 0, -0});
  check("hvp by b", h[b], {-0.0607789005276117});
}
