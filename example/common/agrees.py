#!/usr/bin/env python3
"""agrees.py EXPECTED PROGRAM ARGUMENT...: runs the program; what it prints must be the text of the file EXPECTED, but for
numbers, which may differ by 1e-9 of their size, or by 1e-9."""

import subprocess
import sys

run = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, text=True, check=True)
sys.stdout.write(run.stdout)
found, expected = run.stdout.split(), open(sys.argv[1]).read().split()


def agree(a, b):
    try:
        x, y = float(a.rstrip(",")), float(b.rstrip(","))
    except ValueError:
        return a == b
    return abs(x - y) <= 1e-9 * max(1, abs(y))


if len(found) != len(expected):
    sys.exit(f"{len(found)} words, not {len(expected)}")
for a, b in zip(found, expected):
    if not agree(a, b):
        sys.exit(f"{a} where {b} is expected")
