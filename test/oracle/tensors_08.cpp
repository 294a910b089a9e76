// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_71) {
  numbers draw(71);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 17});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = slice<1>(b - a, 9, 14);
  const auto f = mean(hypot(u, stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.49797469541224);
  check_sums("by a", r.gradient[a], {0.565685424949238, 33.7289934625983, 35.4967604155647, 18.5969083452062});
  check("by b", r.gradient[b], {-0.565685424949238});
}

BOOST_AUTO_TEST_CASE(formula_72) {
  numbers draw(72);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const std::vector<int> I{1, 1, 0};
  const auto f = sum(b) * sum(one_hot(i, 3) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 1.03675163065789);
  check("by a", r.gradient[a], {0, 0.899935792386502, 0, 0, 0.899935792386502, 0, 0.899935792386502, 0, 0});
  check("by b", r.gradient[b], {1.15202844406107, 1.15202844406107, 1.15202844406107});
}

BOOST_AUTO_TEST_CASE(formula_73) {
  numbers draw(73);
  const auto A = draw.between<by_columns<3>>(-1.5, 1.5, {2, 3, 5});
  const auto B = draw.between<fixed<1, 5>>(0.5, 2.0);
  const auto f = mean(stop_gradient(log_softmax<2>(slice<1>(a, 1, 3))) + b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.796458861943617);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {0.2, 0.2, 0.2, 0.2, 0.2});
}

BOOST_AUTO_TEST_CASE(formula_74) {
  numbers draw(74);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 17});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto f = sum(b - stop_gradient(relu(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 16.7490447104206);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {34});
}

BOOST_AUTO_TEST_CASE(formula_75) {
  numbers draw(75);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 17});
  const auto B = draw.between<fixed<17>>(-1.5, 1.5);
  const auto dA = draw.between<tensor<2>>(-1, 1, {2, 17});
  const auto dB = draw.between<fixed<17>>(-1, 1);
  const auto f = mean(b * where(!(a < 0.3), a, stop_gradient(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.187180649210944);
  check_sums("by a", r.gradient[a], {-0.198390454694098, -9.96057818076956, -6.23328995748385, -13.0882452501409});
  check_sums("by b", r.gradient[b], {0.17998655226848, 13.2420673715119, 4.1307790956302, 9.3555653056772});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-0.098996259016887, -4.05384363966543, -6.1771520176796, -6.14862938181516});
  check_sums("hvp by b", h[b], {-0.0232203958718968, -1.91939923983861, -2.58608720896611, -3.11453577917034});
}

BOOST_AUTO_TEST_CASE(formula_76) {
  numbers draw(76);
  const auto A = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto B = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto C = draw.between<tensor<3>>(-1.5, 1.5, {2, 3, 5});
  const auto f = mean(c * (b * slice<1>(a, -5, 5)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.138140831715183);
  check("by a", r.gradient[a],
        {-0.0475606602900133, 0.0845675333113994, -0.154693577511657, 0.0205068370523348, 0.0816433550528127});
  check("by b", r.gradient[b], {-0.0133349763282646, 0.106951968652281, 0.0634167138711128});
  check_sums("by c", r.gradient[c], {0.077997763531778, 4.0085797440455, 0.610209586571964, 5.54879342377973});
}

BOOST_AUTO_TEST_CASE(formula_77) {
  numbers draw(77);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 4});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto C = draw.between<tensor<3>>(-1.5, 1.5, {4, 2, 3});
  const auto D = draw.between<fixed<4, 1, 3>>(-1.5, 1.5);
  const auto f = mean(c / sum(a * mean(softmax<2>(stop_gradient(where(!(b > 0.3), d, b))))));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 0.144844311403213);
  check("by a", r.gradient[a],
        {0.124377964347866, 0.124377964347866, 0.124377964347866, 0.124377964347866, 0.124377964347866,
         0.124377964347866, 0.124377964347866, 0.124377964347866});
  check_zero(r.gradient[b]);
  check_sums("by c", r.gradient[c], {-2.57610319265408, -123.008927449232, -124.296979045559, -130.629899394167});
  check_zero(r.gradient[d]);
}

BOOST_AUTO_TEST_CASE(formula_78) {
  numbers draw(78);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto f = sum(stack<1>(stop_gradient(b), b) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 5.02251445045344);
  check("by a", r.gradient[a], {4.54731394352732, 4.54731394352732});
  check("by b", r.gradient[b],
        {0.969244806780128, 0.969244806780128, 0.969244806780128, 0.969244806780128, 0.969244806780128});
}

BOOST_AUTO_TEST_CASE(formula_79) {
  numbers draw(79);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(atan2(a, b * stop_gradient(prod<0>(a))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.06179023000376);
  check("by a", r.gradient[a], {0.162976383416526, 0.192680548519942, 0.243066386691729});
  check("by b", r.gradient[b], {-0.39065743680555});
}

BOOST_AUTO_TEST_CASE(formula_80) {
  numbers draw(80);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<fixed<2, 1, 4>>(0.5, 2.0);
  const auto C = draw.between<double>(-1.5, 1.5);
  const auto dA = draw.between<fixed<1, 3, 1, 4>>(-1, 1);
  const auto dB = draw.between<fixed<2, 1, 4>>(-1, 1);
  const auto dC = draw.between<double>(-1, 1);
  const auto f = sum(0.7 + logsumexp(c, a)) - mean(b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 16.9055060548398);
  check(
      "by a", r.gradient[a],
      {0.801477990221578, 0.598264013070429, 0.435333545539157, 0.280383684430459, 0.54112043129347, 0.291305849472847,
       0.52323194983021, 0.800663499695383, 0.420392567075244, 0.201943237843729, 0.441961407224701, 0.34861927899781});
  check("by b", r.gradient[b], {-0.125, -0.125, -0.125, -0.125, -0.125, -0.125, -0.125, -0.125});
  check("by c", r.gradient[c], {6.31530254530498});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a],
        {0.177783827972965, 0.313596261118283, 0.0962209712624194, 0.0290011626590986, 0.392090348423227,
         0.261129449248636, 0.0420419357024511, 0.0875860233589673, 0.365524893678775, -0.00260097514907269,
         0.079241636672483, 0.141538781622124});
  check("hvp by b", h[b], {0, 0, 0, 0, 0, 0, 0, 0});
  check("hvp by c", h[c], {-1.98315431657036});
}
