#!/usr/bin/env python3
"""Reads an object file with kernels by tapeless and by hand: their hot loops, the innermost ones that compute most,
may store no more vectors on the stack by tapeless than by hand. Sums that take in few steps do not wait for themselves.
Sequences in lanes take their steps in turn. And none of the passes is in the file: they run in the compiler only."""

import re
import shutil
import subprocess
import sys

SKIPPED = 77
KERNELS = ["normal", "tanh_exp", "logistic"]

# X w: eight rows side by side, each with a sum of its own, where rows are short, four parts of one row's sum where they
# are long; X^T c: four parts, for all lanes and for the first ones.
SUMS_AT_ONCE = {"logistic": [8, 4, 4]}

# One for the slope of softplus, one for its logarithm.
DIVISIONS = {"logistic": 2}


def functions(path):
    """Of each function its (address, instruction) and the symbols that it refers to."""
    lines = subprocess.run(
        ["objdump", "-dr", "--no-show-raw-insn", path], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    result = {}
    for line in lines:
        if header := re.match(r"[0-9a-f]+ <(.*)>:", line):
            code, symbols = result[header[1]] = [], set()
        elif relocation := re.match(r"\s+[0-9a-f]+: R_\S+\s+([^\s+-]+)", line):
            symbols.add(relocation[1])
        elif instruction := re.match(r"\s+([0-9a-f]+):\s+(.*)", line):
            code.append((int(instruction[1], 16), instruction[2]))
            symbols.update(re.findall(r"<([^+>]+)>", instruction[2]))
    return result


def reachable(functions, name):
    """The instructions of each function that the function may call, its own first, without those for what is not
    contiguous."""
    found, seen = [name], {name}
    for each in found:
        found += [symbol for symbol in functions[each][1] if symbol in functions and "run_strided" not in symbol and symbol not in seen]
        seen.update(found)
    return [functions[each][0] for each in found]


def innermost_loops(code):
    """The instructions between the target of each backward jump and the jump, if no other loop is among them."""
    jumps = []
    for address, text in code:
        jump = re.match(r"j\w+\s+([0-9a-f]+)", text)
        if jump and int(jump[1], 16) <= address:
            jumps.append((int(jump[1], 16), address))
    for begin, end in jumps:
        if not any(begin <= b and e < end or begin < b and e <= end for b, e in jumps):
            yield [text for address, text in code if begin <= address <= end]


def loops_around(code, loop):
    """How many loops are around an innermost one."""
    texts = [text for _, text in code]
    begin = next(i for i in range(len(texts)) if texts[i : i + len(loop)] == loop)
    first, last = code[begin][0], code[begin + len(loop) - 1][0]
    starts = set()
    for address, text in code:
        jump = re.match(r"j\w+\s+([0-9a-f]+)", text)
        if jump and int(jump[1], 16) <= first and address > last:
            starts.add(int(jump[1], 16))
    return len(starts)


def check_steps_in_turn(all_code):
    """The loops over sequences stand in those over steps: forward that with the square root, which is kept, and back that
    with the division."""
    failures = 0
    for way, operation, other, asks in [("forward", "vsqrtpd", "vdivpd", True), ("back", "vdivpd", "vsqrtpd", False)]:
        found = [
            loop
            for code in all_code
            for loop in innermost_loops(code)
            if any(text.startswith(operation) for text in loop)
            and not any(text.startswith(other) for text in loop)
            and loops_around(code, loop) >= 2
        ]
        if not found:
            print(f"FAILED: no loop takes the steps {way} of several sequences in turn")
            failures += 1
        for loop in found:
            print(f"{'greeks':12}{way:>10}{len(loop):14}{arithmetic(loop):12}{spills(loop):8}")
            if spills(loop):
                print(f"FAILED: the loop {way} spills vectors")
                failures += 1
            if any(text.startswith("prefetch") for text in loop) != asks:
                print(f"FAILED: the loop {way} {'does not ask' if asks else 'asks'} for elements of the next sequences")
                failures += 1
    return failures


def arithmetic(loop):
    return sum(bool(re.match(r"v(add|sub|mul|div|fm|fnm)\w*pd", text)) for text in loop)


def spills(loop):
    """Vectors stored on the stack. Reading constants from there costs what reading them from elsewhere does."""
    return sum(bool(re.match(r"vmov\w+\s+%[xyz]mm\d+,\S*\(%rsp\)", text)) for text in loop)


def sums_at_once(loop):
    """Sums of products that a loop of little else adds to."""
    sums = {text.split(",")[-1].split("{")[0] for text in loop if re.match(r"vfmadd231pd", text)}
    return len(sums) if arithmetic(loop) <= 16 else 0


def hot_loop(all_code):
    return max((loop for code in all_code for loop in innermost_loops(code)), key=arithmetic, default=[])


def main():
    if not shutil.which("objdump"):
        print("skipped: objdump is not installed")
        return SKIPPED
    code = functions(sys.argv[1])
    failures = 0
    print(f"{'hot loop':12}{'by':>10}{'instructions':>14}{'arithmetic':>12}{'spills':>8}")
    for kernel in KERNELS:
        spilled = {}
        for by in ["by_hand", "tapeless"]:
            all_code = reachable(code, f"{by}_{kernel}")
            loop = hot_loop(all_code)
            spilled[by] = spills(loop)
            print(f"{kernel:12}{by:>10}{len(loop):14}{arithmetic(loop):12}{spilled[by]:8}")
            if arithmetic(loop) == 0:
                print(f"FAILED: no loop of vectors in {by}_{kernel}")
                failures += 1
        if spilled["tapeless"] > spilled["by_hand"]:
            print(f"FAILED: the hot loop of {kernel} spills vectors")
            failures += 1
        expected = SUMS_AT_ONCE.get(kernel, [])
        found = sorted((sums_at_once(each) for part in all_code for each in innermost_loops(part)), reverse=True)
        found = found[: len(expected)]
        if any(sums < least for sums, least in zip(found, expected)):
            print(f"FAILED: {kernel} adds to {found} sums at once, not to {expected}")
            failures += 1
        divisions = sum(text.startswith("vdivpd") for text in loop)
        if divisions > DIVISIONS.get(kernel, divisions):
            print(f"FAILED: the hot loop of {kernel} divides {divisions} times")
            failures += 1
    failures += check_steps_in_turn(reachable(code, "tapeless_greeks"))
    # Tables refer to functions that only give a constant.
    if passes := [name for name in code if re.match(r"_ZNK?8tapeless7program", name) and len(code[name][0]) > 4]:
        print("FAILED: the passes are compiled, and not only run by the compiler:", *passes)
        failures += 1
    return 1 if failures else 0


sys.exit(main())
