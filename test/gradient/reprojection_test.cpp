// The hard example: bundle adjustment's residual with its 2 x 15 Jacobian, at ordinary, small and zero rotations.
#include "../../example/bundle_adjustment/reprojection.hpp"

#include <array>
#include <boost/multiprecision/cpp_dec_float.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstddef>

namespace {

using bundle_adjustment::reprojection;

using Camera = std::array<double, 11>;
using Point = std::array<double, 3>;
using Pixel = std::array<double, 2>;

// What runs, small angles included: fewer additions and multiplications than the 274 that were known without them.
constexpr auto cost = tapeless::cost<Camera, Point, double, Pixel>(reprojection);
static_assert(cost.additions + cost.multiplications <= 266);
static_assert(cost.divisions <= 6 && cost.functions == 2 && cost.selections <= 4);
static_assert(tapeless::longest_chain<Camera, Point, double, Pixel>(reprojection) <= 25);

// The compiler itself can run it; a camera that is not turned sees a point on its axis at the principal point.
constexpr auto ahead =
    reprojection(Camera{0, 0, 0, 0, 0, -5, 500, 320, 240, 0.1, 0.01}, Point{0, 0, 0}, 1.0, Pixel{320, 240});
static_assert(ahead.value == Pixel{0, 0});
static_assert(ahead.jacobian[0] == std::array<double, 15>{0, 500, 0, -100, 0, 0, 0, 1, 0, 0, 0, 100, 0, 0, 0});
static_assert(ahead.jacobian[1] == std::array<double, 15>{-500, 0, 0, 0, -100, 0, 0, 0, 1, 0, 0, 0, 100, 0, 0});

using Wide = boost::multiprecision::cpp_dec_float_50;
using Inputs = std::array<Wide, 15>;

// By the rotation matrix about a unit axis, in 50 digits.
std::array<Wide, 2> reference(const Inputs& in, const Pixel& seen) {
  const Wide angle = sqrt(in[0] * in[0] + in[1] * in[1] + in[2] * in[2]);
  const std::array<Wide, 3> x{in[11] - in[3], in[12] - in[4], in[13] - in[5]};
  std::array<Wide, 3> q = x;
  if (angle != 0) {
    const std::array<Wide, 3> k{in[0] / angle, in[1] / angle, in[2] / angle};
    const Wide c = cos(angle), s = sin(angle), along = k[0] * x[0] + k[1] * x[1] + k[2] * x[2];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
      q[i] = c * x[i] + (1 - c) * along * k[i] + s * (k[j] * x[l] - k[l] * x[j]);
    }
  }
  const Wide u = q[0] / q[2], v = q[1] / q[2], rho = u * u + v * v;
  const Wide distortion = 1 + in[9] * rho + in[10] * rho * rho;
  return {in[14] * (in[6] * u * distortion + in[7] - seen[0]), in[14] * (in[6] * v * distortion + in[8] - seen[1])};
}

/// Compares value and Jacobian with the reference, whose derivatives are differences right to about 20 digits.
void check(const std::array<double, 3>& rotation, double tolerance) {
  BOOST_TEST_CONTEXT("rotation " << rotation[0] << ' ' << rotation[1] << ' ' << rotation[2]) {
    const Camera camera{rotation[0], rotation[1], rotation[2], 0.3, -0.2, -5, 1.5, 0.25, -0.5, 0.1, -0.02};
    const Point point{0.4, 0.7, -0.6};
    const double weight = 1.25;
    const Pixel seen{0.375, -0.25};
    const auto [value, jacobian] = reprojection(camera, point, weight, seen);

    Inputs in;
    for (std::size_t i = 0; i < 11; ++i) in[i] = camera[i];
    for (std::size_t i = 0; i < 3; ++i) in[11 + i] = point[i];
    in[14] = weight;
    const auto expected = reference(in, seen);
    for (std::size_t row = 0; row < 2; ++row) BOOST_TEST(abs(value[row] - expected[row]) <= 1e-15);
    for (std::size_t column = 0; column < 15; ++column) {
      const auto moved = [&](const Wide& by) {
        Inputs there = in;
        there[column] += by;
        return reference(there, seen);
      };
      const Wide h("1e-12");
      const auto above = moved(h), below = moved(-h);
      for (std::size_t row = 0; row < 2; ++row) {
        const Wide derivative = (above[row] - below[row]) / (2 * h);
        BOOST_TEST_CONTEXT("row " << row << ", column " << column)
        BOOST_TEST(abs(jacobian[row][column] - derivative) <= tolerance);
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(ordinary_rotations) {
  check({0.4, -0.3, 0.8}, 4e-15);
  check({-0.5, 0.2, 0.1}, 4e-15);
  check({0.1, 0.05, -0.02}, 4e-15);
  check({0.3, -0.2, 2.5}, 4e-15);
}

BOOST_AUTO_TEST_CASE(small_rotations) {
  for (const double size : {1e-3, 1e-5, 1e-8, 1e-12, 1e-30, 1e-160, 1e-300, 5e-324}) {
    check({size, 0, 0}, 1e-15);
    check({0, -size, 0}, 1e-15);
    check({size, 2 * size, -size}, 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(no_rotation) {
  check({0, 0, 0}, 1e-15);
  check({-0.0, 0, -0.0}, 1e-15);
}

// On either side of the angle of 1/64 at which the series takes over. Above it 1 - cos(angle) has the fewest digits.
BOOST_AUTO_TEST_CASE(where_the_series_ends) {
  for (const double angle : {1.0 / 64 - 1e-9, 1.0 / 64, 1.0 / 64 + 1e-9, 0.02, 0.03}) {
    check({angle, 0, 0}, 5e-14);
    check({0.6 * angle, 0, 0.8 * angle}, 5e-14);
  }
}
