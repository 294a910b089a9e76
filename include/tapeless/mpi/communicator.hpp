#ifndef TAPELESS_MPI_COMMUNICATOR_HPP
#define TAPELESS_MPI_COMMUNICATOR_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <concepts>
#include <span>

namespace tapeless::mpi {

/// Processes, or threads, that compute together: `rank()` is this one's number among `size()`, and
/// `all_reduce(numbers)` replaces numbers, the same count in each process, by their sums over the processes; it returns
/// when that is done, in each process with the same bits. Each process makes the same calls in the same order. A host
/// program's collective of its own is one by a class of ten lines.
///
/// `all_reduce` takes `std::span<double>` and, for calls in float, `std::span<float>`. It need not agree on errors:
/// the calls of the library do that through it.
template <class C>
concept Communicator = requires(C& c, std::span<double> numbers) {
  { c.rank() } -> std::convertible_to<int>;
  { c.size() } -> std::convertible_to<int>;
  c.all_reduce(numbers);
};

/// A communicator that can go on computing while numbers are on their way: `start_all_reduce(numbers)` begins a sum and
/// `finish_all_reduce()` waits for it.
template <class C>
concept Overlapping_communicator = Communicator<C> && requires(C& c, std::span<double> numbers) {
  c.start_all_reduce(numbers);
  c.finish_all_reduce();
};

/// One process on its own, so that a program for many runs without any of them.
struct one_process {
  static constexpr int rank() { return 0; }
  static constexpr int size() { return 1; }
  template <class T>
  static constexpr void all_reduce(std::span<T>) {}
};

}  // namespace tapeless::mpi

#endif
