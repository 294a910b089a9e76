#include <tapeless/parallel.hpp>
#include <tapeless/xtensor.hpp>
#include <xtensor/xcomplex.hpp>
#include <xtensor/xtensor.hpp>

#include <boost/hana/define_struct.hpp>

#include <cmath>
#include <complex>
#include <execution>
#include <vector>

#include "pages.hpp"

using namespace tapeless;

namespace {

namespace formula {

#include "tensors.1.hpp"

void run() {
  const xt::xtensor<double, 2> data{{1, 2}, {3, -1}};
  const std::vector<double> labels{1, 0};
  const xt::xtensor<double, 1> weights{0, 0};
#include "tensors.2.hpp"
  // Each probability is 1/2.
  expect(nearly(r.value, std::log(2.0)));
  expect(nearly(r.gradient[w](0), 0.5) && nearly(r.gradient[w](1), -0.75));
}

}  // namespace formula

namespace function {

#include "tensors.3.hpp"

void run() {
  perceptron parameters{xt::zeros<float>({3, 4}), xt::zeros<float>({4}), xt::zeros<float>({4, 10}),
                        xt::zeros<float>({10})};
  const xt::xtensor<float, 2> images = xt::ones<float>({2, 3});
  const std::vector<int> labels{7, 7};
#include "tensors.4.hpp"
  // The classes were equally likely; one step has moved only the last bias.
  expect(parameters.b2(7) > 0.089f && parameters.b2(7) < 0.091f && parameters.b1(0) == 0);
  expect(r.value < std::log(10.0f));
}

}  // namespace function

namespace inside {

#include "tensors.5.hpp"
#include "tensors.6.hpp"

void run() {
  const std::vector<double> x{0.5};
  const xt::xtensor<double, 2> matrix{{2.0}};
  // tanh(w x) + 0.1 (w / cosh(w x)^2)^2 at w x = 1
  const double t = std::tanh(1.0), slope = 1 - t * t;
  const auto step = penalised_step(x, matrix);
  expect(nearly(step.value, t + 0.1 * 4 * slope * slope));
  expect(nearly(step.gradient(0, 0), 0.5 * slope + 0.1 * (4 * slope * slope - 2 * 4 * t * slope * slope)));

  const xt::xtensor<double, 2> data{{1, 2}, {3, -1}};
  const std::vector<double> labels{1, 0}, weights{1, 1};
#include "tensors.7.hpp"
  // 2 (w x - t) x of each row
  expect(g(0, 0) == 4 && g(0, 1) == 8 && g(1, 0) == 12 && g(1, 1) == -4);
}

}  // namespace inside

namespace complex_tensors {

#include "tensors.8.hpp"

void run() {
  using number = std::complex<double>;
  xt::xtensor<number, 1> x{{3, 4}};
  const xt::xtensor<number, 2> a{{{0, 2}}};
  const std::vector<double> magnitudes{9};
#include "tensors.9.hpp"
  // (2 |x| - 9)^2 = 1, whose gradient is 4 (2 |x| - 9) conj(x) / |x|
  expect(nearly(value, 1.0) && nearly(g(0).real(), 2.4) && nearly(g(0).imag(), -3.2));
  expect(nearly(x(0).real(), 2.76) && nearly(x(0).imag(), 3.68));
}

}  // namespace complex_tensors

}  // namespace

void tensors_page() {
  formula::run();
  function::run();
  inside::run();
  complex_tensors::run();
}
