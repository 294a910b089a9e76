// Expectation maximisation with stopped responsibilities.
#include "check.hpp"

namespace cases {
namespace {

// expectation maximisation, two unit normal densities and four points: responsibilities stopped; by the
// Fisher identity the gradient is that of the likelihood
struct ID17 : value_case {
  static constexpr int symbolic_order = 1;
  static constexpr auto f = [](auto w, auto m1, auto m2) {
    auto ja0 = log(w) - 0.5 * pow(-1.2 - m1, constant<2>);
    auto jb0 = log(1 - w) - 0.5 * pow(-1.2 - m2, constant<2>);
    auto r0 = stop_gradient(exp(ja0) / (exp(ja0) + exp(jb0)));
    auto ja1 = log(w) - 0.5 * pow(0.3 - m1, constant<2>);
    auto jb1 = log(1 - w) - 0.5 * pow(0.3 - m2, constant<2>);
    auto r1 = stop_gradient(exp(ja1) / (exp(ja1) + exp(jb1)));
    auto ja2 = log(w) - 0.5 * pow(2.1 - m1, constant<2>);
    auto jb2 = log(1 - w) - 0.5 * pow(2.1 - m2, constant<2>);
    auto r2 = stop_gradient(exp(ja2) / (exp(ja2) + exp(jb2)));
    auto ja3 = log(w) - 0.5 * pow(2.9 - m1, constant<2>);
    auto jb3 = log(1 - w) - 0.5 * pow(2.9 - m2, constant<2>);
    auto r3 = stop_gradient(exp(ja3) / (exp(ja3) + exp(jb3)));
    return r0 * ja0 + (1 - r0) * jb0 + r1 * ja1 + (1 - r1) * jb1 + r2 * ja2 + (1 - r2) * jb2 + r3 * ja3 +
           (1 - r3) * jb3;
  };
  static constexpr std::tuple variables{variable<"w">, variable<"m1">, variable<"m2">};
  static constexpr std::array point{0.4, 0.0, 2.0};
  static constexpr double value = -4.6110289781655585;
  static constexpr std::array gradient{0.8140914162746039, -0.772237184722994, 0.46300106453480405};
  static constexpr square_matrix<3> hessian{
      {{-17.345076180228837, 0.0, 0.0}, {0.0, -1.795381939905905, 0.0}, {0.0, 0.0, -2.204618060094095}}};
};

// the log-likelihood itself: same gradient, other value and Hessian
struct ID17r : value_case {
  static constexpr int symbolic_order = 1;
  static constexpr auto f = [](auto w, auto m1, auto m2) {
    auto ja0 = log(w) - 0.5 * pow(-1.2 - m1, constant<2>);
    auto jb0 = log(1 - w) - 0.5 * pow(-1.2 - m2, constant<2>);
    auto ja1 = log(w) - 0.5 * pow(0.3 - m1, constant<2>);
    auto jb1 = log(1 - w) - 0.5 * pow(0.3 - m2, constant<2>);
    auto ja2 = log(w) - 0.5 * pow(2.1 - m1, constant<2>);
    auto jb2 = log(1 - w) - 0.5 * pow(2.1 - m2, constant<2>);
    auto ja3 = log(w) - 0.5 * pow(2.9 - m1, constant<2>);
    auto jb3 = log(1 - w) - 0.5 * pow(2.9 - m2, constant<2>);
    return log(exp(ja0) + exp(jb0)) + log(exp(ja1) + exp(jb1)) + log(exp(ja2) + exp(jb2)) + log(exp(ja3) + exp(jb3));
  };
  static constexpr std::tuple variables{variable<"w">, variable<"m1">, variable<"m2">};
  static constexpr std::array point{0.4, 0.0, 2.0};
  static constexpr double value = -3.6101782698660028;
  static constexpr std::array gradient{0.8140914162746039, -0.772237184722994, 0.46300106453480405};
  static constexpr square_matrix<3> hessian{{{-12.251352100068548, 0.8930448636963683, 1.55194269478057},
                                             {0.8930448636963683, -1.3478211449506794, -0.018899260380968844},
                                             {1.55194269478057, -0.018899260380968844, -1.4407863062184525}}};
};

// without the stop the gradient differs: it passes through the responsibilities
struct ID17n : value_case {
  static constexpr int symbolic_order = 0;
  static constexpr auto f = [](auto w, auto m1, auto m2) {
    auto ja0 = log(w) - 0.5 * pow(-1.2 - m1, constant<2>);
    auto jb0 = log(1 - w) - 0.5 * pow(-1.2 - m2, constant<2>);
    auto r0 = exp(ja0) / (exp(ja0) + exp(jb0));
    auto ja1 = log(w) - 0.5 * pow(0.3 - m1, constant<2>);
    auto jb1 = log(1 - w) - 0.5 * pow(0.3 - m2, constant<2>);
    auto r1 = exp(ja1) / (exp(ja1) + exp(jb1));
    auto ja2 = log(w) - 0.5 * pow(2.1 - m1, constant<2>);
    auto jb2 = log(1 - w) - 0.5 * pow(2.1 - m2, constant<2>);
    auto r2 = exp(ja2) / (exp(ja2) + exp(jb2));
    auto ja3 = log(w) - 0.5 * pow(2.9 - m1, constant<2>);
    auto jb3 = log(1 - w) - 0.5 * pow(2.9 - m2, constant<2>);
    auto r3 = exp(ja3) / (exp(ja3) + exp(jb3));
    return r0 * ja0 + (1 - r0) * jb0 + r1 * ja1 + (1 - r1) * jb1 + r2 * ja2 + (1 - r2) * jb2 + r3 * ja3 +
           (1 - r3) * jb3;
  };
  static constexpr std::tuple variables{variable<"w">, variable<"m1">, variable<"m2">};
  static constexpr std::array point{0.4, 0.0, 2.0};
  static constexpr double value = -4.6110289781655585;
  static constexpr std::array gradient{0.9773106749983214, -1.3256008877881698, 1.0947100117873643};
  static constexpr square_matrix<3> hessian{{{-13.570798871542053, 0.041632508485570416, 1.8353083031735724},
                                             {0.041632508485570416, -2.1777747424353042, 0.36320378450878077},
                                             {1.8353083031735724, 0.36320378450878077, -1.6477012369858688}}};
};

using mixture_cases = std::tuple<ID17, ID17r, ID17n>;

BOOST_AUTO_TEST_SUITE(cases_mixture)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_case, Case, mixture_cases) { check<Case>(); }

// Fisher identity (EM)
BOOST_AUTO_TEST_CASE(RL04) {
  check_equal(gradient_of<ID17>(), gradient_of<ID17r>());
  check_different(value_of<ID17>(), value_of<ID17r>());
  check_different(hessian_of<ID17>(), hessian_of<ID17r>());
}

// unstopped M-step is not the EM gradient
BOOST_AUTO_TEST_CASE(RL05) { check_different(gradient_of<ID17n>(), gradient_of<ID17r>()); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
