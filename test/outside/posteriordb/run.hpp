#pragma once

#include <tapeless/tapeless.hpp>
#include "nuts.hpp"
#include "problem.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace posteriordb {

struct Options {
  int draws = 2500;         ///< of each of four chains
  double acceptance = 0.8;  ///< of steps
  double gradient = 1e-9;   ///< the largest error
};

/// What a row of the table says.
struct Row {
  std::string name;
  std::size_t parameters;    ///< free ones
  bool compared;             ///< with the moments of a reference
  double gradient_error;     ///< times the standard deviation of the parameter, relative where that is above 1
  double mean_error;         ///< in standard deviations of the reference
  double narrowest, widest;  ///< ratio of standard deviations
  double steps;              ///< gradients for each draw
  std::size_t divergences;
  double microseconds;  ///< of a gradient, with its value: the fastest of 20 measurements
  Options options;
};

void print(const Row&);
std::filesystem::path path_of(const std::string& name);  ///< nothing where it is not wanted
void run_numbers();
void run_equations();
void run_regressions();
void run_vectors();

/// Calls `f(problem)` where the posterior is wanted and the folder has it.
template <class F>
void with(const std::string& name, F f) {
  if (std::filesystem::exists(path_of(name))) f(read(path_of(name)));
}

/// A fixed number of free parameters is an array, any number a vector.
template <std::size_t N, class T>
auto free_parameters(const std::vector<T>& u) {
  if constexpr (N == 0) {
    return u;
  } else {
    std::array<T, N> values;
    std::copy(u.begin(), u.end(), values.begin());
    return values;
  }
}

/// The parameters of a model that gives them as `first`, and the logarithm of the Jacobian as `second`.
template <class F>
auto first_of(F) {
  return [](auto u) { return F{}(u).first; };
}

/// Parameters whose logarithms are free.
inline constexpr auto all_positive = [](auto u) {
  auto sum = u[0];
  for (std::size_t k = 1; k < u.size(); ++k) sum = sum + u[k];
  for (auto& x : u) x = tapeless::exp(x);
  return std::pair{u, sum};
};

/// The tolerance of differential equations: less for differences of values.
struct Tolerance {};
template <class T, class D>
const D& data_for(const D& data) {
  return data;
}
template <class T>
T data_for(Tolerance) {
  return std::is_same_v<T, double> ? T(1e-9) : T(1e-13L);
}

/// The larger number; NaN stays.
inline double larger(double a, double b) { return b > a || std::isnan(b) ? b : a; }

/// Samples the posterior. `log_density(u, data...)` is that of the free parameters u, and `parameters(u)` are the
/// values that the reference draws have.
template <std::size_t N, class F, class Parameters, class... Data>
void sample(const std::string& name, const Problem& problem, std::size_t dimensions, F log_density,
            Parameters parameters, Options options, const Data&... data) {
  const auto value_and_gradient = tapeless::value_and_gradient(log_density, tapeless::wrt<0>);
  const LogDensity at = [&](const Vector& u, Vector& gradient) {
    const auto r = value_and_gradient(free_parameters<N>(u), data_for<double>(data)...);
    std::copy(r.gradient.begin(), r.gradient.end(), gradient.begin());
    return static_cast<double>(r.value);
  };

  Row row{.name = name,
          .parameters = dimensions,
          .compared = !problem.references.empty(),
          .gradient_error = 0,
          .mean_error = 0,
          .narrowest = std::numeric_limits<double>::infinity(),
          .widest = 0,
          .steps = 0,
          .divergences = 0,
          .microseconds = std::numeric_limits<double>::infinity(),
          .options = options};
  const int count = row.compared ? options.draws : 50;
  std::vector<Vector> draws, some;
  for (unsigned chain = 0; chain < 4; ++chain) {
    Nuts next(at, dimensions, chain, options.acceptance);
    next.warm_up(row.compared ? 1000 : 200);
    for (int i = 0; i < count; ++i) {
      const Vector& u = next();
      const auto natural = parameters(free_parameters<N>(u));
      draws.emplace_back(natural.begin(), natural.end());
      if (i % (count / 5) == 0) some.push_back(u);
    }
    row.steps += static_cast<double>(next.gradients()) / (4 * count), row.divergences += next.divergences();
  }

  const auto moments = [](const std::vector<Vector>& of, std::size_t k) {
    double mean = 0, square = 0;
    const auto number = static_cast<double>(of.size());
    for (const Vector& v : of) mean += v[k] / number;
    for (const Vector& v : of) square += (v[k] - mean) * (v[k] - mean);
    return std::array{mean, std::sqrt(square / (number - 1))};
  };
  if (row.compared && draws[0].size() != problem.references.size())
    throw std::runtime_error(name + " has other parameters");
  for (std::size_t k = 0; k < problem.references.size(); ++k) {
    const auto [mean, deviation] = moments(draws, k);
    const Reference& reference = problem.references[k];
    row.mean_error = larger(row.mean_error, std::abs(mean - reference.mean) / reference.deviation);
    row.narrowest = -larger(-row.narrowest, -deviation / reference.deviation);
    row.widest = larger(row.widest, deviation / reference.deviation);
  }

  // Differences of values by long double, extrapolated once, beside derivatives by double.
  Vector gradient(dimensions);
  for (const Vector& u : some) {
    at(u, gradient);
    for (std::size_t k = 0; k < dimensions; ++k) {
      const long double deviation = moments(some, k)[1], step = 1e-3L * deviation;
      const auto moved = [&](long double by) {
        std::vector<long double> v(u.begin(), u.end());
        v[k] += by;
        return static_cast<long double>(
            tapeless::value(log_density)(free_parameters<N>(v), data_for<long double>(data)...));
      };
      const long double near = moved(step) - moved(-step), far = moved(2 * step) - moved(-2 * step);
      const auto error = static_cast<double>(std::abs(gradient[k] * deviation - (8 * near - far) / 12e-3L));
      row.gradient_error =
          larger(row.gradient_error, error / (1 + std::abs(gradient[k]) * static_cast<double>(deviation)));
    }
  }

  for (int i = 0; i < 20; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    for (int j = 0; j < 50; ++j) at(some[static_cast<std::size_t>(j) % some.size()], gradient);
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    row.microseconds = std::min(row.microseconds, taken.count() / 50);
  }
  print(row);
}

}  // namespace posteriordb
