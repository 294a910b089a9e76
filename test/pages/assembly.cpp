#include <tapeless/assemble.hpp>

#include <array>
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

}  // namespace
