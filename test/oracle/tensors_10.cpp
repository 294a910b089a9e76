// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_136) {
  numbers draw(136);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = asinh(pow(b, a));
  const auto f = sum(where(!(u >= 0.3), stop_gradient(u), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 9.12613370939859);
  check("by a", r.gradient[a],
        {0.218106471735093, 0.205157160758178, 0.219245110794674, 0.200998545270118, 0.206774472044232,
         0.225339857512116, 0.226053528556416, 0.221356718556874});
  check("by b", r.gradient[b], {6.43285261907413});
}

BOOST_AUTO_TEST_CASE(formula_137) {
  numbers draw(137);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {17, 3});
  const auto u = mean(where((b > a) || (b >= 0.3), b, a), keep_dims);
  const auto u1 = stop_gradient(u);
  const auto f = sum(logsumexp(concatenate<1>(atan2(u, u1), u1), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.35372240795348);
  check("by a", r.gradient[a], {0.32447661124482, 0.299516871918295, 0.224637653938722});
  check_sums("by b", r.gradient[b], {0.424315568550919, 20.6666641623624, 21.6650537354234, 23.2125575736679});
}

BOOST_AUTO_TEST_CASE(formula_138) {
  numbers draw(138);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto C = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto f = sum((dot(a, stop_gradient(a)) + b) + c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 12.5889122177873);
  check("by a", r.gradient[a],
        {-4.04762528396567, 1.3424405534018, 0.922096996764697, -4.04762528396567, 1.3424405534018, 0.922096996764697,
         -4.04762528396567, 1.3424405534018, 0.922096996764697});
  check("by b", r.gradient[b], {1, 1, 1, 1, 1, 1, 1, 1, 1});
  check("by c", r.gradient[c], {3, 3, 3});
}

BOOST_AUTO_TEST_CASE(formula_139) {
  numbers draw(139);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<fixed<2, 1, 1>>(0.5, 2.0);
  const auto u = norm<0>(a - b);
  const auto f = mean(where(u > 0.3, u, expand_dims<1>(stop_gradient(prod<0>(u)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.52705757647007);
  check("by a", r.gradient[a],
        {-0.280062231324609, -0.209330046122951, -0.249997618463784, -0.280925367578099, -0.280392008452562});
  check("by b", r.gradient[b], {0.434305057137439, 0.866402214804565});
}

BOOST_AUTO_TEST_CASE(formula_140) {
  numbers draw(140);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {2, 4});
  const auto B = draw.between<by_columns<3>>(-1.5, 1.5, {4, 2, 3});
  const auto dA = draw.between<tensor<2>>(-1, 1, {2, 4});
  const auto dB = draw.between<by_columns<3>>(-1, 1, {4, 2, 3});
  const std::vector<int> I{3, 1};
  const auto f = sum(sum(a - stop_gradient(one_hot(i, 4) * a)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 15.2206482851248);
  check("by a", r.gradient[a],
        {2.0321614523568, 2.0321614523568, 2.0321614523568, 2.0321614523568, 2.0321614523568, 2.0321614523568,
         2.0321614523568, 2.0321614523568});
  check_sums("by b", r.gradient[b], {179.757153851798, 8583.40409642337, 8673.28267334927, 9115.18567656827});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B, i = I);
  check("hvp by a", h[a],
        {-3.00235255854314, -3.00235255854314, -3.00235255854314, -3.00235255854314, -3.00235255854314,
         -3.00235255854314, -3.00235255854314, -3.00235255854314});
  check_sums("hvp by b", h[b], {-53.9770223228154, -2577.40281591443, -2604.39132707584, -2737.0848402861});
}

BOOST_AUTO_TEST_CASE(formula_141) {
  numbers draw(141);
  const auto A = draw.between<fixed<3, 1, 5>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {2});
  const auto f = sum(b / (a * sum(stop_gradient(sum<0>(c, keep_dims)) + c, keep_dims)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -1.97692141287389);
  check_sums("by a", r.gradient[a], {2.1772009588611, 109.548780977882, 58.0987728366189, 119.544394078547});
  check("by b", r.gradient[b],
        {0.461449430518351, 0.561329514539627, 1.14027840338659, 0.541809315851408, 0.804148597258504});
  check("by c", r.gradient[c], {0.53279134436269, 0.53279134436269});
}

BOOST_AUTO_TEST_CASE(formula_142) {
  numbers draw(142);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {16});
  const auto B = draw.between<fixed<1>>(-1.5, 1.5);
  const auto u = stop_gradient(b);
  const auto f = mean(dot(min(b, outer(a, u)), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.139546135649591);
  check_sums("by a", r.gradient[a], {0.0594816725905737, 2.62380266871753, 2.32639430576466, 3.03356530211926});
  check("by b", r.gradient[b], {-0.142268377960901});
}

BOOST_AUTO_TEST_CASE(formula_143) {
  numbers draw(143);
  const auto A = draw.between<by_columns<2>>(0.5, 2.0, {16, 2});
  const auto B = draw.between<fixed<16>>(-1.5, 1.5);
  const std::vector<int> I{3, 1, 1, 1, 6, 5};
  const auto f = mean(outer(a, stop_gradient(take(slice<0>(b, 4, -5), i))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.320205029963826);
  check_sums("by a", r.gradient[a], {-0.246535127631638, -12.4654323908747, -11.7181227852413, -12.3883901634898});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_144) {
  numbers draw(144);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {2});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {16, 2});
  const std::vector<int> I{2, 13, 2, 4, 12, 1};
  const auto f = sum(transpose<1, 2, 0>(max(expand_dims<-3>(take(b, i)), a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 18.0902061670042);
  check("by a", r.gradient[a], {2, 2});
  check_sums("by b", r.gradient[b], {8, 464, 383, 313});
}

BOOST_AUTO_TEST_CASE(formula_145) {
  numbers draw(145);
  const auto A = draw.between<fixed<9, 9>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto dA = draw.between<fixed<9, 9>>(-1, 1);
  const auto dB = draw.between<fixed<1, 9>>(-1, 1);
  const auto u = where(a > 0.3, a, b);
  const auto f = mean(clamp(hypot(u, stop_gradient(u)), -0.5, 0.8));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.755258805667617);
  check_sums("by a", r.gradient[a], {0.104756560175785, 4.78388291469417, 5.1592605886574, 6.04969135015157});
  check("by b", r.gradient[b], {0, 0, -0.0436485667399103, 0, 0, 0, 0.0261891400439462, 0, 0});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {0.00905995789969649, 0.422652202565999, -0.33245732082485, 0.206851621739443});
  check("hvp by b", h[b], {0, 0, 0.0248606119280609, 0, 0, 0, 0.00143051205772015, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_146) {
  numbers draw(146);
  const auto A = draw.between<fixed<3, 3>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto f = sum(b * dot(a - c, cos(c)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.746857427405617);
  check("by a", r.gradient[a],
        {0.791309381040121, 0.855742102409295, 0.128912385299231, 0.791309381040121, 0.855742102409295,
         0.128912385299231, 0.791309381040121, 0.855742102409295, 0.128912385299231});
  check("by b", r.gradient[b], {0.85120496603232});
  check("by c", r.gradient[c], {-1.3573944943471, -2.33125597857394, 1.85708748428967});
}

BOOST_AUTO_TEST_CASE(formula_147) {
  numbers draw(147);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {4, 3});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {5, 4});
  const auto f = mean(sum<1>(slice<2>(where(a >= 0.3, a, outer(c, b)), 1, 3)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 5.32867380962418);
  check("by a", r.gradient[a], {0, 0, 0.5, 0, 0.5, 0, 0, 0, 0.5, 0, 0, 0});
  check("by b", r.gradient[b], {0, 1.61199828461371, 1.14417720052608});
  check_sums("by c", r.gradient[c], {3.56368587250527, 173.320688062031, 155.688181297941, 179.17651839211});
}

BOOST_AUTO_TEST_CASE(formula_148) {
  numbers draw(148);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto u = log_softmax<0>(b) - b;
  const auto u1 = stop_gradient(prod<0>(u));
  const auto f = sum(a * mean(where(u1 > 0.3, u1, u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.57070640986645);
  check_sums("by a", r.gradient[a], {-6.89687065939537, -327.398507184239, -311.98197276912, -324.964317539747});
  check("by b", r.gradient[b], {1.04220370775096, 3.6119282563619, 1.68236630096566});
}

BOOST_AUTO_TEST_CASE(formula_149) {
  numbers draw(149);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {4});
  const auto C = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto D = draw.between<double>(-1.5, 1.5);
  const auto f = d + (sum(c) + (sum(a) - sum(slice<0>(slice<0>(b, 1, 4), -3, 3))));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, -4.19422495420753);
  check("by a", r.gradient[a], {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  check("by b", r.gradient[b], {0, -1, -1, -1});
  check("by c", r.gradient[c], {1, 1, 1, 1, 1, 1, 1, 1});
  check("by d", r.gradient[d], {1});
}

BOOST_AUTO_TEST_CASE(formula_150) {
  numbers draw(150);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {9, 3});
  const auto B = draw.between<fixed<9, 3>>(0.5, 2.0);
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto dA = draw.between<tensor<2>>(-1, 1, {9, 3});
  const auto dB = draw.between<fixed<9, 3>>(-1, 1);
  const auto dC = draw.between<tensor<1>>(-1, 1, {3});
  const auto f = mean(b * (a * stop_gradient(c)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.387814633678523);
  check_sums("by a", r.gradient[a], {-0.289630445314995, -14.8358158055287, -15.7220848938437, -14.6052552681274});
  check_sums("by b", r.gradient[b], {-0.354427872795236, -19.6798179257262, -17.9103077815843, -16.6877802551478});
  check_zero(r.gradient[c]);
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {-0.0129040767734961, -2.75193774223735, 0.0637643205104011, -1.21397692739955});
  check_sums("hvp by b", h[b], {0.00752622772153925, 0.83650900035188, 0.508136216072098, 0.806177186432165});
  check("hvp by c", h[c], {0, 0, 0});
}
