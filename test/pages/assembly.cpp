#include <tapeless/assemble.hpp>

#include <array>
#include <vector>

using namespace tapeless;

namespace {

void assembly(const std::vector<std::array<double, 2>>& points) {
#include "assembly.1.hpp"
}

}  // namespace
