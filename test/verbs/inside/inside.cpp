// Compares the cells that were computed with the matrix of doc/verbs.md in each context, without those that
// doc/limits.md says are refused.
#include "inside.hpp"

#include "../table.hpp"

#include <algorithm>

namespace tapeless_test {

namespace {

using cell_inside = std::tuple<std::string, std::string, std::string>;
std::set<cell_inside>& marked() {
  static std::set<cell_inside> cells;
  return cells;
}

std::vector<std::array<std::vector<std::string>, 3>> refused() {
  std::vector<std::array<std::vector<std::string>, 3>> rows;
  std::ifstream doc(TAPELESS_LIMITS_DOCUMENT);
  bool in_table = false;
  for (std::string line; std::getline(doc, line);) {
    const std::vector<std::string> cells = split(line, '|');
    if (cells.size() < 5) {
      in_table = false;
    } else if (cells[1] == "verbs") {
      in_table = true;
    } else if (in_table && cells[1][0] != '-') {
      rows.push_back({split(cells[1], ','), split(cells[2], ','), split(cells[3], ',')});
    }
  }
  return rows;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return all[0] == "all" || std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

void mark_inside(const std::string& verb, const std::string& operand, const std::string& context) {
  marked().emplace(verb, operand, context);
}

// The last one: test cases run in the order in which files are linked.
BOOST_AUTO_TEST_CASE(documented_cells_inside) {
  const auto rows = refused();
  BOOST_TEST(rows.size() > 0u);
  BOOST_TEST(rows.size() <= 10u);
  std::set<cell_inside> documented;
  for (const auto& [verb, operand] : documented_cells())
    for (const char* context : {"in a scan", "in a call", "in a branch", "in a batch", "in a verb"})
      if (std::none_of(rows.begin(), rows.end(), [&](const auto& row) {
            return has(row[0], verb) && has(row[1], operand) && has(row[2], context);
          }))
        documented.emplace(verb, operand, context);
  const auto text = [](const cell_inside& cell) {
    return std::get<0>(cell) + " of " + std::get<1>(cell) + " " + std::get<2>(cell);
  };
  for (const cell_inside& cell : documented) BOOST_TEST(marked().count(cell) == 1u, text(cell) << " is not tested");
  for (const cell_inside& cell : marked()) BOOST_TEST(documented.count(cell) == 1u, text(cell) << " is not documented");
}

}  // namespace tapeless_test
