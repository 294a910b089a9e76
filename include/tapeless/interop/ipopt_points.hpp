#pragma once

/// What all problems for Ipopt have.
#include <tapeless/core/message.hpp>
#include <tapeless/core/structure.hpp>
#include <tapeless/core/target.hpp>

// Ipopt 3.11 asks its configuration, which it does not install, for this header.
#ifndef HAVE_CSTDDEF
#define HAVE_CSTDDEF 1
#endif
#include <IpTNLP.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// The sum of the products of weights, from one on, with a number or the numbers of an array or tuple.
template <class V, class W>
constexpr auto weighted_sum(const V& values, const W& weights, std::size_t from = 0) {
  if constexpr (is_array<V>) {
    auto sum = weights[from] * values[0];
    for (std::size_t i = 1; i < values.size(); ++i) sum = sum + weights[from + i] * values[i];
    return sum;
  } else if constexpr (is_tuple<V>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (... + (weights[from + I] * std::get<I>(values)));
    }(std::make_index_sequence<std::tuple_size_v<V>>{});
  } else {
    return weights[from] * values;
  }
}

/// Hands over the number, row and column of each entry that is stored in compressed rows, or of those of the lower
/// triangle.
template <class Begins, class Columns, class Visit>
constexpr void each_stored_entry(const Begins& row_begin, const Columns& columns, bool triangle, const Visit& visit) {
  for (std::size_t i = 0; i + 1 < row_begin.size(); ++i)
    for (auto k = static_cast<std::size_t>(row_begin[i]); k < static_cast<std::size_t>(row_begin[i + 1]); ++k)
      if (const auto j = static_cast<std::size_t>(columns[k]); !triangle || j <= i) visit(k, i, j);
}

/// What is given to Ipopt and what it gives, but for the functions: `Point` has the unknowns and `Rows` a number for
/// each constraint. Unless you set them, bounds are infinite and the start is 0.
template <class Point, class Rows>
class ipopt_points : public Ipopt::TNLP {
 public:
  Point lower, upper, start{};
  Rows constraint_lower, constraint_upper;
  /// Ipopt's solution: the point, the value there, and the multipliers of the constraints.
  Point solution{};
  double value = std::numeric_limits<double>::quiet_NaN();
  Rows multipliers{};

  bool get_bounds_info(Ipopt::Index, Ipopt::Number* x_lower, Ipopt::Number* x_upper, Ipopt::Index,
                       Ipopt::Number* g_lower, Ipopt::Number* g_upper) override {
    // Ipopt takes 1e19 and more for infinite.
    std::ranges::copy(numbers(lower), x_lower), std::ranges::copy(numbers(upper), x_upper);
    std::ranges::copy(numbers(constraint_lower), g_lower), std::ranges::copy(numbers(constraint_upper), g_upper);
    return true;
  }
  bool get_starting_point(Ipopt::Index, bool, Ipopt::Number* x, bool of_bounds, Ipopt::Number*, Ipopt::Number*,
                          Ipopt::Index, bool of_constraints, Ipopt::Number*) override {
    std::ranges::copy(numbers(start), x);
    return !of_bounds && !of_constraints;
  }
  void finalize_solution(Ipopt::SolverReturn, Ipopt::Index, const Ipopt::Number* x, const Ipopt::Number*,
                         const Ipopt::Number*, Ipopt::Index, const Ipopt::Number*, const Ipopt::Number* lambda,
                         Ipopt::Number found, const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {
    const auto x_found = numbers(solution), weights = numbers(multipliers);
    std::copy_n(x, x_found.size(), x_found.begin());
    std::copy_n(lambda, weights.size(), weights.begin());
    value = found;
  }

 protected:
  /// The numbers of all entries, one after the other.
  template <class Entries>
  static auto numbers(Entries& entries) {
    using number = std::conditional_t<std::is_const_v<Entries>, const double, double>;
    return std::span(reinterpret_cast<number*>(entries.data()), entries.size() * sizeof(entries[0]) / sizeof(double));
  }
  void resize(std::size_t entries) {
    for (Point* p : {&lower, &upper, &start, &solution}) p->resize(entries);
  }
  void set_infinite_bounds() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::ranges::fill(numbers(lower), -infinity), std::ranges::fill(numbers(upper), infinity);
    std::ranges::fill(numbers(constraint_lower), -infinity), std::ranges::fill(numbers(constraint_upper), infinity);
  }
  /// Throws if a point or the constraints' bounds were given another size.
  void check_sizes(std::size_t entries, std::size_t rows) const {
    const auto check_size = [](const char* name, std::size_t size, std::size_t needed) {
      if (size != needed)
        raise<std::invalid_argument>({"ipopt_problem: ", name, " has ", size, " numbers, and the function ", needed});
    };
    check_size("lower", lower.size(), entries), check_size("upper", upper.size(), entries),
        check_size("start", start.size(), entries);
    check_size("constraint_lower", constraint_lower.size(), rows),
        check_size("constraint_upper", constraint_upper.size(), rows);
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
