#pragma once

#include <tapeless/evaluate/lanes/lanes.hpp>
#include <tapeless/evaluate/lanes/lanes_error_function.hpp>
#include <tapeless/evaluate/lanes/lanes_functions.hpp>
#include <tapeless/evaluate/lanes/lanes_memory.hpp>
