// Threads in the place of processes: a communicator that any machine has.
#ifndef TAPELESS_TEST_DISTRIBUTED_THREADS_HPP
#define TAPELESS_TEST_DISTRIBUTED_THREADS_HPP

#include "../message_of.hpp"

#include <tapeless/mpi/agreement.hpp>

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

/// What the threads of a group share.
class thread_group {
  std::barrier<> barrier_;
  std::vector<std::span<const std::byte>> numbers_;

 public:
  explicit thread_group(int size) : barrier_(size), numbers_(static_cast<std::size_t>(size)) {}
  int size() const { return static_cast<int>(numbers_.size()); }

  template <class T>
  void all_reduce(int rank, std::span<T> numbers) {
    numbers_[static_cast<std::size_t>(rank)] = std::as_bytes(numbers);
    barrier_.arrive_and_wait();
    std::vector<T> sums(numbers.size(), T(-0.0));
    for (const std::span<const std::byte> of : numbers_) {
      if (of.size() != numbers.size_bytes()) std::abort();  // as MPI would
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += reinterpret_cast<const T*>(of.data())[i];
    }
    barrier_.arrive_and_wait();
    std::copy(sums.begin(), sums.end(), numbers.begin());
  }
};

/// One of them. It counts what it sends.
class thread_communicator {
  thread_group& group_;
  int rank_;
  tapeless::mpi::agreement agreed_;

 public:
  int all_reduces = 0;
  std::size_t numbers = 0;

  thread_communicator(thread_group& group, int rank) : group_(group), rank_(rank) {}
  int rank() const { return rank_; }
  int size() const { return group_.size(); }
  tapeless::mpi::agreement& agreed() { return agreed_; }
  template <class T>
  void all_reduce(std::span<T> of) {
    ++all_reduces;
    numbers += of.size();
    group_.all_reduce(rank_, of);
  }
};

/// One whose sums may be on their way while the thread computes; it keeps what it was asked for, in order.
class overlapping_communicator : public thread_communicator {
  std::span<double> on_its_way_;

 public:
  std::vector<const char*> log;

  using thread_communicator::thread_communicator;
  void all_reduce(std::span<double> of) {
    log.push_back("all_reduce");
    thread_communicator::all_reduce(of);
  }
  void start_all_reduce(std::span<double> of) {
    log.push_back("start");
    on_its_way_ = of;
  }
  void finish_all_reduce() {
    log.push_back("finish");
    thread_communicator::all_reduce(on_its_way_);
  }
};

/// Runs f(communicator) as that many processes.
template <class Communicator = thread_communicator, class F>
void on_processes(int size, const F& f) {
  thread_group group(size);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&group, &f, rank] {
      Communicator communicator(group, rank);
      f(communicator);
    });
}

// Boost.Test's checks are for one thread at a time.
inline std::mutex checking;
template <class Check>
void check(const Check& run) {
  const std::lock_guard lock(checking);
  run();
}
/// What a call that fails says, empty if none does.
std::string failure(const auto& call) { return tapeless_test::message_of<std::exception>(call); }
inline bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

#endif
