// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_46) {
  numbers draw(46);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {2});
  const auto B = draw.between<tensor<4>>(-1.5, 1.5, {2, 3, 2, 5});
  const auto u = erf(slice<3>(slice<1>(b, 0, 3), -5, 5));
  const auto f = sum(mean(stop_gradient(u) * u) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.420688699104896);
  check("by a", r.gradient[a], {0.537685964476754, 0.537685964476754});
  check_sums("by b", r.gradient[b], {0.0107708114554656, 1.13571564093995, 0.206045987128941, 0.782136870103142});
}

BOOST_AUTO_TEST_CASE(formula_47) {
  numbers draw(47);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {4});
  const auto f = mean(sum(outer(b, stop_gradient(slice<0>(b, 2, 4)))) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -2.93097568506687);
  check_sums("by a", r.gradient[a], {12.7336711889876, 648.356091372621, 620.766470463148, 645.88009975254});
  check("by b", r.gradient[b], {-0.61473479634942, -0.61473479634942, -0.61473479634942, -0.61473479634942});
}

BOOST_AUTO_TEST_CASE(formula_48) {
  numbers draw(48);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = b - sum(atan2(a, stop_gradient(amax<0>(a))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.5978493106611);
  check("by a", r.gradient[a],
        {-0.519376150329094, -0.553181444406361, -0.410124814432888, -0.427790913900471, -0.380502783615401,
         -0.339100408720524, -0.376687731294464, -0.469810084788249, -0.803432625077774});
  check("by b", r.gradient[b], {1});
}

BOOST_AUTO_TEST_CASE(formula_49) {
  numbers draw(49);
  const auto A = draw.between<fixed<33>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto f = mean(((stop_gradient(mean(b)) + b) + 1.3) + a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.30814979945012);
  check_sums("by a", r.gradient[a], {1, 51.2727272727273, 48.2424242424242, 49.6666666666667});
  check_sums("by b", r.gradient[b], {1, 51.2727272727273, 48.2424242424242, 49.6666666666667});
}

BOOST_AUTO_TEST_CASE(formula_50) {
  numbers draw(50);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto dA = draw.between<std::vector<double>>(-1, 1, {9});
  const auto dB = draw.between<fixed<1, 9>>(-1, 1);
  const auto u = slice<0>(a, 0, -3);
  const auto f = sum(mean(hypot(u, stop_gradient(u))) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.852038894920529);
  check("by a", r.gradient[a],
        {0.137168983655838, 0.137168983655838, 0.137168983655838, -0.137168983655838, -0.137168983655838,
         0.137168983655838, 0, 0, 0});
  check("by b", r.gradient[b],
        {0.732044111304163, 0.732044111304163, 0.732044111304163, 0.732044111304163, 0.732044111304163,
         0.732044111304163, 0.732044111304163, 0.732044111304163, 0.732044111304163});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-0.14352422531301, -0.144485672521292, -0.0738013721391723, -0.127127543579835, 0.0648565759843954,
         -0.186584823685081, 0, 0, 0});
  check("hvp by b", h[b],
        {-0.0498339026960986, -0.0498339026960986, -0.0498339026960986, -0.0498339026960986, -0.0498339026960986,
         -0.0498339026960986, -0.0498339026960986, -0.0498339026960986, -0.0498339026960986});
}

BOOST_AUTO_TEST_CASE(formula_51) {
  numbers draw(51);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {17});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto u = slice<0>(a, 11, -3) * -0.4;
  const auto f = mean(sigmoid(concatenate<0>(stop_gradient(u), u)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.374168768885912);
  check_sums("by a", r.gradient[a], {-0.0478210665652327, -1.92684318804619, -1.69071304467006, -2.57570613035595});
  check("by b", r.gradient[b], {0.359934592405233});
}

BOOST_AUTO_TEST_CASE(formula_52) {
  numbers draw(52);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto D = draw.between<by_columns<2>>(-1.5, 1.5, {3, 3});
  const auto u = dot(a, c);
  const auto f = sum(b * dot(u, hypot(stop_gradient(slice<0>(u, 0, 3)), transpose(d))));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 7.60811101718284);
  check("by a", r.gradient[a], {1.33569967071964, 2.13713378718764, 4.00666533236681});
  check("by b", r.gradient[b], {7.98087422546412});
  check("by c", r.gradient[c],
        {2.72557271794426, 2.84003767307876, 2.79972567106968, 5.68578473821339, 5.924568715863, 5.84047432928472,
         4.82775255420874, 5.03050204457447, 4.95909820002346});
  check("by d", r.gradient[d],
        {-0.158125345204646, -1.03457543893038, -2.34602138696224, 0.042239933921667, 0.701115277509248,
         -1.63260380818892, 0.0403347769106473, -0.180033427426695, 1.11600695256679});
}

BOOST_AUTO_TEST_CASE(formula_53) {
  numbers draw(53);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto B = draw.between<fixed<9, 1>>(-1.5, 1.5);
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {9, 3});
  const std::vector<int> I{0, 1, 1, 1, 1, 1, 0, 0, 0};
  const auto f = sum(b - (a / sum(stop_gradient(take(reshape<27>(one_hot(i, 3) * c), i)))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, -18.7795271168867);
  check("by a", r.gradient[a], {-2.27037854065152, -2.27037854065152, -2.27037854065152});
  check("by b", r.gradient[b], {3, 3, 3, 3, 3, 3, 3, 3, 3});
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_54) {
  numbers draw(54);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(b - mean<0>(outer(a, stop_gradient(slice<0>(a, 3, 8)))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.26091849079849);
  check("by a", r.gradient[a],
        {0.0517899930310855, 0.0517899930310855, 0.0517899930310855, 0.0517899930310855, 0.0517899930310855,
         0.0517899930310855, 0.0517899930310855, 0.0517899930310855});
  check("by b", r.gradient[b], {1});
}

BOOST_AUTO_TEST_CASE(formula_55) {
  numbers draw(55);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<fixed<4, 1>>(0.5, 2.0);
  const auto dA = draw.between<fixed<1, 9>>(-1, 1);
  const auto dB = draw.between<fixed<4, 1>>(-1, 1);
  const auto f = sum(expm1(min(outer(a, b), b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 9.46120354063443);
  check("by a", r.gradient[a],
        {3.14341160557395, 13.314209967641, 0.786887613580661, 3.03966968835239, 1.94631449595944, 9.19284015632232,
         5.35863050868348, 1.76195231331832, 0});
  check("by b", r.gradient[b], {6.60213115427585, 6.54382255046384, 5.84176919823569, 0.670386889117116});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-3.34409016146073, 19.0671970218608, -0.349211620865493, -4.43284423531637, 0.42761331606265, 10.9069292583983,
         -1.5541259067356, 2.19150706035301, 0});
  check("hvp by b", h[b], {10.0180152863425, 1.63103564259377, 8.0233475752943, -0.101392641807089});
}

BOOST_AUTO_TEST_CASE(formula_56) {
  numbers draw(56);
  const auto A = draw.between<fixed<5>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {17, 2});
  const std::vector<int> I{-1, -1, 1, 3, -3};
  const auto u = take(a, i);
  const auto f = mean(sum(stop_gradient(slice<1>(u * expand_dims<1>(u), 2, 4))) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 0.052687985376555);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {2.20857345937073, 110.558589054382, 105.296987577646, 107.310686908249});
}

BOOST_AUTO_TEST_CASE(formula_57) {
  numbers draw(57);
  const auto A = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<fixed<4>>(-1.5, 1.5);
  const auto f = sum(square(logsumexp(stop_gradient(amin(a)), a * b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.02930692496927);
  check("by a", r.gradient[a],
        {0.601504655083295, 0.00256332155595528, -0.304976948048821, -0.213302740747603, 0.760214465615149,
         0.00247072239649849, -3.15778081460151, 0.0203941510687174});
  check("by b", r.gradient[b], {2.95323502569641, -0.467215868246134, -2.0068927678612, -1.19075771992918});
}

BOOST_AUTO_TEST_CASE(formula_58) {
  numbers draw(58);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto B = draw.between<fixed<4, 1>>(0.5, 2.0);
  const auto C = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto f = sum(c - ((stop_gradient(mean<0>(a)) * a) / b));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -14.5134845787298);
  check("by a", r.gradient[a],
        {1.16091994940681, 1.16091994940681, 1.16091994940681, 1.16091994940681, 1.16091994940681, 1.16091994940681,
         1.16091994940681, 1.16091994940681, 1.16091994940681});
  check("by b", r.gradient[b], {0.206433217796634, 1.18730269392011, 0.860652424957786, 1.02224813724308});
  check("by c", r.gradient[c], {4, 4, 4, 4, 4, 4, 4, 4, 4});
}

BOOST_AUTO_TEST_CASE(formula_59) {
  numbers draw(59);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {33});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto f = sum(square(atan2(erf(sqrt(b)) * a, b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 10.3710597740128);
  check_sums("by a", r.gradient[a], {11.9150228875079, 626.010859994409, 565.736551122567, 607.15765751303});
  check("by b", r.gradient[b], {-7.07871606024672});
}

BOOST_AUTO_TEST_CASE(formula_60) {
  numbers draw(60);
  const auto A = draw.between<fixed<4, 3>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {3});
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {5, 3});
  const auto dA = draw.between<fixed<4, 3>>(-1, 1);
  const auto dB = draw.between<std::vector<double>>(-1, 1, {3});
  const auto dC = draw.between<tensor<2>>(-1, 1, {5, 3});
  const auto f = sum(sum(concatenate<-1>(dot(c, b), b)) * a);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 7.14388422992776);
  check("by a", r.gradient[a],
        {8.11676677051772, 8.11676677051772, 8.11676677051772, 8.11676677051772, 8.11676677051772, 8.11676677051772,
         8.11676677051772, 8.11676677051772, 8.11676677051772, 8.11676677051772, 8.11676677051772, 8.11676677051772});
  check("by b", r.gradient[b], {3.08734237184784, 1.30184002760845, -0.815546461151138});
  check_sums("by c", r.gradient[c], {21.2819763342133, 906.516331853137, 908.384938762903, 1095.02298469804});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a],
        {-1.72415449466938, -1.72415449466938, -1.72415449466938, -1.72415449466938, -1.72415449466938,
         -1.72415449466938, -1.72415449466938, -1.72415449466938, -1.72415449466938, -1.72415449466938,
         -1.72415449466938, -1.72415449466938});
  check("hvp by b", h[b], {3.12175177226773, 0.908573676060766, -1.28179271057161});
  check_sums("hvp by c", h[c], {30.5553914630926, 1164.02304978605, 1235.04834419616, 1569.76636271555});
}
