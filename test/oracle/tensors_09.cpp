// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_121) {
  numbers draw(121);
  const auto A = draw.between<fixed<2>>(0.5, 2.0);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {33});
  const auto C = draw.between<fixed<2, 1>>(-1.5, 1.5);
  const auto D = draw.between<tensor<2>>(-1.5, 1.5, {2, 33});
  const auto f = mean(d * (sum(transpose(transpose(c)) / a) * b));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, -0.241193440392666);
  check("by a", r.gradient[a], {0.163862676131565, 0.100178227369088});
  check_sums("by b", r.gradient[b], {0.277402424079665, 4.33002341111182, 5.78938094743563, 17.1874872582374});
  check("by c", r.gradient[c], {0.1610065155807, 0.1610065155807});
  check_sums("by d", r.gradient[d], {0.154806058214717, 12.7193642808708, 5.36473549325334, 9.367130152821});
}

BOOST_AUTO_TEST_CASE(formula_122) {
  numbers draw(122);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {9, 4});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {4, 9});
  const auto f = sum(outer(clamp(a, -0.5, 0.8), stop_gradient(slice<0>(a, -5, -1)))) + sum(b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 17.7296921709095);
  check_sums("by a", r.gradient[a], {45.1473529986792, 2437.95706192868, 1814.9235905469, 2323.58376766536});
  check_sums("by b", r.gradient[b], {36, 1833, 1755, 1826});
}

BOOST_AUTO_TEST_CASE(formula_123) {
  numbers draw(123);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {17, 3});
  const auto f = sum(a * expand_dims<0>(stop_gradient(erf(b))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -25.9463729496409);
  check("by a", r.gradient[a], {14.5567503290859, 15.4072909822467, 15.4163680769959});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_124) {
  numbers draw(124);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto f = mean(pow(stop_gradient(logsumexp(transpose(a))), min(b, a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.31316655236493);
  check_sums("by a", r.gradient[a], {1.18486073910717, 48.3464088575829, 49.1318436986746, 79.924519837302});
  check("by b", r.gradient[b], {0.423906606152953, 0.0683335266192048, 0});
}

BOOST_AUTO_TEST_CASE(formula_125) {
  numbers draw(125);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto dA = draw.between<tensor<2>>(-1, 1, {3, 5});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {5});
  const auto f = sum((stop_gradient(amax<0>(b)) - b) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -5.8403359693947);
  check_sums("by a", r.gradient[a], {12.1791455602176, 494.6635825218, 435.096678529445, 823.760216538217});
  check("by b", r.gradient[b],
        {2.53178341921036, 0.71742870342798, 2.000943172025, 2.52785681887896, 0.176504106110197});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {1.56964926168772, 69.9556681979241, 180.336744878132, 57.6156792652866});
  check("hvp by b", h[b],
        {0.0098335766279295, -1.32342259321521, 1.06800290852226, 1.56839727823082, 0.105017480023679});
}

BOOST_AUTO_TEST_CASE(formula_126) {
  numbers draw(126);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {17});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<fixed<2, 17>>(-1.5, 1.5);
  const auto f = mean(b + min(outer(log_softmax<1>(c), a + stop_gradient(mean(a))), a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -2.51061071598418);
  check_sums("by a", r.gradient[a], {-1.17251061191975, -81.6730981399353, -78.3564206937875, -59.3353729252441});
  check("by b", r.gradient[b], {1});
  check_sums("by c", r.gradient[c], {-1.30971622436249e-16, -1.49368278888699, -4.46560206092956, 0.256617012780028});
}

BOOST_AUTO_TEST_CASE(formula_127) {
  numbers draw(127);
  const auto A = draw.between<tensor<4>>(0.5, 2.0, {2, 3, 2, 5});
  const auto B = draw.between<fixed<3, 1, 5>>(0.5, 2.0);
  const auto u = stop_gradient(amin<2>(b));
  const auto f = mean(a - mean(concatenate<0>(dot(reshape<-1, 3>(b), u), u, u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.0259858245655081);
  check_sums("by a", r.gradient[a], {1, 50.5166666666667, 49.75, 50.75});
  check_sums("by b", r.gradient[b], {-0.845468771741309, -37.6279579713605, -36.9062077929464, -42.4488848437402});
}

BOOST_AUTO_TEST_CASE(formula_128) {
  numbers draw(128);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {33});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {33});
  const auto C = draw.between<fixed<33>>(-1.5, 1.5);
  const auto D = draw.between<double>(-1.5, 1.5);
  const std::vector<int> I{2, 27, 17, 20, 2, 30};
  const auto u = take(c, i);
  const auto f = sum((mean(a / dot(stop_gradient(u), u)) - b) * d);
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D, i = I);
  check_value(r.value, -0.850371998041368);
  check_sums("by a", r.gradient[a], {-0.549714095391733, -28.1853408909943, -26.5195406019284, -27.3024667377894});
  check_sums("by b", r.gradient[b], {3.44739652981395, 176.757422074097, 166.310765923145, 171.220694314093});
  check_sums("by c", r.gradient[c], {-0.301263589375326, -26.8235879003355, -17.2555721151237, -26.622684830023});
  check("by d", r.gradient[d], {8.14013580760889});
}

BOOST_AUTO_TEST_CASE(formula_129) {
  numbers draw(129);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {33});
  const auto u = outer(norm<0>(a, keep_dims), b);
  const auto f = sum(u + stop_gradient(u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.96820311114481);
  check("by a", r.gradient[a], {-0.836451888339658, 0.395992717978345});
  check_sums("by b", r.gradient[b], {52.9204480273525, 2713.37569885698, 2553.0107048347, 2628.38225202517});
}

BOOST_AUTO_TEST_CASE(formula_130) {
  numbers draw(130);
  const auto A = draw.between<fixed<3>>(-1.5, 1.5);
  const auto B = draw.between<fixed<4, 1, 3>>(0.5, 2.0);
  const auto dA = draw.between<fixed<3>>(-1, 1);
  const auto dB = draw.between<fixed<4, 1, 3>>(-1, 1);
  const auto f = mean(stack<1>(abs(sinh(a)), a)) - sum(b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -14.5808150270045);
  check("by a", r.gradient[a], {-0.0525534859732182, 0.350135845899388, -0.0627476059197096});
  check("by b", r.gradient[b], {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {-0.00321456790494862, 0.02855062820764, -0.0207167595213433});
  check("hvp by b", h[b], {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_131) {
  numbers draw(131);
  const auto A = draw.between<fixed<3, 3>>(-1.5, 1.5);
  const auto B = draw.between<fixed<3, 3>>(-1.5, 1.5);
  const auto C = draw.between<double>(-1.5, 1.5);
  const auto D = draw.between<std::vector<double>>(0.5, 2.0, {3});
  const auto u = b * a;
  const auto f = sum(sum(outer(u, stop_gradient(slice<1>(u, 0, -1))) * c) * d);
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, -21.9244821835428);
  check("by a", r.gradient[a],
        {-11.420158679556, -9.08409369133428, 8.21227140105147, 3.65112167184438, 0.0661422873835748, -15.7515273625691,
         9.74651604290648, 10.8584800562002, 8.16996567009762});
  check("by b", r.gradient[b],
        {1.06744043711905, -2.18711920654305, -14.5877125880094, 7.31151103596151, -1.69776515941321, -7.58179256471683,
         13.5570289471744, 4.48468668674342, 2.41922052440523});
  check("by c", r.gradient[c], {15.6792776253598});
  check("by d", r.gradient[d], {-5.39027159784944, -5.39027159784944, -5.39027159784944});
}

BOOST_AUTO_TEST_CASE(formula_132) {
  numbers draw(132);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto f = mean(erf(outer(stop_gradient(slice<1>(a, 0, -4)), a)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.029280364094434);
  check("by a", r.gradient[a],
        {-0.0496530156422347, 0.0770439029863647, -0.0686410086918516, 0.0463738556004087, 0.0301073483261844,
         -0.0127056543773623, 0.0784419916046411, 0.0176629087236104, -0.0727861755007484});
  check("by b", r.gradient[b],
        {0.0353017064290138, -0.00240938183286273, 0.035066617862995, 0.0242446948826394, 0.0591337021220187,
         0.0652907194150852, -0.0117363628596401, -0.046503119780206, -0.0323630362289829});
}

BOOST_AUTO_TEST_CASE(formula_133) {
  numbers draw(133);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {17});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto C = draw.between<double>(-1.5, 1.5);
  const auto f = sum(c + (sqrt(stop_gradient(sum<0>(a, keep_dims))) * b));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 23.0494279773023);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {77.9113920802112, 3698.49961227826, 3524.34473586367, 3671.00147389701});
  check("by c", r.gradient[c], {17});
}

BOOST_AUTO_TEST_CASE(formula_134) {
  numbers draw(134);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const std::vector<int> I{4, 2, 1, 0, 2};
  const auto f = mean(a / mean(mean<0>(stack<1>(stop_gradient(take(b, i)), b))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.360321149655161);
  check_sums("by a", r.gradient[a], {2.70024181965571, 120.250769035334, 117.910559458299, 135.192107104096});
  check("by b", r.gradient[b],
        {0.0972954236805288, 0.0972954236805288, 0.0972954236805288, 0.0972954236805288, 0.0972954236805288});
}

BOOST_AUTO_TEST_CASE(formula_135) {
  numbers draw(135);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto B = draw.between<fixed<17, 3>>(-1.5, 1.5);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto dA = draw.between<tensor<1>>(-1, 1, {3});
  const auto dB = draw.between<fixed<17, 3>>(-1, 1);
  const auto dC = draw.between<std::vector<double>>(-1, 1, {17});
  const auto f = sum(b * (a - mean(stop_gradient(c) * c)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -5.60894897031487);
  check("by a", r.gradient[a], {4.6119771288298, -2.25201425689832, -7.98019473882401});
  check_sums("by b", r.gradient[b], {-36.0255856329809, -1944.07424286858, -1543.14430054667, -1808.17082237415});
  check_sums("by c", r.gradient[c], {-0.711606160791204, -31.507872064963, -15.0085181741087, -27.4815837453585});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a], {-1.60212337253714, -2.09731574035125, 2.47189750497783});
  check_sums("hvp by b", h[b], {-18.0120232010736, -970.950854618062, -686.545157621258, -905.878844652549});
  check_sums("hvp by c", h[c], {-0.15542529054049, -6.88178439119267, -3.27808193116179, -6.00238358446199});
}
