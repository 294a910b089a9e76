// Compares the cells that were computed with the table of doc/verbs.md.
#include "matrix.hpp"

#include <fstream>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace tapeless_test {

namespace {

std::set<std::pair<std::string, std::string>>& marked() {
  static std::set<std::pair<std::string, std::string>> cells;
  return cells;
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, '|');) {
    const auto first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `");
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
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

  std::ifstream doc(TAPELESS_VERBS_DOCUMENT);
  std::vector<std::string> operands;
  std::set<std::pair<std::string, std::string>> documented;
  for (std::string line; std::getline(doc, line);) {
    const std::vector<std::string> cells = split(line);
    if (cells.size() > 2 && cells[1] == "verb") operands = cells;
    if (operands.empty() || cells.size() != operands.size() || cells[1] == "verb" || cells[1][0] == '-') continue;
    for (std::size_t i = 2; i < cells.size(); ++i)
      if (cells[i] == "yes") documented.emplace(cells[1], operands[i]);
  }
  BOOST_TEST(documented.size() > 90u);
  for (const auto& cell : documented)
    BOOST_TEST(marked().count(cell) == 1u, cell.first << " of " << cell.second << " is not tested");
  for (const auto& cell : marked())
    BOOST_TEST(documented.count(cell) == 1u, cell.first << " of " << cell.second << " is not documented");
}
