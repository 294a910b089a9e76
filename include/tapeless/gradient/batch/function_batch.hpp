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
  using leaves =
      typename joined_leaves<typename leaves_of_arguments<0, std::index_sequence_for<Args...>, Args...>::type,
                             typename seed_leaves<static_cast<int>(layout::size), std::tuple<Given...>,
                                                  std::integer_sequence<int, Place...>>::type>::type;
  // Structures have results of their own kind; beside them lie vectors.
  template <class Leaves>
  struct batch_over;
  template <class... Leaves>
  struct batch_over<argument_leaves<Leaves...>> {
    using container =
        result_array<T, broadcast_extents<Leaves...>,
                     std::conditional_t<Structure<Args> || Array_of_structures<Args>, T, Args>..., std::vector<T>>;
    template <class P>
    using type = batch<P, T, container, Leaves...>;
  };
  using container = typename batch_over<leaves>::container;
  template <class A>
  using gradient = typename batch_argument<A>::template gradient<T, container>;
  template <class A, std::size_t, class Places, class G>
  static void place_part(Places& places, G& to) {
    place_gradient<A>(places, to);
  }
  template <class P>
  using over = typename batch_over<leaves>::template type<P>;

  /// Runs the finished program `P`.
  template <bool Existing, class P, class Engine, class Memory, class Place_results>
  static bool run(const Engine& engine, Memory& memory, const Place_results& place, const std::tuple<Given...>& given,
                  const Args&... args) {
    using batch = over<P>;
    const auto bind = [&](typename batch::inputs& inputs) {
      std::size_t variable = 0, position = 0, number = 0;
      const auto bind_to = [&](std::size_t v, std::string_view name, const auto* from, const auto& extents,
                               const auto& strides) {
        bound_tensor& to = inputs.tensors[v];
        to.name = name;
        to.tangent = false;
        to.rank = static_cast<int>(extents.size());
        std::ptrdiff_t count = 1;
        for (std::size_t i = 0; i < extents.size(); ++i) {
          to.extents[i] = extents[i];
          to.strides[i] = strides[i];
          count *= extents[i];
        }
        inputs.read_from(memory.converted[v], from, to, count);
      };
      const auto read = [&](const auto* from, const auto& extents, const auto& strides) {
        bind_to(variable++, position_name(position), from, extents, strides);
      };
      ((batch_argument<Args>::visit(args, read), ++position), ...);
      const auto read_given = [&](const auto* from, const auto& extents, const auto& strides) {
        constexpr std::array<int, sizeof...(Place)> places{Place...};
        for (std::size_t k = 0; k < places.size(); ++k)
          if (static_cast<std::size_t>(places[k]) == number)
            bind_to(layout::size + k, "a tangent or cotangent", from, extents, strides);
        ++number;
      };
      std::apply(
          [&](const auto&... each) { (batch_argument<std::remove_cvref_t<Given>>::visit(each, read_given), ...); },
          given);
    };
    return batch::template run<Existing>(engine, memory, std::ignore, bind, place);
  }

  static constexpr std::string_view position_name(std::size_t position) {
    constexpr std::array<std::string_view, 8> names{"argument 0", "argument 1", "argument 2", "argument 3",
                                                    "argument 4", "argument 5", "argument 6", "argument 7"};
    return position < names.size() ? names[position] : "an argument";
  }
};

}  // namespace tapeless::detail
