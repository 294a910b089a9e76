#!/usr/bin/env python3
"""Counts the templates that the compiler instantiates for a loss over tensors, and for traced functions of growing
size: fails if it has more than a limit, or if their number
grows faster than linearly or by more than LIMIT per operation: the part of compile time that no other load on the
machine disturbs.

usage: instantiations.py GNU|Clang COMPILER INCLUDE_DIRECTORY"""

import pathlib
import re
import subprocess
import sys
import tempfile

import generated

LIMIT = {"GNU": 25, "Clang": 5}
SIZES = [125, 250, 500]

# A loss over tensors, beyond what including xtensor instantiates.
TENSOR_LIMIT = {"GNU": 10500, "Clang": 3500}
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
    tensors = count(kind, compiler, include, TENSOR_LOSS) - count(kind, compiler, include, TENSOR_HEADER)
    print(f"a loss over tensors: {tensors} instantiations (limit {TENSOR_LIMIT[kind]})")
    return 0 if linear and per_operation[1] <= LIMIT[kind] and tensors <= TENSOR_LIMIT[kind] else 1


if __name__ == "__main__":
    sys.exit(main())
