// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_196) {
  numbers draw(196);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(constant<1, 3> * outer(slice<0>(a / b, -5, 32), stop_gradient(slice<0>(a, 25, -5))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.129710113747949);
  check_sums("by a", r.gradient[a], {0.174865891113761, 10.0110722662628, 8.6995780829096, 8.87444397402336});
  check("by b", r.gradient[b], {0.0944582564756888});
}

BOOST_AUTO_TEST_CASE(formula_197) {
  numbers draw(197);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {3, 5});
  const auto B = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {5});
  const auto f = mean((mean(transpose(b)) - a) / c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.467168328804703);
  check_sums("by a", r.gradient[a], {-0.37098359931075, -39.0130034728518, -56.0946485341746, -6.38861544731294});
  check("by b", r.gradient[b], {0.185491799655375, 0.185491799655375});
  check("by c", r.gradient[c],
        {0.191760465353105, 0.124944274890374, 0.591682834208081, 4.08139284259953, 0.103682587715454});
}

BOOST_AUTO_TEST_CASE(formula_198) {
  numbers draw(198);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {17});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<fixed<17>>(-1.5, 1.5);
  const auto f = stop_gradient(dot(c, a)) * b;
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -13.7124594361076);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-9.9317560061504});
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_199) {
  numbers draw(199);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {2});
  const auto B = draw.between<fixed<3, 1, 5>>(-1.5, 1.5);
  const auto f = mean(sum(pow(a, 3_c)) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 4.81405835782396);
  check("by a", r.gradient[a], {8.10466084327032, 1.32087379585579});
  check_sums("by b", r.gradient[b], {-1, -44.5333333333333, -43.6666666666667, -50.0666666666667});
}

BOOST_AUTO_TEST_CASE(formula_200) {
  numbers draw(200);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {8, 8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto dA = draw.between<tensor<2>>(-1, 1, {8, 8});
  const auto dB = draw.between<double>(-1, 1);
  const auto dC = draw.between<std::vector<double>>(-1, 1, {8});
  const auto f = sum(min(c, b) * a);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -3.97539610738249);
  check_sums("by a", r.gradient[a], {-35.2298658244451, -1634.12941300712, -1602.75529439945, -1769.1106814568});
  check("by b", r.gradient[b], {0.734920253853743});
  check("by c", r.gradient[c],
        {2.74376970564191, -2.49253895948294, 3.65188679921063, 0, 1.5679756275229, -0, 0.43646818419754, -0});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {-4.38859369065081, -127.842346130331, -303.734378384768, -321.35317347774});
  check("hvp by b", h[b], {0.622009874611166});
  check("hvp by c", h[c],
        {-0.105946989779336, -0.167143638323594, 1.80943448180772, 0, 0.241477461644205, 0, -0.38335539790958, -0});
}

BOOST_AUTO_TEST_CASE(formula_201) {
  numbers draw(201);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto B = draw.between<fixed<9>>(0.5, 2.0);
  const auto f = mean(atan2(where(!((a >= 0.3) && (a <= b)), a, b), stop_gradient(sum(a))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.0457026094459617);
  check_sums("by a", r.gradient[a], {0.0950821676644337, 4.65843246358154, 4.81404827304803, 4.9723981056358});
  check("by b", r.gradient[b],
        {0.00173780801090733, 0.00529167358114545, 0.0087792155981972, 0.00354687730772032, 0.0102452519039408,
         0.00507482129127497, 0.0035688164195755, 0, 0.0101097247539089});
}

BOOST_AUTO_TEST_CASE(formula_202) {
  numbers draw(202);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<fixed<3, 1, 5>>(-1.5, 1.5);
  const auto f = sum(a - mean(stop_gradient(asinh(b))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.15179777769563);
  check("by a", r.gradient[a], {1, 1});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_203) {
  numbers draw(203);
  const auto A = draw.between<fixed<5>>(0.5, 2.0);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {17, 2});
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {5, 17});
  const auto u = abs(a);
  const auto f = mean(sum(mean(where(u < 0.3, stop_gradient(u), u)) * b) * c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.0132333681241984);
  check("by a", r.gradient[a],
        {0.00166437088928652, 0.00166437088928652, 0.00166437088928652, 0.00166437088928652, 0.00166437088928652});
  check_sums("by b", r.gradient[b], {0.559900180556331, 28.0279443325552, 26.6940644906416, 27.20456171409});
  check_sums("by c", r.gradient[c], {1.27787678851781, 64.7808362555676, 64.2095501618772, 64.6906331881428});
}

BOOST_AUTO_TEST_CASE(formula_204) {
  numbers draw(204);
  const auto A = draw.between<fixed<17>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = sum(expm1(clamp(a, -0.5, 0.8)) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.16580955763303);
  check_sums("by a", r.gradient[a], {-0.94119351478893, -44.535373598538, -38.3778122608332, -71.2582500451658});
  check("by b", r.gradient[b], {8.36374772827224});
}

BOOST_AUTO_TEST_CASE(formula_205) {
  numbers draw(205);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto dA = draw.between<tensor<2>>(-1, 1, {3, 3});
  const auto dB = draw.between<double>(-1, 1);
  const auto f = sum(b * reshape<9>(a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.18249627860681);
  check("by a", r.gradient[a],
        {-0.871453765487044, -0.871453765487044, -0.871453765487044, -0.871453765487044, -0.871453765487044,
         -0.871453765487044, -0.871453765487044, -0.871453765487044, -0.871453765487044});
  check("by b", r.gradient[b], {-1.35692371235086});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-0.303955032166073, -0.303955032166073, -0.303955032166073, -0.303955032166073, -0.303955032166073,
         -0.303955032166073, -0.303955032166073, -0.303955032166073, -0.303955032166073});
  check("hvp by b", h[b], {-0.426648867049557});
}

BOOST_AUTO_TEST_CASE(formula_206) {
  numbers draw(206);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {8});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {8, 8});
  const auto u = where((a > b) || (b <= 0.3), a, b);
  const auto f = mean(erf(outer(stop_gradient(amin<1>(u)), u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.254281545379928);
  check("by a", r.gradient[a],
        {-0.0271780322100727, -0.0696997616565106, -0.0122178637657406, -0.0255482743829689, -0.0594079169185277,
         -0.0562390513319965, -0.0163418440015245, -0.0529571325549258});
  check_sums("by b", r.gradient[b], {-0.141876634228057, -7.11350997647153, -8.18706666278675, -6.70512994591114});
}

BOOST_AUTO_TEST_CASE(formula_207) {
  numbers draw(207);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {33});
  const auto B = draw.between<fixed<2, 1>>(-1.5, 1.5);
  const auto f = mean(stop_gradient(mean(a, keep_dims)) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.0853887824104282);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-0.5, -0.5});
}

BOOST_AUTO_TEST_CASE(formula_208) {
  numbers draw(208);
  const auto A = draw.between<by_columns<3>>(-1.5, 1.5, {4, 2, 3});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {3});
  const auto f = mean(b / sum(concatenate<2>(stop_gradient(a), a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.603757020924083);
  check_sums("by a", r.gradient[a], {-4.91620658940887, -234.748864644273, -237.206967938978, -249.292642471275});
  check("by b", r.gradient[b], {0.113092924320144, 0.113092924320144, 0.113092924320144});
}

BOOST_AUTO_TEST_CASE(formula_209) {
  numbers draw(209);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {9, 9});
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {9});
  const auto f = mean(c) + mean(stop_gradient(prod<-2>(a, keep_dims)) - b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -1.75524564035464);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {-1, -50.7901234567901, -50.4691358024691, -51.5925925925926});
  check("by c", r.gradient[c],
        {0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111,
         0.111111111111111, 0.111111111111111, 0.111111111111111, 0.111111111111111});
}

BOOST_AUTO_TEST_CASE(formula_210) {
  numbers draw(210);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {8, 8});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {8});
  const auto dA = draw.between<tensor<2>>(-1, 1, {8, 8});
  const auto dB = draw.between<double>(-1, 1);
  const auto dC = draw.between<std::vector<double>>(-1, 1, {8});
  const auto f = mean(dot(stop_gradient(a), c) / b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 2.94425589885841);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {-5.78943984634659});
  check("by c", r.gradient[c],
        {2.59776255930721, 2.65385263983761, 2.144432348304, 2.11706231841926, 3.06344702918193, 2.26402732897273,
         2.49500550318241, 2.0962196895726});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check_sums("hvp by a", h[a], {0, 0, 0, 0});
  check("hvp by b", h[b], {-12.4090263843315});
  check("hvp by c", h[c],
        {0.80222905809001, 0.819550538188673, 0.662233712143598, 0.653781425688215, 0.946039589308987,
         0.699166482750528, 0.770496097719266, 0.647344901130623});
}
