// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_31) {
  numbers draw(31);
  const auto A = draw.between<fixed<3, 5>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto u = a * c;
  const auto f = mean((stop_gradient(u) * u) + b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.887297534053533);
  check_sums("by a", r.gradient[a], {-0.349809913103602, -28.6897285650077, -23.4717498579825, -12.8107558863417});
  check("by b", r.gradient[b], {1});
  check("by c", r.gradient[c], {0.0885816250450853, -0.303827593260395, 0.511222897336147});
}

BOOST_AUTO_TEST_CASE(formula_32) {
  numbers draw(32);
  const auto A = draw.between<fixed<9, 3>>(-1.5, 1.5);
  const auto B = draw.between<fixed<9, 3>>(0.5, 2.0);
  const auto f = mean(sum<0, 1>(slice<0>(b, 3, 6)) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 11.5002781918222);
  check_sums("by a", r.gradient[a], {-1, -48.0740740740741, -46.037037037037, -51.2962962962963});
  check_sums("by b", r.gradient[b], {9, 399, 448, 428});
}

BOOST_AUTO_TEST_CASE(formula_33) {
  numbers draw(33);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<by_columns<4>>(-1.5, 1.5, {2, 3, 2, 5});
  const auto u = slice<0>(a, 1, 3);
  const auto f = mean(b * dot(u, stop_gradient(u)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.136326070761353);
  check("by a", r.gradient[a], {0, 0.0203226042830128, -0.118150504815, 0, 0});
  check_sums("by b", r.gradient[b], {1.29307586522285, 65.3218824581745, 64.330524294837, 65.6236001600598});
}

BOOST_AUTO_TEST_CASE(formula_34) {
  numbers draw(34);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const auto B = draw.between<tensor<1>>(-1.5, 1.5, {9});
  const auto f = sum(atan2(b, exp(a) * stop_gradient(b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -24.0617249094898);
  check_sums("by a", r.gradient[a], {-13.2197206550729, -660.947394263105, -653.673532609791, -684.594383097454});
  check("by b", r.gradient[b],
        {1.89325361990091, 1.4835218977606, -1.28705807124595, 9.84522303431358, -7.92358868594019, 8.86459231145613,
         -1.16610840847818, -1.69074401605294, 7.86876822755342});
}

BOOST_AUTO_TEST_CASE(formula_35) {
  numbers draw(35);
  const auto A = draw.between<tensor<2>>(0.5, 2.0, {4, 9});
  const auto B = draw.between<fixed<4>>(-1.5, 1.5);
  const auto dA = draw.between<tensor<2>>(-1, 1, {4, 9});
  const auto dB = draw.between<fixed<4>>(-1, 1);
  const auto f = sum(b * mean(a + stop_gradient(a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -6.17197661310107);
  check_sums("by a", r.gradient[a], {-2.44732539236887, -124.609651228115, -119.307112877982, -124.133782401821});
  check("by b", r.gradient[b], {2.52192725672942, 2.52192725672942, 2.52192725672942, 2.52192725672942});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {-0.238149950391683, -12.1258016407765, -11.6098100815945, -12.0794947059781});
  check("hvp by b", h[b], {-0.0345864441769031, -0.0345864441769031, -0.0345864441769031, -0.0345864441769031});
}

BOOST_AUTO_TEST_CASE(formula_36) {
  numbers draw(36);
  const auto A = draw.between<by_columns<2>>(-1.5, 1.5, {17, 3});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto f = sum(stop_gradient(sum(expand_dims<-3>(pow(a, 3_c)))) * b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.05571468992357);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {162.431971037164, 7710.74121335244, 7347.65798397525, 7653.41228239815});
}

BOOST_AUTO_TEST_CASE(formula_37) {
  numbers draw(37);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 17});
  const auto B = draw.between<fixed<17>>(-1.5, 1.5);
  const auto u = expand_dims<-2>(dot(a, b));
  const auto u1 = stop_gradient(u);
  const auto f = mean(min(u1 - u, u1));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.89553994317014);
  check_sums("by a", r.gradient[a], {-0.447709898789278, -59.4673094543243, -38.8467357779605, -80.3130256121806});
  check_sums("by b", r.gradient[b], {5.68251034800546, 243.768235593111, 264.588205853867, 253.032953137198});
}

BOOST_AUTO_TEST_CASE(formula_38) {
  numbers draw(38);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {5, 17});
  const auto C = draw.between<std::vector<double>>(0.5, 2.0, {2});
  const auto f = sum(c - sum(dot(a, b)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 25.4773372917151);
  check("by a", r.gradient[a],
        {4.36363857582381, -16.8856529080708, -8.20376817099926, 5.62496859702513, 8.73581156774229});
  check_sums("by b", r.gradient[b], {41.8666726690096, 2235.1434920999, 2156.47396773262, 2061.19396215127});
  check("by c", r.gradient[c], {1, 1});
}

BOOST_AUTO_TEST_CASE(formula_39) {
  numbers draw(39);
  const auto A = draw.between<by_columns<2>>(0.5, 2.0, {3, 3});
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(clamp(b / (exp(a) - b), -0.5, 0.8));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.0597123794052935);
  check("by a", r.gradient[a],
        {-0.00546028410718771, -0.00406736570201706, -0.0125486967742572, -0.00615892269840775, -0.00413608763235296,
         -0.00386422060141577, -0.00641738728373422, -0.0116989856333271, -0.00955032905020184});
  check("by b", r.gradient[b], {0.271319136470987});
}

BOOST_AUTO_TEST_CASE(formula_40) {
  numbers draw(40);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<fixed<4, 1>>(0.5, 2.0);
  const auto C = draw.between<tensor<1>>(-1.5, 1.5, {9});
  const auto dA = draw.between<fixed<1, 9>>(-1, 1);
  const auto dB = draw.between<fixed<4, 1>>(-1, 1);
  const auto dC = draw.between<tensor<1>>(-1, 1, {9});
  const auto f = sum(c * (a - pow(sqrt(b), -1.5)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -6.72948337812622);
  check("by a", r.gradient[a],
        {-4.20566960899423, 4.12230423936728, 3.74793849780594, 4.73922759049536, -0.74497919843764, 3.10911221667617,
         -4.04418882450284, -1.03874757654907, -5.3842675999665});
  check("by b", r.gradient[b], {0.0190086672033126, 0.0669953343138192, 0.043400650455514, 0.0394572659905801});
  check("by c", r.gradient[c],
        {2.51370142484886, 1.02912023120217, -9.18967828801188, -8.81299926969664, -6.14010617455308, -6.91751049999799,
         -9.00170405101877, -7.10860537542267, -5.34243567569131});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a],
        {1.93784370549854, -2.34649187994492, -3.50953682116677, -0.851894541108932, -1.80139386924049,
         -3.08346210749981, -1.79939112337278, -2.40891632736144, -0.800038064271229});
  check("hvp by b", h[b], {-0.921360536986409, -3.23272736348537, -2.16156075069516, -1.86966525415477});
  check("hvp by c", h[c],
        {2.26323803110664, 3.4505450839738, -4.05070596513372, -0.940097434385735, -0.755709698277401,
         -4.17530001285734, 0.780624899012317, -3.7679542408781, -0.231615891289729});
}

BOOST_AUTO_TEST_CASE(formula_41) {
  numbers draw(41);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto u = a - b;
  const auto u1 = stop_gradient(u);
  const auto f = mean(dot(atan2(u, where(u1 > a, b, u1)), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 12.1785576972874);
  check("by a", r.gradient[a],
        {-2.03622285513278, 1.66837919733031, 1.8146534644681, -2.25337801192241, 1.5902072417962, 2.58003512672308,
         -1.93964278428771, -1.45963044720046, -2.10857874084169});
  check("by b", r.gradient[b],
        {-1.10819905631284, -0.452385022740632, -0.220636230099035, -0.102816478269936, -0.735429012636417,
         -0.0226654879292341, -0.416551705904639, -1.72018126141342, -1.03328793583953});
}

BOOST_AUTO_TEST_CASE(formula_42) {
  numbers draw(42);
  const auto A = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {9});
  const auto f = mean(hypot(pow(b, -1.5), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.41745150296246);
  check("by a", r.gradient[a],
        {-0.0266778855120757, 0.0725312232382263, -0.00111773052857278, 0.0577722484919043, 0.105416275771494,
         0.0630679696967481, 0.0579252126854959, 0.105659167452887, -0.0481053918163805});
  check("by b", r.gradient[b],
        {-0.0765857750090102, -0.076833749878377, -0.53456077610407, -0.217572362657372, -0.0134818263053316,
         -0.0771265546897756, -0.219250127203419, -0.0123932344680298, -0.561667627208613});
}

BOOST_AUTO_TEST_CASE(formula_43) {
  numbers draw(43);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {5});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto C = draw.between<fixed<3, 1, 5>>(-1.5, 1.5);
  const auto u = outer(a, b);
  const auto f = mean(mean(where(u > 0, sqrt(u), u / 2_c)) - c);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.121468346467872);
  check("by a", r.gradient[a],
        {-0.012003376160135, -0.0111173089076861, 0.00282628858359667, 0.0098064387886482, 0.00057419461804575});
  check("by b", r.gradient[b], {0.237495224121877, 0.269316681006139});
  check_sums("by c", r.gradient[c], {-1, -44.5333333333333, -43.6666666666667, -50.0666666666667});
}

BOOST_AUTO_TEST_CASE(formula_44) {
  numbers draw(44);
  const auto A = draw.between<fixed<4, 9>>(-1.5, 1.5);
  const auto B = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const std::vector<int> I{5, 7, 4, 3};
  const auto f = sum(dot(stop_gradient(take<1>(b, i)), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -0.350477739231745);
  check_sums("by a", r.gradient[a], {-11.5322227210422, -638.388349844557, -690.571886138558, -518.933254058442});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_45) {
  numbers draw(45);
  const auto A = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<fixed<4>>(-1.5, 1.5);
  const auto dA = draw.between<fixed<2, 1, 4>>(-1, 1);
  const auto dB = draw.between<fixed<4>>(-1, 1);
  const auto u = transpose(a);
  const auto f = mean(mean(hypot(u, stop_gradient(u))) + b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.58537859289137);
  check("by a", r.gradient[a],
        {-0.0883883476483184, -0.0883883476483184, 0.0883883476483184, 0.0883883476483184, 0.0883883476483184,
         -0.0883883476483184, 0.0883883476483184, 0.0883883476483184});
  check("by b", r.gradient[b], {0.25, 0.25, 0.25, 0.25});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-0.0119344976059874, 0.338033362193699, -3.51310070751191e-06, -0.0136552305355032, -0.0152560018901139,
         -0.00123331854780416, 0.0219532871607473, 0.0406384597435636});
  check("hvp by b", h[b], {0, 0, 0, 0});
}
