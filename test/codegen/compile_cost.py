#!/usr/bin/env python3
"""Prints what compiling one translation unit costs: CPU seconds and peak memory of each compiler at hand. Fails where a
compiler fails or needs more than the limit.

usage: compile_cost.py [COMPILER...]"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import generated
import instantiations

COMPILERS = ["g++", "clang++-19", "clang++-16"]
FLAGS = ["-std=c++20", "-O2", f"-I{pathlib.Path(__file__).resolve().parents[2] / 'include'}", "-c", "-o", os.devnull]
PATIENCE = 120  # seconds

TENSOR_PERCEPTRON = instantiations.TENSOR_HEADER + """
using namespace tapeless;
using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;
auto perceptron(const matrix& data, const matrix& labels, const matrix& w, const vector& c, const matrix& u,
                const vector& d) {
  constexpr auto X = variable<"X">;
  constexpr auto Y = variable<"Y">;
  constexpr auto W = variable<"W">;
  constexpr auto b = variable<"b">;
  constexpr auto U = variable<"U">;
  constexpr auto e = variable<"e">;
  constexpr auto z = dot(tanh(dot(X, W) + b), U) + e;
  return value_and_gradient(mean(logsumexp<1>(z) - sum<1>(Y * z)),
                            wrt(W, b, U, e))(X = data, Y = labels, W = w, b = c, U = u, e = d);
}
"""
PLACES = [(i, j) for i in range(3) for j in range(3)]
TENSOR_CONVOLUTION = instantiations.TENSOR_HEADER + f"""
using namespace tapeless;
using matrix = xt::xtensor<double, 2>;
auto convolution(const matrix& image, const matrix& target, const std::array<double, 9>& kernel) {{
  constexpr auto A = variable<"A">;
  constexpr auto B = variable<"B">;
  {" ".join(f'constexpr auto k{i}{j} = variable<"k{i}{j}">;' for i, j in PLACES)}
  const auto at = [&](int i, int j) {{ return slice<1>(slice<0>(A, i, i + 26), j, j + 26); }};
  const auto out = tanh({" + ".join(f"k{i}{j} * at({i}, {j})" for i, j in PLACES)});
  return value_and_gradient(mean(square(out - B)), wrt({", ".join(f"k{i}{j}" for i, j in PLACES)}, A))(
      A = image, B = target, {", ".join(f"k{i}{j} = kernel[{3 * i + j}]" for i, j in PLACES)});
}}
"""

# What is compiled, and how many CPU seconds it may take.
UNITS = [
    ("include alone", generated.INCLUDE, 0.8),
    *((f"traced, {count} operations", generated.traced(count), limit)
      for count, limit in [(50, None), (100, 2.0), (200, None), (500, 6.0), (1000, None), (2000, None)]),
    *((f"nested, {count} operations", generated.nested(count), None) for count in [20, 40, 60]),
    ("xtensor alone", instantiations.TENSOR_HEADER, None),
    ("logistic regression", instantiations.TENSOR_LOSS, 4.0),
    ("and elementary functions", instantiations.TENSOR_LOSS.replace("mean(", "sum(erfc(w) * log(w * w) * sin(w)) + mean("), 6.0),
    ("perceptron of two layers", TENSOR_PERCEPTRON, 9.0),
    ("convolution by slices", TENSOR_CONVOLUTION, 20.0),
]


def measure(compiler, source):
    """CPU seconds and peak MB of the compiler and its children, and what it said if it failed."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "unit.cpp")
        path.write_text(source)
        with tempfile.TemporaryFile("w+") as messages:
            process = subprocess.Popen(["timeout", str(PATIENCE), compiler, *FLAGS, path], stderr=messages)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            messages.seek(0)
            failure = "".join(messages.readlines()[:3]) or f"no success in {PATIENCE} s" if process.returncode else None
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, failure


def main():
    compilers = sys.argv[1:] or [name for name in COMPILERS if shutil.which(name)]
    failed = False
    print(f"{'compiler':12}{'translation unit':24}{'CPU s':>8}{'limit':>7}{'MB':>7}")
    for compiler in compilers:
        for name, source, limit in UNITS:
            seconds, megabytes, failure = measure(compiler, source)
            above = limit is not None and seconds > limit
            failed |= above or failure is not None
            print(f"{compiler:12}{name:24}{seconds:8.2f}{limit or '':>7}{megabytes:7.0f}"
                  f"{'  ABOVE THE LIMIT' if above else ''}{'  FAILED' if failure else ''}", flush=True)
            if failure:
                print(failure, file=sys.stderr)
    return 1 if failed else 0


sys.exit(main())
