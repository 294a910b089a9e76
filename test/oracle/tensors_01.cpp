// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_1) {
  numbers draw(1);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {3});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {4, 3});
  const auto f = sum(b + sqrt(softmax<0>(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.72079619411293);
  check("by a", r.gradient[a], {-0.0136923564130474, 0.141696212496792, -0.128003856083745});
  check("by b", r.gradient[b], {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
}

BOOST_AUTO_TEST_CASE(formula_2) {
  numbers draw(2);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const std::vector<int> I{2, 5, -2, 6, -4};
  const auto f = sum(stop_gradient(sum<0>(take(b, i), keep_dims)) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 1.32843189189603);
  check("by a", r.gradient[a], {-1, -1, -1, -1, -1, -1, -1, -1, -1});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_3) {
  numbers draw(3);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {4});
  const auto B = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto f = mean(pow(stop_gradient(a), a + b));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.890954595840389);
  check("by a", r.gradient[a], {-0.057049466767785, 0.00852531630722288, -0.0182962014173192, 0.0943256107825835});
  check("by b", r.gradient[b],
        {-0.0155498650860353, 0.00285924937830111, -0.00599209529558928, 0.0248047831094499, -0.01546536522405,
         0.00282224214039452, -0.00628571382295207, 0.0252353195693394, -0.0260342364576998, 0.00284382478852725,
         -0.0060183922987778, 0.0442855081037942});
}

BOOST_AUTO_TEST_CASE(formula_4) {
  numbers draw(4);
  const auto A = draw.between<fixed<4>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto f = mean(b * ((stop_gradient(a) + a) + 2_c));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.738387012253537);
  check("by a", r.gradient[a], {-0.0644704099695526, -0.301159640274085, 0.223004329646008, 0.141996342463883});
  check("by b", r.gradient[b],
        {0.366551316940793, 0.29862004901063, 0.188385792125507, 0.0705716903262019, 0.366551316940793,
         0.29862004901063, 0.188385792125507, 0.0705716903262019, 0.366551316940793, 0.29862004901063,
         0.188385792125507, 0.0705716903262019});
}

BOOST_AUTO_TEST_CASE(formula_5) {
  numbers draw(5);
  const auto A = draw.between<fixed<9>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {9, 9});
  const auto dA = draw.between<fixed<9>>(-1, 1);
  const auto dB = draw.between<tensor<2>>(-1, 1, {9, 9});
  const auto f = sum(slice<0>(dot(b, a), 0, -7));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.386383497521228);
  check("by a", r.gradient[a],
        {2.67901985751419, 2.46754206762069, 3.22314611832758, 2.98627779050091, 2.11522526951284, 2.03898465448943,
         1.32825685936411, 1.78685836484044, 1.9401292127744});
  check_sums("by b", r.gradient[b], {0.294128566651666, 159.985171720612, 124.410048489184, 167.814492425795});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {0.548301968047536, 1.08429962260849, -1.77291706566369, 1.52032334800825, -0.47166829391926,
         0.0997842234092691, 0.684248188829165, -0.655677027374356, 1.81421161248079});
  check_sums("hvp by b", h[b], {8.35101439913316, 386.272424195554, 324.932072546767, 376.064924351901});
}

BOOST_AUTO_TEST_CASE(formula_6) {
  numbers draw(6);
  const auto A = draw.between<fixed<3, 1, 5>>(0.5, 2.0);
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto f = mean(sum(outer(sigmoid(b), b)) + a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 3.3289836582357);
  check_sums("by a", r.gradient[a], {1, 44.5333333333333, 43.6666666666667, 50.0666666666667});
  check("by b", r.gradient[b], {1.66462916322268, 1.67382566948194});
}

BOOST_AUTO_TEST_CASE(formula_7) {
  numbers draw(7);
  const auto A = draw.between<fixed<3>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {9, 3});
  const auto u = dot(b, a);
  const auto f = sum(logsumexp(where(u < 0.3, u, stop_gradient(u)), u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 17.2529816609264);
  check("by a", r.gradient[a], {4.20777096958262, 5.06247272240579, 5.62078324978742});
  check_sums("by b", r.gradient[b], {4.69319945361614, 219.45318277341, 229.159757353323, 245.011873158748});
}

BOOST_AUTO_TEST_CASE(formula_8) {
  numbers draw(8);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 3});
  const auto B = draw.between<fixed<9, 1>>(-1.5, 1.5);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {3});
  const auto f = mean(c * (a / atan2(stop_gradient(amax<0>(b)), b)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.0349653521430631);
  check_sums("by a", r.gradient[a], {0.266609120914015, 12.8218290941358, 12.7235645646774, 12.9554948083871});
  check("by b", r.gradient[b],
        {0.00210170156508579, -0.000313456919372496, -0.0109721510255324, 0.0387993130526046, 0.00131816435802849,
         0.000950671773671784, -0.0249398946232401, -0.0217411688859043, -0.00724437903199097});
  check("by c", r.gradient[c], {-0.0679788089259965, -0.0765736772719074, -0.144303993418687});
}

BOOST_AUTO_TEST_CASE(formula_9) {
  numbers draw(9);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {33});
  const auto B = draw.between<fixed<2, 1>>(-1.5, 1.5);
  const auto f = sum(dot(where(!(stop_gradient(b - constant<1, 3>) < a), b, a), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 25.8914958628486);
  check_sums("by a", r.gradient[a], {70.3100437230012, 3760.25894217834, 2916.88695526001, 3461.02928718181});
  check("by b", r.gradient[b], {-7.47407807385273, -3.77305366926503});
}

BOOST_AUTO_TEST_CASE(formula_10) {
  numbers draw(10);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto dA = draw.between<std::vector<double>>(-1, 1, {5});
  const auto dB = draw.between<fixed<2, 1, 1>>(-1, 1);
  const auto f = sum(((b * 1.3) + stop_gradient(b)) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.41090810443192);
  check("by a", r.gradient[a],
        {-2.82308886308367, -2.82308886308367, -2.82308886308367, -2.82308886308367, -2.82308886308367});
  check("by b", r.gradient[b], {-1.11019549428494, -1.11019549428494});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-1.42406976484883, -1.42406976484883, -1.42406976484883, -1.42406976484883, -1.42406976484883});
  check("hvp by b", h[b], {-3.04145542147637, -3.04145542147637});
}

BOOST_AUTO_TEST_CASE(formula_11) {
  numbers draw(11);
  const auto A = draw.between<fixed<2, 1>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<2>>(0.5, 2.0, {2, 33});
  const auto C = draw.between<fixed<2>>(0.5, 2.0);
  const auto f = mean(sum(stop_gradient(slice<1>(b, 21, -6)) * a) - c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -7.5692143180425);
  check("by a", r.gradient[a], {7.44484203259686, 5.69300338262366});
  check_zero(r.gradient[b]);
  check("by c", r.gradient[c], {-0.5, -0.5});
}

BOOST_AUTO_TEST_CASE(formula_12) {
  numbers draw(12);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {5, 17});
  const auto f = sum(mean(stack<0>(stop_gradient(b), b)) * a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 7.40728789608727);
  check("by a", r.gradient[a],
        {1.22966830508576, 1.22966830508576, 1.22966830508576, 1.22966830508576, 1.22966830508576});
  check_sums("by b", r.gradient[b], {3.01190486306413, 152.685859469922, 151.339360825258, 152.473254420764});
}

BOOST_AUTO_TEST_CASE(formula_13) {
  numbers draw(13);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {9, 9});
  const auto u = expand_dims<0>(a);
  const auto u1 = hypot(b, stop_gradient(mean<0>(b)));
  const auto f = sum(where((u <= u1) && (u1 >= 0.3), u, u1));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -7.67356485252873);
  check_sums("by a", r.gradient[a], {51, 2613, 2837, 2760});
  check_sums("by b", r.gradient[b], {-8.05297196114678, -278.200703784251, -530.420491162661, -428.196071137684});
}

BOOST_AUTO_TEST_CASE(formula_14) {
  numbers draw(14);
  const auto A = draw.between<tensor<3>>(0.5, 2.0, {2, 3, 5});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto u = where(b > 0, sqrt(b), b / 2_c);
  const auto f = mean(a - (u * stop_gradient(mean<0>(u, keep_dims))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.05945283255013);
  check_sums("by a", r.gradient[a], {1, 49.3333333333333, 48.5, 49.7333333333333});
  check_sums("by b", r.gradient[b], {0.0527163065093449, -0.330995103852712, -0.394766066525632, 2.95877883955747});
}

BOOST_AUTO_TEST_CASE(formula_15) {
  numbers draw(15);
  const auto A = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto dA = draw.between<fixed<3, 1>>(-1, 1);
  const auto dB = draw.between<double>(-1, 1);
  const auto u = a * b;
  const auto u1 = stop_gradient(u);
  const auto f = mean(where(u1 < 0.3, u1, u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.347401535852544);
  check("by a", r.gradient[a], {-0.29764333451057, -0, -0});
  check("by b", r.gradient[b], {-0.125926937268082});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {-0.0352552205798784, -0, -0});
  check("hvp by b", h[b], {0.305733226847711});
}
