// Writes kernels.cl and kernels.cu: the same functions in OpenCL and in CUDA.
#include "kernels.hpp"

#include <tapeless/emit.hpp>

#include <array>
#include <fstream>
#include <string>
#include <xtensor/xtensor.hpp>

using namespace tapeless;
using namespace kernels;

namespace {

template <class Language>
void write(std::ofstream to) {
  to << emit<Language, "smooth", double, std::array<double, 2>>(value_and_hessian(smooth))
     << emit<Language, "smooth_f", float, std::array<float, 2>>(value_and_gradient(smooth))
     << emit<Language, "recurrence", double, double>(value_and_gradient(recurrence))
     << emit<Language, "recurrence_f", float, float>(value_and_hessian(recurrence))
     << emit<Language, "branches", double, double>(value_and_gradient(branches))
     << emit<Language, "layers", xt::xtensor<double, 2>, xt::xtensor<double, 2>, double>(
            value_and_gradient(layers, wrt<0, 2>))
     << emit<Language, "layers_f", xt::xtensor<float, 2>, xt::xtensor<float, 2>, float>(
            value_and_gradient(layers, wrt<0>))
     << emit<Language, "chained", xt::xtensor<double, 2>, xt::xtensor<double, 1>>(value_and_gradient(chained))
     << emit<Language, "chosen", xt::xtensor<double, 1>, xt::xtensor<int, 1>, int, std::array<int, 2>>(
            value_and_gradient(chosen, wrt<0>))
     << emit<Language, "layer_j", xt::xtensor<double, 1>, xt::xtensor<double, 2>>(jacobian(layer, wrt<0>))
     // Words and functions of the languages of kernels.
     << emit<Language, "words">(gradient(variable<"get_global_id"> * variable<"image2d_t"> * variable<"nullptr"> *
                                         variable<"blockIdx"> * variable<"threadIdx"> * variable<"constexpr"> *
                                         variable<"M_PI">));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::string folder = arguments[1];
  write<opencl>(std::ofstream(folder + "/kernels.cl"));
  write<cuda>(std::ofstream(folder + "/kernels.cu"));
}
