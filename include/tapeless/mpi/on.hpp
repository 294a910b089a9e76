#pragma once

#include <tapeless/core/tensor_binding.hpp>
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/mpi/agreement.hpp>
#include <tapeless/mpi/communicator.hpp>

#include <array>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>

// Whether calls compare what is not sharded over the processes, by a hash: one all-reduce of a few numbers more.
#ifndef TAPELESS_CHECK_REPLICAS
#ifdef NDEBUG
#define TAPELESS_CHECK_REPLICAS false
#else
#define TAPELESS_CHECK_REPLICAS true
#endif
#endif

namespace tapeless::mpi {

/// Sums that are the same bit for bit with any number of processes and threads.
struct reproducible_policy {};
inline constexpr reproducible_policy reproducible{};

/// An execution policy for calls on several processes. Made by `on`.
template <class C, class Local, bool Ordered, bool Checks>
class on_processes {
  C* communicator_;
  Local local_;
  std::shared_ptr<agreement> own_;

 public:
  static constexpr bool ordered = Ordered;
  static constexpr bool checks = Checks;

  on_processes(C& communicator, Local local) : communicator_(__builtin_addressof(communicator)), local_(local) {
    if constexpr (!requires { communicator.agreed(); }) own_ = std::make_shared<agreement>();
  }

  C& communicator() const { return *communicator_; }
  /// How each process runs its loops.
  Local local() const { return local_; }
  /// What the processes agreed on in the call before; the communicator may keep that, for policies made for one call.
  agreement& agreed() const {
    if constexpr (requires { communicator_->agreed(); })
      return communicator_->agreed();
    else
      return *own_;
  }
};

/// An execution policy for calls on the processes of a communicator: `step(mpi::on(world), into(r), X =
/// mpi::shard(rows), w = weights)`, which every process calls. Results are for all rows together: reductions over the
/// rows, both values and gradients, are summed over the processes, with one all-reduce for each phase, and are the same
/// in each process. A result with one entry for each row, such as the gradient of a sharded tensor, has the rows of
/// this process.
///
/// A second argument chooses how a process runs its loops, such as `std::execution::par` with <tapeless/parallel.hpp>.
/// With the last argument `mpi::reproducible`, results are the same bit for bit with any number of processes and
/// threads, if rows are divided by `rows_of`. If a process fails or calls differ, every process throws `mpi::error`,
/// and the one that failed its own exception. Keep the policy unless the communicator has `agreed()`, because each new
/// policy costs an all-reduce.
template <bool Checks = TAPELESS_CHECK_REPLICAS, Communicator C>
auto on(C& communicator) {
  return on_processes<C, loops::sequential, false, Checks>(communicator, {});
}
template <bool Checks = TAPELESS_CHECK_REPLICAS, Communicator C>
auto on(C& communicator, reproducible_policy) {
  return on_processes<C, loops::sequential, true, Checks>(communicator, {});
}
template <bool Checks = TAPELESS_CHECK_REPLICAS, Communicator C, tapeless::detail::Execution_policy Local>
auto on(C& communicator, const Local& local) {
  return on_processes<C, Local, false, Checks>(communicator, local);
}
template <bool Checks = TAPELESS_CHECK_REPLICAS, Communicator C, tapeless::detail::Execution_policy Local>
auto on(C& communicator, const Local& local, reproducible_policy) {
  return on_processes<C, Local, true, Checks>(communicator, local);
}

namespace detail {

/// What is bound, of which this process has some rows.
template <class Binding>
struct sharded_binding {
  Binding rows;
};

template <class T>
struct sharded {
  T rows;

  template <class V>
  constexpr auto bound_to(V variable) const {
    return sharded_binding<decltype(variable = std::declval<T>())>{variable = static_cast<T>(rows)};
  }
};

}  // namespace detail

/// A tensor, or a struct of tensors, of whose first axis this process has a part, possibly empty. Shards along the same
/// axis must have the same number of rows in a process.
template <class T>
constexpr auto shard(const T& rows) {
  return detail::sharded<const T&>{rows};
}
/// Temporaries would not live long enough.
template <class T>
void shard(const T&& rows) = delete;
template <class T>
  requires is_tensor_view<T>
constexpr auto shard(T&& rows) {
  return detail::sharded<T>{std::move(rows)};
}

/// Runs `f()` in each process, for work without communication such as reading a part of a file, and waits for all
/// processes. If `f` throws in one of them, the others throw `mpi::error`, so that none waits for it later.
template <Communicator C, class F>
void together(C& communicator, const F& f) {
  std::exception_ptr own;
  try {
    f();
  } catch (...) {
    own = std::current_exception();
  }
  std::array<double, 1> failed{own ? 1.0 : 0.0};
  communicator.all_reduce(std::span<double>(failed));
  if (own) std::rethrow_exception(own);
  if (failed[0] > 0)
    throw error("tapeless: " + std::to_string(static_cast<long>(failed[0])) + " of " +
                std::to_string(communicator.size()) + " processes failed");
}

}  // namespace tapeless::mpi
