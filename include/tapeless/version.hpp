#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// The version of the library, by semantic versioning; while the major number is 0, a new minor number may break code.
/// CMake, Conan and pkg-config read it from here.
#define TAPELESS_VERSION_MAJOR 0
#define TAPELESS_VERSION_MINOR 1
#define TAPELESS_VERSION_PATCH 0

/// One number to compare in `#if`: 10000 * major + 100 * minor + patch.
#define TAPELESS_VERSION (10000 * TAPELESS_VERSION_MAJOR + 100 * TAPELESS_VERSION_MINOR + TAPELESS_VERSION_PATCH)
