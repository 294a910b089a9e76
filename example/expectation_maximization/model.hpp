#pragma once

#include <tapeless/xtensor.hpp>

#include <cstddef>
#include <utility>

namespace expectation_maximization {

using Vector = xt::xtensor<double, 1>;
using Matrix = xt::xtensor<double, 2>;
using Tensor = xt::xtensor<double, 3>;

/// The formulas. The density of component k is that of mean m_k and precision P_k'P_k, P_k lower triangular with
/// a positive diagonal. Its weight is softmax(a)_k. They leave out the constant -d/2 log(2 pi).
namespace formula {

using tapeless::variable;

inline constexpr auto X = variable<"X">;  // dimensions x rows: the loops run along rows
inline constexpr auto a = variable<"a">;  // components
inline constexpr auto m = variable<"m">;  // components x dimensions
inline constexpr auto A = variable<"A">;  // components x dimensions x dimensions: P, and of its diagonal the logarithms

// Ones below the diagonal and on it.
inline constexpr auto lower = variable<"lower">;
inline constexpr auto diagonal = variable<"diagonal">;

inline constexpr auto P = A * lower + exp(A * diagonal) * diagonal;
inline constexpr auto deviation = X - tapeless::expand_dims<1>(tapeless::expand_dims<2>(m));
inline constexpr auto whitened = sum<2>(tapeless::expand_dims<3>(P) * deviation);  // components x dimensions x rows

/// log(weight density), components x rows.
inline constexpr auto joint =
    tapeless::expand_dims<1>(a - log(sum(exp(a))) + sum<1, 2>(A * diagonal)) - 0.5 * sum<1>(square(whitened));

// Of any joint log-densities: the log-likelihood, what EM maximises, and both in one.
constexpr auto log_likelihood(const auto& l) { return sum(tapeless::logsumexp<0>(l)); }
constexpr auto expected(const auto& l, const auto& responsibilities) { return sum(responsibilities * l); }
constexpr auto free_energy(const auto& l, const auto& log_responsibilities) {
  return sum(exp(log_responsibilities) * (l - log_responsibilities));
}

}  // namespace formula

struct Parameters {
  Vector a;
  Matrix m;
  Tensor A;

  std::size_t components() const { return m.shape(0); }
  std::size_t dimensions() const { return m.shape(1); }
};

struct ValueAndGradient {
  double value;
  Parameters gradient;
};

/// The tensors behind X, lower and diagonal.
struct Data {
  Matrix X;
  Matrix lower;
  Matrix diagonal;

  explicit Data(Matrix rows) : X(std::move(rows)), lower(xt::zeros<double>({X.shape(0), X.shape(0)})), diagonal(lower) {
    for (std::size_t i = 0; i < X.shape(0); ++i) {
      diagonal(i, i) = 1;
      for (std::size_t j = 0; j < i; ++j) {
        lower(i, j) = 1;
      }
    }
  }
  std::size_t rows() const { return X.shape(1); }
  std::size_t dimensions() const { return X.shape(0); }
};

// Each in a file of its own, as each is a program to compile.

/// The free energy with its responsibilities stopped: the value is the log-likelihood.
ValueAndGradient stopped_free_energy(const Data& data, const Parameters& at);
/// The log-likelihood, differentiated through the logarithm of the sum.
ValueAndGradient open_log_likelihood(const Data& data, const Parameters& at);
/// What EM maximises, for responsibilities kept from an E-step.
ValueAndGradient kept_expectation(const Data& data, const Parameters& at, const Matrix& responsibilities);

/// log(weight density), components x rows, and its derivative in a direction.
Matrix joint(const Data& data, const Parameters& at);
Matrix joint_along(const Data& data, const Parameters& at, const Parameters& direction);

}  // namespace expectation_maximization
