#pragma once

#include <concepts>
#include <span>

namespace tapeless::mpi {

/// Processes, or threads, that compute together. `rank()` is the number of this one among `size()`.
/// `all_reduce(numbers)` replaces the numbers, of which each process has as many, by their sums over the processes; it
/// returns when this is done, with the same bits in each process. Each process makes the same calls in the same order.
/// A class of about ten lines makes a communicator of a host program's own collective.
///
/// `all_reduce` takes `std::span<double>` and, for calls in float, `std::span<float>`. It need not handle errors: the
/// calls of the library do that with it.
template <class C>
concept Communicator = requires(C& c, std::span<double> numbers) {
  { c.rank() } -> std::convertible_to<int>;
  { c.size() } -> std::convertible_to<int>;
  c.all_reduce(numbers);
};

/// A communicator that can compute while a sum is in progress: `start_all_reduce(numbers)` starts a sum, and
/// `finish_all_reduce()` waits for it.
template <class C>
concept Overlapping_communicator = Communicator<C> && requires(C& c, std::span<double> numbers) {
  c.start_all_reduce(numbers);
  c.finish_all_reduce();
};

/// A single process, so that a program for many processes runs without others.
struct one_process {
  static constexpr int rank() { return 0; }
  static constexpr int size() { return 1; }
  template <class T>
  static constexpr void all_reduce(std::span<T>) {}
};

}  // namespace tapeless::mpi
