// Made by generate.py from TensorFlow 2.21.0 and JAX 0.10.2; not edited by hand.
// Gradients within gradients, through stops.
// 18 cases.
#include "check.hpp"

namespace tensorflow_test {

BOOST_AUTO_TEST_CASE(stopped_derivative) {
  constexpr auto f = [](auto a) {
    return a * stop_gradient(gradient([](auto v1) { return pow(v1, constant<3>); })(a));
  };
  check<1, what{.formula = false}>(f, {.at = {1.5},
                                       .value = 10.125,
                                       .gradient = {6.75},
                                       .none = {false},
                                       .hessian = {{{0}}},
                                       .along = 6.75,
                                       .hvp = {0},
                                       .single_value = 10.125,
                                       .single_gradient = {6.75}});
}

BOOST_AUTO_TEST_CASE(derivative_not_stopped) {
  constexpr auto f = [](auto a) { return a * gradient([](auto v1) { return pow(v1, constant<3>); })(a); };
  check<1, what{.formula = false}>(f, {.at = {1.5},
                                       .value = 10.125,
                                       .gradient = {20.25},
                                       .none = {false},
                                       .hessian = {{{27}}},
                                       .along = 20.25,
                                       .hvp = {27},
                                       .single_value = 10.125,
                                       .single_gradient = {20.25}});
}

BOOST_AUTO_TEST_CASE(derivative_of_stopped_factor) {
  constexpr auto f = [](auto a) { return gradient([](auto v1) { return v1 * stop_gradient(v1 * v1); })(a); };
  check<1, what{.formula = false}>(f, {.at = {1.5},
                                       .value = 2.25,
                                       .gradient = {0},
                                       .none = {true},
                                       .hessian = {{{0}}},
                                       .along = 0,
                                       .hvp = {0},
                                       .single_value = 2.25,
                                       .single_gradient = {0}});
}

BOOST_AUTO_TEST_CASE(derivative_of_square_with_stop) {
  constexpr auto f = [](auto a, auto b) {
    return gradient([](auto v1) { return v1 * v1 * stop_gradient(v1); })(a) * b;
  };
  check<2, what{.formula = false}>(f, {.at = {1.5, -2},
                                       .value = -9,
                                       .gradient = {-6, 4.5},
                                       .none = {false, false},
                                       .hessian = {{{0, 3}, {3, 0}}},
                                       .along = -8.25,
                                       .hvp = {-1.5, 3},
                                       .single_value = -9,
                                       .single_gradient = {-6, 4.5}});
}

BOOST_AUTO_TEST_CASE(derivative_at_stopped_point) {
  constexpr auto f = [](auto a) {
    return gradient([](auto v1) { return pow(v1, constant<3>); })(stop_gradient(a)) * a;
  };
  check<1, what{.formula = false}>(f, {.at = {1.5},
                                       .value = 10.125,
                                       .gradient = {6.75},
                                       .none = {false},
                                       .hessian = {{{0}}},
                                       .along = 6.75,
                                       .hvp = {0},
                                       .single_value = 10.125,
                                       .single_gradient = {6.75}});
}

BOOST_AUTO_TEST_CASE(all_stopped_inside) {
  constexpr auto f = [](auto a) { return gradient([](auto v1) { return stop_gradient(sin(v1)); })(a) + a * a; };
  check<1, what{.formula = false}>(f, {.at = {1.5},
                                       .value = 2.25,
                                       .gradient = {3},
                                       .none = {false},
                                       .hessian = {{{2}}},
                                       .along = 3,
                                       .hvp = {2},
                                       .single_value = 2.25,
                                       .single_gradient = {3}});
}

BOOST_AUTO_TEST_CASE(second_derivative) {
  constexpr auto f = [](auto a) {
    return gradient([](auto v1) { return gradient([](auto v2) { return exp(v2) * stop_gradient(sin(v2)); })(v1); })(a);
  };
  check<1, what{.formula = false}>(f, {.at = {0.4},
                                       .value = 0.5809439007705672,
                                       .gradient = {0.5809439007705672},
                                       .none = {false},
                                       .hessian = {{{0.5809439007705672}}},
                                       .along = 0.5809439007705672,
                                       .hvp = {0.5809439007705672},
                                       .single_value = 0.5809438824653625,
                                       .single_gradient = {0.5809438824653625}});
}

BOOST_AUTO_TEST_CASE(third_derivative) {
  constexpr auto f = [](auto a) {
    return gradient(
        [](auto v1) { return gradient([](auto v2) { return pow(v2, constant<4>) * stop_gradient(v2); })(v1); })(a);
  };
  check<1, what{.formula = false}>(f, {.at = {0.7},
                                       .value = 4.115999999999999,
                                       .gradient = {11.759999999999998},
                                       .none = {false},
                                       .hessian = {{{16.799999999999997}}},
                                       .along = 11.759999999999998,
                                       .hvp = {16.799999999999997},
                                       .single_value = 4.115999698638916,
                                       .single_gradient = {11.75999927520752}});
}

BOOST_AUTO_TEST_CASE(first_order_meta_learning) {
  constexpr auto f = [](auto a) {
    return square(a - 0.1 * stop_gradient(gradient([](auto v1) { return square(v1 - 1.0) * v1; })(a)) - 1.0) *
           (a - 0.1 * stop_gradient(gradient([](auto v1) { return square(v1 - 1.0) * v1; })(a)));
  };
  check<1, what{.formula = false}>(f, {.at = {0.4},
                                       .value = 0.142446528,
                                       .gradient = {-0.13876800000000006},
                                       .none = {false},
                                       .hessian = {{{-1.5279999999999998}}},
                                       .along = -0.13876800000000006,
                                       .hvp = {-1.5279999999999998},
                                       .single_value = 0.14244653284549713,
                                       .single_gradient = {-0.13876798748970032}});
  check<1, what{.formula = false}>(f, {.at = {1.8},
                                       .value = 0.2906193919999999,
                                       .gradient = {1.4981119999999999},
                                       .none = {false},
                                       .hessian = {{{4.688}}},
                                       .along = 1.4981119999999999,
                                       .hvp = {4.688},
                                       .single_value = 0.2906193435192108,
                                       .single_gradient = {1.4981118440628052}});
}

BOOST_AUTO_TEST_CASE(meta_learning) {
  constexpr auto f = [](auto a) {
    return square(a - 0.1 * gradient([](auto v1) { return square(v1 - 1.0) * v1; })(a) - 1.0) *
           (a - 0.1 * gradient([](auto v1) { return square(v1 - 1.0) * v1; })(a));
  };
  check<1, what{.formula = false}>(f, {.at = {0.4},
                                       .value = 0.142446528,
                                       .gradient = {-0.16097088000000007},
                                       .none = {false},
                                       .hessian = {{{-1.9728159999999995}}},
                                       .along = -0.16097088000000004,
                                       .hvp = {-1.9728159999999995},
                                       .single_value = 0.14244653284549713,
                                       .single_gradient = {-0.16097086668014526}});
  check<1, what{.formula = false}>(f, {.at = {1.8},
                                       .value = 0.2906193919999999,
                                       .gradient = {0.4793958399999998},
                                       .none = {false},
                                       .hessian = {{{-0.4188160000000003}}},
                                       .along = 0.47939583999999963,
                                       .hvp = {-0.4188160000000003},
                                       .single_value = 0.2906193435192108,
                                       .single_gradient = {0.4793957471847534}});
}

BOOST_AUTO_TEST_CASE(gradient_penalty) {
  constexpr auto f = [](auto a, auto b) {
    return square(gradient([](auto v1, auto p1) { return tanh(v1 * p1); }, wrt<0>)(a, b) - 1.0);
  };
  check<2, what{.formula = false}>(
      f, {.at = {0.4, 0.8},
          .value = 0.0765272703596179,
          .gradient = {0.1981917488113644, -0.40117501825232577},
          .none = {false, false},
          .hessian = {{{0.621697610450096, 0.15852274378256603}, {0.15852274378256614, 1.3905337036370105}}},
          .along = 0.39877925793752733,
          .hvp = {0.5424362385588131, -0.5367441080359391},
          .single_value = 0.07652728259563446,
          .single_gradient = {0.1981917768716812, -0.40117502212524414}});
}

BOOST_AUTO_TEST_CASE(gradient_penalty_stopped) {
  constexpr auto f = [](auto a, auto b) {
    return square(gradient([](auto v1, auto p1) { return tanh(v1 * p1); }, wrt<0>)(a, b) - 1.0) * stop_gradient(a) +
           b * stop_gradient(gradient([](auto v1, auto p1) { return tanh(v1 * p1); }, wrt<0>)(a, b));
  };
  check<2, what{.formula = false}>(
      f, {.at = {0.4, 0.8},
          .value = 0.6093024062055903,
          .gradient = {0.07927669952454576, 0.5628943652762486},
          .none = {false, false},
          .hessian = {{{0.24867904418003836, 0.06340909751302647}, {0.06340909751302645, 0.5562134814548042}}},
          .along = -0.2021704831135785,
          .hvp = {0.21697449542352523, -0.21469764321437568},
          .single_value = 0.6093024015426636,
          .single_gradient = {0.07927671074867249, 0.562894344329834}});
}

BOOST_AUTO_TEST_CASE(parameter_stopped_inside) {
  constexpr auto f = [](auto a, auto b) {
    return gradient([](auto v1, auto p1) { return sin(v1 * stop_gradient(p1)) * p1; }, wrt<0>)(a, b);
  };
  check<2, what{.formula = false}>(
      f, {.at = {0.4, 0.8},
          .value = 0.6075106675727622,
          .gradient = {-0.16105807903545236, 0.7593883344659527},
          .none = {false, false},
          .hessian = {{{-0.3888068272465679, -0.20132259879431544}, {-0.20132259879431544, 0}}},
          .along = -0.5407522462684287,
          .hvp = {-0.28814552784941017, -0.20132259879431544},
          .single_value = 0.6075107455253601,
          .single_gradient = {-0.16105811297893524, 0.7593883872032166}});
}

BOOST_AUTO_TEST_CASE(hessian_vector_product_stopped) {
  constexpr auto f = [](auto a, auto b) {
    return b *
           stop_gradient(gradient(
               [](auto v1, auto p1) { return gradient([](auto v2, auto p2) { return exp(v2 * p2); }, wrt<0>)(v1, p1); },
               wrt<0>)(a, b));
  };
  check<2, what{.formula = false}>(f, {.at = {0.4, 0.8},
                                       .value = 0.7050894153400101,
                                       .gradient = {0, 0.8813617691750126},
                                       .none = {true, false},
                                       .hessian = {{{0, 0}, {0, 0}}},
                                       .along = -0.4406808845875063,
                                       .hvp = {0, 0},
                                       .single_value = 0.7050894498825073,
                                       .single_gradient = {0, 0.8813617825508118}});
}

BOOST_AUTO_TEST_CASE(recurrence_truncated) {
  constexpr auto f = [](auto a, auto b) {
    return square(tanh(a * stop_gradient(tanh(a * tanh(a * 0.5 + b) + b)) + b));
  };
  check<2>(f, {.at = {0.8, -0.3},
               .value = 0.19444220826924985,
               .gradient = {0.15400100387665103, -0.7104311094054593},
               .none = {false, false},
               .hessian = {{{0.03154464259986453, -0.14552045034700076}, {-0.14552045034700078, 0.6713089679857352}}},
               .along = 0.5092165585793808,
               .hvp = {0.10430486777336492, -0.4811749343398684},
               .single_value = 0.1944422721862793,
               .single_gradient = {0.15400101244449615, -0.7104311585426331}});
}

BOOST_AUTO_TEST_CASE(recurrence) {
  constexpr auto f = [](auto a, auto b) { return square(tanh(a * tanh(a * tanh(a * 0.5 + b) + b) + b)); };
  check<2>(f, {.at = {0.8, -0.3},
               .value = 0.19444220826924985,
               .gradient = {-0.11448622831025444, -1.681076028874545},
               .none = {false, false},
               .hessian = {{{-1.2263626192488402, -1.6594143010028304}, {-1.6594143010028306, 3.090226939880587}}},
               .along = 0.726051786127018,
               .hvp = {-0.396655468747425, -3.204527770943124},
               .single_value = 0.1944422721862793,
               .single_gradient = {-0.11448624730110168, -1.681076169013977}});
}

}  // namespace tensorflow_test
