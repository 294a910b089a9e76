#!/usr/bin/env python3
"""Prints the time of a call of the reprojection residual with its Jacobian, by hand and by tapeless, for each compiler
at hand with -O3 -march=native. Fails where tapeless needs more than a limit times the hand-written code's.

usage: reprojection_time.py [COMPILER...]"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LIMITS = {"g++": 1.05, "clang++-19": 1.05}
FLAGS = ["-std=c++20", "-O3", "-march=native", f"-I{HERE.parents[1] / 'include'}"]
SOURCES = [HERE / name for name in ["by_hand.cpp", "by_trace.cpp", "reprojection_time.cpp"]]


def measure(compiler):
    """The best time of a call by hand and by tapeless, and the median ratio."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "time")
        subprocess.run([compiler, *FLAGS, *SOURCES, "-o", program], check=True)
        output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return map(float, output.split())


def main():
    too_slow = False
    print(f"{'reprojection, ns a call':24}{'by hand':>10}{'tapeless':>10}{'ratio':>8}{'median':>8}{'limit':>7}")
    for compiler in sys.argv[1:] or [name for name in LIMITS if shutil.which(name)]:
        by_hand, tapeless, median = measure(compiler)
        limit = LIMITS.get(compiler, max(LIMITS.values()))
        # Of what disturbs a measurement, the better of the two ratios has less.
        above = min(tapeless / by_hand, median) > limit
        too_slow |= above
        print(f"{compiler:24}{by_hand:10.1f}{tapeless:10.1f}{tapeless / by_hand:8.3f}{median:8.3f}{limit:7.2f}"
              f"{'  ABOVE THE LIMIT' if above else ''}", flush=True)
    return 1 if too_slow else 0


sys.exit(main())
