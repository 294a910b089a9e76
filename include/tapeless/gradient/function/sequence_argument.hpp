#pragma once

#include <tapeless/core/sequence.hpp>
#include <tapeless/core/structure.hpp>
#include <tapeless/core/tensor_binding.hpp>
#include <tapeless/program/lower/trace.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace tapeless {

namespace detail {

template <class T>
inline constexpr bool is_vector = false;
template <class T, class Allocator>
  requires(!std::is_same_v<T, bool>)
inline constexpr bool is_vector<std::vector<T, Allocator>> = true;
template <class T>
inline constexpr bool is_vector<std::span<T, std::dynamic_extent>> = true;

/// A span whose extent the type tells: numbers, as a `std::array` is, with the header of tensors or without.
template <class T>
inline constexpr bool is_fixed_span = false;
template <class T, std::size_t N>
  requires(N != std::dynamic_extent)
inline constexpr bool is_fixed_span<std::span<T, N>> = true;

/// `std::complex`, and what is like it, known without its header.
template <class T>
concept Complex_number = requires(const T& z) {
  requires Real<typename T::value_type> && sizeof(T) == 2 * sizeof(typename T::value_type);
  { z.real() } -> std::same_as<typename T::value_type>;
  { z.imag() } -> std::same_as<typename T::value_type>;
};

/// A vector or a span of numbers, and one of arrays or structs of numbers.
template <class T>
concept Number_vector = is_vector<T> && Numeric<std::remove_cv_t<typename T::value_type>>;
template <class T>
concept Record_vector = is_vector<T> && (Structure<std::remove_cv_t<typename T::value_type>> ||
                                         (Complex_number<std::remove_cv_t<typename T::value_type>> && !is_tensor<T>));

/// A matrix as the sequence of its rows: matrix_rows.hpp.
template <class T>
inline constexpr bool is_matrix_rows = false;

/// Number `I` of each record of a vector.
template <std::size_t I, class V>
struct record_column {
  const V* records;
};

template <class T>
inline constexpr bool is_record_column = false;
template <std::size_t I, class V>
inline constexpr bool is_record_column<record_column<I, V>> = true;

/// What a loop of run-time length reads an element a step of.
template <class T>
concept Sequence_argument =
    is_record_column<T> || Number_vector<T> || (is_tensor<T> && !is_fixed_span<T> && !Structure<T> && !Numeric<T>);

/// The numbers `at(i)` as a sequence of numbers of type `T`: where they lie if that is their type and their distance is
/// a whole number of them, else converted.
template <class T, class At>
constexpr scalar::sequence<T> sequence_at(std::size_t size, const At& at) {
  using U = std::remove_cvref_t<decltype(at(0))>;
  if constexpr (std::is_same_v<T, U>)
    if (!std::is_constant_evaluated()) {
      if (size < 2) return {size ? &at(0) : nullptr, 1, size};
      const auto apart = reinterpret_cast<const char*>(&at(1)) - reinterpret_cast<const char*>(&at(0));
      constexpr auto bytes = static_cast<std::ptrdiff_t>(sizeof(T));
      if (apart % bytes == 0) return {&at(0), apart / bytes, size};
    }
  auto result = scalar::sequence<T>::owning(size, 1, size);
  for (std::size_t i = 0; i < size; ++i) result.memory()[i] = static_cast<T>(at(i));
  return result;
}

}  // namespace detail

/// A sequence of records, `R` an array or a struct, in a traced function: `scan` gives its body one of them a step.
template <class R, std::size_t N>
class traced_records {
  std::array<traced, N> columns_{};

 public:
  constexpr traced_records() = default;
  constexpr explicit traced_records(const std::array<traced, N>& columns) : columns_(columns) {}
  constexpr const std::array<traced, N>& columns() const { return columns_; }
};

namespace detail {

template <class T>
inline constexpr bool is_records = false;
template <class R, std::size_t N>
inline constexpr bool is_records<traced_records<R, N>> = true;

}  // namespace detail

}  // namespace tapeless
