#pragma once

#include <tapeless/operation/probability/densities.hpp>
#include <tapeless/operation/probability/normal_distribution.hpp>
#include <tapeless/operation/scalar/arithmetic.hpp>
#include <tapeless/operation/scalar/c_functions.hpp>
#include <tapeless/operation/scalar/comparison.hpp>
#include <tapeless/operation/scalar/complex.hpp>
#include <tapeless/operation/scalar/exponential.hpp>
#include <tapeless/operation/scalar/gamma.hpp>
#include <tapeless/operation/scalar/reduction.hpp>
#include <tapeless/operation/scalar/selection.hpp>
#include <tapeless/operation/scalar/trigonometric.hpp>

namespace tapeless::operation {

template <class... Ops>
struct list {};

/// Every differentiable operation with a fixed number of operands: what the law tests run over.
using all = list<Add, Subtract, Multiply, Divide, Negate, Pow,
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) OPERATION,
#include <tapeless/core/function_list.hpp>
                 Polygamma<0>, Polygamma<1>, NormalHazard>;

}  // namespace tapeless::operation
