#ifndef TAPELESS_EVALUATE_SIMD_HPP
#define TAPELESS_EVALUATE_SIMD_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/evaluate/lanes.hpp>
#include <tapeless/evaluate/lanes_error_function.hpp>
#include <tapeless/evaluate/lanes_functions.hpp>
#include <tapeless/evaluate/lanes_memory.hpp>
#include <tapeless/evaluate/lanes_power.hpp>

#endif
