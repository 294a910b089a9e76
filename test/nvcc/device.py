#!/usr/bin/env python3
"""Compiles kernels with nvcc, which a machine without a GPU can do too, and looks at what became of them: numbers stay in
registers, of a stopped branch nothing is left, and a price with its Greeks takes about the arithmetic that it takes by
hand."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The derivative of the second distribution function takes an exponential of its own; by hand it cancels against that
# of the first.
MORE_ARITHMETIC = 1.25


def kernels(ptx):
    """The instructions of each kernel, without what they work on."""
    result = {}
    for name, body in re.findall(r"\.entry (\w+)\(.*?\n\{\n(.*?)\n\}\n", ptx, re.S):
        lines = [re.sub(r"^@!?%p\d+\s+", "", line.strip()) for line in body.splitlines()]
        result[name] = [line.split()[0].rstrip(";") for line in lines if re.match(r"[a-z]", line)]
    return result


def named(found, name):
    return next(value for key, value in found.items() if re.match(rf"_Z\d+{name}(?![a-z_])", key))


def main(nvcc, source, program, *include):
    with tempfile.TemporaryDirectory() as kept:
        options = ["-std=c++20", "-O3", "--expt-relaxed-constexpr", "-Werror", "all-warnings", "-Xptxas", "-v"]
        done = subprocess.run(
            [nvcc, *options, "--keep", "--keep-dir", kept, *(f"-I{each}" for each in include), source, "-o", program],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        found = kernels(next(Path(kept).glob("*.ptx")).read_text())

    problems = []
    reports = re.findall(r"Function properties for (\w+)\n\s*(.*)", done.stdout + done.stderr)
    if len(reports) < len(found):
        problems.append("ptxas did not report each kernel")
    for name, report in reports:
        if report != "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads":
            problems.append(f"{name}: {report}")
    if named(found, "stopped") != named(found, "without_stopped"):
        problems.append("something is left of the stopped branch")
    arithmetic = re.compile(r"(fma|mul|add|sub|neg|div|sqrt|rcp)\b.*\.f64$")
    ours, by_hand = (sum(bool(arithmetic.match(each)) for each in named(found, name)) for name in ("by_tapeless", "by_hand"))
    print(f"a price with its Greeks: {ours} operations on doubles, {by_hand} by hand")
    if not 0 < ours <= MORE_ARITHMETIC * by_hand:
        problems.append("more arithmetic than expected")
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
