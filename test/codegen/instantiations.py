#!/usr/bin/env python3
"""Counts the templates that the compiler instantiates for traced functions of growing size, and fails if their number
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
    return 0 if linear and per_operation[1] <= LIMIT[kind] else 1


sys.exit(main())
