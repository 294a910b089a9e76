#pragma once

#include <tapeless/core/fixed_string.hpp>
#include <tapeless/evaluate/kernels/pieces.hpp>
#include <tapeless/mpi/communicator.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tapeless::mpi {

/// Thrown by every process of a call if another process failed, or if the calls differ. The text says what happened and
/// where.
class error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A hash of 52 bits, which a double holds; never 0.
class hash {
  std::uint64_t state_ = 0xcbf29ce484222325;

 public:
  hash& add(std::string_view bytes) { return add(tapeless::detail::hash(bytes)); }
  hash& add(std::uint64_t word) {
    state_ = tapeless::detail::hash_combine(state_, word);
    return *this;
  }
  double value() const { return static_cast<double>((state_ ^ (state_ >> 52)) & ((std::uint64_t{1} << 52) - 1)) + 1; }
};

/// What a process says about its call. All are numbers that doubles hold, so that an all-reduce of doubles tells all
/// processes what each says.
struct call_record {
  static constexpr std::size_t axes = 4;
  static constexpr std::size_t size = 4 + axes;
  enum class kind { failed = 1, computes = 2, begins = 3 };

  kind state = kind::begins;
  double formula = 0;
  double shapes = 0;
  /// Of the values of what is not sharded; 0 where that is not checked.
  double values = 0;
  /// How many rows this process has along each sharded axis, 0 where that does not matter.
  std::array<std::ptrdiff_t, axes> rows{};

  bool operator==(const call_record&) const = default;
};

/// What the processes of a communicator agreed on in their last call, and memory for what they send. The same call
/// again needs no word about it. Whoever keeps it makes the same calls in every process.
struct agreement {
  /// Without a formula nothing is agreed on.
  call_record last;
  /// By process.
  std::vector<std::array<std::ptrdiff_t, call_record::axes>> rows;
  /// How many numbers, of how many bytes, the all-reduce of each phase adds up.
  std::vector<std::size_t> counts;
  std::size_t number_size = 0;
  /// The parts of the whole that processes send apart, and where those of each begin.
  loops::piece_list pieces;
  std::vector<std::max_align_t> memory;

  void forget() { last = {}, counts.clear(); }
};

namespace detail {

/// A process found that the call is to be begun again with what is now agreed on.
struct begin_again {};
/// What every process knows already.
struct reported : error {
  using error::error;
};

/// How processes agree on a call, without a word where it is the one before once more.
///
/// A process whose call differs, or that failed, has nothing to add up. It sends NaNs in the first all-reduce that the
/// others are in, or will be; its count is known from the last agreement. Whoever receives a NaN asks: an all-reduce of
/// what each process says about its call tells all of them whether NaN is just the result, the call has changed
/// everywhere and is agreed on anew, or processes failed or differ; then all throw.
template <class C>
class protocol {
  C& communicator_;
  agreement& agreed_;
  bool checks_;
  call_record own_;
  /// What is bound in this call, for messages.
  const void* bound_ = nullptr;
  std::string (*shapes_)(const void*) = nullptr;
  /// Whether this call was agreed on, and the all-reduce that comes next.
  bool begun_ = false;
  std::size_t phase_ = 0;
  bool in_flight_ = false;

 public:
  protocol(C& communicator, agreement& agreed, bool checks)
      : communicator_(communicator), agreed_(agreed), checks_(checks) {}

  int rank() const { return static_cast<int>(communicator_.rank()); }
  int size() const { return static_cast<int>(communicator_.size()); }

  /// Agrees on this process' call; `shapes(bound)` are those of what is bound.
  void agree(const call_record& own, const void* bound, std::string (*shapes)(const void*)) {
    own_ = own, bound_ = bound, shapes_ = shapes;
    if (!checks_ && agreed_.last == own) return;
    if (!checks_) send_nans_of_first_phase();
    ask();
  }
  /// What follows has these all-reduces, of which there may be none.
  template <class T, std::size_t Phases>
  void begin(const std::array<std::size_t, Phases>& counts) {
    agreed_.counts.assign(counts.begin(), counts.end());
    agreed_.number_size = sizeof(T);
    begun_ = true;
    phase_ = 0;
    // A process that has nothing to send could not tell the others of another call.
    if (Phases == 0) agreed_.forget();
  }

  template <class T>
  void start(std::span<T> numbers, bool overlaps) {
    if (overlaps)
      if constexpr (Overlapping_communicator<C>) {
        communicator_.start_all_reduce(numbers);
        in_flight_ = true;
        return;
      }
    communicator_.all_reduce(numbers);
  }
  template <class T>
  void finish(std::span<T> numbers) {
    wait();
    ++phase_;
    if (!numbers.empty() && std::isnan(numbers[0])) {
      own_.state = call_record::kind::computes;
      ask();
    }
  }

  /// Lets the other processes know of an exception in this one.
  void report(std::string_view what) {
    if (in_flight_) wait(), ++phase_;
    // Where all sums are done the others need nothing more.
    if (begun_ && phase_ >= agreed_.counts.size()) return;
    if (begun_)
      send_nans(agreed_.counts[phase_]);
    else if (!checks_)
      send_nans_of_first_phase();
    own_ = {};
    own_.state = call_record::kind::failed;
    const std::vector<call_record> all = exchange();
    tell(first_failed(all) == rank() ? what : "");
    agreed_.forget();
  }

 private:
  static constexpr std::size_t text_size = 256;

  void wait() {
    if constexpr (Overlapping_communicator<C>)
      if (in_flight_) communicator_.finish_all_reduce();
    in_flight_ = false;
  }
  void send_nans_of_first_phase() {
    if (!agreed_.counts.empty()) send_nans(agreed_.counts[0]);
  }
  void send_nans(std::size_t count) {
    if (agreed_.number_size == sizeof(float))
      send_nans_of<float>(count);
    else if (agreed_.number_size == sizeof(double))
      send_nans_of<double>(count);
    else
      send_nans_of<long double>(count);
  }
  template <class T>
  void send_nans_of(std::size_t count) {
    if constexpr (requires(std::span<T> numbers) { communicator_.all_reduce(numbers); }) {
      std::vector<T> numbers(count, std::numeric_limits<T>::quiet_NaN());
      communicator_.all_reduce(std::span<T>(numbers));
    }
  }

  /// What each process says.
  std::vector<call_record> exchange() {
    std::vector<double> numbers(call_record::size * static_cast<std::size_t>(size()), 0.0);
    double* const own = numbers.data() + call_record::size * static_cast<std::size_t>(rank());
    own[0] = static_cast<double>(own_.state), own[1] = own_.formula, own[2] = own_.shapes, own[3] = own_.values;
    for (std::size_t a = 0; a < call_record::axes; ++a) own[4 + a] = static_cast<double>(own_.rows[a]);
    communicator_.all_reduce(std::span<double>(numbers));
    std::vector<call_record> result;
    for (const double* of = numbers.data(); of != numbers.data() + numbers.size(); of += call_record::size) {
      call_record& said = result.emplace_back(static_cast<call_record::kind>(of[0]), of[1], of[2], of[3]);
      for (std::size_t a = 0; a < call_record::axes; ++a) said.rows[a] = static_cast<std::ptrdiff_t>(of[4 + a]);
    }
    return result;
  }
  /// The first process that said so, -1 if none did.
  template <class Is>
  static int first(const std::vector<call_record>& all, const Is& is) {
    const auto found = std::ranges::find_if(all, is);
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
  }
  static int first_failed(const std::vector<call_record>& all) {
    return first(all, [](const call_record& c) { return c.state == call_record::kind::failed; });
  }
  /// The sum of texts over processes, of which all but one are empty.
  std::string tell(std::string_view own) {
    std::array<double, text_size> numbers{};
    std::copy_n(own.begin(), std::min(own.size(), text_size), numbers.begin());
    communicator_.all_reduce(std::span<double>(numbers));
    std::string result;
    for (const double c : numbers)
      if (c != 0) result += static_cast<char>(c);
    return result;
  }

  void ask() {
    const std::vector<call_record> all = exchange();
    const auto refuse = [&](const std::string& text) {
      agreed_.forget();
      throw reported("tapeless: " + text);
    };
    const auto of_all = " of " + std::to_string(size());
    if (const int failed = first_failed(all); failed >= 0)
      refuse("process " + std::to_string(failed) + of_all + " failed: " + tell(""));
    const auto compare = [&](double call_record::* what, const std::string& text) {
      const int other = first(all, [&](const call_record& c) { return c.*what != all[0].*what; });
      if (other >= 0) refuse("processes 0 and " + std::to_string(other) + of_all + " " + text);
    };
    compare(&call_record::formula, "call different formulas, or bind different types");
    compare(&call_record::shapes,
            "bind different shapes; process " + std::to_string(rank()) + " has " + shapes_(bound_));
    compare(&call_record::values, "bind different values to a variable that is not sharded");
    // All compute, and NaN is what they computed.
    if (first(all, [](const call_record& c) { return c.state == call_record::kind::begins; }) < 0) return;
    const bool again = own_.state == call_record::kind::computes;
    own_.state = call_record::kind::begins;
    agreed_.last = own_;
    agreed_.rows.clear();
    for (const call_record& c : all) agreed_.rows.push_back(c.rows);
    if (again) throw begin_again{};
  }
};

}  // namespace detail

}  // namespace tapeless::mpi
