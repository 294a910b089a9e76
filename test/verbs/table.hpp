// Tables of the documentation.
#ifndef TAPELESS_TEST_VERBS_TABLE_HPP
#define TAPELESS_TEST_VERBS_TABLE_HPP

#include <cstddef>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tapeless_test {

/// The parts of a line between separators, without blanks and quotes around them.
inline std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, separator);) {
    const auto first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `");
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

/// The pairs of verb and operand that the table of verbs says are computed.
inline std::set<std::pair<std::string, std::string>> documented_cells() {
  std::ifstream doc(TAPELESS_VERBS_DOCUMENT);
  std::vector<std::string> operands;
  std::set<std::pair<std::string, std::string>> documented;
  for (std::string line; std::getline(doc, line);) {
    const std::vector<std::string> cells = split(line, '|');
    if (cells.size() > 2 && cells[1] == "verb") operands = cells;
    if (operands.empty() || cells.size() != operands.size() || cells[1] == "verb" || cells[1][0] == '-') continue;
    for (std::size_t i = 2; i < cells.size(); ++i)
      if (cells[i] == "yes") documented.emplace(cells[1], operands[i]);
  }
  return documented;
}

}  // namespace tapeless_test

#endif
