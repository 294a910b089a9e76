// Derivatives of functions in plain C++, by dual numbers that know nothing of the library.
#ifndef TAPELESS_TEST_VERBS_INSIDE_REFERENCE_HPP
#define TAPELESS_TEST_VERBS_INSIDE_REFERENCE_HPP

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace tapeless_test {

/// a + b e with e^2 = 0. Duals of duals have second derivatives.
template <class T>
struct dual {
  T value, slope{};

  dual(T v = {}, T s = {}) : value(v), slope(s) {}
  dual(double v)
    requires(!std::is_same_v<T, double>)
      : value(v) {}
  friend dual operator+(const dual& a, const dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  friend dual operator-(const dual& a, const dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  friend dual operator*(const dual& a, const dual& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  friend bool operator<(const dual& a, const dual& b) { return a.value < b.value; }
  friend dual sin(const dual& a) {
    using std::cos, std::sin;
    return {sin(a.value), cos(a.value) * a.slope};
  }
  friend dual cos(const dual& a) {
    using std::cos, std::sin;
    return {cos(a.value), T(-1.0) * sin(a.value) * a.slope};
  }
};

/// The derivative of `f`, a function of `std::array<T, N>` for any T, by element `i`.
template <class F>
auto partial(F f, std::size_t i) {
  return [=]<class T, std::size_t N>(const std::array<T, N>& p) {
    std::array<dual<T>, N> q;
    for (std::size_t k = 0; k < N; ++k) q[k] = dual<T>(p[k], k == i ? 1.0 : 0.0);
    return f(q).slope;
  };
}
/// Output `i` of a function that returns an array.
template <class F>
auto output_of(F f, std::size_t i) {
  return [=](const auto& p) { return f(p)[i]; };
}

/// All values, columns inside, of the gradient, Jacobian and Hessian.
template <class F, class T, std::size_t N>
std::vector<T> slopes(F f, const std::array<T, N>& p) {
  std::vector<T> all;
  for (std::size_t i = 0; i < N; ++i) all.push_back(partial(f, i)(p));
  return all;
}
template <class F, class T, std::size_t N>
std::vector<T> rows_of_slopes(F f, const std::array<T, N>& p) {
  std::vector<T> all;
  for (std::size_t k = 0; k < f(p).size(); ++k)
    for (const T& each : slopes(output_of(f, k), p)) all.push_back(each);
  return all;
}
template <class F, class T, std::size_t N>
std::vector<T> curvatures(F f, const std::array<T, N>& p) {
  std::vector<T> all;
  for (std::size_t i = 0; i < N; ++i)
    for (const T& each : slopes(partial(f, i), p)) all.push_back(each);
  return all;
}

}  // namespace tapeless_test

#endif
