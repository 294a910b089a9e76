// Writes kernels.cl and kernels.cu: the same functions in OpenCL and in CUDA.
#include <tapeless/emit.hpp>
#include <tapeless/tapeless.hpp>

#include <array>
#include <fstream>
#include <string>

using namespace tapeless;

namespace {

inline constexpr auto smooth = [](auto a, const auto& p) {
  return 0.1 * exp(a) * norm(p[0], p[1], 2.0) + tanh(a * p[0]) + max(a, p[1]) + copysign(a, p[0]) + atan2(a, p[1]);
};
inline constexpr auto recurrence = [](auto a, auto b) {
  return scan([&](auto c, auto t) { return sin(a * c + t) + b; }, a, steps(12));
};
inline constexpr auto branches = [](auto a, auto b) {
  return cond(a > b, [&] { return exp(a) * b; }, [&] { return log(b) * a; });
};

template <class Language>
void write(std::ofstream to) {
  to << emit<Language, "smooth", double, std::array<double, 2>>(value_and_hessian(smooth))
     << emit<Language, "smooth_f", float, std::array<float, 2>>(value_and_gradient(smooth))
     << emit<Language, "recurrence", double, double>(value_and_gradient(recurrence))
     << emit<Language, "recurrence_f", float, float>(value_and_hessian(recurrence))
     << emit<Language, "branches", double, double>(value_and_gradient(branches));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::string folder = arguments[1];
  write<opencl>(std::ofstream(folder + "/kernels.cl"));
  write<cuda>(std::ofstream(folder + "/kernels.cu"));
}
