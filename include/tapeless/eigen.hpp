#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Support for Eigen: vectors and matrices of fixed size as arguments of functions; with <tapeless/xtensor.hpp>, all of
/// them as tensors; Jacobians, Hessians and sparse matrices as results.
#include <tapeless/interop/eigen.hpp>
#include <tapeless/interop/eigen_sparse.hpp>
#include <tapeless/tapeless.hpp>
