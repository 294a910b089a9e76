#include "matrix.hpp"

#include <tapeless/xtensor.hpp>

namespace gradbench {
namespace {

// The sum of the squared distances of points from the centroid that is closest.
constexpr auto distances = [](const auto& centroids, const auto& points) {
  using namespace tapeless;
  return sum(amin<1>(sum<2>(square(expand_dims<1>(points) - expand_dims<0>(centroids)))));
};
constexpr auto slope = [](const auto& centroids, const auto& points) {
  return tapeless::gradient(distances, tapeless::wrt<0>)(centroids, points);
};

json cost(const json& input, Runs& runs) {
  const Matrix points = matrix(input.at("points")), centroids = matrix(input.at("centroids"));
  const auto verb = tapeless::value(distances);
  return runs([&] { return verb(centroids, points); });
}

// The step of Newton's method. The Hessian is diagonal, so its product with a vector of ones has the diagonal.
json dir(const json& input, Runs& runs) {
  const Matrix points = matrix(input.at("points")), centroids = matrix(input.at("centroids"));
  const Matrix ones = xt::ones_like(centroids);
  const auto verb = tapeless::value_and_jvp(slope, tapeless::wrt<0>, tapeless::tangent(ones));
  auto r = verb(centroids, points);
  Matrix direction = ones;
  runs([&] {
    verb(into(r), centroids, points);
    direction = r.value / r.tangent;
  });
  return rows(direction);
}

}  // namespace

const Module kmeans{{"cost", cost}, {"dir", dir}};

}  // namespace gradbench
