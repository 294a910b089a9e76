#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Tensors: the verbs of tapeless.hpp with variables bound to containers and views of xtensor, to std::vector,
/// std::array, std::span and std::mdspan; and the operations that only tensors have.
// Compilers print how they came to the file of an error: the way to these is short.
// clang-format off
#include <tapeless/core/variable.hpp>
#include <tapeless/gradient/problem.hpp>
#include <tapeless/gradient/call_options.hpp>
#include <tapeless/gradient/formula/formula_call.hpp>
#include <tapeless/gradient/function/function_call.hpp>
#include <tapeless/gradient/make_verb.hpp>
#include <tapeless/gradient/verbs.hpp>
// clang-format on

#include <tapeless/gradient/batched.hpp>
#include <tapeless/gradient/function/as_matrix.hpp>
#include <tapeless/gradient/tensor/matrix_rows.hpp>
#include <tapeless/gradient/tensor/tensor_formula.hpp>
#include <tapeless/gradient/tensor/tensor_function.hpp>
#include <tapeless/interop/mdspan.hpp>
#include <tapeless/interop/transform_tensors.hpp>
#include <tapeless/interop/xtensor.hpp>
#include <tapeless/operation/tensor/arrangement.hpp>
#include <tapeless/operation/tensor/complex.hpp>
#include <tapeless/operation/tensor/indexing.hpp>
#include <tapeless/operation/tensor/linear_algebra.hpp>
#include <tapeless/operation/tensor/over_axes.hpp>
#include <tapeless/tapeless.hpp>
