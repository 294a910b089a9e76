// Made by generate.py from TensorFlow 2.21.0 and JAX 0.10.2; not edited by hand.
// The page's softmax and maxima over tensors.
// 18 cases.
#include "check_tensors.hpp"

namespace tensorflow_test {

BOOST_AUTO_TEST_CASE(softmax_of_the_page) {
  // tf.stop_gradient, stable_softmax; line by line in check_tensors.hpp
  const auto f = sum(y * stable_softmax(x));
  const auto step = value_and_gradient(f, wrt(x));
  {
    const xt::xtensor<double, 1> x_value{1, 2, 3};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 1.1307687270800362);
    check_tensor(r.gradient[x], {3}, {-0.05678847003696694, -0.5214597727496746, 0.5782482427866417});
    const xt::xtensor<float, 1> x_single = x_value;
    const xt::xtensor<float, 1> y_single = y_value;
    const auto in_single = step(x = x_single, y = y_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, 1.1307686567306519, 1e-5);
    check_tensor(in_single.gradient[x], {3}, {-0.05678847059607506, -0.5214597582817078, 0.5782482028007507}, 1e-5);
    const xt::xtensor<double, 1> along{0.5, -0.5, -1.5};
    const auto product = hvp(f, wrt(x), tangent(x = along))(x = x_value, y = y_value);
    check_tensor(product[x], {3}, {-0.03228106837470773, -0.14453751160317896, 0.1768185799778872});
  }
  {
    const xt::xtensor<double, 1> x_value{0, 0, 0};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 0.5);
    check_tensor(r.gradient[x], {3}, {0, -0.5, 0.5});
    const xt::xtensor<float, 1> x_single = x_value;
    const xt::xtensor<float, 1> y_single = y_value;
    const auto in_single = step(x = x_single, y = y_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, 0.5, 1e-5);
    check_tensor(in_single.gradient[x], {3}, {0, -0.5, 0.5}, 1e-5);
    const xt::xtensor<double, 1> along{0.5, -0.5, -1.5};
    const auto product = hvp(f, wrt(x), tangent(x = along))(x = x_value, y = y_value);
    check_tensor(product[x], {3}, {0.16666666666666669, 0.16666666666666669, -0.3333333333333333});
  }
  {
    const xt::xtensor<double, 1> x_value{3, 3, 1};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, -0.10739738875066535);
    check_tensor(r.gradient[x], {3}, {0.2844505935526944, -0.41801520269752734, 0.13356460914483292});
    const xt::xtensor<float, 1> x_single = x_value;
    const xt::xtensor<float, 1> y_single = y_value;
    const auto in_single = step(x = x_single, y = y_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, -0.10739739239215851, 1e-5);
    check_tensor(in_single.gradient[x], {3}, {0.28445059061050415, -0.4180152118206024, 0.13356460630893707}, 1e-5);
    const xt::xtensor<double, 1> along{0.5, -0.5, -1.5};
    const auto product = hvp(f, wrt(x), tangent(x = along))(x = x_value, y = y_value);
    check_tensor(product[x], {3}, {0.09860606626432751, 0.09860606626432751, -0.19721213252865497});
  }
  {
    const xt::xtensor<double, 1> x_value{1000, 1001, 999};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, -0.362815573906662);
    check_tensor(r.gradient[x], {3}, {0.21115553620444513, -0.4238811766191634, 0.2127256404147182});
    const xt::xtensor<float, 1> x_single = x_value;
    const xt::xtensor<float, 1> y_single = y_value;
    const auto in_single = step(x = x_single, y = y_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, -0.3628155589103699, 1e-5);
    check_tensor(in_single.gradient[x], {3}, {0.21115551888942719, -0.4238811731338501, 0.21272563934326172}, 1e-5);
    const xt::xtensor<double, 1> along{0.5, -0.5, -1.5};
    const auto product = hvp(f, wrt(x), tangent(x = along))(x = x_value, y = y_value);
    check_tensor(product[x], {3}, {0.17887446782973734, 0.06661802460126603, -0.24549249243100343});
  }
  {
    const xt::xtensor<double, 1> x_value{10000, 10000, 10000};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 0.5);
    check_tensor(r.gradient[x], {3}, {0, -0.5, 0.5});
    const xt::xtensor<float, 1> x_single = x_value;
    const xt::xtensor<float, 1> y_single = y_value;
    const auto in_single = step(x = x_single, y = y_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, 0.5, 1e-5);
    check_tensor(in_single.gradient[x], {3}, {0, -0.5, 0.5}, 1e-5);
    const xt::xtensor<double, 1> along{0.5, -0.5, -1.5};
    const auto product = hvp(f, wrt(x), tangent(x = along))(x = x_value, y = y_value);
    check_tensor(product[x], {3}, {0.16666666666666669, 0.16666666666666669, -0.3333333333333333});
  }
  {
    const xt::xtensor<double, 1> x_value{-10000, 0, 1};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 1.1931757358900148);
    check_tensor(r.gradient[x], {3}, {-0.0, -0.5898357997244456, 0.5898357997244456});
    const xt::xtensor<float, 1> x_single = x_value;
    const xt::xtensor<float, 1> y_single = y_value;
    const auto in_single = step(x = x_single, y = y_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, 1.1931757926940918, 1e-5);
    check_tensor(in_single.gradient[x], {3}, {-0.0, -0.5898358225822449, 0.5898358225822449}, 1e-5);
    const xt::xtensor<double, 1> along{0.5, -0.5, -1.5};
    const auto product = hvp(f, wrt(x), tangent(x = along))(x = x_value, y = y_value);
    check_tensor(product[x], {3}, {-0.0, -0.2725732430188452, 0.2725732430188452});
  }
}

BOOST_AUTO_TEST_CASE(softmax_of_library) {
  const auto f = sum(y * softmax<0>(x));
  const auto step = value_and_gradient(f, wrt(x));
  {
    const xt::xtensor<double, 1> x_value{1, 2, 3};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 1.1307687270800362);
    check_tensor(r.gradient[x], {3}, {-0.05678847003696693, -0.5214597727496746, 0.5782482427866417});
  }
  {
    const xt::xtensor<double, 1> x_value{0, 0, 0};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 0.5);
    check_tensor(r.gradient[x], {3}, {0, -0.5, 0.5});
  }
  {
    const xt::xtensor<double, 1> x_value{3, 3, 1};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, -0.10739738875066535);
    check_tensor(r.gradient[x], {3}, {0.2844505935526944, -0.41801520269752734, 0.13356460914483292});
  }
  {
    const xt::xtensor<double, 1> x_value{1000, 1001, 999};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, -0.3628155739066621);
    check_tensor(r.gradient[x], {3}, {0.21115553620444513, -0.4238811766191634, 0.21272564041471823});
  }
  {
    const xt::xtensor<double, 1> x_value{10000, 10000, 10000};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 0.5);
    check_tensor(r.gradient[x], {3}, {0, -0.5, 0.5});
  }
  {
    const xt::xtensor<double, 1> x_value{-10000, 0, 1};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 1.1931757358900146);
    check_tensor(r.gradient[x], {3}, {-0.0, -0.5898357997244457, 0.5898357997244457});
  }
}

BOOST_AUTO_TEST_CASE(softmax_with_open_maximum) {
  const auto f = sum(y * (exp(x - amax(x)) / sum(exp(x - amax(x)))));
  const auto step = value_and_gradient(f, wrt(x));
  {
    const xt::xtensor<double, 1> x_value{1, 2, 3};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 1.1307687270800362);
    check_tensor(r.gradient[x], {3}, {-0.05678847003696694, -0.5214597727496746, 0.5782482427866416});
  }
  {
    const xt::xtensor<double, 1> x_value{0, 0, 0};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 0.5);
    check_tensor(r.gradient[x], {3}, {0, -0.5, 0.5});
  }
  {
    const xt::xtensor<double, 1> x_value{3, 3, 1};
    const xt::xtensor<double, 1> y_value{0.5, -1, 2};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, -0.10739738875066535);
    check_tensor(r.gradient[x], {3}, {0.2844505935526944, -0.41801520269752734, 0.13356460914483292});
  }
}

BOOST_AUTO_TEST_CASE(reduce_max) {
  // ties are even
  const auto f = sum(square(amax<1>(x)) * y);
  const auto step = value_and_gradient(f, wrt(x, y));
  {
    const xt::xtensor<double, 2> x_value{{0.75, -1.25, -0.25}, {-0.75, 1.25, 0.25}};
    const xt::xtensor<double, 1> y_value{0.5, -1};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, -1.28125);
    check_tensor(r.gradient[x], {2, 3}, {0.75, 0, 0, -0.0, -2.5, -0.0});
    check_tensor(r.gradient[y], {2}, {0.5625, 1.5625});
    const xt::xtensor<float, 2> x_single = x_value;
    const xt::xtensor<float, 1> y_single = y_value;
    const auto in_single = step(x = x_single, y = y_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, -1.28125, 1e-5);
    check_tensor(in_single.gradient[x], {2, 3}, {0.75, 0, 0, -0.0, -2.5, -0.0}, 1e-5);
    check_tensor(in_single.gradient[y], {2}, {0.5625, 1.5625}, 1e-5);
  }
  {
    const xt::xtensor<double, 2> x_value{{3, 3, 1}, {2, 2, 2}};
    const xt::xtensor<double, 1> y_value{0.5, -1};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 0.5);
    check_tensor(r.gradient[x], {2, 3}, {1.5, 1.5, 0, -1.3333333333333333, -1.3333333333333333, -1.3333333333333333});
    check_tensor(r.gradient[y], {2}, {9, 4});
    const xt::xtensor<float, 2> x_single = x_value;
    const xt::xtensor<float, 1> y_single = y_value;
    const auto in_single = step(x = x_single, y = y_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, 0.5, 1e-5);
    check_tensor(in_single.gradient[x], {2, 3},
                 {1.5, 1.5, 0, -1.3333333730697632, -1.3333333730697632, -1.3333333730697632}, 1e-5);
    check_tensor(in_single.gradient[y], {2}, {9, 4}, 1e-5);
  }
}

BOOST_AUTO_TEST_CASE(cross_entropy) {
  const auto f = mean(logsumexp<1>(x) - sum<1>(tf.stop_gradient(y) * x));
  const auto step = value_and_gradient(f, wrt(x, y));
  {
    const xt::xtensor<double, 2> x_value{{1, 2, 3}, {0.5, 0.5, -1}};
    const xt::xtensor<double, 2> y_value{{0, 1, 0}, {0.25, 0.5, 0.25}};
    const auto r = step(x = x_value, y = y_value);
    check_value(r.value, 1.290761074643053);
    check_tensor(r.gradient[x], {2, 3},
                 {0.04501528658519023, -0.37763576447260117, 0.33262047788741095, 0.09990810882913706,
                  -0.02509189117086294, -0.07481621765827418});
    static_assert(is_zero<std::remove_cvref_t<decltype(r.gradient[y])>>);
    const xt::xtensor<float, 2> x_single = x_value;
    const xt::xtensor<float, 2> y_single = y_value;
    const auto in_single = step(x = x_single, y = y_single);
    static_assert(std::is_same_v<decltype(in_single.value), float>);
    check_value(in_single.value, 1.2907609939575195, 1e-5);
    check_tensor(in_single.gradient[x], {2, 3},
                 {0.04501528665423393, -0.37763577699661255, 0.3326204717159271, 0.09990809857845306,
                  -0.025091901421546936, -0.07481621950864792},
                 1e-5);
  }
}

}  // namespace tensorflow_test
