// transformer FILE: trains an encoder on the sequences of a file.
#include "../common/command_line.hpp"
#include "../common/tensors.hpp"
#include "../common/training.hpp"
#include "model.hpp"

#include <cstdio>

namespace {

using namespace transformer;

int run(const char* path) {
  const example::Tensors file(path);
  const auto sequences = file.as<Sequences>();
  auto p = file.as<Parameters>();

  constexpr auto step = tapeless::value_and_gradient(loss, tapeless::wrt<0>);
  auto r = step(p, sequences);
  example::Adam adam(0.01, p);
  for (int k = 0;; ++k) {
    if (k == 0 || k == 1 || k == 100) {
      std::printf("after %d steps: loss %.12g, gradient\n", k, r.value);
      example::print_members(r.gradient);
    }
    if (k == 100) {
      break;
    }
    adam.step(p, r.gradient);
    step(into(r), p, sequences);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return example::exit_status("transformer", [&] {
    if (argc != 2) {
      throw example::Error("usage: transformer FILE");
    }
    return run(argv[1]);
  });
}
