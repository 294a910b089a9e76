#include <tapeless/lapack.hpp>
#include <tapeless/tapeless.hpp>
#include <tapeless/xtensor.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

using namespace tapeless;

namespace {

namespace ceres {
#include "coming_from/ceres.1.hpp"
}
namespace autodiff {
#include "coming_from/autodiff.1.hpp"
static_assert(gradient(third)(0.0) == 0 && third(0.0) == -1);
}  // namespace autodiff
namespace cppad {
#include "coming_from/cppad.1.hpp"
}
namespace stan {
#include "coming_from/stan.1.hpp"
#include "coming_from/stan.2.hpp"
}  // namespace stan
namespace jax {
#include "coming_from/jax.1.hpp"
}
namespace templates {
#include "coming_from/templates.1.hpp"
#include "coming_from/templates.2.hpp"
static_assert(value_and_gradient(cost)(3.0, std::array{2.0, 1.0}).value == 6.25);
static_assert(get<1>(gradient(cost)(3.0, std::array{2.0, 1.0}))[1] == -48.75);
}  // namespace templates
namespace which {
#include "which.1.hpp"
#include "which.2.hpp"
}  // namespace which

}  // namespace
