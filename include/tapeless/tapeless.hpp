#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Everything in tapeless that does not need a tensor library.
// Compilers print how they came to the file of an error: the way to these is short.
// clang-format off
#include <tapeless/core/named.hpp>
#include <tapeless/gradient/wrt.hpp>
#include <tapeless/program/lower/trace.hpp>
#include <tapeless/gradient/outputs.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/gradient/problem.hpp>
#include <tapeless/gradient/call_options.hpp>
#include <tapeless/gradient/formula/formula_call.hpp>
#include <tapeless/gradient/function/function_call.hpp>
#include <tapeless/gradient/make_verb.hpp>
#include <tapeless/loop/scan.hpp>
#include <tapeless/operation/matrix/matrix.hpp>
#include <tapeless/operation/matrix/factorization.hpp>
#include <tapeless/operation/matrix/rotation.hpp>
// clang-format on

#include <tapeless/core/apply.hpp>
#include <tapeless/core/bound_function.hpp>
#include <tapeless/core/constant.hpp>
#include <tapeless/core/freeze.hpp>
#include <tapeless/core/from_ceres.hpp>
#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/core/transform_leaves.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/core/variable_list.hpp>
#include <tapeless/gradient/blocks.hpp>
#include <tapeless/gradient/derivative.hpp>
#include <tapeless/gradient/refused.hpp>
#include <tapeless/gradient/unconnected.hpp>
#include <tapeless/gradient/verbs.hpp>
#include <tapeless/inspect/check_gradient.hpp>
#include <tapeless/inspect/compare_engines.hpp>
#include <tapeless/inspect/cost.hpp>
#include <tapeless/inspect/dot.hpp>
#include <tapeless/inspect/latex.hpp>
#include <tapeless/inspect/text.hpp>
#include <tapeless/inspect/trace_nan.hpp>
#include <tapeless/loop/cond.hpp>
#include <tapeless/loop/fixed_point.hpp>
#include <tapeless/loop/implicit_root.hpp>
#include <tapeless/loop/odeint.hpp>
#include <tapeless/operation/gradient_surgery.hpp>
#include <tapeless/operation/list.hpp>
#include <tapeless/version.hpp>
