// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_76) {
  numbers draw(76);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {2, 17});
  const auto B = draw.between<fixed<17>>(0.5, 2.0);
  const auto f = mean(a * softmax<-1>(b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.0695730109757179);
  check_sums("by a", r.gradient[a], {0.0588235294117647, 3.1422736349456, 2.82421737112682, 2.59885706063167});
  check_sums("by b", r.gradient[b], {9.2767048383291e-18, -0.0787279733790489, -0.11866943153908, 0.303018008377305});
}

BOOST_AUTO_TEST_CASE(formula_77) {
  numbers draw(77);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 4});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {3});
  const auto C = draw.between<tensor<3>>(-1.5, 1.5, {4, 2, 3});
  const auto D = draw.between<fixed<4, 1, 3>>(-1.5, 1.5);
  const std::vector<int> I{3, 2, 1};
  const auto f = sum(c * (where((b >= d) && (d <= 0.3), d, b) * stop_gradient(take<1>(a, i))));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D, i = I);
  check_value(r.value, -2.13777878559056);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {0, 2.26979928417281, 0.541579867114867});
  check_sums("by c", r.gradient[c], {1.03277739342392, 142.820215768683, -8.27959586892839, 171.160226000538});
  check("by d", r.gradient[d],
        {-0.690085565554859, 0.423366158904303, 0, 0.456275151628397, 0, 0, -0.856211303499073, 0, 0, -1.01321110748379,
         0, 0});
}

BOOST_AUTO_TEST_CASE(formula_78) {
  numbers draw(78);
  const auto A = draw.between<fixed<5>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = sum(sum<1>(b * expand_dims<1>(a), keep_dims));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.21936013084704);
  check("by a", r.gradient[a],
        {0.846988955674222, 0.846988955674222, 0.846988955674222, 0.846988955674222, 0.846988955674222});
  check("by b", r.gradient[b], {3.80094700087837});
}

BOOST_AUTO_TEST_CASE(formula_79) {
  numbers draw(79);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {3, 3});
  const std::vector<int> I{0, 2, 1};
  const auto f = sum((b + stop_gradient(one_hot(i, 3) * a)) + c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, 14.1806134296025);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {9});
  check("by c", r.gradient[c], {1, 1, 1, 1, 1, 1, 1, 1, 1});
}

BOOST_AUTO_TEST_CASE(formula_80) {
  numbers draw(80);
  const auto A = draw.between<fixed<3>>(0.5, 2.0);
  const auto B = draw.between<fixed<9, 1>>(0.5, 2.0);
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto dA = draw.between<fixed<3>>(-1, 1);
  const auto dB = draw.between<fixed<9, 1>>(-1, 1);
  const auto dC = draw.between<tensor<2>>(-1, 1, {9, 3});
  const auto f = mean(sum(outer(c, asinh(b))) * a);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -1.61973032357479);
  check("by a", r.gradient[a], {-0.348268075443057, -0.348268075443057, -0.348268075443057});
  check("by b", r.gradient[b],
        {-0.145260772696517, -0.110563458611413, -0.143360671435725, -0.112476067291298, -0.0844916246338149,
         -0.124447906855552, -0.160810964195636, -0.121769313039907, -0.13424854979552});
  check_sums("by c", r.gradient[c], {360.309578915591, 17321.5493863865, 16587.5854293363, 18482.5469184479});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a], {-16.6932901858723, -16.6932901858723, -16.6932901858723});
  check("hvp by b", h[b],
        {-6.84875447367976, -5.1973617806861, -6.75184994392065, -5.31028056109927, -3.99294684209165, -5.8672559210064,
         -7.58318834796711, -5.81342494728547, -6.31836171891706});
  check_sums("hvp by c", h[c], {82.1765136934864, 3950.55980644983, 3783.16320448162, 4215.35079501773});
}

BOOST_AUTO_TEST_CASE(formula_81) {
  numbers draw(81);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const std::vector<int> I{1, 1, 2, 3};
  const auto f = sum(a * sum(slice<0>(stop_gradient(take(b, i)), 0, -1)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -2.72169666512922);
  check("by a", r.gradient[a], {4.58506019673546, 4.58506019673546});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_82) {
  numbers draw(82);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = dot(a, softplus(a)) * b;
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -13.2850612513486);
  check_sums("by a", r.gradient[a], {-27.7682186890419, -1348.51398164587, -1326.32128917762, -1053.68159923792});
  check("by b", r.gradient[b], {17.4161488728954});
}

BOOST_AUTO_TEST_CASE(formula_83) {
  numbers draw(83);
  const auto A = draw.between<fixed<16, 2>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {16});
  const auto f = sum(dot(b, clamp(softplus(a) - a, -0.5, 0.8)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.13867901487475);
  check_sums("by a", r.gradient[a], {-2.71803668644323, -164.342726532977, -108.72527657745, -190.043413528229});
  check_sums("by b", r.gradient[b], {8.53576330637835, 397.6535100643, 376.419796145868, 439.01513997244});
}

BOOST_AUTO_TEST_CASE(formula_84) {
  numbers draw(84);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto u = where(a < c, b, c);
  const auto f = hypot(mean<-1>(u), stop_gradient(amin<0>(u)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.34825564687494);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {0.0917626518868501});
  check_sums("by c", r.gradient[c], {0.0863648488346825, 3.83244016703904, 3.8054511517782, 4.1725017593256});
}

BOOST_AUTO_TEST_CASE(formula_85) {
  numbers draw(85);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto B = draw.between<fixed<17>>(-1.5, 1.5);
  const auto dA = draw.between<std::vector<double>>(-1, 1, {17});
  const auto dB = draw.between<fixed<17>>(-1, 1);
  const auto f = max(stop_gradient(dot(b, a)), norm<0>(a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.64878389192855);
  check_sums("by a", r.gradient[a], {-0.435422384764826, -26.8000397754732, 38.7070174758191, -34.1092102285823});
  check_zero(r.gradient[b]);
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-0.926827734890298, -51.8104796470956, -51.0962552235646, -50.3652824840345});
  check_sums("hvp by b", h[b], {0, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(formula_86) {
  numbers draw(86);
  const auto A = draw.between<fixed<9, 1>>(-1.5, 1.5);
  const auto B = draw.between<fixed<3>>(0.5, 2.0);
  const std::vector<int> I{0, 2, 1};
  const auto f = mean(stop_gradient(take(b, i)) * amin<0>(a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.660215012116395);
  check("by a", r.gradient[a], {0, 0.689512897836749, 0, 0, 0, 0, 0, 0, 0});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_87) {
  numbers draw(87);
  const auto A = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto f = mean(log1p(a) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.290340845639184);
  check("by a", r.gradient[a], {0.0553577109540369, 0.0789467989875633, 0.0545856413857383});
  check("by b", r.gradient[b],
        {-0.438761983771515, -0.0964241126513844, -0.169252615077149, -0.104323228392943, -0.0948271147058678});
}

BOOST_AUTO_TEST_CASE(formula_88) {
  numbers draw(88);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {3, 3});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {3, 3});
  const auto f = mean(b - slice<1>(a, 0, 3));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.248024252281225);
  check("by a", r.gradient[a],
        {-0.111111111111111, -0.111111111111111, -0.111111111111111, -0.111111111111111, -0.111111111111111,
         -0.111111111111111, -0.111111111111111, -0.111111111111111, -0.111111111111111});
  check("by b", r.gradient[b],
        {0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111,
         0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111});
}

BOOST_AUTO_TEST_CASE(formula_89) {
  numbers draw(89);
  const auto A = draw.between<fixed<4>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = log1p(exp2(b));
  const auto f = sum(where(a < stop_gradient(u), a, u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -2.26867630952562);
  check("by a", r.gradient[a], {1, 0, 1, 1});
  check("by b", r.gradient[b], {0.375016286106041});
}

BOOST_AUTO_TEST_CASE(formula_90) {
  numbers draw(90);
  const auto A = draw.between<fixed<2, 1, 4>>(0.5, 2.0);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto dA = draw.between<fixed<2, 1, 4>>(-1, 1);
  const auto dB = draw.between<double>(-1, 1);
  const auto u = pow(a, b);
  const auto f = sum(stop_gradient(u) * u);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 20.3700176065209);
  check("by a", r.gradient[a],
        {0.962305835051524, 2.52137370479917, 2.35044032549685, 2.23475933650267, 2.66869034424206, 1.53791567433827,
         0.847214064845441, 2.06364622665561});
  check("by b", r.gradient[b], {9.56340528350886});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {0.627009239507423, 3.57012773292642, 3.22598447579322, 2.79156923341979, 4.04428183990249, 1.57802110871475,
         0.406056281287116, 2.69087473151214});
  check("hvp by b", h[b], {5.78819696140022});
}
