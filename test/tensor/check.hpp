#ifndef TAPELESS_TEST_TENSOR_CHECK_HPP
#define TAPELESS_TEST_TENSOR_CHECK_HPP

#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <random>

namespace tapeless_test {

using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;

inline constexpr auto X = tapeless::variable<"X">;
inline constexpr auto w = tapeless::variable<"w">;
inline constexpr auto t = tapeless::variable<"t">;
inline constexpr auto c = tapeless::variable<"c">;

template <class Tensor>
void randomise(Tensor& tensor, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  for (double& element : tensor) element = normal(generator);
}

/// A matrix X (n x d), vectors w (d) and t (n), a number c, and directions in w.
struct data {
  matrix x;
  vector weights, targets, direction;
  double number = 0.3;

  data(std::size_t n, std::size_t d)
      : x(matrix::from_shape({n, d})),
        weights(vector::from_shape({d})),
        targets(vector::from_shape({n})),
        direction(vector::from_shape({d})) {
    randomise(x, 1);
    randomise(weights, 2);
    randomise(targets, 3);
    randomise(direction, 4);
  }
};

inline void close(double computed, double expected, const char* what) {
  BOOST_CHECK_MESSAGE(std::abs(computed - expected) <= 2e-7 * (1 + std::abs(expected)),
                      what << ": " << computed << " instead of " << expected);
}

/// For what is known without differences.
inline void nearly(double computed, double expected, const char* what) {
  BOOST_CHECK_MESSAGE(std::abs(computed - expected) <= 1e-12 * (1 + std::abs(expected)),
                      what << ": " << computed << " instead of " << expected);
}

/// The gradient of f by X, w, t and c against differences, and the product of the Hessian by X and w with a direction
/// in w against differences of the gradient.
template <class F>
void check_derivatives(const char* name, const F& f, const data& at) {
  using namespace tapeless;
  constexpr double h = 1e-5;
  data moved = at;
  const auto value = [&] { return f(X = moved.x, w = moved.weights, t = moved.targets, c = moved.number); };
  BOOST_TEST_CONTEXT(name) {
    const auto step = value_and_gradient(f, wrt(X, w, t, c));
    const auto here = step(X = at.x, w = at.weights, t = at.targets, c = at.number);
    close(here.value, value(), "value");
    const auto slope = [&](double& number, double derivative, const char* what) {
      const double before = number;
      number = before + h;
      const double above = value();
      number = before - h;
      const double below = value();
      number = before;
      close(derivative, (above - below) / (2 * h), what);
    };
    for (std::size_t i = 0; i < at.x.size(); ++i) slope(moved.x.data()[i], here.gradient[X].data()[i], "by X");
    for (std::size_t i = 0; i < at.weights.size(); ++i) slope(moved.weights(i), here.gradient[w](i), "by w");
    for (std::size_t i = 0; i < at.targets.size(); ++i) slope(moved.targets(i), here.gradient[t](i), "by t");
    slope(moved.number, here.gradient[c], "by c");

    vector above = at.weights, below = at.weights;
    for (std::size_t i = 0; i < above.size(); ++i) {
      above(i) += h * at.direction(i);
      below(i) -= h * at.direction(i);
    }
    const auto up = step(X = at.x, w = above, t = at.targets, c = at.number).gradient;
    const auto down = step(X = at.x, w = below, t = at.targets, c = at.number).gradient;
    const auto product =
        hvp(f, wrt(X, w), tangent(w = at.direction))(X = at.x, w = at.weights, t = at.targets, c = at.number);
    for (std::size_t i = 0; i < at.weights.size(); ++i)
      close(product[w](i), (up[w](i) - down[w](i)) / (2 * h), "hvp by w");
    for (std::size_t i = 0; i < at.x.size(); ++i)
      close(product[X].data()[i], (up[X].data()[i] - down[X].data()[i]) / (2 * h), "hvp by X");
  }
}

}  // namespace tapeless_test

#endif
