// Prints doc/all_operations.md. What it says of an operation is computed from the operation itself, but for the
// accuracy in SIMD lanes, which it reads from the table in doc/lanes.md, its argument.
#include <tapeless/operation/list.hpp>
#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace tapeless;

inline constexpr auto operand_x = variable<"x">;
inline constexpr auto operand_y = variable<"y">;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Name to bound and measured error in doubles, as cells.
std::map<std::string, std::string> read_accuracies(const char* path) {
  std::map<std::string, std::string> result;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, '|');)
      if (cell.size() > 2) row.push_back(cell.substr(1, cell.size() - 2));
    if (row.size() == 8 && row[0].starts_with('`'))
      result[row[0].substr(1, row[0].size() - 2)] = row[3] + ", " + row[2];
  }
  return result;
}

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

// A derivative that is too long to be read stays in its header.
template <class E>
std::string cell(const E& e) {
  const std::string all = text(e);
  return all.size() > 120 ? "a series" : "`" + all + "`";
}

template <class Op>
std::string accuracy(const std::map<std::string, std::string>& accuracies) {
  const auto found = accuracies.find(std::string(Op::name));
  return found == accuracies.end() ? "" : found->second;
}

template <class Op>
void unary_row(const std::map<std::string, std::string>& accuracies) {
  if constexpr (detail::arity<Op> == 1) {
    constexpr auto f = apply<Op>(operand_x);
    std::cout << "| `" << text(f) << "` | " << cell(derivative(f, operand_x)) << " |";
    for (const double at : {-infinity, -0.5, -0.0, 0.5, 2.0, infinity}) {
      const auto [value, g] = value_and_gradient(f)(operand_x = at);
      std::cout << ' ' << number(value) << "; " << number(g[operand_x]) << " |";
    }
    std::cout << ' ' << accuracy<Op>(accuracies) << " |\n";
  }
}

template <class Op>
void binary_row(const std::map<std::string, std::string>& accuracies) {
  if constexpr (detail::arity<Op> == 2) {
    constexpr auto f = apply<Op>(operand_x, operand_y);
    std::cout << "| `" << text(f) << "` | `" << text(derivative(f, operand_x)) << "` | `"
              << text(derivative(f, operand_y)) << "` | " << accuracy<Op>(accuracies) << " |\n";
  }
}

template <class... Ops>
void print(operation::list<Ops...>, const std::map<std::string, std::string>& accuracies) {
  std::cout << R"(# All operations

`./dev operations` generates this page from the operations themselves, and a test checks that it is up to date. The page
lists the operations of one and two operands. [Semantics](semantics.md) explains the choices at kinks and edges.
[Operations](operations.md) lists densities, reductions and C's other functions.

A cell under a point holds the value and the derivative there. If the value is NaN, the point is outside the domain, and
the derivative is whatever its formula gives. The last column is the accuracy for doubles in SIMD lanes on x86-64, in
units in the last place (ulp): the largest error measured, then the bound that a test checks. An operation without
numbers there is exact, or is computed by the C library or from the operations in its derivative. [Lanes](lanes.md) has
the other number types and machines. `tanh_slope(x, t)` is 1 - t^2 without cancellation, and `over_squares(y, x)` is
y / (x^2 + y^2) without overflow.

## One operand

| operation | derivative | at -inf | at -0.5 | at -0 | at 0.5 | at 2 | at inf | ulp, bound |
|---|---|---|---|---|---|---|---|---|
)";
  (unary_row<Ops>(accuracies), ...);
  std::cout << "\n## Two operands\n\n| operation | derivative with respect to x | derivative with respect to y | "
               "ulp, bound |\n|---|---|---|---|\n";
  (binary_row<Ops>(accuracies), ...);
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  print(operation::all{}, read_accuracies(arguments[1]));
}
