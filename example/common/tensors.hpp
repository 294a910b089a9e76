#pragma once

#include "error.hpp"
#include "lines.hpp"

#include <boost/hana.hpp>
#include <xtensor/xtensor.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace example {

/// A text file of named tensors: a line with the name and the extents, then the elements row by row.
class Tensors {
 public:
  explicit Tensors(const std::string& path) : path_(path) {
    Lines lines(path);
    while (lines.next()) {
      const std::string name(lines.word(0));
      auto& [extents, elements] = tensors_[name];
      std::size_t size = 1;
      for (std::size_t i = 1; i < lines.size(); ++i) {
        extents.push_back(static_cast<std::size_t>(lines.integer(i)));
        size *= extents.back();
      }
      while (elements.size() < size) {
        lines.require_next("the elements of '" + printable(name) + "'");
        for (std::size_t i = 0; i < lines.size(); ++i) {
          elements.push_back(lines.number(i));
        }
      }
      if (elements.size() != size) {
        lines.fail("more elements than the extents of '" + printable(name) + "' say");
      }
    }
  }

  /// A struct that is adapted for Boost.Hana: its members are the tensors of their names.
  template <class Struct>
  Struct as() const {
    Struct result;
    boost::hana::for_each(boost::hana::keys(result),
                          [&](auto key) { read(boost::hana::to<const char*>(key), boost::hana::at_key(result, key)); });
    return result;
  }

 private:
  template <class T, std::size_t Rank>
  void read(const std::string& name, xt::xtensor<T, Rank>& to) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) {
      throw Error(path_ + ": there is no '" + name + "'");
    }
    const auto& [extents, elements] = found->second;
    if (extents.size() != Rank) {
      throw Error(path_ + ": '" + name + "' has " + std::to_string(extents.size()) + " extents where " +
                  std::to_string(Rank) + " belong");
    }
    to.resize(extents);
    std::transform(elements.begin(), elements.end(), to.begin(), [&](double element) {
      if (std::is_integral_v<T> && element != std::floor(element)) {
        throw Error(path_ + ": '" + name + "' has an element that is not an integer");
      }
      return static_cast<T>(element);
    });
  }

  std::string path_;
  std::map<std::string, std::pair<std::vector<std::size_t>, std::vector<double>>> tensors_;
};

/// A struct of tensors, read from such a file.
template <class Struct>
Struct read_tensors(const std::string& path) {
  return Tensors(path).as<Struct>();
}

/// Prints a line for each member of a struct of tensors: its name, its Euclidean norm, and its last element.
template <class Struct>
void print_members(const Struct& all) {
  boost::hana::for_each(boost::hana::keys(all), [&](auto key) {
    const auto& tensor = boost::hana::at_key(all, key);
    double squares = 0;
    for (const double element : tensor) {
      squares += element * element;
    }
    std::printf("  %-12s norm %.12g, last %.12g\n", boost::hana::to<const char*>(key), std::sqrt(squares),
                *(tensor.end() - 1));
  });
}

}  // namespace example
