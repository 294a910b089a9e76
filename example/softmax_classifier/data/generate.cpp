// Writes a CSV file of flowers of three species, measured in millimetres.
// generate ROWS > FILE; the same ROWS give the same bytes (240 give flowers.csv).
#include "../../common/generator.hpp"
#include "../../common/random.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

namespace {

struct Species {
  const char* name;
  std::array<double, 4> mean;
};
constexpr std::array<Species, 3> all_species{
    {{"alpine", {15, 7, 50, 34}}, {"meadow", {43, 14, 59, 28}}, {"water", {53, 18, 65, 30}}}};
constexpr std::array<double, 4> sd{4, 1.5, 3, 3};

}  // namespace

int main(int argc, char** argv) {
  return example::generate(argc, argv, [](int rows) {
    example::Random random(20260722);
    std::puts("petal_length,petal_width,sepal_length,sepal_width,species");
    for (int i = 0; i < rows; ++i) {
      const Species& species = all_species[random.below(all_species.size())];
      const double size = random.normal();  // large flowers are large in all respects
      for (std::size_t j = 0; j < sd.size(); ++j) {
        std::printf("%.1f,", species.mean[j] + sd[j] * (0.6 * size + 0.8 * random.normal()));
      }
      std::puts(species.name);
    }
  });
}
