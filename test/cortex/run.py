"""run.py CPU WRITE INCLUDE HEADERS BUILD [--table]

Compiles the functions of functions.h for the CPU cortex-m4 or cortex-m7, with the folders INCLUDE of tapeless and HEADERS
of Boost, and what the program WRITE writes in C; all in the folder BUILD. Runs them in an emulator, and checks results,
symbols, and upper bounds: of instructions, of the stack and of the size of the code. --table prints what was measured as
in doc/small_targets.md. Ends with 77 where a tool is missing."""

import pathlib
import re
import shutil
import subprocess
import sys

cpu = sys.argv[1]
write, include, headers, build = map(pathlib.Path, sys.argv[2:6])
as_table = "--table" in sys.argv
source, emitted = pathlib.Path(__file__).parent, build / "emitted"
for tool in "arm-none-eabi-g++", "qemu-system-arm":
    if not shutil.which(tool):
        print(f"{tool} is not installed")
        sys.exit(77)
if subprocess.run(["arm-none-eabi-g++", "-fsyntax-only", "-x", "c++", "-"], input=b"#include <array>").returncode:
    print("libstdc++-arm-none-eabi-dev or libnewlib-arm-none-eabi is not installed")
    sys.exit(77)
MACHINES = {"cortex-m4": ("fpv4-sp-d16", "mps2-an386"), "cortex-m7": ("fpv5-sp-d16", "mps2-an500")}
fpu, machine = MACHINES[cpu]
target = [f"-mcpu={cpu}", "-mthumb", "-mfloat-abi=hard", f"-mfpu={fpu}"]
common = [*target, "-O2", "-ffunction-sections", "-fdata-sections", "-Wall", "-Wextra", "-Wdouble-promotion", "-Werror"]
c = ["arm-none-eabi-gcc", "-std=c99", *common]
cpp = ["arm-none-eabi-g++", "-std=c++20", *common, "-fno-exceptions", "-fno-rtti", "-DTAPELESS_NO_HEAP",
       f"-I{include}", "-isystem", str(headers)]

# What is compared with what: at most so many times the instructions and the code. Both CPUs are below.
RATIOS = {
    "kalman_by_tapeless": ("kalman_by_hand", 1.01, 1.01),
    "kalman_emitted": ("kalman_by_hand", 1.05, 1.1),
    "pi_unrolled_by_tapeless": ("pi_unrolled_by_hand", 1.03, 1.03),
    "pi_unrolled_emitted": ("pi_unrolled_by_hand", 1.2, 1.2),
    "pi_scan_by_tapeless": ("pi_by_hand", 0.9, 1.03),
    "pi_scan_emitted": ("pi_by_hand", 1.1, 1.1),
    "pi_checkpoints_by_tapeless": ("pi_checkpoints_by_hand", 1.38, 1.3),
    "mpc_by_tapeless": ("mpc_unrolled_by_hand", 1, 1),
    "mpc_emitted": ("mpc_unrolled_by_hand", 1.05, 1.1),
    "layer_by_tapeless": ("layer_unrolled_by_hand", 1.07, 1.15),
    "layer_emitted": ("layer_unrolled_by_hand", 1.07, 1.2),
    "layer_stopped_by_tapeless": ("layer_both_by_tapeless", 0.86, 0.7),
}
# Of what `memory` says, the stack at most.
MEMORY = 1.1
# What the functions may refer to.
KNOWN = re.compile(r"(sin|cos|exp|log|round)f|mem(cpy|set|move)")
failures = []


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def compiled(compiler, path, name, *options):
    to = build / f"{name}.o"
    run(*compiler, *options, "-c", path, "-o", to)
    return to


def function(compiler, path, name, *options):
    """The object file of the function and what it calls: g++ leaves functions there that ran while it compiled."""
    file = compiled(compiler, path, f"all_of_{name}", *options)
    functions[name] = build / f"{name}.o"
    run("arm-none-eabi-ld", "-r", "--gc-sections", "-e", name, file, "-o", functions[name])


def check_symbols(name, file):
    """Of heap, thread-local storage, guards, exceptions and double arithmetic each has a symbol."""
    for line in run("arm-none-eabi-nm", "--format=posix", file).splitlines():
        symbol, kind = line.split()[:2]
        if kind in "Uw" and not KNOWN.fullmatch(symbol) or re.match(r"_ZGV|_ZT|_GLOBAL__", symbol) or kind in "bBdDC":
            failures.append(f"{name} has {symbol} ({kind})")
    if ".tdata" in (sections := run("arm-none-eabi-objdump", "-h", file)) or ".tbss" in sections:
        failures.append(f"{name} has thread-local storage")


emitted.mkdir(parents=True, exist_ok=True)
run(write, emitted)
functions = {}
for path in sorted((source / "by_hand").glob("*.c")):
    function(c, path, f"{path.stem}_by_hand")
    if "BY_HAND" in path.read_text():
        function(c, path, f"{path.stem}_unrolled_by_hand", "-DWITHOUT_LOOPS")
for path in sorted((source / "by_tapeless").glob("*.cpp")):
    function(cpp, path, f"{path.stem}_by_tapeless")
for path in sorted(emitted.glob("*.c")):
    function(c, path, f"{path.stem}_emitted")
for name, file in functions.items():
    check_symbols(name, file)

program = build / "program"
run(c[0], *target, "-nostartfiles", "-Wl,--gc-sections", "-T", source / "target.ld",
    compiled(c, source / "board.c", "board"), compiled(cpp, source / "main.cpp", "main"), *functions.values(),
    "-lm", "-o", program)
text = run("timeout", "60", "qemu-system-arm", "-M", machine, "-display", "none", "-monitor", "none", "-serial", "none",
           "-icount", "shift=10", "-chardev", "stdio,id=console",
           "-semihosting-config", "enable=on,target=native,chardev=console", "-kernel", program)
measured = {}
for line in text.splitlines():
    name, instructions, stack, memory = line.split()
    code = sum(int(number) for number in run("arm-none-eabi-size", functions[name]).split()[6:8])
    measured[name] = (int(instructions), int(stack), int(memory), code)
for name, (instructions, stack, memory, code) in measured.items():
    ratio = ""
    if name in RATIOS:
        other, most_instructions, most_code = RATIOS[name]
        of_instructions, of_code = instructions / measured[other][0], code / measured[other][3]
        ratio = f"{of_instructions:.2f}"
        if of_instructions > most_instructions:
            failures.append(f"{name} takes {of_instructions:.3f} times the instructions of {other}")
        if most_code and of_code > most_code:
            failures.append(f"{name} has {of_code:.3f} times the code of {other}")
    if memory and stack > MEMORY * memory:
        failures.append(f"{name} takes {stack} bytes of the stack, and memory says {memory}")
    print(f"| {name} | {instructions} | {ratio} | {stack} | {memory or ''} | {code} |" if as_table else
          f"{name}: {instructions} instructions {ratio}, {stack} bytes of the stack (memory: {memory}), {code} of code")
if failures:
    sys.exit("\n".join(failures))
