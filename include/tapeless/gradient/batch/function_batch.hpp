#pragma once

#include <tapeless/gradient/batch/batch.hpp>
#include <tapeless/gradient/batch/batch_argument.hpp>
#include <tapeless/gradient/number_type.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless::detail {

/// The batch of a traced function of these arguments, and of tangents or cotangents.
template <class Given, class Places, class... Args>
struct function_batch;
template <class... Given, int... Place, class... Args>
struct function_batch<std::tuple<Given...>, std::integer_sequence<int, Place...>, Args...> {
  template <class A>
  using element = typename batch_argument<A>::element;
  using layout = argument_layout<element<Args>...>;
  using T = common_real_t<typename shape_of<element<Args>>::number...>;
  static constexpr auto leaves = [] {
    auto result = leaves_of_arguments<batch_argument, Args..., std::remove_cvref_t<Given>...>();
    int next = 0;
    while (next < static_cast<int>(layout::size)) result[static_cast<std::size_t>(next)].variable = next, ++next;
    ((result[layout::size + static_cast<std::size_t>(Place)].variable = next++), ...);
    return result;
  }();
  // Structures have results of their own kind; beside them lie vectors.
  using container =
      result_array<T, broadcast<leaves>, std::conditional_t<Structure<Args> || Array_of_structures<Args>, T, Args>...,
                   std::vector<T>>;
  template <class A>
  using gradient = typename batch_argument<A>::template gradient<T, container>;
  template <class A, std::size_t, class Places, class G>
  static void place_part(Places& places, G& to) {
    place_gradient<A>(places, to);
  }
  template <class P>
  using over = batch<P, T, container, leaves>;

  /// Runs the finished program `P`.
  template <bool Existing, class P, class Engine, class Memory, class Place_results>
  static bool run(const Engine& engine, Memory& memory, const Place_results& place, const std::tuple<Given...>& given,
                  const Args&... args) {
    std::array<std::string_view, sizeof...(Args) + sizeof...(Given)> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = name(i);
    return std::apply(
        [&](const auto&... each) {
          return over<P>::template run<Existing, batch_argument>(engine, memory, std::ignore, place, names, args...,
                                                                 each...);
        },
        given);
  }

  static constexpr std::string_view name(std::size_t position) {
    constexpr std::array<std::string_view, 8> names{"argument 0", "argument 1", "argument 2", "argument 3",
                                                    "argument 4", "argument 5", "argument 6", "argument 7"};
    if (position >= sizeof...(Args)) return "a tangent or cotangent";
    return position < names.size() ? names[position] : "an argument";
  }
};

}  // namespace tapeless::detail
