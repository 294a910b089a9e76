#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Data-parallel calls over MPI: `step(mpi::on(world), into(r), X = mpi::shard(rows), w = weights)`, where `world` is
/// an `mpi::communicator`.
#include <tapeless/distributed.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

// The interface of C: that of C++ has left the standard.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

namespace tapeless::mpi {

/// The processes of the MPI communicator `of`. It is duplicated, so that the library's messages do not mix with the
/// program's. Create and destroy it in all processes, between MPI_Init and MPI_Finalize.
class communicator {
  MPI_Comm processes_ = MPI_COMM_NULL;
  MPI_Request sum_ = MPI_REQUEST_NULL;
  agreement agreed_;

  static void must_succeed(int status) {
    if (status == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(status, text, &length);
    throw std::runtime_error("tapeless: MPI: " + std::string(text, static_cast<std::size_t>(length)));
  }
  template <class T>
  static MPI_Datatype type_of() {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, long double>,
                  "tapeless: sums by MPI need float, double or long double [TL209]");
    if constexpr (std::is_same_v<T, float>)
      return MPI_FLOAT;
    else if constexpr (std::is_same_v<T, double>)
      return MPI_DOUBLE;
    else
      return MPI_LONG_DOUBLE;
  }

 public:
  explicit communicator(MPI_Comm of = MPI_COMM_WORLD) { must_succeed(MPI_Comm_dup(of, &processes_)); }
  communicator(const communicator&) = delete;
  communicator& operator=(const communicator&) = delete;
  ~communicator() { MPI_Comm_free(&processes_); }

  MPI_Comm get() const { return processes_; }
  agreement& agreed() { return agreed_; }
  int rank() const {
    int result = 0;
    must_succeed(MPI_Comm_rank(processes_, &result));
    return result;
  }
  int size() const {
    int result = 1;
    must_succeed(MPI_Comm_size(processes_, &result));
    return result;
  }

  template <class T>
  void all_reduce(std::span<T> numbers) {
    // Counts are ints.
    constexpr std::size_t most = std::size_t{1} << 30;
    for (std::size_t begin = 0; begin < numbers.size(); begin += most) {
      const std::span<T> some = numbers.subspan(begin, std::min(most, numbers.size() - begin));
      must_succeed(
          MPI_Allreduce(MPI_IN_PLACE, some.data(), static_cast<int>(some.size()), type_of<T>(), MPI_SUM, processes_));
    }
  }
  template <class T>
  void start_all_reduce(std::span<T> numbers) {
    if (numbers.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) return all_reduce(numbers);
    must_succeed(MPI_Iallreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), type_of<T>(), MPI_SUM,
                                processes_, &sum_));
  }
  void finish_all_reduce() { must_succeed(MPI_Wait(&sum_, MPI_STATUS_IGNORE)); }
};

/// The main program of each process: `int main(int argc, char** argv) { return mpi::run(argc, argv, f); }`. It calls
/// `f(communicator)` between MPI_Init_thread and MPI_Finalize; `f` returns the exit status. If an exception leaves `f`,
/// `run` reports it on standard error and ends all processes, so that none waits for this one.
template <class F>
int run(int& argc, char**& argv, const F& f) {
  int threads = 0;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads) != MPI_SUCCESS) return 1;
  int status = 1;
  try {
    communicator world;
    status = f(world);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  } catch (...) {
    std::fprintf(stderr, "unknown exception\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}

}  // namespace tapeless::mpi
