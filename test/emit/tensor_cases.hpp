#ifndef TAPELESS_TEST_EMIT_TENSOR_CASES_HPP
#define TAPELESS_TEST_EMIT_TENSOR_CASES_HPP

#include "cases.hpp"

#include <tapeless/xtensor.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>
#include <xtensor/xtensor.hpp>

template <class T>
using vector = xt::xtensor<T, 1>;
template <class T>
using matrix = xt::xtensor<T, 2>;
template <class T>
using parts = std::vector<std::vector<T>>;

/// Numbers between -1 and 1, the same each time.
template <class T, class... N>
auto numbers(unsigned seed, N... extents) {
  xt::xtensor<T, sizeof...(N)> all(std::array<std::size_t, sizeof...(N)>{static_cast<std::size_t>(extents)...});
  for (T& each : all) {
    seed = seed * 1664525U + 1013904223U;
    each = static_cast<T>(seed >> 8) / static_cast<T>(1 << 23) - T(1);
  }
  return all;
}

struct tensor_cases : cases {
  using cases::cases;

  /// Against what is known, and the library's call. Sums are taken in another order than there.
  template <tapeless::fixed_string Name, class T, class Verb, class... Arguments>
  void known(const parts<T>& expected, const Verb& verb, const Arguments&... arguments) {
    against<Name, T>(expected, verb, arguments...);
    own<Name, T>(verb, arguments...);
  }
  template <tapeless::fixed_string Name, class T, class Verb, class... Arguments>
  void own(const Verb& verb, const Arguments&... arguments) {
    parts<T> found;
    cases::split(found, verb(arguments...));
    against<Name, T>(found, verb, arguments...);
  }
  /// The same of a verb with tangents or cotangents, which are further arguments there.
  template <tapeless::fixed_string Name, class T, class Verb, class Seed, class... Arguments>
  void seeded(const Verb& verb, const Seed& seed, const Arguments&... arguments) {
    parts<T> found;
    cases::split(found, verb(arguments...));
    const std::string text = tapeless::emit<tapeless::c99, Name>(verb, arguments...).text().str();
    add_tensors<T>(std::string(Name.view()), text, found, 1e-12, arguments..., seed);
  }

 private:
  template <tapeless::fixed_string Name, class T, class Verb, class... Arguments>
  void against(const parts<T>& expected, const Verb& verb, const Arguments&... arguments) {
    const std::string text = tapeless::emit<tapeless::c99, Name>(verb, arguments...).text().str();
    add_tensors<T>(std::string(Name.view()), text, expected, std::is_same_v<T, float> ? 4e-5 : 1e-12, arguments...);
  }
};

#endif
