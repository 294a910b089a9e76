#!/usr/bin/env python3
"""Reads three object files: code behind a stop must be absent from the first and present in the second; the third, which
is not optimised, must not hold what only the compiler needs."""

import os
import re
import shutil
import subprocess
import sys

SKIPPED = 77

PAIRS = [
    ("gradient_stopped", "gradient_opaque"),
    ("value_and_gradient_stopped", "value_and_gradient_opaque"),
    ("traced_stopped", "traced_opaque"),
    ("gradient_past_stop", "gradient_past_constant"),
    ("value_stopped", "value_plain"),
]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def undefined_symbols(path):
    return {line.split()[-1] for line in output("nm", "--undefined-only", path).splitlines()}


def functions(path):
    """Instructions of each function: mnemonic, operands and the symbols they refer to, without addresses."""
    result = {}
    for line in output("objdump", "-dr", "--no-show-raw-insn", path).splitlines():
        if header := re.match(r"[0-9a-f]+ <(.*)>:", line):
            instructions = result[header[1]] = []
        elif relocation := re.match(r"\s+[0-9a-f]+: R_\S+\s+(\S+)", line):
            instructions[-1] += " -> " + relocation[1]
        elif instruction := re.match(r"\s+[0-9a-f]+:\s+(.*)", line):
            if not re.match(r"nop|xchg +%ax,%ax|cs nop|data16", instruction[1]):  # padding
                instructions.append(re.sub(r"\s+|[0-9a-f]+ <.*>|#.*", " ", instruction[1]).strip())
    return result


def main():
    if not (shutil.which("nm") and shutil.which("objdump")):
        print("skipped: nm and objdump are not installed")
        return SKIPPED
    stopped, unstopped, unoptimised = sys.argv[1:]
    failures = 0

    def check(holds, text):
        nonlocal failures
        failures += not holds
        print("ok    " if holds else "FAILED", text)

    cosine = {"cos", "sincos"}
    symbols = undefined_symbols(stopped)
    check("sin" in symbols, "stopped: calls sin")
    check(not symbols & (cosine | {"tanh"}), "stopped: knows no cos, sincos or tanh")
    check(undefined_symbols(unstopped) & cosine, "unstopped: knows cos or sincos")

    code = functions(stopped)
    for first, second in PAIRS:
        same = code[first] == code[second]
        check(len(code[first]) == len(code[second]),
              f"{first}: {len(code[first])} instructions, {second}: {len(code[second])}"
              + (", the same" if same else ""))
    check(code["value_stopped"] == code["value_plain"], "value_stopped is value_plain, instruction by instruction")
    size = os.path.getsize(unoptimised)
    check(size < 1000000, f"unoptimised: {size} bytes, at most 1000000")
    return 1 if failures else 0


sys.exit(main())
