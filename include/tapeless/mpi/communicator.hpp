#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
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

namespace detail {

/// Rows are divided into parts of this length, at most 1024 of at least 256 rows: that depends on their number alone,
/// so sums of the parts in a fixed order do too.
constexpr std::ptrdiff_t part_length(std::ptrdiff_t rows) {
  constexpr std::ptrdiff_t most_parts = 1024, least_rows = 256;
  return std::max((rows + most_parts - 1) / most_parts, least_rows);
}

}  // namespace detail

/// Rows from `begin` to before `end`.
struct row_range {
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t end = 0;

  constexpr std::ptrdiff_t size() const { return end - begin; }
  constexpr bool operator==(const row_range&) const = default;
};

/// The rows of process `rank` of `size`, out of `rows` rows: whole parts, distributed evenly in the order of the
/// processes. Reproducible sums need this division; others do not. A process may have no rows.
constexpr row_range rows_of(int rank, int size, std::ptrdiff_t rows) {
  const std::ptrdiff_t length = detail::part_length(rows), parts = (rows + length - 1) / length;
  const auto first_row = [&](int of) { return std::min(rows, parts * of / size * length); };
  return {first_row(rank), first_row(rank + 1)};
}
/// The same for this process.
template <Communicator C>
constexpr row_range rows_of(C& communicator, std::ptrdiff_t rows) {
  return rows_of(communicator.rank(), communicator.size(), rows);
}

}  // namespace tapeless::mpi
