// Writes what emit makes of the models here.
#include "ekf.hpp"
#include "mpc.hpp"
#include "option.hpp"

#include <tapeless/emit.hpp>

#include <iostream>
#include <string_view>
#include <vector>

namespace {

using namespace emitted;
using namespace tapeless;

template <class Language>
auto payoffs() {
  return emit<Language, "payoffs", float, float, float, Moves<float>>(value_and_gradient(Payoff{}, wrt<0, 1, 2>));
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view file = count == 2 ? arguments[1] : "";
  if (file == "ekf.c") {
    std::cout << emit<c99, "ekf_step", State<float>, Matrix<float, 3, 3>, float, float, float, std::array<float, 3>,
                      std::array<float, 4>>(value(Step{}));
  } else if (file == "mpc.c") {
    std::cout << emit<c99, "plan_slopes", std::vector<float>, Crane<float>, float>(value_and_gradient(Cost{}, wrt<0>));
  } else if (file == "payoffs.cl") {
    std::cout << payoffs<opencl>();
  } else if (file == "payoffs.cu") {
    std::cout << payoffs<cuda>();
  } else {
    std::cerr << "usage: emitted ekf.c|mpc.c|payoffs.cl|payoffs.cu\n";
    return 2;
  }
}
