// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_46) {
  numbers draw(46);
  const auto A = draw.between<fixed<33>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {33});
  const auto f = sum(a / hypot(b, stop_gradient(mean(c, keep_dims))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.20206318233245);
  check_sums("by a", r.gradient[a], {24.2088662030652, 1241.25459441171, 1167.89439379636, 1202.37368808557});
  check("by b", r.gradient[b], {0.879494415186227});
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_47) {
  numbers draw(47);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {9});
  const auto B = draw.between<fixed<4>>(0.5, 2.0);
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {9, 4});
  const std::vector<int> I{3, 0, 2, 0, 2, 3, 1, 0, 2};
  const auto f = mean(sum(a - mean(c - one_hot(i, 4))) * b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, 9.12510681950038);
  check("by a", r.gradient[a],
        {0.687828408117792, 0.687828408117792, 0.687828408117792, 0.687828408117792, 0.687828408117792,
         0.687828408117792, 0.687828408117792, 0.687828408117792, 0.687828408117792});
  check("by b", r.gradient[b], {3.31663635574125, 3.31663635574125, 3.31663635574125, 3.31663635574125});
  check_sums("by c", r.gradient[c], {-6.19045567306013, -315.197368019978, -301.784714061681, -313.993668305772});
}

BOOST_AUTO_TEST_CASE(formula_48) {
  numbers draw(48);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = sum(asinh(b) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.70474995619531);
  check("by a", r.gradient[a], {-1, -1, -1, -1, -1, -1, -1, -1, -1});
  check("by b", r.gradient[b], {8.9345201949442});
}

BOOST_AUTO_TEST_CASE(formula_49) {
  numbers draw(49);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto B = draw.between<tensor<3>>(-1.5, 1.5, {4, 2, 3});
  const auto f = mean(mean(transpose(b)) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.565467574955182);
  check("by a", r.gradient[a], {-0.333333333333333, -0.333333333333333, -0.333333333333333});
  check_sums("by b", r.gradient[b], {1, 47.75, 48.25, 50.7083333333333});
}

BOOST_AUTO_TEST_CASE(formula_50) {
  numbers draw(50);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {3, 5});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto dA = draw.between<by_columns<2>>(-1, 1, {3, 5});
  const auto dB = draw.between<double>(-1, 1);
  const auto u = b * a;
  const auto f = mean(atan2(u, stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.30899693899575);
  check_sums("by a", r.gradient[a], {-1.07538679302406, -97.6641961852675, -71.5527657807494, -57.5486762835582});
  check("by b", r.gradient[b], {0.430127371571064});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {3.19032946789373, 258.66491645873, 93.0541326160378, 415.064720433631});
  check("hvp by b", h[b], {-0.24390145955115});
}

BOOST_AUTO_TEST_CASE(formula_51) {
  numbers draw(51);
  const auto A = draw.between<fixed<9, 9>>(0.5, 2.0);
  const auto B = draw.between<fixed<1, 9>>(0.5, 2.0);
  const auto u = where(!(a >= b), b, a);
  const auto f = mean(atan2(mean<-1>(stop_gradient(amax<0>(u, keep_dims))), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.880140091907024);
  check_sums("by a", r.gradient[a], {-0.138534246536905, -6.5427309713645, -8.09966413665366, -6.99526062380332});
  check("by b", r.gradient[b],
        {-0.0268564986064857, -0.0223769419718086, -0.0285603622569026, -0.0232172055052505, -0.0165030909358851, 0,
         -0.0198292395964119, -0.0230942329604778, -0.0250118077134071});
}

BOOST_AUTO_TEST_CASE(formula_52) {
  numbers draw(52);
  const auto A = draw.between<fixed<3>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto u = logsumexp(a, b);
  const auto f = sum(slice<0>(u, -3, 2) * stop_gradient(sum(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 7.74553316339616);
  check("by a", r.gradient[a], {2.64964817608412, 2.98024167755986, 0});
  check("by b", r.gradient[b], {1.29190363230525});
}

BOOST_AUTO_TEST_CASE(formula_53) {
  numbers draw(53);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<tensor<4>>(0.5, 2.0, {2, 3, 2, 5});
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto f = sum(mean(stop_gradient(outer(a, sum(c, keep_dims)))) - b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -12.322030162715);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {-60, -3031, -2985, -3045});
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_54) {
  numbers draw(54);
  const auto A = draw.between<tensor<3>>(-1.5, 1.5, {2, 3, 5});
  const auto B = draw.between<fixed<1, 5>>(-1.5, 1.5);
  const auto f = sum(logsumexp<-2>(a, keep_dims) + b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 14.7099424439197);
  check_sums("by a", r.gradient[a], {10, 514.923507331466, 515.709164979125, 490.808520021901});
  check("by b", r.gradient[b], {2, 2, 2, 2, 2});
}

BOOST_AUTO_TEST_CASE(formula_55) {
  numbers draw(55);
  const auto A = draw.between<fixed<2, 4>>(0.5, 2.0);
  const auto B = draw.between<fixed<4, 1, 3>>(0.5, 2.0);
  const auto dA = draw.between<fixed<2, 4>>(-1, 1);
  const auto dB = draw.between<fixed<4, 1, 3>>(-1, 1);
  const std::vector<int> I{-3, 2, -1, -1};
  const auto f = mean(mean(a + stop_gradient(take<1>(a, i))) / b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 1.94141246345946);
  check("by a", r.gradient[a],
        {0.1134759961531, 0.1134759961531, 0.1134759961531, 0.1134759961531, 0.1134759961531, 0.1134759961531,
         0.1134759961531, 0.1134759961531});
  check("by b", r.gradient[b],
        {-0.0544484599081131, -0.0571284505099464, -0.0576548523734371, -0.064937023897474, -0.481033454116192,
         -0.336245746098381, -0.0602879894980465, -0.137712099650181, -0.610711862188976, -0.0901549244979952,
         -0.0648973593648614, -0.163999923632464});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B, i = I);
  check("hvp by a", h[a],
        {-0.0161093529484137, -0.0161093529484137, -0.0161093529484137, -0.0161093529484137, -0.0161093529484137,
         -0.0161093529484137, -0.0161093529484137, -0.0161093529484137});
  check("hvp by b", h[b],
        {0.00139935691424798, 0.0434235933079118, -0.0225892055535094, 0.00519136502424298, -0.781602862367665,
         0.609421010850143, -0.0753677499212452, -0.0855486258126016, 1.19108193553817, -0.10311553368152,
         0.024429951935736, 0.0433493977931767});
}

BOOST_AUTO_TEST_CASE(formula_56) {
  numbers draw(56);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {4});
  const auto u = stop_gradient(slice<0>(b, 2, 4));
  const auto f = mean(a * dot(outer(b, u), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.679151001835073);
  check("by a", r.gradient[a],
        {-0.0323765559881513, -0.00852828990289153, -0.209457094910395, -0.216281502991485, -0.0323765559881513,
         -0.00852828990289153, -0.209457094910395, -0.216281502991485, -0.0323765559881513, -0.00852828990289153,
         -0.209457094910395, -0.216281502991485});
  check("by b", r.gradient[b], {0.277218422793971, 0.0487545698451284, 0.636246779817702, -0.0434572778511751});
}

BOOST_AUTO_TEST_CASE(formula_57) {
  numbers draw(57);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<fixed<2, 1, 4>>(0.5, 2.0);
  const auto u = hypot(c, prod<3>(a));
  const auto f = sum(b / (stop_gradient(u) - (-u)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 8.91853253592948);
  check("by a", r.gradient[a],
        {-1.78577796337054e-05, -0.000638357068352909, -0.000220141171022301, 1.34245562482838e-05, -0.450191345151872,
         0.428634031293025, 0.671499565250232, -0.401682917376071, -7.97005818548603e-06, -0.000598941697470793,
         3.11578598746496e-06, 1.65968266275963e-05});
  check("by b", r.gradient[b], {9.36189814716019});
  check("by c", r.gradient[c],
        {-0.177679301354364, -0.341199223375881, -0.17195823935227, -0.140918500825982, -0.691058636159852,
         -0.839271910166603, -1.03630288364956, -0.873320702451088});
}

BOOST_AUTO_TEST_CASE(formula_58) {
  numbers draw(58);
  const auto A = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {3, 5});
  const auto D = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const auto f = sum(((a / stop_gradient(log1p(b))) / c) - d);
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, 26.0658270542327);
  check("by a", r.gradient[a], {-17.0352896657613, -23.1185213621744, -19.7932464307196});
  check_zero(r.gradient[b]);
  check_sums("by c", r.gradient[c], {-43.6255387347597, -1866.47866022858, -1731.22453383493, -2320.89476998374});
  check("by d", r.gradient[d], {-3, -3, -3, -3, -3});
}

BOOST_AUTO_TEST_CASE(formula_59) {
  numbers draw(59);
  const auto A = draw.between<tensor<1>>(0.5, 2.0, {9});
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto u = amin<-1>(b);
  const auto f = mean(a * outer(outer(stop_gradient(u), u), b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.678058668822851);
  check("by a", r.gradient[a],
        {-0.197923226945145, -0.141756598237876, -0.257060073125552, 0.0365278113299838, -0.00815793930166922,
         -0.211053511020021, -0.142784920160409, 0.249926135742585, 0.203066999478551});
  check("by b", r.gradient[b],
        {0.176272157639223, 0.198761801490969, 0.90055528696028, 0.324741060153078, 0.271470479553658,
         0.242059894695246, 0.370136054788793, 0.308403020707989, 0.23734425991493});
}

BOOST_AUTO_TEST_CASE(formula_60) {
  numbers draw(60);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto B = draw.between<fixed<9, 1>>(-1.5, 1.5);
  const auto dA = draw.between<tensor<2>>(-1, 1, {9, 3});
  const auto dB = draw.between<fixed<9, 1>>(-1, 1);
  const auto u = slice<0>(b, 3, 8);
  const auto f = sum(a * mean(stop_gradient(u) * u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.74999968091733);
  check_sums("by a", r.gradient[a], {12.5065944257794, 601.242946839319, 575.766550786805, 641.541973322385});
  check(
      "by b", r.gradient[b],
      {0, 0, 0, -0.416120914870256, -0.424874874016973, 0.905059721464308, 0.0296237418532749, -0.385507447307361, 0});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-1.79988815377762, -86.5279564297538, -82.8615175979845, -92.3275960363705});
  check("hvp by b", h[b],
        {0, 0, 0, 0.0705494524862339, 0.072033605295713, -0.153444505034213, -0.00502243144638308, 0.0653592221995858,
         0});
}
