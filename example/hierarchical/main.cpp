// hierarchical FILE: the most probable parameters of a hierarchical model, for the rows of a file.
#include "../common/command_line.hpp"
#include "../common/tensors.hpp"
#include "../common/training.hpp"
#include "model.hpp"

#include <algorithm>
#include <cstdio>

namespace {

using namespace hierarchical;

int run(const char* path) {
  const example::Tensors file(path);
  const auto rows = file.as<Rows>();
  auto p = file.as<Parameters>();
  const int groups = 1 + *std::max_element(rows.group.begin(), rows.group.end());

  constexpr auto step = tapeless::value_and_gradient(loss, tapeless::wrt<0>);
  auto r = step(p, rows, groups);
  example::Adam adam(0.02, p);
  for (int k = 0;; ++k) {
    if (k == 0 || k == 1 || k == 300) {
      std::printf("after %d steps: loss %.12g, gradient\n", k, r.value);
      example::print_members(r.gradient);
    }
    if (k == 300) {
      break;
    }
    adam.step(p, r.gradient);
    step(into(r), p, rows, groups);
  }
  const xt::xtensor<double, 2> fitted = tapeless::value(lines)(p);
  for (std::size_t i = 0; i < fitted.shape(0); ++i) {
    std::printf("group %zu: intercept %.12g, slope %.12g\n", i, fitted(i, 0), fitted(i, 1));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return example::exit_status("hierarchical", [&] {
    if (argc != 2) {
      throw example::Error("usage: hierarchical FILE");
    }
    return run(argv[1]);
  });
}
