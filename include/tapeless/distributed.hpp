#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Data-parallel calls over any communicator. <tapeless/mpi.hpp> has the communicator for MPI.
// Messages of calls stand in its headers: the way to them is short.
#include <tapeless/xtensor.hpp>

#include <tapeless/mpi/call.hpp>
