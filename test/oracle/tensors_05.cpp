// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_61) {
  numbers draw(61);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {5, 4});
  const auto u = outer(a, transpose(b));
  const auto f = sum(hypot(stop_gradient(u), sin(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 27.4447446893711);
  check("by a", r.gradient[a], {6.63657495014971, -5.11188298059195, -8.43930809083595});
  check_sums("by b", r.gradient[b], {0.295503029349431, 111.530475289818, 104.067531049662, 159.434707194914});
}

BOOST_AUTO_TEST_CASE(formula_62) {
  numbers draw(62);
  const auto A = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(cos(b) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.125314115000554);
  check("by a", r.gradient[a], {0.172155593274886, 0.172155593274886, 0.172155593274886});
  check("by b", r.gradient[b], {0.207772089879549});
}

BOOST_AUTO_TEST_CASE(formula_63) {
  numbers draw(63);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto D = draw.between<tensor<2>>(-1.5, 1.5, {2, 17});
  const auto u = a * d;
  const auto f = mean(c * (b - stack<1>(stop_gradient(u), u)));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 0.131146401451075);
  check_sums("by a", r.gradient[a], {0.0329399847155554, -0.0211892225866989, -2.39424968842183, 5.61658491044853});
  check("by b", r.gradient[b], {-0.145176171214703});
  check_sums("by c", r.gradient[c], {-1.10895400323631, -49.3700530971412, -52.7669642997856, -53.3200472078894});
  check_sums("by d", r.gradient[d], {-0.0378573543186066, -1.34685232399665, -3.26383357299235, -2.65301501592864});
}

BOOST_AUTO_TEST_CASE(formula_64) {
  numbers draw(64);
  const auto A = draw.between<fixed<9, 9>>(-1.5, 1.5);
  const auto B = draw.between<fixed<9, 9>>(-1.5, 1.5);
  const auto u = concatenate<1>(a, b);
  const auto f = mean(logsumexp(u, stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.815760640149364);
  check_sums("by a", r.gradient[a], {0.25, 12.6975308641975, 12.6172839506173, 12.8981481481481});
  check_sums("by b", r.gradient[b], {0.25, 12.6975308641975, 12.6172839506173, 12.8981481481481});
}

BOOST_AUTO_TEST_CASE(formula_65) {
  numbers draw(65);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {8});
  const auto dA = draw.between<std::vector<double>>(-1, 1, {8});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {8});
  const auto f = mean(b * where(a > 0, sqrt(a), a / 2_c));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.874567081993951);
  check("by a", r.gradient[a],
        {0.190855186322071, 0.0418741432496623, 0.114131656193818, 0.112676953877371, 0.199631856449633,
         0.0750291980635144, 0.0430418241794882, 0.0676982275845127});
  check("by b", r.gradient[b],
        {0.0752833227874498, 0.131114229194304, -0.0168291850646861, 0.137756798868601, 0.0664079371944401,
         0.128127683852478, -0.072246622662524, 0.144289169120137});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-0.17176999552565, 0.0490382386603531, 0.00194089781234083, -0.0238033109354199, -0.34650089357034,
         -0.0390299281703273, -0.0294028659546295, -0.0706330111342699});
  check("hvp by b", h[b],
        {0.0583990176411804, 0.0255847466809867, 0.0349554098665041, -0.0384829771825067, 0.114384697613133,
         -0.0223045740098643, 0.0211888083530072, 0.0476196587957035});
}

BOOST_AUTO_TEST_CASE(formula_66) {
  numbers draw(66);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<fixed<2>>(0.5, 2.0);
  const auto u = sqrt(b);
  const auto f = mean(dot(u, stop_gradient(u)) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.509278641816273);
  check("by a", r.gradient[a],
        {0.366058038019602, 0.366058038019602, 0.366058038019602, 0.366058038019602, 0.366058038019602});
  check("by b", r.gradient[b], {0.139125108294713, 0.139125108294713});
}

BOOST_AUTO_TEST_CASE(formula_67) {
  numbers draw(67);
  const auto A = draw.between<fixed<2>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {2, 33});
  const auto C = draw.between<fixed<33>>(-1.5, 1.5);
  const auto f = sum(sum(where(c > b, c, b)) / a);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 12.9730952470477);
  check("by a", r.gradient[a], {-9.31322657083246, -40.3622245214561});
  check_sums("by b", r.gradient[b], {33.6050522111129, 1739.06145192509, 1539.95151757425, 1854.99888205343});
  check_sums("by c", r.gradient[c], {21.8432839372234, 1062.75977617645, 1110.64697557728, 900.615399257826});
}

BOOST_AUTO_TEST_CASE(formula_68) {
  numbers draw(68);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {17, 3});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {17, 3});
  const auto f = mean(transpose(stack<1>(a, b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.080028954930617);
  check_sums("by a", r.gradient[a], {0.5, 25.3333333333333, 24.0686274509804, 25.0294117647059});
  check_sums("by b", r.gradient[b], {0.5, 25.3333333333333, 24.0686274509804, 25.0294117647059});
}

BOOST_AUTO_TEST_CASE(formula_69) {
  numbers draw(69);
  const auto A = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<fixed<1, 5>>(0.5, 2.0);
  const auto f = mean((a * (c + stop_gradient(c))) / b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.439899447212425);
  check("by a", r.gradient[a], {-1.80138012801373, -1.80138012801373, -1.80138012801373});
  check("by b", r.gradient[b], {0.81936299357406});
  check("by c", r.gradient[c],
        {0.0303235273455775, 0.0303235273455775, 0.0303235273455775, 0.0303235273455775, 0.0303235273455775});
}

BOOST_AUTO_TEST_CASE(formula_70) {
  numbers draw(70);
  const auto A = draw.between<fixed<3, 3>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto dA = draw.between<fixed<3, 3>>(-1, 1);
  const auto dB = draw.between<std::vector<double>>(-1, 1, {3});
  const auto dC = draw.between<tensor<2>>(-1, 1, {3, 3});
  const auto f = sum(b * (a + sum(-c)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 2.14618747142985);
  check("by a", r.gradient[a],
        {0.842052581879335, -0.279820102630099, -1.19617405752473, 0.842052581879335, -0.279820102630099,
         -1.19617405752473, 0.842052581879335, -0.279820102630099, -1.19617405752473});
  check("by b", r.gradient[b], {3.37460145325148, -0.627152079542704, 0.728066412139714});
  check("by c", r.gradient[c],
        {1.90182473482649, 1.90182473482649, 1.90182473482649, 1.90182473482649, 1.90182473482649, 1.90182473482649,
         1.90182473482649, 1.90182473482649, 1.90182473482649});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a],
        {-0.573748397442395, 0.591107058148415, -0.671196117844058, -0.573748397442395, 0.591107058148415,
         -0.671196117844058, -0.573748397442395, 0.591107058148415, -0.671196117844058});
  check("hvp by b", h[b], {-12.1612267569458, -14.2630457721013, -11.1687263414118});
  check("hvp by c", h[c],
        {1.96151237141411, 1.96151237141411, 1.96151237141411, 1.96151237141411, 1.96151237141411, 1.96151237141411,
         1.96151237141411, 1.96151237141411, 1.96151237141411});
}

BOOST_AUTO_TEST_CASE(formula_71) {
  numbers draw(71);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = where(b <= 0.3, b, a);
  const auto f = mean<0>(concatenate<0>(stop_gradient(u), a, u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.0929408453098111);
  check_sums("by a", r.gradient[a], {0.333333333333333, 15.8235294117647, 15.078431372549, 15.7058823529412});
  check("by b", r.gradient[b], {0.333333333333333});
}

BOOST_AUTO_TEST_CASE(formula_72) {
  numbers draw(72);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto u = dot(a, b);
  const auto f = mean(min(stop_gradient(mean<0>(u, keep_dims)), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.579015847433326);
  check("by a", r.gradient[a], {-0, 0, 0, -0, 0, 0, -0.0611108991136359, 0.115788885678998, 0.245300610896806});
  check("by b", r.gradient[b], {0.156191786591053, -0.466269463284998, -0.293262230136088});
}

BOOST_AUTO_TEST_CASE(formula_73) {
  numbers draw(73);
  const auto A = draw.between<tensor<3>>(-1.5, 1.5, {2, 3, 5});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto u = stop_gradient(amin<-2>(b));
  const auto f = mean(a * mean(outer(u, atan2(b, u))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.01225108760334);
  check_sums("by a", r.gradient[a], {-0.314365269431591, -15.5086866252918, -15.2467155674322, -15.6344327330645});
  check_sums("by b", r.gradient[b], {-0.0229285071244134, -0.917854719132995, -1.20096481354623, -1.13400759551166});
}

BOOST_AUTO_TEST_CASE(formula_74) {
  numbers draw(74);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {9, 9});
  const auto B = draw.between<fixed<9>>(-1.5, 1.5);
  const auto f = mean(b * transpose(norm<0>(stop_gradient(a), keep_dims)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.627593865014019);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b],
        {0.423142898958108, 0.423142898958108, 0.423142898958108, 0.423142898958108, 0.423142898958108,
         0.423142898958108, 0.423142898958108, 0.423142898958108, 0.423142898958108});
}

BOOST_AUTO_TEST_CASE(formula_75) {
  numbers draw(75);
  const auto A = draw.between<fixed<5>>(-1.5, 1.5);
  const auto B = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto C = draw.between<fixed<2, 3, 5>>(0.5, 2.0);
  const auto dA = draw.between<fixed<5>>(-1, 1);
  const auto dB = draw.between<fixed<2, 1, 1>>(-1, 1);
  const auto dC = draw.between<fixed<2, 3, 5>>(-1, 1);
  const auto f = mean(b - (log(c) * a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.260723389164373);
  check("by a", r.gradient[a],
        {-0.078305978245781, -0.0770334370160988, -0.048057016710363, -0.0296498324611388, -0.0140517528787145});
  check("by b", r.gradient[b], {0.5, 0.5});
  check_sums("by c", r.gradient[c], {-0.310900727865436, -15.4074578062226, -15.4521882480925, -14.7028667191869});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a],
        {0.0126557983636594, -0.059481915565648, -0.0213057370473536, 0.054617740296064, 0.0593425606365333});
  check("hvp by b", h[b], {0, 0});
  check_sums("hvp by c", h[c], {0.18564654594988, 12.5220048402605, 6.88212222751999, 13.2412665459972});
}
