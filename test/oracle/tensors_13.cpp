// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_181) {
  numbers draw(181);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {4});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto f = mean(c) * sum(reshape<2, 2>(a - b));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -2.42970845068437);
  check("by a", r.gradient[a], {-0.364917209076191, -0.364917209076191, -0.364917209076191, -0.364917209076191});
  check("by b", r.gradient[b], {1.45966883630476});
  check("by c", r.gradient[c],
        {0.554853811187136, 0.554853811187136, 0.554853811187136, 0.554853811187136, 0.554853811187136,
         0.554853811187136, 0.554853811187136, 0.554853811187136, 0.554853811187136, 0.554853811187136,
         0.554853811187136, 0.554853811187136});
}

BOOST_AUTO_TEST_CASE(formula_182) {
  numbers draw(182);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {2, 1});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {2, 33});
  const auto C = draw.between<std::vector<double>>(0.5, 2.0, {33});
  const std::vector<int> I{58, 51, 77, 45, 31};
  const auto u = c * a;
  const auto u1 = pow(u, b);
  const auto f = sum(take<1>(concatenate<-1>(stop_gradient(slice<1>(u, 6, 26)), u1, u1), i));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, 13.0385397419391);
  check("by a", r.gradient[a], {3.66821016207771, -2.78337149170018});
  check_sums("by b", r.gradient[b], {12.019035766497, 429.107665526272, 660.149039418706, 538.332040324042});
  check_sums("by c", r.gradient[c], {1.19992942852182, -6.98477454804265, 168.221723221059, 63.9862593228454});
}

BOOST_AUTO_TEST_CASE(formula_183) {
  numbers draw(183);
  const auto A = draw.between<fixed<1>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {16});
  const auto u = stop_gradient(b);
  const auto u1 = outer(atan2(b, u), sigmoid(u));
  const auto f = mean(where(!(u1 <= a), a, u1));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.1816734368124);
  check("by a", r.gradient[a], {0.7421875});
  check_sums("by b", r.gradient[b], {-0.275363704312411, -11.3280235038597, -8.01953437178211, -10.1143403524495});
}

BOOST_AUTO_TEST_CASE(formula_184) {
  numbers draw(184);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {17, 3});
  const auto f = sum<0>(dot(where(a > 0.3, stop_gradient(mean<-1>(b, keep_dims)), b), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.616365290246619);
  check("by a", r.gradient[a], {-1.79597833254187, -2.67009012874686, -1.12889106694092});
  check_sums("by b", r.gradient[b], {-15.2170086033721, -816.191695243908, -697.340812562891, -762.750161458854});
}

BOOST_AUTO_TEST_CASE(formula_185) {
  numbers draw(185);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {5});
  const auto B = draw.between<fixed<3, 1, 5>>(-1.5, 1.5);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto dA = draw.between<tensor<1>>(-1, 1, {5});
  const auto dB = draw.between<fixed<3, 1, 5>>(-1, 1);
  const auto dC = draw.between<std::vector<double>>(-1, 1, {2});
  const auto f = mean(c / mean(a - sum(mean<0>(b, keep_dims))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.643460374174935);
  check("by a", r.gradient[a],
        {0.116968920346217, 0.116968920346217, 0.116968920346217, 0.116968920346217, 0.116968920346217});
  check_sums("by b", r.gradient[b], {-2.92422300865543, -130.225397985455, -127.691071377954, -146.406098633349});
  check("by c", r.gradient[c], {-0.45445269452761, -0.45445269452761});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a],
        {0.0470930764340154, 0.0470930764340154, 0.0470930764340154, 0.0470930764340154, 0.0470930764340154});
  check_sums("hvp by b", h[b], {-1.17732691085039, -52.4302917632039, -51.4099417738002, -58.9448340032427});
  check("hvp by c", h[c], {-0.102266797400233, -0.102266797400233});
}

BOOST_AUTO_TEST_CASE(formula_186) {
  numbers draw(186);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<by_columns<2>>(0.5, 2.0, {3, 5});
  const auto f = mean(b + mean(concatenate<0>(a, stop_gradient(a))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.42624428301409);
  check("by a", r.gradient[a], {0.1, 0.1, 0.1, 0.1, 0.1});
  check_sums("by b", r.gradient[b], {1, 44.5333333333333, 43.6666666666667, 50.0666666666667});
}

BOOST_AUTO_TEST_CASE(formula_187) {
  numbers draw(187);
  const auto A = draw.between<fixed<9, 1>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {3});
  const auto u = where(b >= a, b, a);
  const auto f = mean(stack<0>(stop_gradient(softmax<1>(u)), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.730845442942599);
  check("by a", r.gradient[a], {0, 0, 0, 0, 0, 0, 0, 0, 0.037037037037037});
  check("by b", r.gradient[b], {0.148148148148148, 0.166666666666667, 0.148148148148148});
}

BOOST_AUTO_TEST_CASE(formula_188) {
  numbers draw(188);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {9});
  const auto C = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto f = mean(c + stop_gradient(dot(a, stop_gradient(b))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.59162189163563);
  check_zero(r.gradient[a]);
  check_zero(r.gradient[b]);
  check("by c", r.gradient[c],
        {0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111,
         0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111});
}

BOOST_AUTO_TEST_CASE(formula_189) {
  numbers draw(189);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = pow(b, -1.5);
  const auto f = sum((atan2(u, stop_gradient(u)) - 1.3) + a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.28518825337478);
  check("by a", r.gradient[a], {1, 1, 1, 1, 1, 1, 1, 1});
  check("by b", r.gradient[b], {-8.31724891630238});
}

BOOST_AUTO_TEST_CASE(formula_190) {
  numbers draw(190);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {5});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {2});
  const auto dB = draw.between<tensor<1>>(-1, 1, {5});
  const auto u = log(a);
  const auto f = mean(sum(where(u >= 0.3, u, stop_gradient(u))) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.78267804730152);
  check("by a", r.gradient[a], {-0.471730925348392, -0.433840907334166});
  check("by b", r.gradient[b],
        {0.206492518475681, 0.206492518475681, 0.206492518475681, 0.206492518475681, 0.206492518475681});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {0.111423560744143, 0.0723988988722276});
  check("hvp by b", h[b],
        {0.0790889148120692, 0.0790889148120692, 0.0790889148120692, 0.0790889148120692, 0.0790889148120692});
}

BOOST_AUTO_TEST_CASE(formula_191) {
  numbers draw(191);
  const auto A = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto f = mean(max(max(stop_gradient(b), a), erf(b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.655154534833394);
  check("by a", r.gradient[a], {0.25, 0.222222222222222, 0, 0.0555555555555556});
  check("by b", r.gradient[b],
        {0.0625524873194412, 0.0193985238532229, 0, 0.0609023861566002, 0.0615823913500336, 0.0570758376081965,
         0.00527372596261471, 0.0603624771100037, 0});
}

BOOST_AUTO_TEST_CASE(formula_192) {
  numbers draw(192);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto C = draw.between<double>(0.5, 2.0);
  const auto f = mean(c - (b + stop_gradient(sum<0>(a))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -1.841770572112);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {-1, -51.2727272727273, -48.2424242424242, -49.6666666666667});
  check("by c", r.gradient[c], {1});
}

BOOST_AUTO_TEST_CASE(formula_193) {
  numbers draw(193);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto f = mean(dot(stop_gradient(amax<0>(a)), min(a, b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -3.36047380262294);
  check_sums("by a", r.gradient[a], {8.2457689897836, 413.064640760064, 408.060256088181, 416.545511391889});
  check("by b", r.gradient[b],
        {0, 0, 0.14750151086948, 0.359068710446545, 0, 0, 0, 0.591444941590592, 0.438597181317675});
}

BOOST_AUTO_TEST_CASE(formula_194) {
  numbers draw(194);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {4, 3});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {5, 3});
  const auto u = stop_gradient(slice<1>(a, 1, 3));
  const auto f = mean(sum(where(u > 0, sqrt(u), u / 2_c)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.835745848297106);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {-0.551222988873086, -24.5477971044814, -24.0700705141248, -27.5978976429125});
}

BOOST_AUTO_TEST_CASE(formula_195) {
  numbers draw(195);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {9, 3});
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto dA = draw.between<tensor<2>>(-1, 1, {9, 3});
  const auto dB = draw.between<tensor<2>>(-1, 1, {9, 3});
  const auto dC = draw.between<std::vector<double>>(-1, 1, {3});
  const auto f = sum(min(b, log_softmax<0>(c) * a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 5.47272350047125);
  check_sums("by a", r.gradient[a], {-16.522049504644, -833.21911105064, -722.559159207859, -822.106473201596});
  check_sums("by b", r.gradient[b], {10, 463, 544, 513});
  check("by c", r.gradient[c], {-1.26003082803208, 0.832732334276442, 0.427298493755636});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {1.88578425259454, 220.290415497881, 159.329379900419, 51.3036681856658});
  check_sums("hvp by b", h[b], {0, 0, 0, 0});
  check("hvp by c", h[c], {1.74414644253002, -1.11874442523541, -0.625402017294617});
}
