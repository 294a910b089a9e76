// The matrix of verbs and operands that doc/verbs.md prints: every cell is computed and compared with a closed form.
#ifndef TAPELESS_TEST_VERBS_MATRIX_HPP
#define TAPELESS_TEST_VERBS_MATRIX_HPP

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>

namespace tapeless_test {

/// Notes that the cell works.
void mark(const std::string& verb, const std::string& operand);

/// The cells of an operand: `cell(verb, got, expected)`.
struct column {
  std::string operand;

  void operator()(const char* verb, double got, double expected) const {
    BOOST_TEST(std::abs(got - expected) <= 1e-12 * (1 + std::abs(expected)),
               verb << " of " << operand << ": " << got << ", not " << expected);
    mark(verb, operand);
  }
};

void cells_of_numbers();
void cells_of_tensors();
void cells_of_batches();

}  // namespace tapeless_test

#endif
