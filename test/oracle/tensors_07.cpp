// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_91) {
  numbers draw(91);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {16, 2});
  const auto B = draw.between<fixed<1>>(0.5, 2.0);
  const auto C = draw.between<std::vector<double>>(-1.5, 1.5, {16});
  const auto f = mean(a * softmax<-1>(stop_gradient(amin<0>(stack<1>(c, min(b, c)), keep_dims))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.0229976383596066);
  check_sums("by a", r.gradient[a], {0.5, 25.28125, 23.765625, 25.125});
  check_zero(r.gradient[b]);
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_92) {
  numbers draw(92);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto B = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto u = stop_gradient(slice<3>(a * (b * outer(b, a)), 2, 4));
  const auto f = sum(where(b > u, b, u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 28.1788261386352);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {6, 6, 3});
}

BOOST_AUTO_TEST_CASE(formula_93) {
  numbers draw(93);
  const auto A = draw.between<fixed<3>>(-1.5, 1.5);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {4, 3});
  const auto u = b + 0.7;
  const auto f = mean(where((a < 0.3) || (a < 0.3), stack<0>(stop_gradient(u), u), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.452251863822148);
  check("by a", r.gradient[a], {0.333333333333333, 0.333333333333333, 0});
  check("by b", r.gradient[b],
        {0, 0, 0.0416666666666667, 0, 0, 0.0416666666666667, 0, 0, 0.0416666666666667, 0, 0, 0.0416666666666667});
}

BOOST_AUTO_TEST_CASE(formula_94) {
  numbers draw(94);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<fixed<3, 1>>(0.5, 2.0);
  const auto C = draw.between<double>(0.5, 2.0);
  const auto u = atan2(a, pow(c, b));
  const auto u1 = sigmoid(u);
  const auto u2 = stop_gradient(mean<0>(u, keep_dims));
  const auto f = mean(where(u1 <= u2, u2, u1));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.452262614727719);
  check("by a", r.gradient[a], {0.0142028079737687, 0.0876126912579861, 0, 0.0163977657095683, 0.0242705960046583});
  check("by b", r.gradient[b], {-0.00745200403276507, -0.0057463117688658, -0.00880181803531936});
  check("by c", r.gradient[c], {0.0730074080369501});
}

BOOST_AUTO_TEST_CASE(formula_95) {
  numbers draw(95);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {2});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto C = draw.between<fixed<2, 1>>(-1.5, 1.5);
  const auto dA = draw.between<tensor<1>>(-1, 1, {2});
  const auto dB = draw.between<std::vector<double>>(-1, 1, {33});
  const auto dC = draw.between<fixed<2, 1>>(-1, 1);
  const auto f = sum(b * dot(dot(a, c), stop_gradient(amin<0>(b, keep_dims))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.679747287996006);
  check("by a", r.gradient[a], {-1.29855785121082, -1.35444229498633});
  check_sums("by b", r.gradient[b], {-15.1922706317222, -778.949148753755, -732.911965021263, -754.549441375534});
  check("by c", r.gradient[c], {-0.858406484823339, -0.27328507927977});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C);
  check("hvp by a", h[a], {3.19659356820679, 0.360889992146114});
  check_sums("hvp by b", h[b], {9.2544163049375, 474.499163271341, 446.455477498803, 459.636009811896});
  check("hvp by c", h[c], {2.22955890794405, 0.483334435265245});
}

BOOST_AUTO_TEST_CASE(formula_96) {
  numbers draw(96);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {5, 17});
  const auto B = draw.between<fixed<5>>(0.5, 2.0);
  const auto u = stop_gradient(mean<0>(a, keep_dims));
  const auto f = sum(mean(pow(concatenate<0>(u - a, u), 3_c)) - b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -5.95534391054264);
  check_sums("by a", r.gradient[a], {-7.41455915511187, -379.357880353953, -352.039986413185, -370.224715473304});
  check("by b", r.gradient[b], {-1, -1, -1, -1, -1});
}

BOOST_AUTO_TEST_CASE(formula_97) {
  numbers draw(97);
  const auto A = draw.between<std::vector<double>>(0.5, 2.0, {3});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {5, 4});
  const std::vector<int> I{1, 1};
  const auto f = mean(sum(asinh(stop_gradient(take(where(b > 0, log(b), b / 2_c), i)))) + a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -1.40446406343126);
  check("by a", r.gradient[a], {0.333333333333333, 0.333333333333333, 0.333333333333333});
  check_zero(r.gradient[b]);
}

BOOST_AUTO_TEST_CASE(formula_98) {
  numbers draw(98);
  const auto A = draw.between<fixed<3>>(0.5, 2.0);
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {5, 4});
  const auto C = draw.between<tensor<2>>(0.5, 2.0, {4, 3});
  const auto u = stop_gradient(b);
  const auto f = mean(c * (a + sum(u * (-u))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -15.1457350755776);
  check("by a", r.gradient[a], {0.45706796005775, 0.502499947636, 0.424972337364051});
  check_zero(r.gradient[b]);
  check("by c", r.gradient[c],
        {-0.943978356303694, -0.922274162797908, -0.864149444980208, -0.943978356303694, -0.922274162797908,
         -0.864149444980208, -0.943978356303694, -0.922274162797908, -0.864149444980208, -0.943978356303694,
         -0.922274162797908, -0.864149444980208});
}

BOOST_AUTO_TEST_CASE(formula_99) {
  numbers draw(99);
  const auto A = draw.between<tensor<1>>(-1.5, 1.5, {2});
  const auto B = draw.between<tensor<2>>(-1.5, 1.5, {16, 2});
  const auto C = draw.between<std::vector<double>>(0.5, 2.0, {1});
  const auto D = draw.between<std::vector<double>>(0.5, 2.0, {16});
  const auto f = sum(d / sum((a / concatenate<0>(c, stop_gradient(c))) * b));
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, -4.58994197126755);
  check("by a", r.gradient[a], {-1.54053775517623, -3.2349771363964});
  check_sums("by b", r.gradient[b], {14.9404664498957, 753.979536129566, 734.64821038646, 762.754485837313});
  check("by c", r.gradient[c], {-0.583667209031688});
  check_sums("by d", r.gradient[d], {-3.34421999461979, -150.280886008227, -153.207078503519, -164.075793486033});
}

BOOST_AUTO_TEST_CASE(formula_100) {
  numbers draw(100);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const auto B = draw.between<fixed<1, 9>>(0.5, 2.0);
  const auto dA = draw.between<tensor<2>>(-1, 1, {4, 9});
  const auto dB = draw.between<fixed<1, 9>>(-1, 1);
  const auto u = log(b);
  const auto f = sum(a - (sin(u) - u));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -0.0947857474316565);
  check_sums("by a", r.gradient[a], {36, 1833, 1755, 1826});
  check("by b", r.gradient[b],
        {0.0667758259083455, 5.53973663477635e-05, 0.156165355331002, 0.116000453911861, 0.376899792441116,
         0.110082166399959, 0.158443403038335, 0.270488741138588, 0.155920503474558});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check_sums("hvp by a", h[a], {0, 0, 0, 0});
  check("hvp by b", h[b],
        {0.325141249419263, -0.0174591046801161, -0.0393772921135701, -0.447452540307924, -0.343993676216649,
         0.420354247302727, 0.413118081081299, -0.408228583267019, 1.29671461927268});
}

BOOST_AUTO_TEST_CASE(formula_101) {
  numbers draw(101);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {33});
  const auto B = draw.between<tensor<1>>(0.5, 2.0, {33});
  const std::vector<int> I{24, 23, -22, 0, 22, 11};
  const auto f = mean(concatenate<0>(stop_gradient(take(b, i)), log_softmax<0>(b), where(a > 0, sqrt(a), a / 2_c)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -1.35444792785843);
  check_sums("by a", r.gradient[a], {0.297828051244476, 13.4509130191452, 15.7800534565515, 12.9837821329959});
  check_sums("by b", r.gradient[b], {-1.71032892709588e-17, -0.531892078705354, -0.593366430843741, 1.28010932003857});
}

BOOST_AUTO_TEST_CASE(formula_102) {
  numbers draw(102);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {17});
  const auto B = draw.between<double>(0.5, 2.0);
  const std::vector<int> I{12, 0, 9, 12, 15};
  const auto u = take(a, i) - b;
  const auto f = mean(stop_gradient(u) / u);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 1);
  check_sums("by a", r.gradient[a], {1.36372812850863, 25.6062252152377, 18.7243560474172, 37.336593800404});
  check("by b", r.gradient[b], {-1.36372812850863});
}

BOOST_AUTO_TEST_CASE(formula_103) {
  numbers draw(103);
  const auto A = draw.between<fixed<2, 1, 4>>(0.5, 2.0);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto f = mean(hypot(asinh(mean(b + a)), stop_gradient(mean<0>(a))));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 1.12101703505844);
  check("by a", r.gradient[a],
        {0.0144719090794571, 0.0144719090794571, 0.0144719090794571, 0.0144719090794571, 0.0144719090794571,
         0.0144719090794571, 0.0144719090794571, 0.0144719090794571});
  check("by b", r.gradient[b], {0.115775272635657});
}

BOOST_AUTO_TEST_CASE(formula_104) {
  numbers draw(104);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {4, 9});
  const auto C = draw.between<fixed<4, 1>>(-1.5, 1.5);
  const auto u = outer(c, a);
  const auto f = mean(transpose<1, 0, 2>(stop_gradient(u) * u) * b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 0.385736962920618);
  check("by a", r.gradient[a],
        {-0.0214388524877294, 0.0509694788874269, -0.0741682590719443, 0.0473786686740784, 0.0141090646117725,
         0.0287020797890056, -0.0517702891009464, 0.0563876639611196, -0.0847137507101552});
  check_sums("by b", r.gradient[b], {0.320171111963857, 17.2815625110106, 15.1992895192974, 18.2106940337143});
  check("by c", r.gradient[c], {0.10993846172609, 0.091125914977475, -0.218797674901302, -0.109403394595271});
}

BOOST_AUTO_TEST_CASE(formula_105) {
  numbers draw(105);
  const auto A = draw.between<fixed<3, 3>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {3, 3});
  const auto dA = draw.between<fixed<3, 3>>(-1, 1);
  const auto dB = draw.between<double>(-1, 1);
  const auto dC = draw.between<tensor<2>>(-1, 1, {3, 3});
  const std::vector<int> I{-4, -3, 4, 0, -4, -5};
  const auto u = concatenate<0>(c, a);
  const auto f = mean((u / stop_gradient(take(u, i))) * b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, 0.0355979328677945);
  check("by a", r.gradient[a],
        {-0.0404255026785435, 0.0472732455531661, 0.0878968452555295, 0.0586377283192194, -0.0513095409685068,
         0.0562270536399246, 0.0537438944160867, -0.143314142391672, 0.0584130425475438});
  check("by b", r.gradient[b], {0.0375147451012036});
  check("by c", r.gradient[c],
        {0.0586377283192194, -0.0513095409685068, 0.0562270536399246, 0.148444209875925, 0.113017438461297,
         0.0530724072604972, -0.0405666964360921, 0.0436617619667777, 0.0472260340929666});
  const auto h = hvp(f, wrt(a, b, c), tangent(a = dA, b = dB, c = dC))(a = A, b = B, c = C, i = I);
  check("hvp by a", h[a],
        {0.0228789616512487, -0.0267544668706125, -0.049745542259747, -0.0331862376134119, 0.0290388230789945,
         -0.0318219074285829, -0.0304165543496641, 0.081109165022232, -0.0330590758760644});
  check("hvp by b", h[b], {0.0379217817528177});
  check("hvp by c", h[c],
        {-0.0331862376134119, 0.0290388230789945, -0.0318219074285829, -0.084012545548477, -0.0639626342074108,
         -0.0300365237287909, 0.0229588707766846, -0.0247105344763977, -0.0267277473713897});
}
