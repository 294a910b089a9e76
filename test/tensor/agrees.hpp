#ifndef TAPELESS_TEST_TENSOR_AGREES_HPP
#define TAPELESS_TEST_TENSOR_AGREES_HPP

#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <concepts>
#include <vector>

/// What the engine and the plain evaluator are compared on.
namespace tapeless_test {

using namespace tapeless;

using matrix = xt::xtensor<double, 2>;
using vector = xt::xtensor<double, 1>;

template <class Tensor>
Tensor wave(const typename Tensor::shape_type& shape, double frequency) {
  Tensor result(shape);
  double phase = 0.3;
  for (auto& element : result) element = static_cast<typename Tensor::value_type>(std::sin(phase += frequency));
  return result;
}
// Nine rows, so that lanes, and what is left of them, are used.
inline const matrix x = wave<matrix>({9, 3}, 0.9), y = wave<matrix>({9, 3}, 1.7);
inline const vector w = wave<vector>({3}, 2.0), b = wave<vector>({9}, 2.3);
inline const std::vector<int> labels{0, 2, 1, 1, -1, 0, 0, 2, 1};

inline void agrees(const engine_report& report, double tolerance = 1e-14) {
  BOOST_TEST(report.checks.size() > 0u);
  BOOST_TEST(report.passed(tolerance), report);
}

/// Reaches every element.
template <class F>
struct sum_of_squares {
  template <class... Args>
    requires std::invocable<F, Args...>
  constexpr auto operator()(const Args&... args) const {
    return sum(square(F{}(args...)));
  }
};
template <class F>
void check(F) {
  agrees(compare_engines(value_and_gradient(sum_of_squares<F>{}, wrt<0, 1, 2, 3>))(x, y, w, b, labels));
}

}  // namespace tapeless_test

#endif
