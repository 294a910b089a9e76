#ifndef TAPELESS_EVALUATE_TENSOR_HPP
#define TAPELESS_EVALUATE_TENSOR_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/engine.hpp>
#include <tapeless/evaluate/loops.hpp>
#include <tapeless/evaluate/matrix_product.hpp>
#include <tapeless/evaluate/move.hpp>
#include <tapeless/program/tensor_lowering.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// Memory for what kernels leave for each other; grows, and is used again by later calls.
template <class T>
class workspace {
  static constexpr std::size_t alignment = 64;
  struct release {
    void operator()(T* memory) const { ::operator delete[](memory, std::align_val_t{alignment}); }
  };
  std::unique_ptr<T[], release> memory_;
  std::size_t size_ = 0;

 public:
  workspace() = default;
  // What is moved from has no memory, and knows it: a result that was moved from is used again.
  workspace(workspace&& other) noexcept : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  workspace& operator=(workspace&& other) noexcept {
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  // What it holds is needed during a call only.
  workspace(const workspace&) {}
  workspace& operator=(const workspace&) { return *this; }

  T* reserve(std::size_t size) {
    if (size > size_) {
      memory_.reset(static_cast<T*>(::operator new[](size * sizeof(T), std::align_val_t{alignment})));
      size_ = size;
    }
    return memory_.get();
  }
};

/// The schedule of the finished program `P::value`, whose output number o lies in memory as access number
/// `OutputAccesses[o]` of the program says.
template <class P, auto OutputAccesses>
struct plan {
  static constexpr auto& program = P::value;
  static constexpr auto& nodes = P::value.nodes;
  static constexpr auto& edges = P::value.edges;
  static constexpr auto& constants = P::value.constants;
  static constexpr std::size_t numbers = static_cast<std::size_t>(P::value.numbers);
  static constexpr std::size_t outputs = P::value.outputs.size();

  static constexpr const program::tensor_access& output_access(std::size_t o) {
    return P::value.accesses[static_cast<std::size_t>(OutputAccesses[o])];
  }

 private:
  static constexpr bool expensive(const program::node& n) {
    using enum program::algebra;
    switch (n.algebra) {
      case add:
      case subtract:
      case multiply:
      case negate:
      case where:
      case choice:
      case abs:
      case less:
      case less_equal:
      case equal:
      case not_equal:
      case logical_not:
      case logical_and:
      case logical_or: return false;
      default:
        return n.kind == program::node_kind::apply && n.count > 0 &&
               !program::applies(n, program::info<operation::TimesInverse>);
    }
  }
  static constexpr program::schedule_builder make() {
    program::growing_array<program::scheduled_output> written;
    program::growing_array<char> costly;
    for (std::size_t o = 0; o < outputs; ++o) written.push_back({P::value.output(o), output_access(o).set()});
    for (const program::node& n : nodes) costly.push_back(expensive(n));
    return program::detail::scheduler(P::view(), written, costly).run();
  }
  struct sizes {
    std::size_t steps, kernels, buffers, groups;
  };
  static constexpr sizes size_of(const program::schedule_builder& from) {
    const auto count = [](int n) { return static_cast<std::size_t>(n); };
    return {count(from.steps.size), count(from.kernels.size), count(from.buffers.size), count(from.groups)};
  }
  static constexpr sizes size = size_of(make());
  struct schedule {
    std::array<program::step, size.steps> steps{};
    std::array<program::kernel, size.kernels> kernels{};
    std::array<program::buffer, size.buffers> buffers{};
    /// The first kernel of each group, and the number of kernels.
    std::array<std::size_t, size.groups + 1> first_kernel{};
    /// The memory of each node, -1 where it has none.
    std::array<int, P::value.nodes.size()> reference{};
  };
  // Compilers look at each element of a constant array that is read: what is asked for often stands in tables.
  static constexpr schedule made = [](const program::schedule_builder& from) {
    schedule result{};
    const auto copy = [](const auto& array, auto* to) {
      for (int i = 0; i < array.size; ++i) to[i] = array.data[i];
    };
    copy(from.steps, result.steps.data());
    copy(from.kernels, result.kernels.data());
    copy(from.buffers, result.buffers.data());
    for (int k = from.kernels.size; k-- > 0;)
      result.first_kernel[static_cast<std::size_t>(from.kernels.data[k].group)] = static_cast<std::size_t>(k);
    result.first_kernel[size.groups] = size.kernels;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      result.reference[i] = nodes[i].kind == program::node_kind::variable ? nodes[i].access : -1;
    for (std::size_t b = 0; b < size.buffers; ++b)
      result.reference[static_cast<std::size_t>(result.buffers[b].node)] =
          static_cast<int>(result.buffers[b].output < 0 ? P::value.accesses.size() + b
                                                        : P::value.accesses.size() + size.buffers +
                                                              static_cast<std::size_t>(result.buffers[b].output));
    return result;
  }(make());

 public:
  static constexpr auto& steps = made.steps;
  static constexpr auto& kernels = made.kernels;
  static constexpr auto& buffers = made.buffers;
  static constexpr std::size_t groups = size.groups;

  static constexpr std::size_t axes = [] {
    int last = 0;
    const auto take = [&](const program::tensor_access& access) {
      for (int i = 0; i < access.rank; ++i) last = std::max(last, access.axes[static_cast<std::size_t>(i)]);
    };
    for (const program::tensor_access& access : P::value.accesses) take(access);
    for (const program::tensor_move& move : P::value.moves) take(move.from), take(move.to);
    for (const program::axis_rule& rule : P::value.axis_rules) last = std::max(last, rule.axis);
    return static_cast<std::size_t>(last) + 1;
  }();

  static constexpr std::size_t accesses = P::value.accesses.size();
  static constexpr std::size_t references = accesses + buffers.size() + outputs;

  static constexpr int node_reference(int i) { return made.reference[static_cast<std::size_t>(i)]; }
  /// Where buffer number `b` lies: an output's memory, or memory of its own.
  static constexpr std::size_t buffer_reference(std::size_t b) {
    return static_cast<std::size_t>(node_reference(buffers[b].node));
  }
  /// The output in whose memory a node is kept, -1 if there is none.
  static constexpr int output_of(int i) {
    const int first = output_reference(0), r = node_reference(i);
    return r < first ? -1 : r - first;
  }
  static constexpr int output_reference(int o) { return static_cast<int>(accesses + buffers.size()) + o; }
  static constexpr bool is_block(int reference) {
    const std::size_t r = static_cast<std::size_t>(reference);
    return r >= accesses && r < accesses + buffers.size() && buffers[r - accesses].block;
  }

  /// The variable that the indices of a move are, -1 where they are computed.
  static constexpr int index_variable(int i) {
    const program::node& n = nodes[static_cast<std::size_t>(i)];
    return n.kind == program::node_kind::variable && n.leaf >= 0 ? n.leaf : -1;
  }
  /// Whether a variable says which elements are taken.
  static constexpr bool is_indices(int variable) {
    for (const program::node& n : nodes)
      if (n.kind == program::node_kind::apply && n.operation->moves &&
          program.moves[static_cast<std::size_t>(n.access)].has_indices() &&
          index_variable(edges[static_cast<std::size_t>(n.first) + 1]) == variable)
        return true;
    return false;
  }
  /// Whether a number of the formula is a bound of a slice or an extent.
  static constexpr bool is_bound(int number) {
    for (const program::axis_rule& rule : program.axis_rules)
      if (rule.begin.number == number || rule.end.number == number) return true;
    return false;
  }
  static constexpr bool has_bounds = [] {
    for (const program::axis_rule& rule : program.axis_rules)
      if (rule.begin.number >= 0 || rule.end.number >= 0) return true;
    return false;
  }();

  static constexpr std::size_t first_kernel(std::size_t group) { return made.first_kernel[group]; }
  static constexpr std::size_t count_kernels(std::size_t group) {
    return first_kernel(group + 1) - first_kernel(group);
  }
  /// The axis that a group runs along, -1 for numbers.
  static constexpr int group_axis(std::size_t group) {
    const program::axis_set set = kernels[first_kernel(group)].axes;
    return set ? program::first_axis(set) : -1;
  }
  /// The kernel that writes a buffer.
  static constexpr std::size_t kernel_of(const program::buffer& b) { return static_cast<std::size_t>(b.kernel); }
  static constexpr std::size_t group_of(const program::buffer& b) {
    return static_cast<std::size_t>(kernels[kernel_of(b)].group);
  }
  /// Whether a group has its kernels run block by block: where one kernel leaves something for another.
  static constexpr bool is_blocked(std::size_t group) { return count_kernels(group) > 1; }

  /// Whether a group moves elements.
  static constexpr bool moves(std::size_t group) {
    for (std::size_t k = first_kernel(group), end = k + count_kernels(group); k < end; ++k)
      if (steps[static_cast<std::size_t>(kernels[k].first_step)].kind == program::step_kind::move) return true;
    return false;
  }

  /// What a block of a group holds: the references that the group's kernels read or leave for each other.
  static constexpr bool holds(std::size_t group, int reference) {
    for (std::size_t k = first_kernel(group), end = k + count_kernels(group); k < end; ++k)
      for (int s = kernels[k].first_step; s < kernels[k].end_step; ++s) {
        const program::step& st = steps[static_cast<std::size_t>(s)];
        if (st.kind != program::step_kind::compute && st.kind != program::step_kind::output &&
            node_reference(st.node) == reference)
          return true;
      }
    return false;
  }
  static constexpr program::axis_set reference_axes(std::size_t reference) {
    if (reference < accesses) return P::value.accesses[reference].set();
    if (reference < accesses + buffers.size()) return buffers[reference - accesses].axes;
    return output_access(reference - accesses - buffers.size()).set();
  }
};

/// Whether a number is an integer that it holds exactly, and its neighbours too.
template <class T>
bool is_integer(const T& number) {
  if constexpr (std::is_integral_v<T>) {
    return true;
  } else {
    constexpr double limit = 9007199254740992.0;  // 2^53
    const T largest = std::numeric_limits<T>::digits < 53
                          ? static_cast<T>(std::int64_t{1} << std::min(std::numeric_limits<T>::digits, 52))
                          : static_cast<T>(limit);
    return number >= -largest && number <= largest && static_cast<T>(static_cast<std::int64_t>(number)) == number;
  }
}
/// A number in a message.
template <class T>
std::string number_text(const T& number) {
  if constexpr (std::is_integral_v<T>)
    return std::to_string(number);
  else
    return is_integer(number) ? std::to_string(static_cast<std::int64_t>(number))
                              : std::to_string(static_cast<double>(number));
}

/// Indices that are computed are looked at as soon as they are, before anything is moved.
template <class T>
void check_index(const T& index, std::ptrdiff_t extent) {
  // As an integer too: -ffast-math believes that no index is NaN.
  const auto at = static_cast<std::ptrdiff_t>(index);
  if (index >= static_cast<T>(-extent) && index < static_cast<T>(extent) && -extent <= at && at < extent &&
      is_integer(index)) [[likely]]
    return;
  throw std::out_of_range("tapeless: take with a computed index " + number_text(index) + " along an axis of extent " +
                          std::to_string(extent));
}

/// A number of a formula as a bound or an extent.
struct bound_number {
  std::ptrdiff_t value = 0;
  bool exact = false;
  double given = 0;

  bound_number() = default;
  template <class N>
  explicit bound_number(const N& number) : exact(is_integer(number)), given(static_cast<double>(number)) {
    if (exact) value = static_cast<std::ptrdiff_t>(number);
  }
};

/// A sum of extents and numbers at a call.
template <class Tables>
std::ptrdiff_t value_of(const Tables& t, const program::extent_sum& sum) {
  std::ptrdiff_t result = static_cast<std::ptrdiff_t>(sum.constant);
  if (sum.number >= 0) result += t.bounds[sum.number].value;
  for (std::size_t i = 0; i < static_cast<std::size_t>(sum.count); ++i)
    result += t.extent[static_cast<std::size_t>(sum.axes[i])];
  return result;
}

/// Runs a plan. The references of accesses and outputs and the extents are set by the caller.
///
/// Everything but the loops themselves is known at compile time and inlined: the tables stay in registers.
template <class S, class T>
class executor {
  static constexpr std::ptrdiff_t width = static_cast<std::ptrdiff_t>(simd::width<T>);
  /// What the tensors of a block may take of the first cache.
  static constexpr std::ptrdiff_t block_bytes = 24 * 1024;
  /// The same where a library multiplies matrices: it has its own blocks for the first cache.
  static constexpr std::ptrdiff_t product_block_bytes = 1024 * 1024;
  /// Buffers begin at multiples of this many numbers.
  static constexpr std::ptrdiff_t line = 64 / static_cast<std::ptrdiff_t>(sizeof(T)) > 0
                                             ? 64 / static_cast<std::ptrdiff_t>(sizeof(T))
                                             : 1;
  static constexpr std::size_t buffers = S::buffers.size();
  static constexpr auto all_buffers = std::make_index_sequence<buffers>{};
  using tables_type = tables<S, T>;
  using block_sizes = std::array<std::ptrdiff_t, S::groups>;
  /// What threads get at a time: at least so many iterations, in at most so many parts. Neither depends on the number
  /// of threads, so neither do the sums.
  static constexpr std::ptrdiff_t part_elements = 1 << 14;
  static constexpr std::ptrdiff_t most_parts = 64;

  static constexpr std::ptrdiff_t padded(std::ptrdiff_t n) { return (n + width - 1) / width * width; }

  /// The number of elements of a tensor over `Axes`, whose extents are those of `t` but `block` along axis `Along`.
  template <program::axis_set Axes, int Along>
  TAPELESS_ALWAYS_INLINE static std::ptrdiff_t elements(const tables_type& t, std::ptrdiff_t block) {
    if constexpr (Axes == 0) {
      return 1;
    } else {
      constexpr int a = program::first_axis(Axes);
      constexpr program::axis_set inner = Axes & (Axes - 1);
      const std::ptrdiff_t extent = a == Along ? block : t.extent[static_cast<std::size_t>(a)];
      return extent * elements<inner, Along>(t, block);
    }
  }

  template <std::size_t Group>
  TAPELESS_ALWAYS_INLINE static std::ptrdiff_t block_size(const tables_type& t) {
    constexpr int along = S::group_axis(Group);
    if constexpr (along < 0) {
      return 0;
    } else {
      const std::ptrdiff_t extent = t.extent[static_cast<std::size_t>(along)];
      if constexpr (!S::is_blocked(Group)) return extent;
      std::ptrdiff_t numbers = 0;
      const auto add = [&]<std::size_t R>(std::integral_constant<std::size_t, R>) TAPELESS_INLINE_LAMBDA {
        constexpr program::axis_set axes = S::reference_axes(R);
        if constexpr ((axes & program::axis(along)) != 0 && S::holds(Group, static_cast<int>(R)))
          numbers += elements<axes, along>(t, 1);
      };
      [&]<std::size_t... R>(std::index_sequence<R...>) {
        (add(std::integral_constant<std::size_t, R>{}), ...);
      }(std::make_index_sequence<S::references>{});
      constexpr bool products = has_library_product<Group>(std::make_index_sequence<S::count_kernels(Group)>{});
      constexpr std::ptrdiff_t limit =
          (products ? product_block_bytes : block_bytes) / static_cast<std::ptrdiff_t>(sizeof(T));
      // Mostly all fits, and a division takes as long as a loop over a few elements.
      if (numbers * extent <= limit) return extent;
      return std::min(extent, std::max(limit / numbers / width * width, 2 * width));
    }
  }

  template <std::size_t Group, class Engine>
  TAPELESS_ALWAYS_INLINE static void run_group(tables_type& t, const block_sizes& blocks, workspace<T>& memory,
                                               const Engine& engine) {
    constexpr int along = S::group_axis(Group);
    if constexpr (along < 0) {
      run_kernels<S::first_kernel(Group)>(t, std::make_index_sequence<S::count_kernels(Group)>{});
    } else {
      fill_all<Group, false>(t, all_buffers);
      const std::ptrdiff_t extent = t.extent[static_cast<std::size_t>(along)];
      if constexpr (!std::is_same_v<Engine, sequential> && !S::moves(Group)) {
        std::ptrdiff_t inner = 1;
        for (std::size_t k = S::first_kernel(Group), end = k + S::count_kernels(Group); k < end; ++k) {
          std::ptrdiff_t iterations = 1;
          for (program::axis_set left = S::kernels[k].axes & ~program::axis(along); left; left &= left - 1)
            iterations *= t.extent[static_cast<std::size_t>(program::first_axis(left))];
          inner = std::max(inner, iterations);
        }
        const std::ptrdiff_t least = std::max((extent - 1) / most_parts + 1, (part_elements - 1) / inner + 1);
        const std::ptrdiff_t part = padded(least);
        if (const std::ptrdiff_t parts = (extent - 1) / part + 1; parts > 1)
          return run_parts<Group>(t, blocks, memory, engine, part, parts);
      }
      run_part<Group>(t, blocks, 0, extent);
    }
  }
  /// Runs a group over a part of its axis.
  template <std::size_t Group>
  TAPELESS_ALWAYS_INLINE static void run_part(tables_type& t, const block_sizes& blocks, std::ptrdiff_t begin,
                                              std::ptrdiff_t end) {
    constexpr auto kernels = std::make_index_sequence<S::count_kernels(Group)>{};
    if constexpr (!S::is_blocked(Group)) {
      t.begin = begin, t.end = end;
      fill_all<Group, true>(t, all_buffers);
      run_kernels<S::first_kernel(Group)>(t, kernels);
    } else {
      const std::ptrdiff_t block = std::max<std::ptrdiff_t>(blocks[Group], 1);
      for (t.begin = begin; t.begin < end; t.begin += block) {
        t.end = std::min(end, t.begin + block);
        fill_all<Group, true>(t, all_buffers);
        run_kernels<S::first_kernel(Group)>(t, kernels);
      }
    }
  }

  /// Runs the parts of a group's axis by an engine, each with buffers of its own for what it reduces to and for what
  /// its kernels leave for each other; then takes the reductions together, part after part.
  template <std::size_t Group, class Engine>
  [[gnu::noinline]] static void run_parts(const tables_type& t, const block_sizes& blocks, workspace<T>& memory,
                                          const Engine& engine, std::ptrdiff_t part, std::ptrdiff_t parts) {
    constexpr int along = S::group_axis(Group);
    const std::ptrdiff_t extent = t.extent[static_cast<std::size_t>(along)];
    tables_type measured(t);
    const std::ptrdiff_t size = own_buffers<Group>(measured, blocks, nullptr, all_buffers);
    T* const own = memory.reserve(static_cast<std::size_t>(size * parts));
    engine(parts, [&](std::ptrdiff_t i) {
      tables_type local(t);
      own_buffers<Group>(local, blocks, own + i * size, all_buffers);
      fill_all<Group, false>(local, all_buffers);
      run_part<Group>(local, blocks, i * part, std::min(extent, (i + 1) * part));
    });
    for (std::ptrdiff_t i = 0; i < parts; ++i) {
      own_buffers<Group>(measured, blocks, own + i * size, all_buffers);
      combine_all<Group>(t, measured, all_buffers);
    }
  }
  /// Lets the buffers that a part of `Group` has for itself begin at `memory`; their size.
  template <std::size_t Group, std::size_t... B>
  static std::ptrdiff_t own_buffers(tables_type& t, const block_sizes& blocks, T* memory, std::index_sequence<B...>) {
    std::ptrdiff_t size = 0;
    (own_buffer<Group, B>(t, blocks, memory, size), ...);
    return size;
  }
  template <std::size_t Group, std::size_t B>
  static void own_buffer(tables_type& t, const block_sizes& blocks, T* memory, std::ptrdiff_t& size) {
    constexpr program::buffer made = S::buffers[B];
    if constexpr (S::group_of(made) == Group && (made.block || is_gathered<B>())) {
      t.references[S::buffer_reference(B)].data = memory ? memory + size : nullptr;
      const std::ptrdiff_t numbers =
          made.axes == 0 ? 1 : elements<made.axes, made.block ? S::group_axis(Group) : -1>(t, blocks[Group]);
      size += (numbers + line - 1) / line * line;
    }
  }
  /// Whether a buffer is a reduction that is added to part by part.
  template <std::size_t B>
  static constexpr bool is_gathered() {
    constexpr program::buffer made = S::buffers[B];
    if constexpr (made.reduction && !made.block)
      return detail::nest<S, S::kernel_of(made)>::accumulates(S::nodes[static_cast<std::size_t>(made.node)].reduced);
    else
      return false;
  }
  template <std::size_t Group, std::size_t... B>
  static void combine_all(const tables_type& to, const tables_type& part, std::index_sequence<B...>) {
    (combine<Group, B>(to, part), ...);
  }
  template <std::size_t Group, std::size_t B>
  static void combine(const tables_type& to, const tables_type& part) {
    constexpr program::buffer made = S::buffers[B];
    if constexpr (S::group_of(made) == Group && is_gathered<B>()) {
      using op = program::operation_of<S::nodes[static_cast<std::size_t>(made.node)].operation>;
      T* const all = to.references[S::buffer_reference(B)].data;
      const T* const more = part.references[S::buffer_reference(B)].data;
      const std::ptrdiff_t count = elements<made.axes, -1>(to, 0);
      for (std::ptrdiff_t i = 0; i < count; ++i) all[i] = static_cast<T>(op::combine(all[i], more[i]));
    }
  }
  template <std::size_t K>
  static constexpr bool is_library_product() {
    if constexpr (blas<T>::available)
      return detail::matrix_products<S, T, K>::all;
    else
      return false;
  }
  template <std::size_t Group, std::size_t... K>
  static constexpr bool has_library_product(std::index_sequence<K...>) {
    return (is_library_product<S::first_kernel(Group) + K>() || ...);
  }
  template <std::size_t K>
  TAPELESS_ALWAYS_INLINE static void run_kernel(const tables_type& t) {
    constexpr program::step first = S::steps[static_cast<std::size_t>(S::kernels[K].first_step)];
    if constexpr (first.kind == program::step_kind::move)
      run_move<first.node>(t);
    else if constexpr (!is_library_product<K>())
      detail::kernel_code<S, T, K>::run(t);
    else if (!detail::matrix_products<S, T, K>::run(t))
      detail::kernel_code<S, T, K>::run(t);
  }

  /// Where a node lies in memory, its axes in the order of `access`.
  template <int Reference>
  static strided<T> place(const tables_type& t, const program::tensor_access& access) {
    constexpr program::axis_set axes = S::reference_axes(static_cast<std::size_t>(Reference));
    const auto& from = t.references[static_cast<std::size_t>(Reference)];
    strided<T> result{from.data, access.rank, {}, {}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i) {
      const int id = access.axes[i];
      result.extents[i] = id < 0 ? 1 : t.extent[static_cast<std::size_t>(id)];
      result.strides[i] = id < 0 || !(axes & program::axis(id)) ? 0 : from.stride[static_cast<std::size_t>(id)];
    }
    return result;
  }

  /// Where an operand of a move lies, its axes in the order of `access`; a number, the same for every element, in
  /// `number`.
  template <int Operand>
  static strided<T> operand_place(const tables_type& t, const program::tensor_access& access, T& number) {
    if constexpr (constexpr int r = S::node_reference(Operand); r >= 0) {
      return place<r>(t, access);
    } else {
      constexpr program::node n = S::nodes[static_cast<std::size_t>(Operand)];
      if constexpr (n.kind == program::node_kind::constant)
        number = S::constants[static_cast<std::size_t>(n.leaf)].template as<T>();
      else
        number = t.numbers[static_cast<std::size_t>(n.leaf)];
      strided<T> result{&number, access.rank, {}, {}};
      for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i)
        result.extents[i] = access.axes[i] < 0 ? 1 : t.extent[static_cast<std::size_t>(access.axes[i])];
      return result;
    }
  }

  template <int I>
  [[gnu::noinline]] static void run_move(const tables_type& t) {
    constexpr program::node n = S::nodes[static_cast<std::size_t>(I)];
    constexpr program::tensor_move first = S::program.moves[static_cast<std::size_t>(n.access)];
    const strided<T> to = place<S::node_reference(I)>(t, first.to);
    if constexpr (first.has_indices()) {
      move_chosen<I>(t, to);
    } else {
      if constexpr (first.kind == program::move_kind::pad && n.count == 1) fill(to, T(0));
      [&]<std::size_t... J>(std::index_sequence<J...>) {
        (move_operand<I, J>(t, to), ...);
      }(std::make_index_sequence<static_cast<std::size_t>(n.count)>{});
    }
  }
  template <int I, std::size_t J>
  static void move_operand(const tables_type& t, const strided<T>& to) {
    constexpr program::node n = S::nodes[static_cast<std::size_t>(I)];
    constexpr program::tensor_move move = S::program.moves[static_cast<std::size_t>(n.access) + J];
    T number{};
    const strided<T> from = operand_place<S::edges[static_cast<std::size_t>(n.first) + J]>(t, move.from, number);
    if constexpr (move.kind == program::move_kind::reshape) {
      reshape(to, from);
    } else {
      constexpr std::size_t position = static_cast<std::size_t>(move.position);
      constexpr bool slices = move.kind == program::move_kind::slice;
      std::ptrdiff_t begin = value_of(t, move.begin);
      if (begin < 0) begin += (slices ? from : to).extents[position];
      if constexpr (slices)
        copy(to, range(from, to, position, begin));
      else
        copy(range(to, from, position, begin), from);
    }
  }
  template <int I>
  static void move_chosen(const tables_type& t, const strided<T>& to) {
    constexpr program::node n = S::nodes[static_cast<std::size_t>(I)];
    constexpr program::tensor_move move = S::program.moves[static_cast<std::size_t>(n.access)];
    constexpr int moved = S::edges[static_cast<std::size_t>(n.first)];
    constexpr int indices = S::edges[static_cast<std::size_t>(n.first) + 1];
    constexpr std::size_t position = static_cast<std::size_t>(move.position);
    constexpr bool takes = move.kind == program::move_kind::take;
    T number{};
    const strided<T> from = operand_place<moved>(t, move.from, number);
    const auto run = [&](auto index) {
      if constexpr (takes)
        take(to, from, position, index);
      else
        put(to, from, position, index);
    };
    if constexpr (constexpr int v = S::index_variable(indices); v >= 0) {
      const indices_at_call at = t.indices[v];
      run([=](std::ptrdiff_t i) { return at.data[i * at.stride]; });
    } else {
      const strided<T>& chosen = takes ? to : from;
      const std::ptrdiff_t count = chosen.extents[position], extent = (takes ? from : to).extents[position];
      T index{};
      const strided<T> at = operand_place<indices>(t, {0, 1, {(takes ? move.to : move.from).axes[position]}}, index);
      for (std::ptrdiff_t i = 0; i < count; ++i) check_index(at.data[i * at.strides[0]], extent);
      run([=](std::ptrdiff_t i) { return at.data[i * at.strides[0]]; });
    }
  }
  template <std::size_t First, std::size_t... K>
  TAPELESS_ALWAYS_INLINE static void run_kernels(const tables_type& t, std::index_sequence<K...>) {
    (run_kernel<First + K>(t), ...);
  }

  /// Reductions that are added to piece by piece begin with what they are over no elements: at the beginning of their
  /// group, or of each block.
  template <std::size_t Group, bool Block, std::size_t B>
  TAPELESS_ALWAYS_INLINE static void fill_neutral(const tables_type& t) {
    constexpr program::buffer made = S::buffers[B];
    if constexpr (constexpr std::size_t k = S::kernel_of(made);
                  made.reduction && made.block == Block && S::kernels[k].group == static_cast<int>(Group)) {
      constexpr program::node n = S::nodes[static_cast<std::size_t>(made.node)];
      if constexpr (detail::nest<S, k>::accumulates(n.reduced)) {
        constexpr int along = Block ? S::group_axis(Group) : -1;
        using op = program::operation_of<n.operation>;
        const T neutral = static_cast<T>(op::template neutral<T>());
        T* const to = t.references[S::buffer_reference(B)].data;
        if constexpr (made.axes == 0)
          *to = neutral;
        else
          std::fill_n(to, elements<made.axes, along>(t, t.end - t.begin), neutral);
      }
    }
  }
  template <std::size_t Group, bool Block, std::size_t... B>
  TAPELESS_ALWAYS_INLINE static void fill_all(const tables_type& t, std::index_sequence<B...>) {
    (fill_neutral<Group, Block, B>(t), ...);
  }

  /// Where buffer `B` begins, if it follows `size` numbers; adds its own.
  template <std::size_t B>
  TAPELESS_ALWAYS_INLINE static void lay_out(tables_type& t, const block_sizes& blocks, std::ptrdiff_t& size) {
    constexpr program::buffer made = S::buffers[B];
    if constexpr (made.axes != 0 && made.output < 0) {
      constexpr std::size_t group = S::group_of(made);
      constexpr int along = made.block ? S::group_axis(group) : -1;
      set_strides<B, made.axes, along>(t, blocks[group]);
      size += (elements<made.axes, along>(t, blocks[group]) + line - 1) / line * line;
    }
  }
  template <std::size_t B, program::axis_set Axes, int Along>
  TAPELESS_ALWAYS_INLINE static void set_strides(tables_type& t, std::ptrdiff_t block) {
    if constexpr (Axes != 0) {
      constexpr program::axis_set inner = Axes & (Axes - 1);
      t.references[S::buffer_reference(B)].stride[static_cast<std::size_t>(program::first_axis(Axes))] =
          elements<inner, Along>(t, block);
      set_strides<B, inner, Along>(t, block);
    }
  }
  /// Buffers of one number are not in the workspace: the compiler knows that nothing else refers to them.
  template <std::size_t B>
  TAPELESS_ALWAYS_INLINE static void point(tables_type& t, T*& next, const block_sizes& blocks, T* numbers) {
    T*& data = t.references[S::buffer_reference(B)].data;
    if constexpr (S::buffers[B].axes == 0) {
      data = numbers + B;
    } else if constexpr (S::buffers[B].output < 0) {
      std::ptrdiff_t size = 0;
      lay_out<B>(t, blocks, size);
      data = next;
      next += size;
    }
  }

 public:
  TAPELESS_ALWAYS_INLINE static void run(tables_type& t, workspace<T>& memory) { run(t, memory, memory, sequential{}); }
  /// Runs all groups. `parts` is memory for what threads have for themselves.
  template <class Engine>
  TAPELESS_ALWAYS_INLINE static void run(tables_type& t, workspace<T>& memory, workspace<T>& parts,
                                         const Engine& engine) {
    run(t, memory, parts, engine, std::make_index_sequence<S::groups>{}, all_buffers);
  }

 private:
  template <class Engine, std::size_t... G, std::size_t... B>
  TAPELESS_ALWAYS_INLINE static void run(tables_type& t, workspace<T>& memory, workspace<T>& parts,
                                         const Engine& engine, std::index_sequence<G...>, std::index_sequence<B...>) {
    const block_sizes blocks{block_size<G>(t)...};
    std::ptrdiff_t size = 0;
    (lay_out<B>(t, blocks, size), ...);
    [[maybe_unused]] T* next = size > 0 ? memory.reserve(static_cast<std::size_t>(size)) : nullptr;
    [[maybe_unused]] std::array<T, buffers> numbers;
    (point<B>(t, next, blocks, numbers.data()), ...);
    (run_group<G>(t, blocks, parts, engine), ...);
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET

#endif
