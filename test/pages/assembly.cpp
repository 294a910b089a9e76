#include <tapeless/assemble.hpp>
#include <tapeless/distributed.hpp>

#include <array>
#include <numeric>
#include <vector>

using namespace tapeless;

namespace {

void assembly(const std::vector<std::array<double, 2>>& points) {
#include "assembly.1.hpp"
}

constexpr auto reprojection = [](auto camera, auto point, auto seen) {
  return std::array{camera[6] * point[0] + camera[3] - seen[0], camera[6] * point[1] + camera[4] - seen[1]};
};
void several_vectors(const std::vector<std::array<double, 9>>& cameras,
                     const std::vector<std::array<double, 3>>& places, const std::vector<std::array<double, 2>>& seen) {
#include "assembly.2.hpp"
}

constexpr auto spring = [](auto a, auto b, auto length) { return square(norm(b[0] - a[0], b[1] - a[1]) - length) / 2; };
void held_numbers(const std::vector<std::array<double, 2>>& points, const std::vector<std::array<int, 2>>& edges,
                  const std::vector<double>& lengths, const std::vector<double>& step) {
#include "assembly.3.hpp"
}
void several_kinds(const std::vector<std::array<double, 2>>& points, const std::vector<std::array<int, 2>>& edges,
                   const std::vector<double>& lengths) {
#include "assembly.4.hpp"
}
void multipliers(const std::vector<std::array<double, 2>>& points, const std::vector<std::array<bool, 2>>& held,
                 const std::vector<std::array<int, 2>>& edges, const std::vector<double>& lengths,
                 const std::vector<std::array<int, 2>>& rods, const std::vector<double>& rod_lengths) {
#include "assembly.5.hpp"
}
void many_processes(const std::vector<std::array<double, 2>>& x, const std::vector<std::array<int, 2>>& own_edges,
                    const std::vector<double>& own_lengths) {
  const auto verb = assemble(hessian(spring));
  mpi::one_process world;
#include "assembly.6.hpp"
}

}  // namespace
