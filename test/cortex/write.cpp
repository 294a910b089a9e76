// write FOLDER: what problems.hpp computes as functions in C99, a file each.
#include "problems.hpp"

#include <tapeless/emit.hpp>

#include <fstream>
#include <string>

int main(int count, char** arguments) {
  using namespace cortex;
  if (count != 2) return 1;
  using two = std::array<float, 2>;
  const auto write = [&](const char* name, const auto& text) {
    std::ofstream(std::string(arguments[1]) + "/" + name + ".c") << text;
  };
  write("kalman", emit<c99, "kalman_emitted", two, std::array<float, 3>, two, float, float>(value(kalman::Step{})));
  write("pi_unrolled", emit<c99, "pi_unrolled_emitted", two>(value_and_gradient(pi::unrolled)));
  write("pi_scan", emit<c99, "pi_scan_emitted", two>(value_and_gradient(pi::loop<store_all>)));
  write("mpc", emit<c99, "mpc_emitted", std::array<float, mpc::horizon>, two>(value(mpc::Step{})));
  write("layer", emit<c99, "layer_emitted", layer::Weights<float>, layer::Biases<float>, layer::First<float>,
                      layer::Inputs<float>, layer::Biases<float>>(value(layer::Step{})));
}
