#ifndef TAPELESS_TEST_FUZZ_HARNESS_HPP
#define TAPELESS_TEST_FUZZ_HARNESS_HPP

#include <tapeless/assemble.hpp>
#include <tapeless/parallel.hpp>
#include <tapeless/sort.hpp>
#include <tapeless/xtensor.hpp>

#include <xtensor/xadapt.hpp>
#include <xtensor/xview.hpp>

#include <boost/hana.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// What random programs read and write: numbers in binary form, from and for fuzz.py.
namespace fuzz {

using namespace tapeless;

/// Extents and elements in row-major order.
struct array {
  std::vector<std::size_t> shape;
  std::vector<double> elements;
};

/// Calls visit(offset) for the elements of a tensor with these strides, in row-major order.
template <class Strides, class Visit>
void for_each_offset(const std::vector<std::size_t>& shape, const Strides& strides, const Visit& visit,
                     std::size_t axis = 0, std::ptrdiff_t offset = 0) {
  if (axis == shape.size()) return visit(offset);
  for (std::size_t k = 0; k < shape[axis]; ++k)
    for_each_offset(shape, strides, visit, axis + 1,
                    offset + static_cast<std::ptrdiff_t>(k) * static_cast<std::ptrdiff_t>(strides[axis]));
}

/// What a result holds.
template <class Value>
array array_of(const Value& value) {
  array result;
  if constexpr (std::is_arithmetic_v<Value>) {
    result.elements.push_back(static_cast<double>(value));
  } else if constexpr (requires { value.strides(); }) {
    result.shape.assign(value.shape().begin(), value.shape().end());
    for_each_offset(result.shape, value.strides(), [&](std::ptrdiff_t offset) {
      result.elements.push_back(static_cast<double>(value.data()[offset]));
    });
  } else if constexpr (!std::is_same_v<Value, Zero>) {
    result.shape.push_back(value.size());
    for (const auto& element : value) {
      const array each = array_of(element);
      result.shape.resize(1);
      result.shape.insert(result.shape.end(), each.shape.begin(), each.shape.end());
      result.elements.insert(result.elements.end(), each.elements.begin(), each.elements.end());
    }
  }
  return result;
}

inline const array& array_of(const array& value) { return value; }

/// All elements of a matrix that is stored in compressed rows.
template <class Matrix>
array dense(const Matrix& matrix, std::size_t size) {
  array result{{size, size}, {}};
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) result.elements.push_back(static_cast<double>(matrix(i, j)));
  return result;
}

class source {
 public:
  explicit source(const char* path) : file_(std::fopen(path, "rb")) {}
  ~source() { std::fclose(file_); }
  source(const source&) = delete;
  source& operator=(const source&) = delete;

  std::int64_t integer() {
    std::int64_t result = 0;
    if (std::fread(&result, sizeof result, 1, file_) != 1) throw std::runtime_error("no more data");
    return result;
  }
  array read() {
    array result;
    std::size_t size = 1;
    for (std::int64_t rank = integer(); rank > 0; --rank) {
      result.shape.push_back(static_cast<std::size_t>(integer()));
      size *= result.shape.back();
    }
    result.elements.resize(size);
    if (std::fread(result.elements.data(), sizeof(double), size, file_) != size) throw std::runtime_error("cut off");
    return result;
  }

 private:
  std::FILE* file_;
};

class sink {
 public:
  explicit sink(const char* path) : file_(std::fopen(path, "wb")) {}
  ~sink() { std::fclose(file_); }
  sink(const sink&) = delete;
  sink& operator=(const sink&) = delete;

  /// The program and the set of numbers that what follows is of; on the disk before anything can crash.
  void begin(std::int64_t program, std::int64_t set) {
    kind('P');
    integer(program);
    integer(set);
    std::fflush(file_);
  }

  template <class Value>
  void put(const char* label, const Value& value) {
    text('V', label);
    if (std::is_same_v<Value, Zero>) return integer(-1);
    const array from = array_of(value);
    integer(static_cast<std::int64_t>(from.shape.size()));
    for (const std::size_t extent : from.shape) integer(static_cast<std::int64_t>(extent));
    std::fwrite(from.elements.data(), sizeof(double), from.elements.size(), file_);
  }

  /// Runs what writes results, or writes what it throws.
  template <class Call>
  void attempt(const char* label, const Call& call) {
    try {
      call();
    } catch (const std::exception& error) {
      text('E', label);
      text('M', error.what());
    }
  }

 private:
  std::FILE* file_;

  void kind(char c) { std::fputc(c, file_); }
  void integer(std::int64_t value) { std::fwrite(&value, sizeof value, 1, file_); }
  void text(char c, const std::string& content) {
    kind(c);
    integer(static_cast<std::int64_t>(content.size()));
    std::fwrite(content.data(), 1, content.size(), file_);
  }
};

/// Whether a result has these extents and elements; says what differs.
template <class Value>
bool close(const Value& value, const std::vector<std::size_t>& shape, const std::vector<double>& expected,
           double tolerance) {
  const array found = array_of(value);
  if (std::is_same_v<Value, Zero>)
    return std::all_of(expected.begin(), expected.end(), [](double element) { return element == 0; });
  bool result = found.shape == shape;
  for (std::size_t k = 0; result && k < expected.size(); ++k) {
    result = std::abs(found.elements[k] - expected[k]) <= tolerance;
    if (!result) std::printf("element %zu: %.17g instead of %.17g\n", k, found.elements[k], expected[k]);
  }
  return result;
}

// Operands: what holds the numbers of a variable. get() is what is bound.

template <class T>
struct number {
  T value{};
  void read(const array& from) { value = static_cast<T>(from.elements.at(0)); }
  const T& get() const { return value; }
};

template <class T>
struct vector {
  std::vector<T> value;
  void read(const array& from) {
    value.clear();
    for (const double element : from.elements) value.push_back(static_cast<T>(element));
  }
  const std::vector<T>& get() const { return value; }
};

template <std::size_t Count>
struct elements {
  std::vector<std::array<int, Count>> value;
  void read(const array& from) {
    value.resize(from.shape.at(0));
    for (std::size_t k = 0; k < from.elements.size(); ++k)
      value[k / Count][k % Count] = static_cast<int>(from.elements[k]);
  }
  const std::vector<std::array<int, Count>>& get() const { return value; }
};

template <class T>
struct span : vector<T> {
  std::span<const T> get() const { return this->value; }
};

template <class Container>
struct container {
  Container value;
  void read(const array& from) {
    if constexpr (requires(typename Container::shape_type shape) { shape[0] = 0; }) {
      typename Container::shape_type shape{};
      for (std::size_t axis = 0; axis < from.shape.size(); ++axis) shape[axis] = from.shape[axis];
      value.resize(shape);
    }
    std::size_t next = 0;
    for_each_offset(from.shape, value.strides(), [&](std::ptrdiff_t offset) {
      value.data()[offset] = static_cast<typename Container::value_type>(from.elements[next++]);
    });
  }
  const Container& get() const { return value; }
};

template <class T, std::size_t Rank>
struct rows : container<xt::xtensor<T, Rank>> {};
template <class T, std::size_t Rank>
struct columns : container<xt::xtensor<T, Rank, xt::layout_type::column_major>> {};
template <class T, std::size_t... Extents>
struct fixed : container<xt::xtensor_fixed<T, xt::xshape<Extents...>>> {};

template <class T, std::size_t Extent>
struct standard_array {
  std::array<T, Extent> value{};
  void read(const array& from) {
    for (std::size_t k = 0; k < Extent; ++k) value[k] = static_cast<T>(from.elements.at(k));
  }
  const std::array<T, Extent>& get() const { return value; }
};

/// Elements with strides of any kind: each set of numbers is laid out in another way. Between them lies what none may
/// read.
template <class T, std::size_t Rank>
struct strided {
  std::vector<T> memory;
  std::array<std::size_t, Rank> shape{};
  std::array<std::ptrdiff_t, Rank> strides{};
  std::ptrdiff_t begin = 0;
  unsigned turn = 0;

  void read(const array& from) {
    const unsigned how = turn++ % 4;
    std::ptrdiff_t stride = how == 2 ? 3 : 1;
    begin = 0;
    for (std::size_t k = 0; k < Rank; ++k) {
      const std::size_t axis = how == 1 ? k : Rank - 1 - k;
      shape[axis] = from.shape[axis];
      strides[axis] = how == 3 ? -stride : stride;
      stride *= static_cast<std::ptrdiff_t>(from.shape[axis]);
      if (how == 3 && from.shape[axis] > 0)
        begin -= strides[axis] * (static_cast<std::ptrdiff_t>(from.shape[axis]) - 1);
    }
    if (stride == 0) begin = 0;
    memory.assign(static_cast<std::size_t>(stride), static_cast<T>(1e30));
    std::size_t next = 0;
    for_each_offset(from.shape, strides, [&](std::ptrdiff_t offset) {
      memory[static_cast<std::size_t>(begin + offset)] = static_cast<T>(from.elements[next++]);
    });
  }
  auto get() const {
    std::size_t size = 1;
    for (const std::size_t extent : shape) size *= extent;
    return xt::adapt(memory.data() + begin, size, xt::no_ownership(), shape, strides);
  }
};

/// A result that is made once and then written into.
template <class Result, class First, class Again>
const Result& held(std::optional<Result>& result, bool again, const First& first, const Again& into_it) {
  if (result && again)
    into_it(*result);
  else
    result.emplace(first());
  return *result;
}

}  // namespace fuzz

#endif
