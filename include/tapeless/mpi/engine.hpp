#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/phase_sums.hpp>
#include <tapeless/gradient/result/assembled_results.hpp>
#include <tapeless/gradient/tensor/tensor_inputs.hpp>
#include <tapeless/mpi/on.hpp>
#include <tapeless/program/schedule/sharding.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace tapeless::mpi::detail::inline TAPELESS_TARGET {

/// Whether a plan computes with how long its sharded axes are in all processes together.
template <class S, class Source>
inline constexpr bool uses_whole_extents = [] {
  for (const program::node& n : S::nodes)
    if ((n.kind == program::node_kind::extent || n.kind == program::node_kind::index) &&
        (program::axis(n.leaf) & S::sharded))
      return true;
  for (const program::extent_use& use : Source::value.extent_uses)
    if (!use.reduction.empty() && (program::axis(use.axis) & S::sharded)) return true;
  return false;
}();

/// What neighbouring parts, from `begin` to `end`, are merged to; appended to `to`.
inline void append_pieces(loops::piece_list& to, std::ptrdiff_t begin, std::ptrdiff_t end) {
  loops::piece_list own;
  for (std::ptrdiff_t i = begin; i < end; ++i) loops::push(own, {i, 1}, [](std::size_t, std::size_t) {});
  to.insert(to.end(), own.begin(), own.end());
}

/// A call that adds up elements of all processes.
struct assembly {
  static constexpr int phases = 1;
};

/// Runs the loops of calls on the rows of this process by `Local`, and takes what they reduce over rows together with
/// that of the others. `Sharded` are the variables of which each process has rows.
template <class Policy, class Local, class Sharded>
class engine {
  using communicator_type = std::remove_reference_t<decltype(std::declval<const Policy&>().communicator())>;
  using protocol_type = protocol<communicator_type>;

  const Policy& policy_;
  // One call at a time: what it is at.
  mutable protocol_type* protocol_ = nullptr;
  mutable int open_phase_ = -1;
  mutable std::ptrdiff_t part_length_ = 1;
  mutable std::ptrdiff_t first_part_ = 0;
  mutable std::ptrdiff_t first_piece_ = 0;

 public:
  using sharded = Sharded;
  using record_rows = std::array<std::ptrdiff_t, call_record::axes>;
  static constexpr bool ordered = Policy::ordered;
  Local local;

  engine(const Policy& policy, const Local& of_process) : policy_(policy), local(of_process) {}

  int rank() const { return static_cast<int>(policy_.communicator().rank()); }
  int size() const { return static_cast<int>(policy_.communicator().size()); }
  bool alone() const { return size() == 1; }

  const loops::piece_list& pieces() const { return policy_.agreed().pieces; }
  /// Of ordered sums: rows of a part, and of this process' parts and pieces the first.
  std::ptrdiff_t part_length() const { return part_length_; }
  std::ptrdiff_t first_part() const { return first_part_; }
  std::ptrdiff_t first_piece() const { return first_piece_; }

  /// Runs a call of the plan `S`, again where others found that theirs has changed; an exception reaches all processes.
  template <class S, class Body>
  void call(const Body& body) const {
    protocol_type protocol(policy_.communicator(), policy_.agreed(), Policy::checks);
    protocol_ = &protocol;
    if (alone()) return body();
    while (true) {
      try {
        return body();
      } catch (const begin_again&) {
        continue;
      } catch (const reported&) {
        throw;
      } catch (const std::exception& failure) {
        if constexpr (S::phases > 0) protocol.report(failure.what());
        throw;
      } catch (...) {
        if constexpr (S::phases > 0) protocol.report("unknown exception");
        throw;
      }
    }
  }

  /// Agrees on what is bound, and finds how long the sharded axes are in all processes together.
  template <class S, class Source, class T, std::size_t N>
  void agree(const tapeless::detail::tensor_inputs<S, Source, T>& inputs, loops::tables<S, T>& t,
             const std::array<int, N>& indices) const {
    constexpr bool uses_rows = ordered || uses_whole_extents<S, Source>;
    check_rows<S, Source>(inputs, t, indices);
    open_phase_ = -1;
    agreement& agreed = policy_.agreed();
    if (alone()) {
      agreed.rows.assign(1, rows_in(t));
    } else if constexpr (S::phases > 0 || uses_rows) {
      call_record own;
      own.formula = formula<S, T>();
      own.shapes = shapes(t);
      if constexpr (Policy::checks) own.values = values<Source>(inputs, t, indices);
      if constexpr (uses_rows) own.rows = rows_in(t);
      using inputs_type = std::remove_cvref_t<decltype(inputs)>;
      protocol_->agree(own, &inputs,
                       [](const void* bound) { return text<Source>(*static_cast<const inputs_type*>(bound)); });
    }
    if constexpr (uses_rows) take_whole<Source>(t);
    if constexpr (S::phases > 0 || uses_rows) {
      divide(t);
      protocol_->template begin<T>([&]<std::size_t... Phase>(std::index_sequence<Phase...>) {
        return std::array<std::size_t, S::phases>{
            loops::phase_sums<S, T, static_cast<int>(Phase), ordered>::size(t, agreed.pieces)...};
      }(std::make_index_sequence<S::phases>{}));
    }
  }

  /// The numbers of a phase; those that no process sets are -0.0.
  template <class T>
  std::span<T> buffer(int phase, std::size_t count) const {
    auto& memory = policy_.agreed().memory;
    const std::size_t blocks = (count * sizeof(T) + sizeof(memory[0]) - 1) / sizeof(memory[0]);
    if (memory.size() < blocks) memory.resize(blocks);
    const std::span<T> result(reinterpret_cast<T*>(memory.data()), count);
    if (phase != open_phase_) std::ranges::fill(result, T(-0.0));
    open_phase_ = phase;
    return result;
  }
  template <class T>
  void start(std::span<T> numbers, bool overlaps) const {
    protocol_->start(numbers, overlaps);
  }
  template <class T>
  void finish(std::span<T> numbers) const {
    protocol_->finish(numbers);
  }

  /// The sums of an assembled call over the elements of all processes.
  template <class Call, class Result>
  void assemble(const Call& of, Result& to) const {
    using T = typename Call::T;
    constexpr bool has_pattern = requires { to.hessian; };
    if (alone()) return of.template run<false>(local, to);
    call<assembly>([&] {
      of.must_fit();
      of.with_names([&](const auto& own) {
        call_record record;
        record.formula = formula<Call, T>();
        hash shapes;
        for (const auto& [counts, picks] : own.lists.first(own.kinds)) shapes.add(counts.nodes);
        record.shapes = shapes.add(std::string_view(own.held.data(), own.held.size())).value();
        if constexpr (Policy::checks) {
          hash numbers;
          of.visit_common([&](const T& number) { add(numbers, number); });
          record.values = numbers.value();
        }
        if constexpr (has_pattern)
          if (of.has_pattern(own, to)) record.rows[0] = static_cast<std::ptrdiff_t>(to.pattern.of_processes);
        protocol_->agree(record, &own, [](const void* bound) {
          const auto& named = *static_cast<decltype(&own)>(bound);
          std::string text = "vectors with";
          for (const auto& [counts, picks] : named.lists.first(named.kinds)) text += ' ' + std::to_string(counts.nodes);
          text += " entries";
          // In full, since what differs between processes must be seen.
          for (std::size_t k = 0, held = 0; k < named.held.size(); ++k)
            if (named.held[k]) text += (held++ ? " " : ", of which are held the numbers ") + std::to_string(k);
          return text;
        });
        // A process without the pattern needs the elements of all, so each must send its own.
        bool makes_pattern = false;
        if constexpr (has_pattern) {
          const auto& rows = policy_.agreed().rows;
          makes_pattern = std::ranges::any_of(
              rows, [&](const record_rows& of_process) { return of_process[0] == 0 || of_process[0] != rows[0][0]; });
          if (makes_pattern) make_pattern(own, to);
        }
        std::size_t count = 0;
        of.visit_sums(to, [&](const T*, std::size_t size) { count += size; });
        protocol_->template begin<T>(std::array{count});
        of.compute(local, own, to);
        open_phase_ = -1;
        const std::span<T> sums = buffer<T>(0, count);
        T* next = sums.data();
        of.visit_sums(to, [&](const T* part, std::size_t size) { next = std::copy_n(part, size, next); });
        reduce(sums);
        next = sums.data();
        of.visit_sums(to, [&](T* part, std::size_t size) { std::copy_n(next, size, part), next += size; });
        // The same call again begins with the counts of elements.
        if (makes_pattern)
          protocol_->template begin<double>(std::array{Call::groups * static_cast<std::size_t>(size())});
      });
    });
  }

 private:
  template <class T>
  void reduce(std::span<T> numbers) const {
    start(numbers, false);
    finish(numbers);
  }
  /// The pattern of the Hessian of all processes' elements, which each tells the others.
  template <class Index, class Result>
  void make_pattern(const tapeless::detail::named_nodes<Index>& own, Result& to) const {
    const auto processes = static_cast<std::size_t>(size()), me = static_cast<std::size_t>(rank());
    const std::size_t groups = own.lists.size() / own.kinds;
    std::vector<double> counts(processes * groups);
    for (std::size_t g = 0; g < groups; ++g)
      counts[me * groups + g] = static_cast<double>(own.lists[g * own.kinds].counts.elements);
    protocol_->template begin<double>(std::array{counts.size()});
    reduce(std::span<double>(counts));

    // The first number says, by a NaN, that a process failed.
    std::size_t end = 1;
    std::vector<std::size_t> begins;
    for (std::size_t p = 0; p < processes; ++p)
      for (std::size_t l = 0; l < own.lists.size(); ++l) {
        begins.push_back(end);
        end += static_cast<std::size_t>(counts[p * groups + l / own.kinds]) * own.lists[l].counts.each;
      }
    protocol_->template begin<double>(std::array{end, std::size_t{1}});
    std::vector<double> named(end);
    for (std::size_t l = 0; l < own.lists.size(); ++l)
      std::ranges::copy(own.lists[l].picks,
                        named.begin() + static_cast<std::ptrdiff_t>(begins[me * own.lists.size() + l]));
    reduce(std::span<double>(named));

    std::vector<Index> picks(named.begin(), named.end());
    std::vector<tapeless::detail::node_picks<Index>> lists(own.lists.begin(), own.lists.end());
    hash all;
    for (const double number : counts) all.add(static_cast<std::uint64_t>(number));
    for (const double number : named) all.add(static_cast<std::uint64_t>(number));
    for (std::size_t p = 0; p < processes; ++p)
      for (std::size_t l = 0; l < own.lists.size() && p != me; ++l) {
        auto& [of, from] = lists.emplace_back(own.lists[l]);
        of.group = lists.size();
        of.elements = static_cast<std::size_t>(counts[p * groups + l / own.kinds]);
        from = std::span(picks).subspan(begins[p * own.lists.size() + l], of.elements * of.each);
      }
    to.pattern.make_hessian({lists, own.kinds, own.held}, own.lists.size(), to.hessian);
    to.pattern.of_processes = all.value();
    std::array<double, 1> made{};
    reduce(std::span<double>(made));
  }

  /// Visits the sharded axes with their numbers among them.
  template <class S, class Visit>
  static void for_each_axis(const Visit& visit) {
    std::size_t number = 0;
    for (program::axis_set left = S::sharded; left; left &= left - 1)
      visit(static_cast<std::size_t>(program::first_axis(left)), number++);
  }
  template <class S, class T>
  static record_rows rows_in(const loops::tables<S, T>& t) {
    record_rows result{};
    for_each_axis<S>([&](std::size_t axis, std::size_t number) { result[number] = t.extent[axis]; });
    return result;
  }

  template <std::size_t N>
  static bool is_among(const std::array<int, N>& indices, int variable) {
    return std::ranges::find(indices, variable) != indices.end();
  }
  /// Rows are not broadcast: a process may well have one.
  template <class S, class Source, class Inputs, class T, std::size_t N>
  static void check_rows(const Inputs& inputs, const loops::tables<S, T>& t, const std::array<int, N>& indices) {
    for (const program::tensor_access& access : tapeless::detail::program_at_call<Source>::accesses) {
      if (!access.is_variable() || !is_among(indices, access.of)) continue;
      const auto& tensor = inputs.tensors[static_cast<std::size_t>(access.of)];
      const std::ptrdiff_t rows = t.extent[access.axes[0]];
      if (tensor.extents[0] != rows)
        tapeless::detail::raise<std::invalid_argument>(
            {"shards along the same axis must have the same number of rows: ", tapeless::detail::shape_text(tensor),
             " and another with ", rows, " rows"});
    }
  }

  template <class S, class T>
  static double formula() {
    static const double result = hash().add(typeid(S).name()).add(sizeof(T)).add(ordered).value();
    return result;
  }
  template <class S, class T>
  static double shapes(const loops::tables<S, T>& t) {
    hash result;
    for (std::size_t axis = 0; axis < S::axes; ++axis)
      if ((S::sharded & program::axis(static_cast<int>(axis))) == 0)
        result.add(static_cast<std::uint64_t>(t.extent[axis]));
    return result.value();
  }
  template <class T>
  static void add(hash& to, const T& number) {
    to.add(std::string_view(reinterpret_cast<const char*>(&number), sizeof(T) == 16 ? 10 : sizeof(T)));
  }
  template <class Source, class Inputs, class S, class T, std::size_t N>
  static double values(const Inputs& inputs, const loops::tables<S, T>& t, const std::array<int, N>& indices) {
    hash result;
    for (std::size_t i = 0; i < S::numbers; ++i) add(result, t.numbers[i]);
    for (std::size_t v = 0; v < Source::value.variables.size(); ++v) {
      if (is_among(indices, static_cast<int>(v))) continue;
      const loops::strided<T> elements = tapeless::detail::elements_of<T>(inputs.tensors[v]);
      elements.for_each([&](const auto& at) { add(result, elements.data[elements.offset(at)]); });
    }
    return result.value();
  }
  template <class Source, class Inputs>
  static std::string text(const Inputs& inputs) {
    std::string result;
    for (std::size_t v = 0; v < Source::value.variables.size(); ++v)
      result += (v ? ", " : "") + tapeless::detail::shape_text(inputs.tensors[v]);
    return result;
  }

  template <class Source, class S, class T>
  void take_whole(loops::tables<S, T>& t) const {
    for_each_axis<S>([&](std::size_t axis, std::size_t number) {
      t.whole[axis] = 0;
      for (const record_rows& of : policy_.agreed().rows) t.whole[axis] += of[number];
      for (const program::extent_use& use : tapeless::detail::program_at_call<Source>::extent_uses)
        if (!use.reduction.empty() && static_cast<std::size_t>(use.axis) == axis && t.whole[axis] == 0)
          tapeless::detail::raise<std::invalid_argument>({"amax or amin over no elements: no process has rows"});
    });
  }
  /// Finds the pieces of the whole that processes send apart.
  template <class S, class T>
  void divide(const loops::tables<S, T>& t) const {
    agreement& agreed = policy_.agreed();
    if constexpr (!ordered) {
      if (agreed.pieces.size() == static_cast<std::size_t>(size())) return;
      agreed.pieces.clear();
      for (int i = 0; i < size(); ++i) agreed.pieces.push_back({i, 1});
    } else {
      const std::ptrdiff_t whole = t.whole[program::first_axis(S::sharded)];
      part_length_ = mpi::detail::part_length(whole);
      agreed.pieces.clear();
      std::ptrdiff_t begin = 0;
      for (int i = 0; i < size(); ++i) {
        if (i == rank()) first_part_ = begin / part_length_, first_piece_ = std::ssize(agreed.pieces);
        const std::ptrdiff_t end = begin + agreed.rows[static_cast<std::size_t>(i)][0];
        if (end % part_length_ != 0 && end != whole)
          tapeless::detail::raise<std::invalid_argument>(
              {"mpi::reproducible needs the rows that mpi::rows_of gives each process: of ", whole,
               " rows, whole parts of ", part_length_, "; process ", i, " has rows ", begin, " to ", end});
        append_pieces(agreed.pieces, begin / part_length_, (end + part_length_ - 1) / part_length_);
        begin = end;
      }
    }
  }
};

}  // namespace tapeless::mpi::detail::inline TAPELESS_TARGET
