#pragma once

#include "lines.hpp"

#include <boost/hana.hpp>

#include <cstddef>
#include <string>

namespace example {

/// Reads a text file into a struct of tensors that is adapted for Boost.Hana: for each member in order a line with its
/// name and its extents, and then its numbers in row-major order.
template <class Struct>
Struct read_tensors(const std::string& path) {
  Struct result;
  Lines lines(path);
  boost::hana::for_each(boost::hana::accessors<Struct>(), [&](auto accessor) {
    const std::string name = boost::hana::to<const char*>(boost::hana::first(accessor));
    auto& tensor = boost::hana::second(accessor)(result);
    auto shape = tensor.shape();
    lines.require_next("the tensor " + name);
    lines.require_size(1 + shape.size());
    if (lines.word(0) != name) {
      lines.fail("'" + printable(lines.word(0)) + "' where the tensor " + name + " belongs");
    }
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      shape[axis] = static_cast<std::size_t>(lines.integer(1 + axis));
    }
    tensor.resize(shape);
    for (std::size_t i = 0; i < tensor.size();) {
      lines.require_next("the end of the tensor " + name);
      if (lines.size() > tensor.size() - i) {
        lines.fail("more numbers than the tensor " + name + " has");
      }
      for (std::size_t word = 0; word < lines.size(); ++word, ++i) {
        tensor.data()[i] = lines.number(word);
      }
    }
  });
  if (lines.next()) {
    lines.fail("the file should end here");
  }
  return result;
}

}  // namespace example
