#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/core/thread_memory.hpp>
#include <tapeless/evaluate/memory/tensor_loop.hpp>
#include <tapeless/gradient/tensor/storage.hpp>
#include <tapeless/gradient/tensor/tensor_call.hpp>
#include <tapeless/gradient/tensor/tensor_checkpoints.hpp>
#include <tapeless/program/differentiate/tensor_loop_rules.hpp>
#include <tapeless/program/lower/recorded_lowering.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

/// How loops over tensors run: a step is a call of their body over the tensors of the step.
namespace tapeless {

namespace detail {

/// The body of a loop as the formula over tensors that it is; of its outputs, those wanted.
template <class Body, auto Wanted>
struct body_formula {
  static constexpr std::size_t variables = Body::value.variables.size();
  /// The name of each variable is a number of three digits.
  template <std::size_t I>
  static constexpr char digits[] = {static_cast<char>('0' + I / 100), static_cast<char>('0' + I / 10 % 10),
                                    static_cast<char>('0' + I % 10)};
  template <std::size_t I>
  using variable = Variable<fixed_string<4>(std::string_view(digits<I>, 3))>;
};
template <class T, class Body, auto Wanted>
void numbers_of(const body_formula<Body, Wanted>&, T*&) {}

/// A tensor that lies somewhere, in a step of a loop.
template <class T, int Rank>
struct step_tensor {
  T* data;
  std::array<std::ptrdiff_t, static_cast<std::size_t>(Rank)> extents, strides;

  step_tensor(T* elements, const std::ptrdiff_t* its_extents, const std::ptrdiff_t* its_strides) : data(elements) {
    for (std::size_t i = 0; i < extents.size(); ++i) extents[i] = its_extents[i], strides[i] = its_strides[i];
  }
};

}  // namespace detail

template <class T, int Rank>
struct tensor_traits<detail::step_tensor<T, Rank>> {
  using element = T;
  static constexpr int rank = Rank;
  static constexpr bool column_major = false;
  static constexpr auto extents = [] {
    std::array<std::ptrdiff_t, static_cast<std::size_t>(Rank)> result{};
    result.fill(-1);
    return result;
  }();
  static const T* data(const detail::step_tensor<T, Rank>& tensor) { return tensor.data; }
  static std::ptrdiff_t extent(const detail::step_tensor<T, Rank>& tensor, int axis) {
    return tensor.extents[static_cast<std::size_t>(axis)];
  }
  static std::ptrdiff_t stride(const detail::step_tensor<T, Rank>& tensor, int axis) {
    return tensor.strides[static_cast<std::size_t>(axis)];
  }
  template <class U>
  using result = detail::step_tensor<U, Rank>;
  template <class Shape>
  static void resize(const detail::step_tensor<T, Rank>& to, const Shape& shape) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(Rank); ++i)
      if (to.extents[i] != shape[i])
        detail::raise<std::invalid_argument>({"the carries of a scan must keep their shapes: along axis ",
                                              static_cast<std::ptrdiff_t>(i), " a step makes ", shape[i], " of ",
                                              to.extents[i]});
  }
};

namespace program::detail {

template <class Body, auto Wanted>
struct lower_as<tapeless::detail::body_formula<Body, Wanted>> {
  static constexpr growing_array<tensor_value> run(tensor_lowering& to) {
    using formula = tapeless::detail::body_formula<Body, Wanted>;
    growing_array<tensor_value> leaves, wanted;
    tapeless::detail::for_each_index<formula::variables>(
        [&](auto i) { leaves.push_back(to.variable(formula::template variable<i>::name)); });
    const growing_array<tensor_value> all = to.template lower_step<Body>(leaves);
    for (int k = 0; k < all.size; ++k)
      if (Wanted[static_cast<std::size_t>(k)]) wanted.push_back(all[k]);
    return wanted;
  }
};

}  // namespace program::detail

namespace loops::inline TAPELESS_TARGET {

/// What step `step` has of an operand or output, for an element of a batch; one thing for all steps unless `EachStep`.
template <int Rank, bool OfBatch, bool EachStep, class T>
tapeless::detail::step_tensor<T, Rank> at_step(const strided<T>& all, std::ptrdiff_t element, std::ptrdiff_t step) {
  constexpr std::size_t first_axis = OfBatch ? 1 : 0, first = first_axis + (EachStep ? 1 : 0);
  // What has no elements may lie nowhere.
  if (!all.data) return {all.data, all.extents.data() + first, all.strides.data() + first};
  T* data = all.data;
  if constexpr (OfBatch) data += element * all.strides[0];
  if constexpr (EachStep) data += step * all.strides[first_axis];
  return {data, all.extents.data() + first, all.strides.data() + first};
}
template <class T, int Rank>
void copy_tensor(const tapeless::detail::step_tensor<T, Rank>& to, const tapeless::detail::step_tensor<T, Rank>& from) {
  if (to.data != from.data) copy(tapeless::detail::strided_of(to), tapeless::detail::strided_of(from));
}

template <class Op, class T, auto Layout>
struct tensor_loop {
  static constexpr operation::scan_shape shape = Op::shape;
  static constexpr std::size_t carries = static_cast<std::size_t>(shape.carries);
  static constexpr std::size_t operands = static_cast<std::size_t>(shape.operands());
  static constexpr std::size_t first_sequence = static_cast<std::size_t>(shape.first_sequence());
  static constexpr std::size_t outputs = static_cast<std::size_t>(Op::outputs);
  static constexpr auto wanted = [] {
    std::array<bool, carries + static_cast<std::size_t>(shape.stacked)> result{};
    for (std::size_t k = 0; k < result.size(); ++k) result[k] = k < carries || Layout.outputs[k] >= 0;
    return result;
  }();
  using formula = tapeless::detail::body_formula<typename Op::body, wanted>;
  /// The rank that variable `I` of the body has, after the operand that tells the steps; the last is their number.
  template <std::size_t I>
  static constexpr int rank_of() {
    if constexpr (I + 1 == operands)
      return 0;
    else
      return Layout.operands[I + 1] - (I + 1 >= first_sequence ? 1 : 0);
  }
  template <std::size_t I>
  using binding =
      tapeless::binding<typename formula::template variable<I>, tapeless::detail::step_tensor<T, rank_of<I>()>>;
  template <std::size_t... I>
  static tapeless::detail::tensor_call<tapeless::detail::value_verb, formula, wrt_variables<>,
                                       unconnected::materialise_policy, wrt_variables<>, std::tuple<>, binding<I>...>
      call_of(std::index_sequence<I...>);
  using call = decltype(call_of(std::make_index_sequence<operands>{}));

  struct memory_type {
    std::array<std::vector<T>, 2 * carries> carried;
    typename call::memory_type of_call;
  };
  static constexpr std::size_t first_axis = Layout.of_batch ? 1 : 0;

  /// Whether all that a step does with a carry is to add to it, element by element where it lies.
  template <std::size_t C>
  static constexpr bool stays = [] {
    if constexpr (Layout.plain) {
      return false;
    } else {
      using plan = typename call::S;
      const auto is_carry = [](int i) {
        const program::node& n = plan::program[i];
        return n.kind == program::node_kind::variable && n.leaf == static_cast<int>(C);
      };
      int uses = 0;
      for (const int i : plan::edges) uses += is_carry(i);
      for (const int i : plan::program.outputs) uses += 2 * is_carry(i);
      bool begins = false;
      for (const program::buffer& b : plan::buffers)
        if (b.base >= 0 && is_carry(b.base) && b.output == static_cast<int>(C)) {
          const auto access = static_cast<std::size_t>(plan::program[b.base].access);
          begins = plan::program.accesses[access].axes == plan::output_access(C).axes;
        }
      return begins && uses == 1;
    }
  }();
  /// Where a carry lies: before a step in its history; before the first where it begins, if it has no gaps there; after
  /// the last in its output; and where there is none of these in turn in either of two places, or in one.
  template <std::size_t C>
  class carry {
    using tensor = tapeless::detail::step_tensor<T, rank_of<C>()>;
    tensor row_;
    T *begin_, *end_ = nullptr, *kept_ = nullptr, *in_turn_[2];
    std::ptrdiff_t steps_, kept_stride_ = 0;

   public:
    carry(memory_type& memory, const std::array<strided<T>, operands>& from, const std::array<strided<T>, outputs>& to,
          std::ptrdiff_t element, std::ptrdiff_t steps)
        : row_(at_step<rank_of<C>(), Layout.of_batch, false>(from[1 + C], element, 0)), steps_(steps) {
      const tensor begin = row_;
      std::size_t size = 1;
      for (std::size_t i = row_.strides.size(); i-- > 0; size *= static_cast<std::size_t>(row_.extents[i]))
        row_.strides[i] = static_cast<std::ptrdiff_t>(size);
      for (std::size_t i = 0; i < 2; ++i) {
        std::vector<T>& place = memory.carried[2 * C + (stays<C> ? 0 : i)];
        place.resize(size);
        in_turn_[i] = place.data();
      }
      begin_ = row_.strides == begin.strides ? begin.data : in_turn_[0];
      if constexpr (Layout.outputs[C] >= 0)
        end_ = at_step<rank_of<C>(), Layout.of_batch, false>(to[C], element, 0).data;
      if constexpr (constexpr auto history = static_cast<std::size_t>(shape.history(static_cast<int>(C)));
                    Layout.outputs[history] >= 0)
        kept_ = at_step<rank_of<C>(), Layout.of_batch, true>(to[history], element, 0).data,
        kept_stride_ = to[history].strides[first_axis];
    }
    /// After `k` of the steps.
    tensor at(std::ptrdiff_t k) const {
      T* data = k == 0 ? begin_ : in_turn_[k % 2];
      if (k < steps_ && kept_) data = kept_ + (shape.reversed ? steps_ - 1 - k : k) * kept_stride_;
      if (k == steps_ && end_) data = end_;
      return {data, row_.extents.data(), row_.strides.data()};
    }
    /// The same where a loop that is computed again has it.
    tensor at(T* data) const { return {data, row_.extents.data(), row_.strides.data()}; }
    T* in_turn(std::ptrdiff_t k) const { return in_turn_[k % 2]; }
  };
  static auto places(memory_type& memory, const std::array<strided<T>, operands>& from,
                     const std::array<strided<T>, outputs>& to, std::ptrdiff_t element, std::ptrdiff_t steps) {
    return [&]<std::size_t... C>(std::index_sequence<C...>) {
      return std::tuple(carry<C>(memory, from, to, element, steps)...);
    }(std::make_index_sequence<carries>{});
  }
  /// `histories...` are those that other loops kept as checkpoints, and then what this one keeps.
  template <class... Histories>
  static std::ptrdiff_t run(const std::array<strided<T>, operands>& from, const std::array<strided<T>, outputs>& to,
                            Histories&&... histories) {
    auto& memory = tapeless::detail::of_thread<memory_type, tensor_loop>();
    const std::ptrdiff_t elements = Layout.of_batch ? from[0].extents[0] : 1;
    std::ptrdiff_t most = 0;
    for (std::ptrdiff_t element = 0; element < elements; ++element)
      most = std::max(most, run_element(memory, from, to, element, histories...));
    return most;
  }

 private:
  template <class, class, auto>
  friend class tensor_checkpoints;

  /// As many as are counted; a negative number stands for all of the axis.
  static std::ptrdiff_t steps_of(const strided<T>& count, std::ptrdiff_t element) {
    const T counted = Layout.of_batch ? count.data[element * count.strides[0]] : *count.data;
    if (counted != counted)
      tapeless::detail::raise<std::invalid_argument>({"the number of steps of a loop is not a number"});
    const bool is_counted = counted < static_cast<T>(counts_to<T>);
    if (!is_counted && !shape.ends) refuse_steps(static_cast<double>(counted), counts_to<T>);
    return counted < T(0) || !is_counted ? count.extents[first_axis] : static_cast<std::ptrdiff_t>(counted);
  }
  template <class... Histories>
  static std::ptrdiff_t run_element(memory_type& memory, const std::array<strided<T>, operands>& from,
                                    const std::array<strided<T>, outputs>& to, std::ptrdiff_t element,
                                    Histories&... histories) {
    using tapeless::detail::for_each_index;
    const std::ptrdiff_t steps = steps_of(from[0], element);
    const auto all = places(memory, from, to, element, steps);
    const auto at = [&](auto c, std::ptrdiff_t k) { return std::get<c>(all).at(k); };
    for_each_index<carries>(
        [&](auto c) { copy_tensor(at(c, 0), at_step<rank_of<c>(), Layout.of_batch, false>(from[1 + c], element, 0)); });
    std::ptrdiff_t made = 0;
    while (made < steps) {
      const std::ptrdiff_t step = shape.reversed ? steps - 1 - made : made;
      (histories.go_to(element, step, at, made, steps), ...);
      run_step(from, to, at, memory, element, made, step);
      ++made;
      if constexpr (shape.ends)
        if (*at(std::integral_constant<std::size_t, 0>{}, made).data != T(0)) break;
    }
    for_each_index<carries>([&](auto c) {
      if constexpr (Layout.outputs[c] >= 0)
        copy_tensor(at_step<rank_of<c>(), Layout.of_batch, false>(to[c], element, 0), at(c, made));
    });
    return steps;
  }

  template <class Outputs>
  struct targets {
    Outputs& outputs;
    template <std::size_t K>
    auto& value() const {
      return std::get<K>(outputs);
    }
    // A step has none.
    template <class>
    Zero derivative() const;
  };
  template <class Carry>
  static void run_step(const std::array<strided<T>, operands>& from, const std::array<strided<T>, outputs>& to,
                       const Carry& carry_before, memory_type& memory, std::ptrdiff_t element, std::ptrdiff_t made,
                       std::ptrdiff_t step) {
    T number = static_cast<T>(step);
    const auto bind = [&]<std::size_t I>(std::integral_constant<std::size_t, I> index) {
      if constexpr (I < carries)
        return binding<I>{carry_before(index, made)};
      else if constexpr (I + 1 == operands)
        return binding<I>{{&number, nullptr, nullptr}};
      else
        return binding<I>{
            at_step<rank_of<I>(), Layout.of_batch, (I + 1 >= first_sequence)>(from[I + 1], element, step)};
    };
    const auto output = [&]<std::size_t K>(std::integral_constant<std::size_t, K> index) {
      if constexpr (K < carries)
        return std::tuple(carry_before(index, made + 1));
      else if constexpr (wanted[K])
        return std::tuple(at_step<Layout.outputs[K] - 1, Layout.of_batch, true>(to[K], element, step));
      else
        return std::tuple<>();
    };
    [&]<std::size_t... I, std::size_t... K>(std::index_sequence<I...>, std::index_sequence<K...>) {
      auto all = std::tuple_cat(output(std::integral_constant<std::size_t, K>{})...);
      const targets<decltype(all)> results{all};
      if constexpr (Layout.plain)
        call::template compute_node_by_node<program::plainly_t<typename call::source>, call::operand::is_explicit>(
            tapeless::detail::visit_nothing{}, results, formula{}, std::tuple<>(),
            bind(std::integral_constant<std::size_t, I>{})...);
      else
        call::compute(sequential{}, memory.of_call, results, formula{}, std::tuple<>(),
                      bind(std::integral_constant<std::size_t, I>{})...);
    }(std::make_index_sequence<operands>{}, std::make_index_sequence<wanted.size()>{});
  }
};

}  // namespace loops::inline TAPELESS_TARGET

}  // namespace tapeless
