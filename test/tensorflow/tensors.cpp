// Made by generate.py from TensorFlow 2.21.0 and JAX 0.10.2; not edited by hand.
// Over tensors of rank 1 to 4.
// 6 cases.
#include "check_tensors.hpp"

namespace tensorflow_test {

BOOST_AUTO_TEST_CASE(rank_1) {
  const auto f = sum(exp(x) * tf.stop_gradient(sin(x)));
  const auto step = value_and_gradient(f, wrt(x));
  {
    const xt::xtensor<double, 1> x_value{1.2, -1.2, -0.6, 0, 0.6};
    const auto r = step(x = x_value);
    check_value(r.value, 3.5327172706424084);
    check_tensor(r.gradient[x], {5},
                 {3.0944787419716917, -0.2807247779692679, -0.3098823596321072, 0, 1.0288456662720917});
    const xt::xtensor<float, 1> x_single = x_value;
    const auto in_single = step(x = x_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, 3.53271746635437, 1e-5);
    check_tensor(in_single.gradient[x], {5},
                 {3.0944788455963135, -0.28072476387023926, -0.30988234281539917, 0, 1.0288457870483398}, 1e-5);
  }
}

BOOST_AUTO_TEST_CASE(rank_2) {
  const auto f = sum(exp(x) * tf.stop_gradient(sin(x)));
  const auto step = value_and_gradient(f, wrt(x));
  {
    const xt::xtensor<double, 2> x_value{{0.75, -1.25, -0.25}, {-0.75, 1.25, 0.25}};
    const auto r = step(x = x_value);
    check_value(r.value, 4.286433626991417);
    check_tensor(r.gradient[x], {2, 3},
                 {1.4430292662932414, -0.27188864559191706, -0.1926783972023884, -0.3219833512868821,
                  3.3122817829073767, 0.3176729718719858});
    const xt::xtensor<float, 2> x_single = x_value;
    const auto in_single = step(x = x_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, 4.286433696746826, 1e-5);
    check_tensor(in_single.gradient[x], {2, 3},
                 {1.4430294036865234, -0.2718886435031891, -0.19267840683460236, -0.32198333740234375,
                  3.312281608581543, 0.3176729679107666},
                 1e-5);
    const xt::xtensor<double, 2> along{{0.5, -0.5, -1.5}, {0.5, -0.5, -1.5}};
    const auto product = hvp(f, wrt(x), tangent(x = along))(x = x_value);
    check_tensor(product[x], {2, 3},
                 {0.7215146331466207, 0.13594432279595853, 0.2890175958035826, -0.16099167564344105,
                  -1.6561408914536884, -0.4765094578079787});
  }
}

BOOST_AUTO_TEST_CASE(rank_3) {
  const auto f = sum(exp(x) * tf.stop_gradient(sin(x)));
  const auto step = value_and_gradient(f, wrt(x));
  {
    const xt::xtensor<double, 3> x_value{{{0.625, 1.375}, {-0.375, 0.375}, {-0.125, -1.375}},
                                         {{-1.125, 0.875}, {-0.875, 1.125}, {0.125, -0.625}}};
    const auto r = step(x = x_value);
    check_value(r.value, 8.731400279244172);
    check_tensor(r.gradient[x], {2, 3, 2},
                 {1.0931056148756362, 3.8795072975066893, -0.25173518235649506, 0.5329233852306946, -0.1100250660430237,
                  -0.2480086040654168, -0.29292340064175326, 1.8412411445589854, -0.31995973453322596,
                  2.7791798455767682, 0.14127498127198976, -0.31318000213667735});
    const xt::xtensor<float, 3> x_single = x_value;
    const auto in_single = step(x = x_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, 8.731400489807129, 1e-5);
    check_tensor(in_single.gradient[x], {2, 3, 2},
                 {1.0931055545806885, 3.879507303237915, -0.25173521041870117, 0.5329234004020691, -0.1100250631570816,
                  -0.2480086088180542, -0.2929233908653259, 1.8412411212921143, -0.31995972990989685, 2.779179811477661,
                  0.14127497375011444, -0.31317999958992004},
                 1e-5);
  }
}

BOOST_AUTO_TEST_CASE(rank_4) {
  const auto f = sum(exp(x) * tf.stop_gradient(sin(x)));
  const auto step = value_and_gradient(f, wrt(x));
  {
    const xt::xtensor<double, 4> x_value{{{{0.625, 1.375}, {-0.375, 0.375}, {-0.125, -1.375}}},
                                         {{{-1.125, 0.875}, {-0.875, 1.125}, {0.125, -0.625}}}};
    const auto r = step(x = x_value);
    check_value(r.value, 8.731400279244172);
    check_tensor(r.gradient[x], {2, 1, 3, 2},
                 {1.0931056148756362, 3.8795072975066893, -0.25173518235649506, 0.5329233852306946, -0.1100250660430237,
                  -0.2480086040654168, -0.29292340064175326, 1.8412411445589854, -0.31995973453322596,
                  2.7791798455767682, 0.14127498127198976, -0.31318000213667735});
    const xt::xtensor<float, 4> x_single = x_value;
    const auto in_single = step(x = x_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, 8.731400489807129, 1e-5);
    check_tensor(in_single.gradient[x], {2, 1, 3, 2},
                 {1.0931055545806885, 3.879507303237915, -0.25173521041870117, 0.5329234004020691, -0.1100250631570816,
                  -0.2480086088180542, -0.2929233908653259, 1.8412411212921143, -0.31995972990989685, 2.779179811477661,
                  0.14127497375011444, -0.31317999958992004},
                 1e-5);
  }
}

BOOST_AUTO_TEST_CASE(stop_of_all) {
  const auto f = sum(x * y) + sum(tf.stop_gradient(square(x)));
  const auto step = value_and_gradient(f, wrt(x, y));
  {
    const xt::xtensor<double, 2> x_value{{0.75, -1.25, -0.25}, {-0.75, 1.25, 0.25}};
    const xt::xtensor<double, 1> y_value{1, -1, 0};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 4.375);
    check_tensor(r.gradient[x], {2, 3}, {1, -1, 0, 1, -1, 0});
    check_tensor(r.gradient[y], {3}, {0, 0, 0});
    const xt::xtensor<float, 2> x_single = x_value;
    const xt::xtensor<float, 1> y_single = y_value;
    const auto in_single = step(x = x_single, y = y_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, 4.375, 1e-5);
    check_tensor(in_single.gradient[x], {2, 3}, {1, -1, 0, 1, -1, 0}, 1e-5);
    check_tensor(in_single.gradient[y], {3}, {0, 0, 0}, 1e-5);
  }
}

BOOST_AUTO_TEST_CASE(unconnected) {
  const auto f = sum(tf.stop_gradient(x) * y);
  const auto step = value_and_gradient(f, wrt(x, y));
  {
    const xt::xtensor<double, 2> x_value{{0.75, -1.25, -0.25}, {-0.75, 1.25, 0.25}};
    const xt::xtensor<double, 1> y_value{1, -1, 0};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 0);
    static_assert(is_zero<std::remove_cvref_t<decltype(r.gradient[x])>>);
    check_tensor(r.gradient[y], {3}, {0, 0, 0});
  }
}

}  // namespace tensorflow_test
