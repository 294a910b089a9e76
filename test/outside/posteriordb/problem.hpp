#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace posteriordb {

/// What the data block of a model declares: numbers in the order of memory, the last index fastest.
struct Entry {
  std::vector<std::size_t> extents;
  std::vector<double> numbers;
};

struct Reference {
  std::string name;
  double mean, deviation;
};

/// A posterior as unpack.py writes it: "data NAME RANK EXTENTS... NUMBERS..." and "reference NAME MEAN DEVIATION".
struct Problem {
  std::map<std::string, Entry> data;
  std::vector<Reference> references;

  const Entry& entry(const std::string& name) const {
    const auto found = data.find(name);
    if (found == data.end()) throw std::runtime_error("no data named " + name);
    return found->second;
  }
  double number(const std::string& name) const { return entry(name).numbers.at(0); }
  const std::vector<double>& vector(const std::string& name) const { return entry(name).numbers; }
  template <std::size_t N>
  std::array<double, N> array(const std::string& name) const {
    std::array<double, N> values{};
    for (std::size_t i = 0; i < N; ++i) values[i] = entry(name).numbers.at(i);
    return values;
  }
  template <std::size_t N>
  std::vector<std::array<double, N>> rows(const std::string& name) const {
    const auto& [extents, numbers] = entry(name);
    if (extents.size() != 2 || extents[1] != N) throw std::runtime_error(name + " has other columns");
    std::vector<std::array<double, N>> values(extents[0]);
    for (std::size_t i = 0; i < numbers.size(); ++i) values[i / N][i % N] = numbers[i];
    return values;
  }
};

inline Problem read(const std::filesystem::path& path) {
  Problem problem;
  std::ifstream file(path);
  for (std::string kind, name; file >> kind >> name;) {
    if (kind == "data") {
      std::size_t rank = 0, count = 1;
      file >> rank;
      Entry entry;
      entry.extents.resize(rank);
      for (std::size_t& extent : entry.extents) file >> extent, count *= extent;
      entry.numbers.resize(count);
      for (double& number : entry.numbers) file >> number;
      problem.data[name] = entry;
    } else {
      Reference reference{name, 0, 0};
      file >> reference.mean >> reference.deviation;
      problem.references.push_back(reference);
    }
  }
  if (!file.eof() || problem.data.empty()) throw std::runtime_error("no posterior in " + path.string());
  return problem;
}

}  // namespace posteriordb
