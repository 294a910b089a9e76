// Prints the additions, subtractions and multiplications, and the divisions, of the problems of numbers.
#include "formulas.hpp"

#include <tapeless/tapeless.hpp>

#include <cstdio>

namespace {

using namespace tapeless;
template <std::size_t N>
using numbers = std::array<double, N>;

void print(const char* problem, const operation_counts& counts) {
  std::printf("%s %d %d\n", problem, counts.additions + counts.multiplications, counts.divisions);
}

}  // namespace

int main() {
  print("S1", cost<numbers<3>>(value_and_gradient(peers::sum_exp_product{})));
  print("S2", cost<numbers<5>>(value_and_gradient(peers::black_scholes{})));
  print("S3", cost<numbers<15>, numbers<2>>(value_and_jacobian(peers::reprojection{}, wrt<0>)));
  print("S4", cost<numbers<8>>(value_and_gradient(peers::rosenbrock{})));
  print("S5", cost<numbers<12>, numbers<7>>(value_and_jacobian(peers::pose_composition{}, wrt<0>)));
}
