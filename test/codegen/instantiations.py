#!/usr/bin/env python3
"""Counts the templates that the compiler instantiates for losses over tensors, and for traced functions of growing
size: fails if those of a loss are more than its limit, or if those of functions grow faster than linearly or by more
than LIMIT per operation: the part of compile time that no other load on the machine disturbs.

usage: instantiations.py GNU|Clang COMPILER INCLUDE_DIRECTORY"""

import pathlib
import re
import subprocess
import sys
import tempfile

import generated

LIMIT = {"GNU": 20, "Clang": 4.5}
SIZES = [75, 150, 300]

# Losses over tensors, beyond what including xtensor instantiates.
TENSOR_LIMIT = {"GNU": 10000, "Clang": 3400}
RECURRENT_LIMIT = {"GNU": 23400, "Clang": 7600}
TENSOR_HEADER = "#include <tapeless/xtensor.hpp>\n"
TENSOR_LOSS = TENSOR_HEADER + """
using namespace tapeless;
using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;
auto logistic_regression(const matrix& data, const vector& labels, const vector& weights) {
  constexpr auto X = variable<"X">;
  constexpr auto w = variable<"w">;
  constexpr auto t = variable<"t">;
  constexpr auto z = dot(X, w);
  return value_and_gradient(mean(softplus(z) - t * z), wrt(w))(X = data, t = labels, w = weights);
}
"""
RECURRENT_NET = TENSOR_HEADER + """
using namespace tapeless;
using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;
auto recurrent_net(const xt::xtensor<double, 3>& inputs, const matrix& state, const vector& labels, const matrix& wx,
                   const matrix& wh, const vector& bh, const matrix& wo, const vector& bo) {
  constexpr auto X = variable<"X">;
  constexpr auto H = variable<"H">;
  constexpr auto t = variable<"t">;
  constexpr auto W = variable<"W">;
  constexpr auto R = variable<"R">;
  constexpr auto b = variable<"b">;
  constexpr auto U = variable<"U">;
  constexpr auto c = variable<"c">;
  const auto next = [&](auto h, int i) {
    return tanh(dot(reshape<16, 8>(slice<0>(X, i, i + 1)), W) + dot(h, R) + b);
  };
  const auto z = dot(next(next(next(next(H, 0), 1), 2), 3), U) + c;
  return value_and_gradient(-mean(sum<1>(log_softmax<1>(z) * one_hot(t, 4))), wrt(W, R, b, U, c))(
      X = inputs, H = state, t = labels, W = wx, R = wh, b = bh, U = wo, c = bo);
}
"""


def count(kind, compiler, include, source):
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder, "unit.cpp")
        unit.write_text(source)
        command = [compiler, "-std=c++20", f"-I{include}", "-fsyntax-only", unit]
        if kind == "GNU":
            # The sizes of the tables of specialisations, of functions and variables and of classes.
            report = subprocess.run([*command, "-fstats"], check=True, stderr=subprocess.PIPE, text=True).stderr
            return sum(map(int, re.findall(r"_specializations: size \d+, (\d+) elements", report)))
        trace = pathlib.Path(folder, "trace.json")
        subprocess.run([*command, "-Xclang", f"-ftime-trace={trace}", "-Xclang", "-ftime-trace-granularity=0"],
                       check=True)
        return len(re.findall(r'"name":"Instantiate(?:Class|Function)"', trace.read_text()))


def main():
    kind, compiler, include = sys.argv[1:]
    counts = [count(kind, compiler, include, generated.traced(size)) for size in SIZES]
    for size, number in zip(SIZES, counts):
        print(f"{size:4} operations: {number:7} instantiations")
    per_operation = [(b - a) / (n - m) for a, b, m, n in zip(counts, counts[1:], SIZES, SIZES[1:])]
    print("per operation:", *(f"{number:.1f}" for number in per_operation), f"(limit {LIMIT[kind]})")
    # The larger function happens to have an eighth more program nodes an operation.
    linear = per_operation[1] <= 1.2 * per_operation[0]
    if not linear:
        print("FAILED: growth is worse than linear")
    header = count(kind, compiler, include, TENSOR_HEADER)
    few = True
    for name, source, limit in [("a loss", TENSOR_LOSS, TENSOR_LIMIT), ("a recurrent net", RECURRENT_NET, RECURRENT_LIMIT)]:
        tensors = count(kind, compiler, include, source) - header
        print(f"{name} over tensors: {tensors} instantiations (limit {limit[kind]})")
        few &= tensors <= limit[kind]
    return 0 if few and linear and per_operation[1] <= LIMIT[kind] else 1


if __name__ == "__main__":
    sys.exit(main())
