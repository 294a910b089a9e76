#include "matrix.hpp"

#include <tapeless/xtensor.hpp>

#include <boost/hana/define_struct.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>

namespace gradbench {
namespace {

/// A Gaussian mixture: of each component the weight, as its logarithm up to a constant, the mean, and the precision
/// matrix L'L by the logarithms of the diagonal of L and the entries below it, column by column.
struct Mixture {
  BOOST_HANA_DEFINE_STRUCT(Mixture, (Vector, weights), (Matrix, means), (Matrix, diagonals), (Matrix, below));
};

using Places = xt::xtensor<int, 2>;

/// Where an entry of L is in a row of diagonals and what is below them; above the diagonal some entry.
Places places(std::size_t d) {
  Places all = xt::zeros<int>({d, d});
  int next = static_cast<int>(d);
  for (std::size_t j = 0; j < d; ++j) {
    all(j, j) = static_cast<int>(j);
    for (std::size_t i = j + 1; i < d; ++i) all(i, j) = next++;
  }
  return all;
}

// The logarithm of the posterior density of a mixture, without what does not depend on it.
constexpr auto log_posterior = [](const auto& mixture, const auto& points, const auto& places, auto gamma, auto m) {
  using namespace tapeless;
  const auto& [weights, means, diagonals, below] = mixture;
  const auto l = tril(take<1>(concatenate<1>(exp(diagonals), below), places));
  const auto whitened = einsum<"kij,nkj->nki">(l, expand_dims<1>(points) - expand_dims<0>(means));
  const auto of_components = weights + sum<1>(diagonals) - 0.5 * sum<2>(square(whitened));
  const auto likelihood = sum(logsumexp<1>(of_components) - logsumexp(weights));
  return likelihood + m * sum(diagonals) - 0.5 * gamma * gamma * sum(square(l));
};

struct Problem {
  Mixture mixture;
  Matrix points;
  Places place;
  double gamma, m, constant;

  explicit Problem(const json& input)
      : mixture{input.at("alpha"), matrix(input.at("mu")), matrix(input.at("q")), matrix(input.at("l"))},
        points(matrix(input.at("x"))),
        place(places(input.at("d"))),
        gamma(input.at("gamma")),
        m(input.at("m")) {
    const double d = input.at("d"), k = input.at("k"), n = input.at("n"), freedom = d + m + 1;
    double log_gamma = d * (d - 1) / 4 * std::log(std::numbers::pi);  // the multivariate gamma function's
    for (double j = 0; j < d; ++j) log_gamma += std::lgamma((freedom - j) / 2);
    constant = k * (freedom * d * std::log(gamma / std::numbers::sqrt2) - log_gamma) -
               n * d / 2 * std::log(2 * std::numbers::pi);
  }
};

json objective(const json& input, Runs& runs) {
  const Problem p(input);
  const auto verb = tapeless::value(log_posterior);
  return runs([&] { return p.constant + verb(p.mixture, p.points, p.place, p.gamma, p.m); });
}

json jacobian(const json& input, Runs& runs) {
  const Problem p(input);
  const auto verb = tapeless::value_and_gradient(log_posterior, tapeless::wrt<0>);
  auto r = verb(p.mixture, p.points, p.place, p.gamma, p.m);
  runs([&] { verb(into(r), p.mixture, p.points, p.place, p.gamma, p.m); });
  const Mixture& by = r.gradient;
  return {{"alpha", by.weights}, {"mu", rows(by.means)}, {"q", rows(by.diagonals)}, {"l", rows(by.below)}};
}

}  // namespace

const Module gmm{{"objective", objective}, {"jacobian", jacobian}};

}  // namespace gradbench
