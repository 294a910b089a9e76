// Compares the cells that were computed with the table of doc/verbs.md.
#include "matrix.hpp"

#include "table.hpp"

namespace tapeless_test {

namespace {

std::set<std::pair<std::string, std::string>>& marked() {
  static std::set<std::pair<std::string, std::string>> cells;
  return cells;
}

}  // namespace

void mark(const std::string& verb, const std::string& operand) { marked().emplace(verb, operand); }

}  // namespace tapeless_test

BOOST_AUTO_TEST_CASE(matrix_of_verbs) {
  using namespace tapeless_test;
  cells_of_numbers();
  cells_of_tensors();
  cells_of_batches();

  const auto documented = documented_cells();
  BOOST_TEST(documented.size() > 90u);
  for (const auto& cell : documented)
    BOOST_TEST(marked().count(cell) == 1u, cell.first << " of " << cell.second << " is not tested");
  for (const auto& cell : marked())
    BOOST_TEST(documented.count(cell) == 1u, cell.first << " of " << cell.second << " is not documented");
}
