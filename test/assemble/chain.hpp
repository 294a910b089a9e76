// A sum over elements of two kinds, and its matrix by hand.
#ifndef TAPELESS_TEST_ASSEMBLE_CHAIN_HPP
#define TAPELESS_TEST_ASSEMBLE_CHAIN_HPP

#include <array>
#include <cstddef>
#include <vector>

namespace tapeless_test {

// A chain along a line: springs between neighbours, and hinges that keep three points straight.
inline constexpr auto spring = [](auto a, auto b, auto stiffness) { return stiffness * square(b - a) / 2; };
inline constexpr auto hinge = [](auto a, auto b, auto c) { return square(a - 2 * b + c) / 2; };

using Pairs = std::vector<std::array<int, 2>>;
using Triples = std::vector<std::array<int, 3>>;

inline const std::vector<double> x{1, 2, 4, 7, 3};
inline const Pairs links{{0, 1}, {1, 2}, {2, 3}};
inline const std::vector<double> stiffness{2, 3, 5};
inline const Triples bends{{0, 1, 2}, {2, 3, 4}};

// Springs: 2, 3 and 5 times (1, -1; -1, 1). Hinges: (1, -2, 1; -2, 4, -2; 1, -2, 1).
using square_matrix = std::array<std::array<double, 5>, 5>;
inline constexpr square_matrix chain{{
    {2 + 1, -2 - 2, 1, 0, 0},
    {-2 - 2, 2 + 3 + 4, -3 - 2, 0, 0},
    {1, -3 - 2, 3 + 5 + 1 + 1, -5 - 2, 1},
    {0, 0, -5 - 2, 5 + 4, -2},
    {0, 0, 1, -2, 1},
}};

// Of a quadratic form, the gradient is the matrix times x, the value x'(matrix x)/2.
inline std::vector<double> forces(const square_matrix& matrix) {
  std::vector<double> all(5);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j) all[i] += matrix[i][j] * x[j];
  return all;
}
inline double energy_of(const square_matrix& matrix) {
  double sum = 0;
  for (std::size_t i = 0; i < 5; ++i) sum += forces(matrix)[i] * x[i] / 2;
  return sum;
}

}  // namespace tapeless_test

#endif
