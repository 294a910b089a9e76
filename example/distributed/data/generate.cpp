// Writes a CSV file for either model: logistic regression of the last column, or a mixture in the first one.
// generate ROWS > FILE; the same ROWS give the same bytes. 10 000 000 rows are 420 MB.
#include "../../common/generator.hpp"
#include "../../common/random.hpp"

#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
  return example::generate(argc, argv, [](int rows) {
    example::Random random(20261122);
    std::puts("size,age,load,dose,failed");
    for (int i = 0; i < rows; ++i) {
      const double size = random.uniform() < 0.4 ? random.normal(-1.5, 0.6) : random.normal(1.2, 0.9);
      const double age = random.normal(), load = random.normal(), dose = random.normal();
      const double odds = std::exp(0.8 * size - 0.5 * age + 1.1 * load + 0.3 * dose - 0.4);
      std::printf("%.5f,%.5f,%.5f,%.5f,%d\n", size, age, load, dose, random.uniform() < odds / (1 + odds) ? 1 : 0);
    }
  });
}
