// Writes ekf.c: a step of an extended Kalman filter in C99.
#include "model.hpp"

#include <tapeless/emit.hpp>

#include <iostream>

int main() {
  using tapeless::c99;
  std::cout << tapeless::emit<c99, "ekf_step", emitted::State<float>, emitted::Matrix<float, 3, 3>, float, float, float,
                              std::array<float, 3>, std::array<float, 4>>(tapeless::value(emitted::Step{}));
}
