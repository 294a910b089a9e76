#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/evaluate/loops/element_loop.hpp>
#include <tapeless/gradient/batch/batch_argument.hpp>
#include <tapeless/program/graph/loops_in.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Functions with loops of run-time length, over arrays of elements: SIMD lanes over elements, so that each step of a
/// loop is one of several sequences.
namespace tapeless::detail::inline TAPELESS_TARGET {

/// Where an output goes: a number of each element, or of each element a sequence.
template <class T>
struct loop_output {
  T* data = nullptr;
  std::ptrdiff_t stride = 0;
  void* sequences = nullptr;
  T* (*row)(void* sequences, std::size_t element, std::ptrdiff_t& stride) = nullptr;
};

/// Hands the results of a batch their places.
template <class T, class Outputs, class... All>
struct loop_outputs {
  using number = T;
  static constexpr int rank = 1;

  Outputs& to;
  const std::tuple<const All&...>& arguments;
  std::ptrdiff_t count;

  template <class Container>
  void resize(Container& container) const {
    tensor_traits<Container>::resize(container, std::array{count});
  }
  void write(std::size_t o, T* data, const std::array<std::ptrdiff_t, program::max_rank>& strides) const {
    to[o] = {data, strides[0]};
  }
  /// The gradient of the argument at position `Q`, which is a sequence of each element.
  template <std::size_t Q, class G>
  void write_sequences(std::size_t& next, G& gradient) const {
    using argument = loop_argument<typename type_at<Q, All...>::type>;
    using shape = shape_of<typename argument::element>;
    argument::resize(gradient, std::get<Q>(arguments), static_cast<std::size_t>(count));
    for_each_index<shape::size>([&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      if constexpr (shape::has_derivative(I))
        to[next++] = {nullptr, 0, &gradient, [](void* all, std::size_t element, std::ptrdiff_t& stride) -> T* {
                        return argument::template row<T, I>(*static_cast<G*>(all), element, stride);
                      }};
    });
  }
};

/// An element each of several sequences of one length, as lanes: where they lie if they lie side by side.
template <class T, std::size_t Lanes>
scalar::sequence<simd::lanes_t<T>> as_lanes(const std::array<scalar::sequence<T>, Lanes>& rows) {
  using V = simd::lanes_t<T>;
  // Rows without elements have no address.
  bool side_by_side = rows[0].size > 0;
  for (std::size_t lane = 1; lane < Lanes; ++lane)
    side_by_side = side_by_side && rows[lane].data == rows[0].data + lane && rows[lane].stride == rows[0].stride;
  if (side_by_side) return {rows[0].data, rows[0].stride, rows[0].size};
  auto result = scalar::sequence<V>::owning(rows[0].size, 1, rows[0].size);
  T* to = const_cast<T*>(result.data);
  for (std::size_t i = 0; i < result.size; ++i, to += Lanes)
    for (std::size_t lane = 0; lane < Lanes; ++lane) to[lane] = rows[lane][i];
  return result;
}

/// The finished program `P` over elements. `All` are the types of the function's arguments and of tangents or
/// cotangents, of whose numbers those at `Places` are variables after those of the `Arguments` arguments.
template <class P, class T, std::size_t Arguments, class Places, class... All>
class loop_batch {
  using V = simd::lanes_t<T>;
  using layout = argument_layout<typename loop_argument<All>::element...>;
  static constexpr std::size_t lanes = simd::width<T>, numbers = layout::size, outputs = P::value.outputs.size();

  /// Of each element a number; with the stride 0 one for all.
  struct column {
    const T* data = nullptr;
    std::ptrdiff_t stride = 0;
  };
  std::tuple<const All&...> arguments_;
  std::array<column, numbers> columns_{};
  std::array<std::vector<T>, numbers> converted_;
  std::size_t count_ = 1, counted_ = 0;

  template <int... Place>
  static constexpr std::size_t number_of(int variable, std::integer_sequence<int, Place...>) {
    constexpr std::array<int, sizeof...(Place) + 1> places{Place..., 0};
    const std::size_t v = static_cast<std::size_t>(variable), own = layout::first(Arguments);
    return v < own ? v : own + static_cast<std::size_t>(places[v - own]);
  }
  template <std::size_t Number>
  using argument_at = typename type_at<layout::position(Number), All...>::type;

  static std::string name(std::size_t position) {
    return position < Arguments ? message({"argument ", position}) : message({"a tangent or cotangent"});
  }
  void take_count(std::size_t position, std::size_t count) {
    if (count == 1) return;
    if (count_ == 1) count_ = count, counted_ = position;
    if (count_ != count)
      raise<std::invalid_argument>({"batched needs arrays of the same length: ", name(counted_), " has ", count_,
                                    " elements, ", name(position), " has ", count});
  }
  template <std::size_t Position, class A>
  void bind(const A& argument) {
    if constexpr (loop_argument<A>::is_sequence) {
      take_count(Position, loop_argument<A>::count(argument));
    } else {
      std::size_t next = layout::first(Position);
      batch_argument<A>::visit(argument, [&](const auto* from, const auto& extents, const auto& strides) {
        static_assert(std::tuple_size_v<std::remove_cvref_t<decltype(extents)>> < 2);
        std::size_t size = 1;
        std::ptrdiff_t stride = 0;
        if constexpr (std::tuple_size_v<std::remove_cvref_t<decltype(extents)>> == 1)
          size = static_cast<std::size_t>(extents[0]), stride = size == 1 ? 0 : strides[0];
        take_count(Position, size);
        column& to = columns_[next];
        if constexpr (std::is_same_v<decltype(from), const T*>) {
          to = {from, stride};
        } else {
          std::vector<T>& copy = converted_[next];
          copy.resize(size);
          for (std::size_t k = 0; k < size; ++k)
            copy[k] = static_cast<T>(from[static_cast<std::ptrdiff_t>(k) * stride]);
          to = {copy.data(), size == 1 ? 0 : 1};
        }
        ++next;
      });
    }
  }

  /// Whether loops have as many steps as the value of number `Number` says, or those of its elements.
  template <std::size_t Number>
  static constexpr bool counts_steps = !Numeric<argument_at<Number>> && Number < layout::first(Arguments) &&
                                       program::step_counts<P>::of_variables[Number];
  /// Whether number `Number` may make the loops of two elements differ in length.
  template <std::size_t Number>
  static constexpr bool may_differ = loop_argument<argument_at<Number>>::may_differ || counts_steps<Number>;
  template <std::size_t Number>
  bool differs(std::size_t first) const {
    using A = argument_at<Number>;
    if constexpr (loop_argument<A>::is_sequence && counts_steps<Number>) {
      return count_ > 1 && loop_argument<A>::count(std::get<layout::position(Number)>(arguments_)) > 1;
    } else if constexpr (may_differ<Number>) {
      const auto size = [&](std::size_t k) {
        if constexpr (loop_argument<A>::is_sequence)
          return loop_argument<A>::length(std::get<layout::position(Number)>(arguments_), place_in<Number>(k));
        else
          return columns_[Number].data[static_cast<std::ptrdiff_t>(k) * columns_[Number].stride];
      };
      for (std::size_t k = first + 1; k < std::min(first + lanes, count_); ++k)
        if (size(k) != size(first)) return true;
    }
    return false;
  }
  template <std::size_t Number>
  std::size_t place_in(std::size_t k) const {
    using A = argument_at<Number>;
    return loop_argument<A>::count(std::get<layout::position(Number)>(arguments_)) == 1 ? 0 : k;
  }

  /// The inputs of one element or, as lanes, of those from `first` on; the last one fills lanes that are left.
  template <class U>
  struct inputs_from {
    const loop_batch& of;
    std::size_t first;

    template <int I>
    auto variable() const {
      constexpr std::size_t number = number_of(I, Places{});
      using A = argument_at<number>;
      if constexpr (loop_argument<A>::is_sequence) {
        constexpr std::size_t position = layout::position(number);
        const auto row = [&](std::size_t lane) {
          const std::size_t k = std::min(first + lane, of.count_ - 1);
          return loop_argument<A>::template at<T, number - layout::first(position)>(std::get<position>(of.arguments_),
                                                                                    of.template place_in<number>(k));
        };
        if constexpr (std::is_same_v<U, T>)
          return row(0);
        else
          return [&]<std::size_t... L>(std::index_sequence<L...>) {
            return as_lanes<T>(std::array<scalar::sequence<T>, lanes>{row(L)...});
          }(std::make_index_sequence<lanes>{});
      } else {
        const column& from = of.columns_[number];
        const T* const data = from.data + static_cast<std::ptrdiff_t>(first) * from.stride;
        if constexpr (std::is_same_v<U, T>) {
          return *data;
        } else {
          if (from.stride == 0) return U(*data);
          const std::size_t there = std::min(lanes, of.count_ - first);
          if (from.stride == 1 && there == lanes) return U::load(data);
          alignas(64) T row[lanes];
          for (std::size_t lane = 0; lane < lanes; ++lane)
            row[lane] = data[static_cast<std::ptrdiff_t>(std::min(lane, there - 1)) * from.stride];
          return U::load(row);
        }
      }
    }
  };

  /// What runs: the elements, and where their outputs go.
  struct placed_elements {
    const loop_batch& of;
    const std::array<loop_output<T>, outputs>& to;
    static constexpr bool may_differ = []<std::size_t... N>(std::index_sequence<N...>) {
      return (loop_batch::may_differ<N> || ... || false);
    }(std::make_index_sequence<numbers>{});

    template <class U>
    auto inputs(std::size_t first) const {
      return inputs_from<U>{of, first};
    }
    bool differ(std::size_t first) const {
      return [&]<std::size_t... N>(std::index_sequence<N...>) {
        return (of.template differs<N>(first) || ...);
      }(std::make_index_sequence<numbers>{});
    }
    template <std::size_t O, class U>
    void store(const scalar::sequence_view<U>& output, std::size_t first, std::size_t count) const {
      for (std::size_t lane = 0; lane < count; ++lane) {
        std::ptrdiff_t stride = 0;
        T* const row = to[O].row(to[O].sequences, first + lane, stride);
        for (std::size_t i = 0; i < output.size; ++i)
          row[static_cast<std::ptrdiff_t>(i) * stride] =
              output.data[static_cast<std::ptrdiff_t>(i) * output.stride + static_cast<std::ptrdiff_t>(lane)];
      }
    }
    template <std::size_t O, class U>
    void store(const U& output, std::size_t first, std::size_t count) const {
      T* const data = to[O].data + static_cast<std::ptrdiff_t>(first) * to[O].stride;
      if constexpr (std::is_same_v<U, T>)
        *data = output;
      else if (count == lanes && to[O].stride == 1)
        simd::store<T>(output, data);
      else
        simd::store_strided<T>(output, data, to[O].stride, count);
    }
  };

 public:
  explicit loop_batch(const All&... all) : arguments_(all...) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (bind<I>(all), ...); }(std::index_sequence_for<All...>{});
  }

  /// Runs everything: in parts by the engine.
  template <class Results, class Engine>
  void run(const Engine& engine, typename Results::type& r) const {
    std::array<loop_output<T>, outputs> to{};
    Results::place(loop_outputs<T, decltype(to), All...>{to, arguments_, static_cast<std::ptrdiff_t>(count_)}, r);
    if constexpr (is_compared<Engine>) {
      run_parts(engine.fast(), to);
      engine.template compare_loops<P, T>(
          count_, [&](std::size_t k) { return inputs_from<T>{*this, k}; },
          [&](std::size_t o, std::size_t k, std::size_t size) { return elements_of(to[o], k, size); });
    } else {
      run_parts(engine, to);
    }
  }

 private:
  static std::vector<T> elements_of(const loop_output<T>& of, std::size_t element, std::size_t size) {
    std::ptrdiff_t stride = 1;
    const T* const from = of.sequences ? of.row(of.sequences, element, stride)
                                       : of.data + static_cast<std::ptrdiff_t>(element) * of.stride;
    std::vector<T> result;
    for (std::size_t i = 0; i < size; ++i) result.push_back(from[static_cast<std::ptrdiff_t>(i) * stride]);
    return result;
  }
  template <class Engine, class Outputs>
  void run_parts(const Engine& engine, const Outputs& to) const {
    const std::size_t groups = (count_ + lanes - 1) / lanes;
    const auto compute_part = [&](std::size_t begin, std::size_t end) {
      scalar::run_elements<P, T>(placed_elements{*this, to}, begin * lanes, std::min(end * lanes, count_));
    };
    if constexpr (std::is_same_v<Engine, loops::sequential>) {
      compute_part(0, groups);
    } else {
      const std::size_t parts = std::min<std::size_t>(groups, tuning::most_parts);
      run_parts_by(engine, static_cast<std::ptrdiff_t>(parts), [&](std::ptrdiff_t part) {
        const auto p = static_cast<std::size_t>(part);
        compute_part(groups * p / parts, groups * (p + 1) / parts);
      });
    }
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
