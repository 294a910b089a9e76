#pragma once

#include <tapeless/mpi/agreement.hpp>

#include <array>
#include <exception>
#include <span>
#include <string>

namespace tapeless::mpi {

/// Runs `f()` in each process, for work without communication such as reading a part of a file, and waits for all
/// processes. If `f` throws in one of them, the others throw `mpi::error`, so that none waits for it later.
template <Communicator C, class F>
void together(C& communicator, const F& f) {
  std::exception_ptr own;
  try {
    f();
  } catch (...) {
    own = std::current_exception();
  }
  std::array<double, 1> failed{own ? 1.0 : 0.0};
  communicator.all_reduce(std::span<double>(failed));
  if (own) std::rethrow_exception(own);
  if (failed[0] > 0)
    throw error("tapeless: " + std::to_string(static_cast<long>(failed[0])) + " of " +
                std::to_string(communicator.size()) + " processes failed");
}

}  // namespace tapeless::mpi
