#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Everything that needs no other library than Boost.Hana: <tapeless/tapeless.hpp>, assembled sums, emitted code,
/// schedules, sorting and TensorFlow's spellings.
#include <tapeless/tapeless.hpp>

#include <tapeless/assemble.hpp>
#include <tapeless/emit.hpp>
#include <tapeless/inspect/schedule.hpp>
#include <tapeless/sort.hpp>
#include <tapeless/tensorflow.hpp>
