#ifndef TAPELESS_EVALUATE_LANES_SIMD_HPP
#define TAPELESS_EVALUATE_LANES_SIMD_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/evaluate/lanes/lanes.hpp>
#include <tapeless/evaluate/lanes/lanes_error_function.hpp>
#include <tapeless/evaluate/lanes/lanes_functions.hpp>
#include <tapeless/evaluate/lanes/lanes_memory.hpp>
#include <tapeless/evaluate/lanes/lanes_power.hpp>

#endif
