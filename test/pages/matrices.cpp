#include <tapeless/lapack.hpp>
#include <tapeless/tapeless.hpp>
#include <tapeless/xtensor.hpp>
#include <xtensor/xtensor.hpp>

#include <array>

using namespace tapeless;

namespace {

void small(const std::array<double, 2>& x, const std::array<std::array<double, 2>, 2>& covariance) {
#include "matrices.1.hpp"
}

}  // namespace

namespace large {
const xt::xtensor<double, 2> covariance{{2, 1}, {1, 2}};
const xt::xtensor<double, 1> seen{1, 2};
#include "matrices.2.hpp"
}  // namespace large
