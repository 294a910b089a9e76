// expect: without mpi::reproducible
// expect-at-most-lines: 14
#include <tapeless/assemble.hpp>
#include <tapeless/distributed.hpp>

#include <array>
#include <vector>

using namespace tapeless;

mpi::one_process alone;
const std::vector<double> x{1, 2};
const std::vector<std::array<int, 2>> pairs{{0, 1}};
const auto r =
    assemble(value_and_gradient([](auto a, auto b) { return a * b; }))(mpi::on(alone, mpi::reproducible), x, pairs);
