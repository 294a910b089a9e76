#pragma once

#include <tapeless/mpi/communicator.hpp>

#include <algorithm>
#include <cstddef>

namespace tapeless::mpi {

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
