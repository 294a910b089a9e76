// Made by generate.py; not edited by hand.
#include "check.hpp"

using namespace oracle;

BOOST_AUTO_TEST_CASE(formula_61) {
  numbers draw(61);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto C = draw.between<fixed<4>>(-1.5, 1.5);
  const auto D = draw.between<fixed<2, 1, 4>>(0.5, 2.0);
  const auto f = (b - sum(outer(stop_gradient(slice<0>(c, 1, 4)), c) + a)) - sum(d);
  const auto r = value_and_gradient(f, wrt(a, b, c, d))(a = A, b = B, c = C, d = D);
  check_value(r.value, -28.0273114518911);
  check("by a", r.gradient[a], {-3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3});
  check("by b", r.gradient[b], {1});
  check("by c", r.gradient[c], {-7.65282842524016, -7.65282842524016, -7.65282842524016, -7.65282842524016});
  check("by d", r.gradient[d], {-1, -1, -1, -1, -1, -1, -1, -1});
}

BOOST_AUTO_TEST_CASE(formula_62) {
  numbers draw(62);
  const auto A = draw.between<tensor<3>>(-1.5, 1.5, {2, 3, 5});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto C = draw.between<tensor<2>>(-1.5, 1.5, {3, 5});
  const auto f = mean(sum(stop_gradient(sum<2>(concatenate<1>(min(a, c), a)))) + b);
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -24.6522136731782);
  check_zero(r.gradient[a]);
  check("by b", r.gradient[b], {0.2, 0.2, 0.2, 0.2, 0.2});
  check_zero(r.gradient[c]);
}

BOOST_AUTO_TEST_CASE(formula_63) {
  numbers draw(63);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {2});
  const auto B = draw.between<by_columns<4>>(-1.5, 1.5, {2, 3, 2, 5});
  const std::vector<int> I{-5, -6, -6, 0, -3};
  const auto f = mean(sum(sum<0>(take<2>(concatenate<-2>(stop_gradient(b), b, b), i))) - a);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, -8.35840215108284);
  check("by a", r.gradient[a], {-0.5, -0.5});
  check_sums("by b", r.gradient[b], {30, 1715, 1524, 1536});
}

BOOST_AUTO_TEST_CASE(formula_64) {
  numbers draw(64);
  const auto A = draw.between<tensor<3>>(0.5, 2.0, {2, 3, 5});
  const auto B = draw.between<fixed<2, 1, 1>>(0.5, 2.0);
  const auto u = mean<1, -1>(a);
  const auto f = mean(stack<1>(stop_gradient(u), u) + b);
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 2.59633916753639);
  check_sums("by a", r.gradient[a], {0.5, 24.6666666666667, 24.25, 24.8666666666667});
  check("by b", r.gradient[b], {0.5, 0.5});
}

BOOST_AUTO_TEST_CASE(formula_65) {
  numbers draw(65);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {1, 9});
  const auto B = draw.between<fixed<9>>(0.5, 2.0);
  const auto dA = draw.between<tensor<2>>(-1, 1, {1, 9});
  const auto dB = draw.between<fixed<9>>(-1, 1);
  const auto f = sum(b * concatenate<-2>(concatenate<0>(a, stop_gradient(a)), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 22.4872042435586);
  check("by a", r.gradient[a],
        {1.40551577992994, 3.65221299820217, 3.9736362169374, 3.39382778498988, 2.46100924651185, 1.37733837374362,
         2.50063897832327, 3.34412264234578, 3.14406867332015});
  check("by b", r.gradient[b],
        {1.08817510846452, 3.30066069066555, -0.807800883104932, 3.64357164182866, 0.846722711504774, 3.15200704692491,
         -3.46783788780115, 3.99731795047285, 3.5347872749133});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a],
        {-1.94949441587063, -0.0449484912887907, -1.70862300121627, -0.940891710548146, -1.78375986953441,
         0.127337704471935, -1.28166743520725, 0.631235110867412, -1.64996331913861});
  check("hvp by b", h[b],
        {1.11857311572813, -1.35713068738446, 1.94458926466507, -0.731605352243225, 0.678041867296231, 1.75897625636262,
         -0.457129120108266, 1.92024325389426, 0.0621087299949066});
}

BOOST_AUTO_TEST_CASE(formula_66) {
  numbers draw(66);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {9, 9});
  const auto B = draw.between<by_columns<2>>(-1.5, 1.5, {9, 9});
  const auto C = draw.between<fixed<1, 9>>(-1.5, 1.5);
  const auto f = sum(stack<1>((logsumexp(b, stop_gradient(a)) - pow(c, 3_c)) + a, a));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 3.29303368848688);
  check_sums("by a", r.gradient[a], {162, 8228, 8176, 8358});
  check_sums("by b", r.gradient[b], {41.1895498144942, 2168.87240102458, 2098.3230750016, 2088.60293301044});
  check("by c", r.gradient[c],
        {-28.4556802658328, -36.4552054920681, -36.4283945261757, -16.8920452443383, -0.651568478359424,
         -47.5063411882758, -7.13393652660765, -9.2437570751237, -19.0138918625719});
}

BOOST_AUTO_TEST_CASE(formula_67) {
  numbers draw(67);
  const auto A = draw.between<fixed<3, 1>>(-1.5, 1.5);
  const auto B = draw.between<by_columns<3>>(-1.5, 1.5, {2, 3, 5});
  const auto f = sum(norm<1>(expm1(min(a, b) / a)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 23.1422905005273);
  check("by a", r.gradient[a], {0, -6.74049021100361, -2.02887692855807});
  check_sums("by b", r.gradient[b], {8.89016863361726, 626.095842956121, 501.162029288325, 229.075885525441});
}

BOOST_AUTO_TEST_CASE(formula_68) {
  numbers draw(68);
  const auto A = draw.between<std::vector<double>>(-1.5, 1.5, {5});
  const auto B = draw.between<fixed<2, 1, 1>>(-1.5, 1.5);
  const auto u = sum<-2, 2>(b);
  const auto u1 = stop_gradient(u);
  const auto f = mean(sum<-1>(pow(dot(atan2(u, u1), u1), a), keep_dims));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 7.44134415251338);
  check("by a", r.gradient[a],
        {0.479811088167199, 1.0271112576228, 1.00581956019151, 2.25472787800732, 0.950370768231638});
  check("by b", r.gradient[b], {1.16727898866677, 1.16727898866677});
}

BOOST_AUTO_TEST_CASE(formula_69) {
  numbers draw(69);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {17, 2});
  const auto B = draw.between<tensor<2>>(0.5, 2.0, {5, 17});
  const auto C = draw.between<fixed<5>>(-1.5, 1.5);
  const std::vector<int> I{9, 14, 4};
  const auto f = mean(c / mean(b + sum(slice<0>(stop_gradient(take(a, i)), 1, 3))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C, i = I);
  check_value(r.value, 0.541489024209318);
  check_zero(r.gradient[a]);
  check_sums("by b", r.gradient[b], {-0.461705824104341, -23.4057693654777, -23.199359702937, -23.3731783661292});
  check("by c", r.gradient[c],
        {0.170531923441486, 0.170531923441486, 0.170531923441486, 0.170531923441486, 0.170531923441486});
}

BOOST_AUTO_TEST_CASE(formula_70) {
  numbers draw(70);
  const auto A = draw.between<fixed<3>>(-1.5, 1.5);
  const auto B = draw.between<double>(-1.5, 1.5);
  const auto dA = draw.between<fixed<3>>(-1, 1);
  const auto dB = draw.between<double>(-1, 1);
  const std::vector<int> I{1, 1, 1};
  const auto f = mean(b * logsumexp(sum<0>(stop_gradient(take(a, i))), a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B, i = I);
  check_value(r.value, 0.271361257268289);
  check("by a", r.gradient[a], {0.129661028001269, 0.0966169556312797, 0.0497348692203349});
  check("by b", r.gradient[b], {0.516613617569267});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B, i = I);
  check("hvp by a", h[a], {-0.118082880917236, -0.0344445594676844, -0.00841275620272026});
  check("hvp by b", h[b], {0.13760886605839});
}

BOOST_AUTO_TEST_CASE(formula_71) {
  numbers draw(71);
  const auto A = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {4});
  const auto C = draw.between<fixed<1, 3, 1, 4>>(0.5, 2.0);
  const auto f = mean(b - (a * norm<-4, 1>(atan2(stop_gradient(mean<0>(c)), c), keep_dims)));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, 1.46946336310567);
  check("by a", r.gradient[a],
        {-0.170043690396958, -0.170043690396958, -0.170043690396958, -0.170043690396958, -0.170043690396958,
         -0.170043690396958, -0.170043690396958, -0.170043690396958});
  check("by b", r.gradient[b], {0.25, 0.25, 0.25, 0.25});
  check("by c", r.gradient[c],
        {0.110420326856536, -0.0361529448082953, 0.0188139784158776, -0.0539989014728571, 0.0418387908860938,
         -0.0324715226652829, 0.0063791193983568, -0.0753003319565715, 0.0432017486313103, -0.0499704935429751,
         0.0130716977031916, -0.0935482502197896});
}

BOOST_AUTO_TEST_CASE(formula_72) {
  numbers draw(72);
  const auto A = draw.between<fixed<1, 3, 1, 4>>(-1.5, 1.5);
  const auto B = draw.between<double>(0.5, 2.0);
  const auto C = draw.between<fixed<2, 1, 4>>(-1.5, 1.5);
  const auto u = reshape<3, -1>(a);
  const auto f = mean(c * mean(b + sigmoid(stack<2>(u, stop_gradient(u)))));
  const auto r = value_and_gradient(f, wrt(a, b, c))(a = A, b = B, c = C);
  check_value(r.value, -0.335943728068076);
  check("by a", r.gradient[a],
        {-0.00181051150707794, -0.00203570189024705, -0.00219812839077525, -0.00214868364566972, -0.0015176404367381,
         -0.00219042427338297, -0.00209804203868556, -0.00140716890325337, -0.00183644330610858, -0.002196816684775,
         -0.00214982165001274, -0.00194053067502342});
  check("by b", r.gradient[b], {-0.212671457248587});
  check("by c", r.gradient[c],
        {0.197454639902264, 0.197454639902264, 0.197454639902264, 0.197454639902264, 0.197454639902264,
         0.197454639902264, 0.197454639902264, 0.197454639902264});
}

BOOST_AUTO_TEST_CASE(formula_73) {
  numbers draw(73);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {4, 9});
  const auto B = draw.between<std::vector<double>>(-1.5, 1.5, {9});
  const auto u = dot(a, b);
  const auto f = mean(cos(concatenate<0>(stop_gradient(u), u, b)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.162198528711719);
  check_sums("by a", r.gradient[a], {-0.481971538350547, -28.2749057184538, -16.7708340777108, -25.3764355953906});
  check("by b", r.gradient[b],
        {0.13480140775186, 0.0292028544639571, -0.0600085580739322, 0.0199390725027627, -0.135435713472951,
         -0.00893879773156149, -0.055282978199131, -0.032309254279452, -0.0653818277648866});
}

BOOST_AUTO_TEST_CASE(formula_74) {
  numbers draw(74);
  const auto A = draw.between<tensor<2>>(-1.5, 1.5, {2, 17});
  const auto B = draw.between<double>(0.5, 2.0);
  const auto u = stop_gradient(b);
  const auto f = mean(-(logsumexp(b, where(a >= u, u, a)) - a));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, -1.42128089417469);
  check_sums("by a", r.gradient[a], {0.843412083180875, 42.9121769249731, 41.9667331126618, 41.1323603245225});
  check("by b", r.gradient[b], {-0.725765024357346});
}

BOOST_AUTO_TEST_CASE(formula_75) {
  numbers draw(75);
  const auto A = draw.between<fixed<2, 1>>(-1.5, 1.5);
  const auto B = draw.between<std::vector<double>>(0.5, 2.0, {33});
  const auto dA = draw.between<fixed<2, 1>>(-1, 1);
  const auto dB = draw.between<std::vector<double>>(-1, 1, {33});
  const auto u = a * b;
  const auto u1 = softmax<0>(u);
  const auto f = mean(reshape<3, -1>(where((u1 > 0.3) && (u1 >= 0.3), u, u1)));
  const auto r = value_and_gradient(f, wrt(a, b))(a = A, b = B);
  check_value(r.value, 0.770170644611563);
  check("by a", r.gradient[a], {0.643164668158304, 0.0254536436870885});
  check_sums("by b", r.gradient[b], {0.495690943693834, 25.3436075434567, 24.0625774016271, 24.5909433763956});
  const auto h = hvp(f, wrt(a, b), tangent(a = dA, b = dB))(a = A, b = B);
  check("hvp by a", h[a], {-0.056779431955143, -0.0101472694866675});
  check_sums("hvp by b", h[b], {0.323662454465783, 16.8018108233661, 15.5894110706423, 16.1745865968116});
}
