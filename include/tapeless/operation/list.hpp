#ifndef TAPELESS_OPERATION_LIST_HPP
#define TAPELESS_OPERATION_LIST_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/operation/arithmetic.hpp>
#include <tapeless/operation/arrays.hpp>
#include <tapeless/operation/c_functions.hpp>
#include <tapeless/operation/comparison.hpp>
#include <tapeless/operation/complex.hpp>
#include <tapeless/operation/densities.hpp>
#include <tapeless/operation/error_function.hpp>
#include <tapeless/operation/exponential.hpp>
#include <tapeless/operation/gamma.hpp>
#include <tapeless/operation/hyperbolic.hpp>
#include <tapeless/operation/normal_distribution.hpp>
#include <tapeless/operation/power.hpp>
#include <tapeless/operation/reduction.hpp>
#include <tapeless/operation/selection.hpp>
#include <tapeless/operation/trigonometric.hpp>

namespace tapeless::operation {

template <class... Ops>
struct list {};

/// Every differentiable operation with a fixed number of operands: what the law tests run over.
using all = list<Add, Subtract, Multiply, Divide, Negate, Pow,
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) OPERATION,
#include <tapeless/core/function_list.hpp>
                 Polygamma<0>, Polygamma<1>, NormalHazard>;

}  // namespace tapeless::operation

#endif
