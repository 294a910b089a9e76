#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/nest.hpp>
#include <tapeless/program/schedule/verify_plan.hpp>

#include <array>
#include <cstddef>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// What is wrong with the plan `S`, as the nests see it that run it.
template <class S>
inline constexpr program::plan_fault fault_of = [] {
  std::array<bool, S::buffers.size() + 1> accumulated{};
  for (std::size_t b = 0; b < S::buffers.size(); ++b) accumulated[b] = detail::accumulates<S>(S::buffers[b]);
  std::array<program::scheduled_output, S::outputs + 1> outputs{};
  for (std::size_t o = 0; o < S::outputs; ++o) outputs[o] = {S::program.output(o), S::output_access(o).set()};
  const auto count = [](std::size_t size) { return static_cast<int>(size); };
  return program::find_fault({S::source::view(), S::steps.data(), S::kernels.data(), S::buffers.data(),
                              accumulated.data(), outputs.data(), count(S::steps.size()), count(S::kernels.size()),
                              count(S::buffers.size()), count(S::outputs), S::sharded});
}();

}  // namespace tapeless::loops::inline TAPELESS_TARGET
