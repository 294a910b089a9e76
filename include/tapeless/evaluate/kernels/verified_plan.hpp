#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/nest.hpp>
#include <tapeless/program/schedule/verify_plan.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// What is wrong with the plan `S`, as the nests see it that run it.
template <class S>
inline constexpr program::plan_fault fault_of = [] {
  constexpr auto accumulated = []<std::size_t... B>(std::index_sequence<B...>) {
    return std::array<bool, sizeof...(B) + 1>{
        (S::buffers[B].reduction &&
         detail::nest<S, S::kernel_of(S::buffers[B])>::accumulates(S::program[S::buffers[B].node].reduced))...};
  }(std::make_index_sequence<S::buffers.size()>{});
  std::array<program::scheduled_output, S::outputs + 1> outputs{};
  for (std::size_t o = 0; o < S::outputs; ++o) outputs[o] = {S::program.output(o), S::output_access(o).set()};
  const auto count = [](std::size_t size) { return static_cast<int>(size); };
  return program::verify({S::source::view(), S::steps.data(), S::kernels.data(), S::buffers.data(), accumulated.data(),
                          outputs.data(), count(S::steps.size()), count(S::kernels.size()), count(S::buffers.size()),
                          count(S::outputs), S::sharded});
}();

}  // namespace tapeless::loops::inline TAPELESS_TARGET
