// Calls on several processes, which are threads here: values and gradients are those of one call with all rows.
#include "threads.hpp"

#include <tapeless/distributed.hpp>
#include <tapeless/parallel.hpp>

#include <boost/hana.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <execution>
#include <limits>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

using namespace tapeless;

namespace {

constexpr auto X = variable<"X">;
constexpr auto w = variable<"w">;
constexpr auto b = variable<"b">;
constexpr auto t = variable<"t">;

using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;

matrix wave(std::size_t row_count, std::size_t column_count, double frequency) {
  matrix result = matrix::from_shape({row_count, column_count});
  for (std::size_t i = 0; i < result.size(); ++i) result.data()[i] = std::sin(frequency * static_cast<double>(i + 1));
  return result;
}
vector wave(std::size_t size, double frequency) {
  vector result = vector::from_shape({size});
  for (std::size_t i = 0; i < size; ++i) result(i) = std::sin(frequency * static_cast<double>(i + 1));
  return result;
}

matrix rows_of(const matrix& all, mpi::row_range range) {
  const std::size_t column_count = all.shape()[1];
  matrix result = matrix::from_shape({static_cast<std::size_t>(range.size()), column_count});
  std::copy_n(all.data() + range.begin * static_cast<std::ptrdiff_t>(column_count), result.size(), result.data());
  return result;
}
vector rows_of(const vector& all, mpi::row_range range) {
  vector result = vector::from_shape({static_cast<std::size_t>(range.size())});
  std::copy_n(all.data() + range.begin, result.size(), result.data());
  return result;
}
/// Uneven parts: the first process has no rows, the second one, the others share the rest.
mpi::row_range uneven(int rank, int size, std::ptrdiff_t row_count) {
  if (size == 1) return {0, row_count};
  if (rank == 0) return {0, 0};
  if (rank == 1 && size > 2) return {0, 1};
  const std::ptrdiff_t first = size > 2 ? 1 : 0, left = row_count - first, others = size > 2 ? size - 2 : 1;
  const std::ptrdiff_t place = size > 2 ? rank - 2 : 0;
  return {first + left * place / others, first + left * (place + 1) / others};
}

/// The greatest difference in units of the greatest element.
template <class A, class B>
double difference(const A& a, const B& c) {
  if (a.size() != c.size()) return std::numeric_limits<double>::infinity();
  double result = 0, largest = 0;
  auto j = c.begin();
  for (auto i = a.begin(); i != a.end(); ++i, ++j) {
    result = std::max(result, std::abs(*i - *j));
    largest = std::max(largest, std::abs(*j));
  }
  return largest > 0 ? result / largest : result;
}

const std::size_t row_count = 1003, column_count = 7;
const matrix data = wave(row_count, column_count, 0.37);
const vector labels = wave(row_count, 0.83), weights = wave(column_count, 1.7);

constexpr auto z = dot(X, w);
constexpr auto logistic = sum(softplus(z) - t * z);

struct layers {
  BOOST_HANA_DEFINE_STRUCT(layers, (matrix, hidden), (vector, bias), (vector, output));
};
struct samples {
  BOOST_HANA_DEFINE_STRUCT(samples, (matrix, x), (vector, y));
};
constexpr auto network = [](const auto& p, const auto& s) {
  const auto& [hidden, bias, output] = p;
  const auto& [x, y] = s;
  return mean(square(dot(tanh(dot(x, hidden) + bias), output) - y));
};

}  // namespace

BOOST_AUTO_TEST_CASE(value_and_gradient_are_those_of_all_rows) {
  const auto step = value_and_gradient(logistic, wrt(w));
  const auto whole = step(X = data, t = labels, w = weights);
  for (const int size : {1, 2, 3, 4})
    on_processes(size, [&](thread_communicator& comm) {
      const auto mine = uneven(comm.rank(), size, row_count);
      const matrix own = rows_of(data, mine);
      const vector own_labels = rows_of(labels, mine);
      const auto policy = mpi::on<false>(comm);
      auto r = step(policy, X = mpi::shard(own), t = mpi::shard(own_labels), w = weights);
      const int before = comm.all_reduces;
      const std::size_t numbers = comm.numbers;
      step(policy, into(r), X = mpi::shard(own), t = mpi::shard(own_labels), w = weights);
      check([&] {
        BOOST_TEST(r.value == whole.value, boost::test_tools::tolerance(1e-13));
        BOOST_TEST(difference(r.gradient[w], whole.gradient[w]) < 1e-13);
        // One all-reduce of the value and the gradient.
        BOOST_TEST(comm.all_reduces - before == (size > 1));
        BOOST_TEST(comm.numbers - numbers == (size > 1 ? 1 + column_count : 0));
      });
    });
}

BOOST_AUTO_TEST_CASE(rows_may_be_complex) {
  // The gradients of the sum of |x y|^2 are 2 |y|^2 conj(x) and 2 |x|^2 conj(y), summed over the rows.
  using number = std::complex<double>;
  constexpr auto f = [](auto x, auto y) { return sum(norm(x * y)); };
  const xt::xtensor<number, 1> y{{1, 2}, {0.5, -1}};
  for (const int size : {1, 2, 3})
    on_processes(size, [&](thread_communicator& comm) {
      const auto mine = uneven(comm.rank(), size, 5);
      auto x = xt::xtensor<number, 2>::from_shape({static_cast<std::size_t>(mine.size()), 2});
      const auto element = [](std::ptrdiff_t row, std::size_t j) {
        return number(static_cast<double>(row), static_cast<double>(j) + 0.5);
      };
      for (std::size_t i = 0; i < x.shape(0); ++i)
        for (std::size_t j = 0; j < 2; ++j) x(i, j) = element(mine.begin + static_cast<std::ptrdiff_t>(i), j);
      const auto [value, by] = value_and_gradient(f)(mpi::on(comm), mpi::shard(x), y);
      check([&] {
        double expected = 0;
        number by_y[2] = {};
        for (std::ptrdiff_t i = 0; i < 5; ++i)
          for (std::size_t j = 0; j < 2; ++j) {
            expected += std::norm(element(i, j) * y(j));
            by_y[j] += 2 * std::norm(element(i, j)) * std::conj(y(j));
          }
        BOOST_TEST(value == expected, boost::test_tools::tolerance(1e-13));
        for (std::size_t j = 0; j < 2; ++j) {
          BOOST_TEST(std::abs(std::get<1>(by)(j) - by_y[j]) < 1e-12);
          for (std::size_t i = 0; i < x.shape(0); ++i)
            BOOST_TEST(std::abs(std::get<0>(by)(i, j) - 2 * std::norm(y(j)) * std::conj(x(i, j))) < 1e-12);
        }
      });
    });
}

BOOST_AUTO_TEST_CASE(means_know_all_rows) {
  const auto step = value_and_gradient(mean(softplus(z) - t * z) + mean(logsumexp<1>(X)), wrt(w, X, t));
  const auto whole = step(X = data, t = labels, w = weights);
  for (const int size : {2, 3})
    on_processes(size, [&](thread_communicator& comm) {
      const auto mine = uneven(comm.rank(), size, row_count);
      const matrix own = rows_of(data, mine);
      const vector own_labels = rows_of(labels, mine);
      const auto r = step(mpi::on(comm), X = mpi::shard(own), t = mpi::shard(own_labels), w = weights);
      check([&] {
        BOOST_TEST(r.value == whole.value, boost::test_tools::tolerance(1e-13));
        BOOST_TEST(difference(r.gradient[w], whole.gradient[w]) < 1e-13);
        BOOST_TEST(difference(r.gradient[X], rows_of(whole.gradient[X], mine)) < 1e-13);
        BOOST_TEST(difference(r.gradient[t], rows_of(whole.gradient[t], mine)) < 1e-13);
      });
    });
}

// A reduction of what depends on another one: the variance, and the largest elements.
BOOST_AUTO_TEST_CASE(later_phases) {
  const auto centred = t - mean(t);
  const auto step =
      value_and_gradient(mean(square(centred)) + logsumexp(t) + 2_c * amax(t) - amin(t) + prod(1_c + 0.01 * t), wrt(t));
  const auto whole = step(t = labels);
  const auto columns_step = value_and_gradient(sum(log(1_c + sum<0>(square(X - mean<0>(X))))), wrt(X));
  const auto whole_columns = columns_step(X = data);
  for (const int size : {2, 4})
    on_processes(size, [&](thread_communicator& comm) {
      const auto mine = uneven(comm.rank(), size, row_count);
      const vector own = rows_of(labels, mine);
      const matrix own_data = rows_of(data, mine);
      const auto r = step(mpi::on(comm), t = mpi::shard(own));
      const auto of_columns = columns_step(mpi::on(comm), X = mpi::shard(own_data));
      check([&] {
        BOOST_TEST(r.value == whole.value, boost::test_tools::tolerance(1e-13));
        BOOST_TEST(difference(r.gradient[t], rows_of(whole.gradient[t], mine)) < 1e-12);
        BOOST_TEST(of_columns.value == whole_columns.value, boost::test_tools::tolerance(1e-13));
        BOOST_TEST(difference(of_columns.gradient[X], rows_of(whole_columns.gradient[X], mine)) < 1e-12);
      });
    });
}

BOOST_AUTO_TEST_CASE(functions_with_structs) {
  const layers p{wave(column_count, 5, 0.7), wave(5, 0.2), wave(5, 1.1)};
  const samples all{data, labels};
  const auto step = value_and_gradient(network, wrt<0>);
  const auto whole = step(p, all);
  for (const int size : {2, 3})
    on_processes(size, [&](thread_communicator& comm) {
      const auto mine = uneven(comm.rank(), size, row_count);
      const samples own{rows_of(data, mine), rows_of(labels, mine)};
      const auto policy = mpi::on<false>(comm);
      auto r = step(policy, p, mpi::shard(own));
      const int before = comm.all_reduces;
      step(policy, into(r), p, mpi::shard(own));
      const auto product = hvp(network, tangent(p, own))(policy, p, mpi::shard(own));
      const auto whole_product = hvp(network, tangent(p, all))(p, all);
      static_assert(decltype(mpi::phases(step)(p, mpi::shard(own)))::value == 1);
      check([&] {
        BOOST_TEST(comm.all_reduces - before >= 1);
        BOOST_TEST(r.value == whole.value, boost::test_tools::tolerance(1e-13));
        BOOST_TEST(difference(r.gradient.hidden, whole.gradient.hidden) < 1e-13);
        BOOST_TEST(difference(r.gradient.bias, whole.gradient.bias) < 1e-13);
        BOOST_TEST(difference(r.gradient.output, whole.gradient.output) < 1e-13);
        BOOST_TEST(difference(std::get<0>(product).hidden, std::get<0>(whole_product).hidden) < 1e-12);
        BOOST_TEST(difference(std::get<1>(product).x, rows_of(std::get<1>(whole_product).x, mine)) < 1e-12);
      });
    });
}

BOOST_AUTO_TEST_CASE(other_verbs) {
  const vector along = wave(column_count, 0.9);
  const auto whole_jvp = value_and_jvp(logistic, tangent(w = along))(X = data, t = labels, w = weights);
  const auto whole_hessian = hessian(logistic, wrt(w))(X = data, t = labels, w = weights);
  const auto whole_values = outputs(logistic, sigmoid(z))(X = data, t = labels, w = weights);
  const vector spots = wave(row_count, 0.4);
  const auto price = value_and_gradient(b * exp(t), wrt(t));
  const auto whole_batch = batched(price)(t = spots, b = 2.0);
  on_processes(3, [&](thread_communicator& comm) {
    const auto mine = uneven(comm.rank(), 3, row_count);
    const matrix own = rows_of(data, mine);
    const vector own_labels = rows_of(labels, mine), own_spots = rows_of(spots, mine);
    const auto policy = mpi::on(comm);
    const auto call = [&](const auto& verb) {
      return verb(policy, X = mpi::shard(own), t = mpi::shard(own_labels), w = weights);
    };
    const auto j = call(value_and_jvp(logistic, tangent(w = along)));
    const auto h = call(hessian(logistic, wrt(w)));
    const auto v = call(outputs(logistic, sigmoid(z)));
    const auto batch = batched(price)(policy, t = mpi::shard(own_spots), b = 2.0);
    check([&] {
      BOOST_TEST(j.value == whole_jvp.value, boost::test_tools::tolerance(1e-13));
      BOOST_TEST(j.tangent == whole_jvp.tangent, boost::test_tools::tolerance(1e-13));
      BOOST_TEST(difference(h(w, w), whole_hessian(w, w)) < 1e-13);
      BOOST_TEST(std::get<0>(v) == std::get<0>(whole_values), boost::test_tools::tolerance(1e-13));
      BOOST_TEST(difference(std::get<1>(v), rows_of(std::get<1>(whole_values), mine)) < 1e-15);
      BOOST_TEST(difference(batch.gradient[t], rows_of(whole_batch.gradient[t], mine)) < 1e-15);
    });
  });
}

// Sequences that each process has some of: their loops tell the others nothing.
BOOST_AUTO_TEST_CASE(loops_over_shards_of_sequences) {
  constexpr auto growth = [](auto start, const auto& rates) {
    return scan([](auto carry, auto rate) { return carry * (1.0 + rate); }, start, rates);
  };
  const auto step = batched(value_and_gradient(growth, wrt<0>));
  const matrix paths = wave(20, 6, 0.3);
  const vector starts = wave(20, 0.7);
  const auto whole = step(starts, paths);
  on_processes(2, [&](thread_communicator& comm) {
    const auto mine = uneven(comm.rank(), 2, 20);
    const matrix own = rows_of(paths, mine);
    const vector own_starts = rows_of(starts, mine);
    const auto r = step(mpi::on(comm), mpi::shard(own_starts), mpi::shard(own));
    check([&] {
      BOOST_TEST((r.value == rows_of(whole.value, mine)));
      BOOST_TEST((r.gradient == rows_of(whole.gradient, mine)));
      BOOST_TEST(comm.all_reduces == 0);
    });
  });
}

// The gradient of (w x - t)^2 by w is 2 (w x - t) x, for each row x of the process.
BOOST_AUTO_TEST_CASE(each_row_of_the_process) {
  constexpr auto error = [](const auto& by, const auto& x, auto seen) { return square(dot(by, x) - seen); };
  on_processes(3, [&](thread_communicator& comm) {
    const auto mine = uneven(comm.rank(), 3, row_count);
    const matrix own = rows_of(data, mine);
    const vector own_labels = rows_of(labels, mine);
    const auto g = batched(gradient(error, wrt<0>))(mpi::on(comm), weights, each(own), each(own_labels));
    matrix expected = own;
    for (std::size_t i = 0; i < own.shape(0); ++i) {
      double residual = -own_labels(i);
      for (std::size_t j = 0; j < column_count; ++j) residual += weights(j) * own(i, j);
      for (std::size_t j = 0; j < column_count; ++j) expected(i, j) *= 2 * residual;
    }
    check([&] {
      BOOST_TEST(difference(g, expected) < 1e-13);
      BOOST_TEST(comm.all_reduces == 0);
    });
  });
}

// The bits of results are those of one process, in any number of them, and on threads.
BOOST_AUTO_TEST_CASE(reproducible_sums) {
  const std::size_t many = 20011;
  const matrix large = wave(many, column_count, 0.37);
  const vector large_labels = wave(many, 0.83);
  const auto step =
      value_and_gradient(mean(softplus(z) - t * z) + logsumexp(t) + sum(log(1_c + sum<0>(square(X)))), wrt(w, X));
  const auto plain = step(X = large, t = large_labels, w = weights);
  double value = 0;
  vector gradient_w;
  matrix gradient_x;
  for (const int size : {1, 2, 3, 4, 7})
    on_processes(size, [&](thread_communicator& comm) {
      const auto mine = mpi::rows_of(comm, static_cast<std::ptrdiff_t>(many));
      const matrix own = rows_of(large, mine);
      const vector own_labels = rows_of(large_labels, mine);
      const auto call = [&](const auto& policy) {
        return step(policy, X = mpi::shard(own), t = mpi::shard(own_labels), w = weights);
      };
      const auto r = call(mpi::on(comm, mpi::reproducible));
      const auto threads = call(mpi::on(comm, std::execution::par, mpi::reproducible));
      check([&] {
        if (size == 1) value = r.value, gradient_w = r.gradient[w], gradient_x = r.gradient[X];
        BOOST_TEST(r.value == value);
        BOOST_TEST((r.gradient[w] == gradient_w));
        BOOST_TEST((r.gradient[X] == rows_of(gradient_x, mine)));
        BOOST_TEST(threads.value == value);
        BOOST_TEST((threads.gradient[w] == gradient_w));
        BOOST_TEST(r.value == plain.value, boost::test_tools::tolerance(1e-13));
        BOOST_TEST(difference(r.gradient[w], plain.gradient[w]) < 1e-13);
      });
    });
}

// The rows need not be the outermost loop. Along others, parts of the rows add to sums over what is not sharded, and
// what does not depend on rows is computed where there are none too.
BOOST_AUTO_TEST_CASE(reproducible_sums_in_inner_loops) {
  const auto products = exp(0.1 * expand_dims<2>(expand_dims<1>(w) * b) * t);
  const auto pairs = exp(expand_dims<1>(w) * t);
  const auto f = sum(log(sum<1>(products))) + 1e-6 * sum(square(sum<2>(products)));
  const auto step = value_and_gradient(sum(tanh(w) * sum<1>(pairs)) + sum(log(sum<0>(pairs))), wrt(w));
  const vector scales = wave(3, 1.1);
  for (const std::size_t rows : {1003u, 2u}) {
    double of_products = 0, of_pairs = 0;
    vector by_weights = xt::zeros<double>({column_count});
    for (std::size_t k = 0; k < column_count; ++k)
      for (std::size_t i = 0; i < rows; ++i) {
        double sum = 0;
        for (const double scale : scales) sum += std::exp(0.1 * weights(k) * scale * labels(i));
        of_products += std::log(sum);
      }
    for (std::size_t k = 0; k < column_count; ++k)
      for (const double scale : scales) {
        double sum = 0;
        for (std::size_t i = 0; i < rows; ++i) sum += std::exp(0.1 * weights(k) * scale * labels(i));
        of_products += 1e-6 * sum * sum;
      }
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (const double weight : weights) sum += std::exp(weight * labels(i));
      of_pairs += std::log(sum);
      for (std::size_t k = 0; k < column_count; ++k) {
        const double one = std::exp(weights(k) * labels(i)), factor = std::tanh(weights(k));
        of_pairs += factor * one;
        by_weights(k) += (1 - factor * factor) * one + factor * one * labels(i) + one * labels(i) / sum;
      }
    }
    for (const int size : {1, 3})
      on_processes(size, [&](thread_communicator& comm) {
        const vector own = rows_of(labels, mpi::rows_of(comm, static_cast<std::ptrdiff_t>(rows)));
        const auto policy = mpi::on(comm, mpi::reproducible);
        const double value = f(policy, t = mpi::shard(own), w = weights, b = scales);
        const auto r = step(policy, t = mpi::shard(own), w = weights);
        check([&] {
          BOOST_TEST(value == of_products, boost::test_tools::tolerance(1e-12));
          BOOST_TEST(r.value == of_pairs, boost::test_tools::tolerance(1e-12));
          BOOST_TEST(difference(r.gradient[w], by_weights) < 1e-12);
        });
      });
  }
}

// No process has rows: nothing is added up or multiplied, after a call that had some.
BOOST_AUTO_TEST_CASE(reproducible_sums_over_no_rows) {
  const auto step = outputs(sum(t), prod(t), dot(t, X));
  on_processes(2, [&](thread_communicator& comm) {
    const auto call = [&](std::ptrdiff_t rows) {
      const auto mine = mpi::rows_of(comm, rows);
      const matrix own = rows_of(data, mine);
      const vector own_labels = rows_of(labels, mine);
      return step(mpi::on(comm, mpi::reproducible), X = mpi::shard(own), t = mpi::shard(own_labels));
    };
    call(300);
    const auto r = call(0);
    check([&] {
      BOOST_TEST(std::get<0>(r) == 0.0);
      BOOST_TEST(std::get<1>(r) == 1.0);
      BOOST_TEST((std::get<2>(r) == vector{0, 0, 0, 0, 0, 0, 0}));
    });
  });
}

BOOST_AUTO_TEST_CASE(processes_and_threads) {
  const std::size_t many = 40013;
  const matrix large = wave(many, column_count, 0.37);
  const vector large_labels = wave(many, 0.83);
  const auto step = value_and_gradient(logistic, wrt(w));
  const auto whole = step(X = large, t = large_labels, w = weights);
  on_processes(2, [&](thread_communicator& comm) {
    const auto mine = uneven(comm.rank(), 2, static_cast<std::ptrdiff_t>(many));
    const matrix own = rows_of(large, mine);
    const vector own_labels = rows_of(large_labels, mine);
    const auto r =
        step(mpi::on(comm, std::execution::par), X = mpi::shard(own), t = mpi::shard(own_labels), w = weights);
    check([&] {
      BOOST_TEST(r.value == whole.value, boost::test_tools::tolerance(1e-13));
      BOOST_TEST(difference(r.gradient[w], whole.gradient[w]) < 1e-13);
    });
  });
}

// A stopped reduction needs no sum for its derivative, and what no output reads none at all.
BOOST_AUTO_TEST_CASE(stops_remove_phases) {
  const auto centre = mean(t);
  const auto open = gradient(sum(square(t - centre)), wrt(t));
  const auto stopped = gradient(sum(square(t - stop_gradient(centre))), wrt(t));
  const auto linear = gradient(sum(w * mean<0>(X)), wrt(X));
  const auto own = labels;
  const auto own_data = data;
  static_assert(decltype(mpi::phases(open)(t = mpi::shard(own)))::value == 2);
  static_assert(decltype(mpi::phases(stopped)(t = mpi::shard(own)))::value == 1);
  static_assert(decltype(mpi::phases(linear)(X = mpi::shard(own_data), w = weights))::value == 0);
  on_processes(2, [&](thread_communicator& comm) {
    const auto policy = mpi::on<false>(comm);
    const auto of = [&](const auto& step) {
      auto r = step(policy, t = mpi::shard(own));
      const int before = comm.all_reduces;
      const std::size_t numbers = comm.numbers;
      step(policy, into(r), t = mpi::shard(own));
      return std::pair{comm.all_reduces - before, comm.numbers - numbers};
    };
    const auto counted_open = of(open), counted_stopped = of(stopped);
    check([&] {
      BOOST_TEST((counted_open == std::pair(2, std::size_t{2})));
      BOOST_TEST((counted_stopped == std::pair(1, std::size_t{1})));
    });
  });
}

// Other rows are computed while numbers are on their way, where the next phase needs them alone.
BOOST_AUTO_TEST_CASE(sums_overlap_loops) {
  const auto both = outputs(sum(t), exp(w) * 2_c);
  const vector long_weights = wave(4001, 0.1);
  on_processes<overlapping_communicator>(2, [&](overlapping_communicator& comm) {
    const auto policy = mpi::on<false>(comm);
    const auto r = both(policy, t = mpi::shard(labels), w = long_weights);
    check([&] {
      BOOST_TEST((comm.log.size() >= 2));
      BOOST_TEST((std::string(comm.log[comm.log.size() - 2]) == "start"));
      BOOST_TEST((std::string(comm.log.back()) == "finish"));
      BOOST_TEST(std::get<0>(r) == 2 * xt::sum(labels)(), boost::test_tools::tolerance(1e-13));
    });
  });
}

// Every process throws, and all can go on.
BOOST_AUTO_TEST_CASE(errors_reach_all) {
  const auto step = value_and_gradient(logistic, wrt(w));
  const auto other = value_and_gradient(mean(square(z - t)), wrt(w));
  const auto whole = step(X = data, t = labels, w = weights);
  const auto test = [&]<bool Checks>(std::bool_constant<Checks>) {
    on_processes(3, [&](thread_communicator& comm) {
      const auto mine = mpi::rows_of(comm, row_count);
      const matrix own = rows_of(data, mine);
      const vector own_labels = rows_of(labels, mine);
      const matrix narrow = wave(own_labels.size(), column_count - 1, 0.1);
      const vector few = wave(own_labels.size() + 3, 0.1), short_weights = wave(column_count - 1, 0.2),
                   doubled = 2.0 * weights;
      const auto policy = mpi::on<Checks>(comm);
      const auto good = [&] {
        const auto r = step(policy, X = mpi::shard(own), t = mpi::shard(own_labels), w = weights);
        check([&] { BOOST_TEST(r.value == whole.value, boost::test_tools::tolerance(1e-13)); });
      };
      for (const bool before : {false, true}) {
        if (before) good();
        const bool odd = comm.rank() == 1;
        const auto uneven_columns =
            failure([&] { step(policy, X = mpi::shard(odd ? narrow : own), t = mpi::shard(own_labels), w = weights); });
        const auto other_shapes = failure([&] {
          step(policy, X = mpi::shard(odd ? narrow : own), t = mpi::shard(own_labels),
               w = odd ? short_weights : weights);
        });
        if (before) good();
        const auto uneven_shards =
            failure([&] { step(policy, X = mpi::shard(own), t = mpi::shard(odd ? few : own_labels), w = weights); });
        if (before) good();
        const auto other_formula = failure([&] {
          if (odd)
            other(policy, X = mpi::shard(own), t = mpi::shard(own_labels), w = weights);
          else
            step(policy, X = mpi::shard(own), t = mpi::shard(own_labels), w = weights);
        });
        check([&] {
          BOOST_TEST(says(uneven_columns, odd ? "do not broadcast: X" : "process 1 of 3 failed: tapeless: the shapes"),
                     uneven_columns);
          BOOST_TEST(says(other_shapes, "processes 0 and 1 of 3 bind different shapes"), other_shapes);
          BOOST_TEST(says(other_shapes, odd ? "w (6)" : "w (7)"), other_shapes);
          BOOST_TEST(!uneven_shards.empty());
          BOOST_TEST(says(other_formula, "processes 0 and 1 of 3 call different formulas"), other_formula);
        });
        good();
      }
      const auto other_weights = failure([&] {
        step(policy, X = mpi::shard(own), t = mpi::shard(own_labels), w = comm.rank() == 2 ? doubled : weights);
      });
      check([&] {
        if (Checks)
          BOOST_TEST(says(other_weights, "processes 0 and 2 of 3 bind different values"), other_weights);
        else
          BOOST_TEST(other_weights == "");
      });
    });
  };
  test(std::false_type{});
  test(std::true_type{});
}

// NaN in the data is no error of a process; another number of rows is none either.
BOOST_AUTO_TEST_CASE(not_a_number_and_other_batches) {
  const auto step = value_and_gradient(mean(square(z - t)), wrt(w));
  const matrix first_rows = rows_of(data, {0, 500});
  const vector first_labels = rows_of(labels, {0, 500});
  const auto half = step(X = first_rows, t = first_labels, w = weights);
  on_processes(2, [&](thread_communicator& comm) {
    const auto policy = mpi::on<false>(comm);
    const auto call = [&](mpi::row_range mine, double first) {
      const matrix own = rows_of(data, mine);
      vector own_labels = rows_of(labels, mine);
      if (first != 0) own_labels(0) = first;
      return step(policy, X = mpi::shard(own), t = mpi::shard(own_labels), w = weights);
    };
    const bool one = comm.rank() == 1;
    const auto nan = call(one ? mpi::row_range{400, 1003} : mpi::row_range{0, 400},
                          one ? std::numeric_limits<double>::quiet_NaN() : 0.0);
    // One process' rows change, the other's do not.
    const auto r = call(one ? mpi::row_range{400, 500} : mpi::row_range{0, 400}, 0.0);
    check([&] {
      BOOST_TEST(std::isnan(nan.value));
      BOOST_TEST(r.value == half.value, boost::test_tools::tolerance(1e-13));
      BOOST_TEST(difference(r.gradient[w], half.gradient[w]) < 1e-13);
    });
  });
}

// A reproducible sum of rows that are divided in another way is refused everywhere.
BOOST_AUTO_TEST_CASE(reproducible_sums_want_whole_parts) {
  const auto step = value_and_gradient(logistic, wrt(w));
  on_processes(2, [&](thread_communicator& comm) {
    const mpi::row_range mine = comm.rank() == 0 ? mpi::row_range{0, 300} : mpi::row_range{300, 1003};
    const matrix own = rows_of(data, mine);
    const vector own_labels = rows_of(labels, mine);
    const auto said = failure(
        [&] { step(mpi::on(comm, mpi::reproducible), X = mpi::shard(own), t = mpi::shard(own_labels), w = weights); });
    check([&] { BOOST_TEST(says(said, "whole parts of 256; process 0 has rows 0 to 300"), said); });
  });
}

static_assert(mpi::rows_of(0, 1, 1000) == mpi::row_range{0, 1000});
static_assert(mpi::rows_of(1, 3, 1000) == mpi::row_range{256, 512});
static_assert(mpi::rows_of(2, 3, 1000) == mpi::row_range{512, 1000});
static_assert(mpi::rows_of(1, 2, 10).size() == 10);
static_assert(mpi::rows_of(3, 4, 1 << 20) == mpi::row_range{768 * 1024, 1 << 20});
