// Times of a logistic regression's value and gradient on the processes of MPI: next to the call without a policy, next
// to hand-written SIMD code with an all-reduce of its own, next to one process, and those of the all-reduce alone.
// Medians of interleaved runs; what several processes do takes as long as the slowest of them.
#include "hand_simd.hpp"
#include "seconds.hpp"

#include <tapeless/mpi.hpp>
#include <xtensor/xtensor.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace tapeless;
using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;

constexpr auto X = variable<"X">;
constexpr auto t = variable<"t">;
constexpr auto w = variable<"w">;
constexpr auto z = dot(X, w);
constexpr auto step = value_and_gradient(mean(softplus(z) - t * z), wrt(w));

struct data {
  matrix x;
  vector labels;

  data(std::ptrdiff_t begin, std::ptrdiff_t end, std::size_t columns)
      : x(matrix::from_shape({static_cast<std::size_t>(end - begin), columns})),
        labels(vector::from_shape({static_cast<std::size_t>(end - begin)})) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const double row = static_cast<double>(begin) + static_cast<double>(i);
      labels(i) = std::fmod(row, 3) == 0 ? 1 : 0;
      for (std::size_t j = 0; j < columns; ++j) x(i, j) = std::sin(0.37 * row + static_cast<double>(j));
    }
  }
};

double median(std::vector<double> of) {
  std::ranges::nth_element(of, of.begin() + std::ssize(of) / 2);
  return of[of.size() / 2];
}

/// The times of several runs, which take turns; each is that of the slowest process.
struct timings {
  std::vector<std::vector<double>> of;

  timings(mpi::communicator& world, int repetitions, const std::vector<std::function<void()>>& runs) : of(runs.size()) {
    for (int r = 0; r < repetitions; ++r)
      for (std::size_t i = 0; i < runs.size(); ++i) {
        MPI_Barrier(world.get());
        double longest = seconds(runs[i]);
        MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_DOUBLE, MPI_MAX, world.get());
        of[i].push_back(longest);
      }
  }
  double time(std::size_t i) const { return median(of[i]); }
  double ratio(std::size_t i, std::size_t j) const {
    std::vector<double> result;
    for (std::size_t r = 0; r < of[i].size(); ++r) result.push_back(of[i][r] / of[j][r]);
    return median(result);
  }
};

int run(mpi::communicator& world, std::ptrdiff_t rows) {
  constexpr std::size_t columns = 8;
  const auto mine = mpi::rows_of(world, rows);
  const data own(mine.begin, mine.end, columns);
  // All rows, which the first process takes alone.
  const bool first = world.rank() == 0;
  const data others(0, first && world.size() > 1 ? rows : 1, columns);
  const data& all = world.size() > 1 ? others : own;
  const vector weights{0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7, -0.8};
  const auto on = mpi::on<false>(world);
  // Policies that take turns on one communicator agree anew each time.
  mpi::communicator other;
  const auto ordered = mpi::on<false>(other, mpi::reproducible);

  auto alone = step(X = all.x, t = all.labels, w = weights);
  auto plain = step(on, X = mpi::shard(own.x), t = mpi::shard(own.labels), w = weights);
  auto same_bits = step(ordered, X = mpi::shard(own.x), t = mpi::shard(own.labels), w = weights);
  std::vector<double> by_hand_sums(1 + columns), scratch;
  const auto part = static_cast<double>(mine.size()) / static_cast<double>(rows);
  const timings times(
      world, 31,
      {[&] {
         if (first) step(into(alone), X = all.x, t = all.labels, w = weights);
       },
       [&] { step(on, into(plain), X = mpi::shard(own.x), t = mpi::shard(own.labels), w = weights); },
       [&] { step(ordered, into(same_bits), X = mpi::shard(own.x), t = mpi::shard(own.labels), w = weights); },
       [&] {
         double* const sums = by_hand_sums.data();
         sums[columns] = by_hand::logistic(own.x.data(), own.labels.data(), weights.data(), sums,
                                           static_cast<std::size_t>(mine.size()), columns, scratch);
         for (double& sum : by_hand_sums) sum *= part;
         MPI_Allreduce(MPI_IN_PLACE, sums, static_cast<int>(columns + 1), MPI_DOUBLE, MPI_SUM, world.get());
       }});
  if (first) {
    if (std::abs(plain.value - alone.value) > 1e-13 || std::abs(by_hand_sums[columns] - alone.value) > 1e-13) {
      std::puts("the values differ");
      return 1;
    }
    std::printf("%td rows, %d processes, %zu bytes: %.3f ms; one process %.3f ms\n", rows, world.size(),
                8 * (1 + columns), 1e3 * times.time(1), 1e3 * times.time(0));
    std::printf("  one process without a policy / these processes    %.3f\n", times.ratio(0, 1));
    std::printf("  ours / hand-written with its own all-reduce       %.3f\n", times.ratio(1, 3));
    std::printf("  reproducible / default                            %.3f\n", times.ratio(2, 1));
  }
  for (const std::size_t count : {1u, 9u, 1000u, 100000u}) {
    std::vector<double> numbers(count);
    const timings sum(world, 101, {[&] { world.all_reduce(std::span<double>(numbers)); }});
    if (first) std::printf("  all-reduce of %6zu numbers                      %.1f us\n", count, 1e6 * sum.time(0));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return mpi::run(argc, argv, [&](mpi::communicator& world) {
    const std::ptrdiff_t rows = argc > 1 ? std::atol(argv[1]) : 1000000;
    return run(world, std::max<std::ptrdiff_t>(rows, 1));
  });
}
