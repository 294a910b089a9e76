#pragma once

#include <tapeless/operation/definition/operation.hpp>

/// The functions of core/function_list.hpp, of formulas and of numbers. All are known before the first operation is
/// defined: the rules of one operation may call any function.
namespace tapeless {

namespace operation {

#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) struct OPERATION;
#include <tapeless/core/function_list.hpp>

}  // namespace operation

#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) TAPELESS_FUNCTION_OF(COUNT, NAME, operation::OPERATION)
#include <tapeless/core/function_list.hpp>

}  // namespace tapeless
