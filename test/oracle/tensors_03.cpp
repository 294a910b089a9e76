// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_31) {
  numbers draw(31);
  const auto A = draw.between<fixed<9, 1>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const std::vector<int> I{5, 3, 1, 5, 8};
  const auto f = mean(mean(-take(a, i)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.0266761555973373);
  check("by a", r.gradient[a],
        {0, 0.0198291464438901, 0, 0.0198291464438901, 0, 0.0396582928877802, 0, 0, 0.0198291464438901});
  check_sums("by b", r.gradient[b], {0.269060049284743, 12.9348127396888, 12.3867274541087, 13.8017840096063});
}

BOOST_AUTO_TEST_CASE(formula_32) {
  numbers draw(32);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {17, 3});
  const auto B = draw.between<fixed<17, 3>>(-1.5, 1.5);
  const auto u = a - b;
  const auto u1 = stack<0>(square(u), u);
  const auto f = mean((stop_gradient(u1) / 1.3) + u1);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.73062128317052);
  check_sums("by a", r.gradient[a], {0.57761681636794, 31.7401310368235, 35.4226615266313, 30.7447445803256});
  check_sums("by b", r.gradient[b], {-0.57761681636794, -31.7401310368235, -35.4226615266313, -30.7447445803256});
}

BOOST_AUTO_TEST_CASE(formula_33) {
  numbers draw(33);
  const auto A = draw.between<tensor<3>>(-1.5, 1.5, {2, 3, 5});
  const auto B = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto C = draw.between<double>(-1.5, 1.5);
  const auto D = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto f = sum((b * (a - tanh(logsumexp<1>(d)))) / c);
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 8.82412116527305);
  check_sums("by a", r.gradient[a], {-7.43955895992594, -422.869907934305, -343.852481497663, -444.427681296901});
  check("by b", r.gradient[b], {6.10973385489675, 9.09783125959097, 6.26802333838147});
  check("by c", r.gradient[c], {7.61795812219474});
  check("by d", r.gradient[d],
        {0.150021487148706, 0.040821765723157, 0.142011983384463, 0.0680360970919107, 0.362316125360029});
}

BOOST_AUTO_TEST_CASE(formula_34) {
  numbers draw(34);
  const auto A = draw.between<fixed<17>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<by_columns<2>>(0.5, 2.0, {2, 17});
  const auto D = draw.between<fixed<17>>(-1.5, 1.5);
  const auto f = sum(d * (b * (a + mean(stack<2>(stop_gradient(c), c)))));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 0.65265433253255);
  check_sums("by a", r.gradient[a], {0.876775539424782, 31.334711751134, 24.9701035954251, 52.5270807655733});
  check("by b", r.gradient[b], {3.04296173672431});
  check_sums("by c", r.gradient[c], {0.438387769712391, 21.945176001485, 20.9007816089349, 21.3004881048491});
  check_sums("by d", r.gradient[d], {5.54330905441989, 242.070789913183, 262.316204752833, 266.550261087512});
}

BOOST_AUTO_TEST_CASE(formula_35) {
  numbers draw(35);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto dA = draw.between<tensor<2>>(-1, 1, {9, 9});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {9});
  const auto u = a + 2_c;
  const auto f = mean(b * stack<0>(stop_gradient(u), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.961571141101481);
  check_sums("by a", r.gradient[a], {0.25682278218376, 13.2056565371575, 14.8676637563911, 12.5726840808438});
  check("by b", r.gradient[b],
        {0.244367394856728, 0.228887499477024, 0.184042810970661, 0.263861698126494, 0.238400634359858,
         0.170354518058047, 0.182941179988827, 0.19814368509601, 0.223452899148571});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-0.0618662763830273, -3.50207655965217, -3.78599849207434, -3.59018098996024});
  check("hvp by b", h[b],
        {-0.00515744134299545, 0.0204575742419962, -0.010952283118858, 0.0136995942964786, -0.00318001097871646,
         0.003862885883681, 0.00857436770892049, 0.00441478841200837, 0.0198316829699101});
}

BOOST_AUTO_TEST_CASE(formula_36) {
  numbers draw(36);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {5});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto f = mean(reshape<4, 2>(concatenate<-1>(stop_gradient(slice<0>(a, 2, 5)), a)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.13614356224216);
  check("by a", r.gradient[a],
        {0.120506821838444, 0.120506821838444, 0.120506821838444, 0.120506821838444, 0.120506821838444});
  check("by b", r.gradient[b], {1.17850544154807});
}

BOOST_AUTO_TEST_CASE(formula_37) {
  numbers draw(37);
  const auto A = draw.between<fixed<3, 1, 5>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto u = where(b <= 0.3, stop_gradient(-a), b);
  const auto f = mean(expand_dims<-4>(where(!(u <= 0.3), u, a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.876824522287038);
  check_sums("by a", r.gradient[a], {0.533333333333333, 20.6, 21.0666666666667, 29.5333333333333});
  check("by b", r.gradient[b], {0.2, 0, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_38) {
  numbers draw(38);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean((b - amax(a)) * stop_gradient(slice<3>(a, -3, 4)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.0538951562686982);
  check("by a", r.gradient[a], {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.311015505566114});
  check("by b", r.gradient[b], {-0.311015505566114});
}

BOOST_AUTO_TEST_CASE(formula_39) {
  numbers draw(39);
  const auto A = draw.between<fixed<1, 5>>(0.5, 2.0);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<tensor<3>>(-1.5, 1.5, {2, 3, 5});
  const auto D = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto u = dot(d, a);
  const auto f = sum((b / stack<0>(stop_gradient(u), u)) * c);
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 1.83053733587976);
  check("by a", r.gradient[a],
        {-0.93589942229486, 0.0841350948003346, 0.0439402574295775, -1.83958076505428, 0.343577118520091});
  check("by b", r.gradient[b], {0.924974159197622});
  check_sums("by c", r.gradient[c], {34.6866057847215, 1713.21629936968, 1711.39653899229, 1713.73980677736});
  check("by d", r.gradient[d], {0.230852474937541, -0.691040372780042, -4.08299795984801});
}

BOOST_AUTO_TEST_CASE(formula_40) {
  numbers draw(40);
  const auto A = draw.between<by_columns<3>>(0.5, 2.0, {2, 3, 5});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto dA = draw.between<by_columns<3>>(-1, 1, {2, 3, 5});
  const auto dB = draw.between<double>(-1, 1);
  const auto dC = draw.between<fixed<1, 5>>(-1, 1);
  const auto f = mean((sum(where(c > 0, sqrt(c), c / 2_c)) + a) + b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.95071938595749);
  check_sums("by a", r.gradient[a], {1, 49.3333333333333, 48.5, 49.7333333333333});
  check("by b", r.gradient[b], {1});
  check("by c", r.gradient[c], {0.5, 0.5, 0.490047748724036, 0.5, 0.586536437670207});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {0, 0, 0, 0});
  check("hvp by b", h[b], {0});
  check("hvp by c", h[c], {0, 0, 0.0249502532422979, 0, 0.196160074544798});
}

BOOST_AUTO_TEST_CASE(formula_41) {
  numbers draw(41);
  const auto A = draw.between<fixed<17>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {2, 17});
  const auto f = mean(logsumexp(stack<0>(dot(stop_gradient(norm<1>(c)), c), a), b));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 7.26663258321981);
  check_sums("by a", r.gradient[a], {0.133671240771841, 6.63773642371139, 5.96250258080023, 7.08678090033577});
  check("by b", r.gradient[b], {0.366425983810432});
  check_sums("by c", r.gradient[c], {5.3791187391061, 269.491184854646, 256.671187572488, 261.483365829518});
}

BOOST_AUTO_TEST_CASE(formula_42) {
  numbers draw(42);
  const auto A = draw.between<by_columns<2>>(0.5, 2.0, {9, 9});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto C = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto u = expand_dims<2>(c);
  const auto f = mean((a - mean(where(u >= 0.3, u, stop_gradient(slice<1>(c, 3, -2))))) + b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.587477728553943);
  check_sums("by a", r.gradient[a], {1, 50.7901234567901, 50.4691358024691, 51.5925925925926});
  check("by b", r.gradient[b],
        {0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111,
         0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111});
  check("by c", r.gradient[c],
        {0, 0, 0, 0, -0.111111111111111, -0.111111111111111, -0.111111111111111, -0.111111111111111, 0});
}

BOOST_AUTO_TEST_CASE(formula_43) {
  numbers draw(43);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto B = draw.between<fixed<3, 3>>(-1.5, 1.5);
  const auto u = transpose(b);
  const auto f = sum(a + dot(clamp(stop_gradient(slice<0>(u, 0, -1)), -0.5, 0.8), asinh(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.23763640601095);
  check("by a", r.gradient[a], {2, 2, 2});
  check("by b", r.gradient[b],
        {-0.655284076397889, 0.248470872122533, 0.686090602114313, -0.666437054145769, 0.221179950291467,
         0.625796015969248, -0.645008051888024, 0.290825321632812, 0.667364449683008});
}

BOOST_AUTO_TEST_CASE(formula_44) {
  numbers draw(44);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<double>(0.5, 2.0);
  const std::vector<int> I{0, 2, -2, 0};
  const auto u = take<1>(a, i);
  const auto u1 = b + u;
  const auto u2 = stop_gradient(mean(u1));
  const auto f = sum(where(u2 >= pow(u, 3_c), u2, mean(u1)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 14.767749794185);
  check("by a", r.gradient[a],
        {0.666666666666667, 0.333333333333333, 0.333333333333333, 0.666666666666667, 0.333333333333333,
         0.333333333333333, 0.666666666666667, 0.333333333333333, 0.333333333333333});
  check("by b", r.gradient[b], {4});
}

BOOST_AUTO_TEST_CASE(formula_45) {
  numbers draw(45);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<fixed<2, 1>>(-1.5, 1.5);
  const auto C = draw.between<tensor<1>>(0.5, 2.0, {33});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {2});
  const auto dB = draw.between<fixed<2, 1>>(-1, 1);
  const auto dC = draw.between<tensor<1>>(-1, 1, {33});
  const auto f = mean((b * argmax<-1>(a)) * c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.03614968326905);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {0.659551768955481, 0.659551768955481});
  check_sums("by c", r.gradient[c], {0.785495340957072, 40.2744883908899, 37.8941994788987, 39.0129352675346});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a], {0, 0});
  check("hvp by b", h[b], {-0.0260678165445533, -0.0260678165445533});
  check_sums("hvp by c", h[c], {-0.274822188669267, -14.0908831281333, -13.2580886170143, -13.6495020372403});
}
