#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace nist {

/// A problem as NIST's files state it.
struct Problem {
  std::vector<double> start[2];
  std::vector<double> certified, deviation;
  double sum_of_squares = 0;
  std::vector<std::vector<double>> rows;  ///< y, then what it depends on
};

inline Problem read(const std::filesystem::path& path) {
  Problem problem;
  std::ifstream file(path);
  bool data = false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream rest(line);
    std::string first, equals;
    if (data) {
      std::vector<double> row;
      for (double number; rest >> number;) row.push_back(number);
      if (!row.empty()) problem.rows.push_back(row);
    } else if (line.starts_with("Residual Sum of Squares:")) {
      std::istringstream(line.substr(line.find(':') + 1)) >> problem.sum_of_squares;
    } else if (line.starts_with("Data:") && line.find("Response") == line.npos) {
      data = true;
    } else if (double at[4]; rest >> first >> equals && first[0] == 'b' && equals == "=" &&
                             rest >> at[0] >> at[1] >> at[2] >> at[3]) {
      problem.start[0].push_back(at[0]), problem.start[1].push_back(at[1]);
      problem.certified.push_back(at[2]), problem.deviation.push_back(at[3]);
    }
  }
  if (problem.certified.empty() || problem.rows.size() <= problem.certified.size())
    throw std::runtime_error("no problem of NIST in " + path.string());
  return problem;
}

}  // namespace nist
