// state_space FILE: fits a linear state-space model of any dimension to the series of a file.
#include "../common/command_line.hpp"
#include "../common/tensors.hpp"
#include "../common/training.hpp"
#include "model.hpp"

#include <cstdio>

namespace {

using namespace state_space;

int run(const char* path) {
  const example::Tensors file(path);
  const auto series = file.as<Series>();
  auto p = file.as<Parameters>();

  constexpr auto step = tapeless::value_and_gradient(loss, tapeless::wrt<0>);
  auto r = step(p, series);
  example::Adam adam(0.001, p);
  for (int k = 0;; ++k) {
    if (k == 0 || k == 1 || k == 200) {
      std::printf("after %d steps: loss %.12g, gradient\n", k, r.value);
      example::print_members(r.gradient);
    }
    if (k == 200) {
      break;
    }
    adam.step(p, r.gradient);
    step(into(r), p, series);
  }
  std::printf("fitted\n");
  example::print_members(p);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return example::exit_status("state_space", [&] {
    if (argc != 2) {
      throw example::Error("usage: state_space FILE");
    }
    return run(argv[1]);
  });
}
