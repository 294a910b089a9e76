#ifndef TAPELESS_EIGEN_HPP
#define TAPELESS_EIGEN_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Eigen's vectors and matrices: those of fixed size as arguments of functions, with <tapeless/xtensor.hpp> all as
/// tensors; Jacobians, Hessians and sparse matrices as Eigen's.
#include <tapeless/interop/eigen.hpp>
#include <tapeless/interop/eigen_sparse.hpp>
#include <tapeless/tapeless.hpp>

#endif
