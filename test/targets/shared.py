"""shared.py BASELINE AVX OBJDUMP: two objects of one unit, the second compiled for AVX. Fails where a function of the
library that both define, and of which a program keeps either, holds instructions of AVX in the second. At -O0, where
nothing is inlined, these are all functions that compute and are not in the namespace of their target."""
import re
import subprocess
import sys

# Small enough to be inlined where there is optimisation.
INLINED = {"tapeless::where", "tapeless::operation::SmallAngle::constant", "tapeless::compressed_rows"}


def qualified(symbol):
    """The names before the first template argument or parameter of a function in the library, or None."""
    match = re.match(r"_ZZ?N[KVRO]*(?=8tapeless)", symbol)
    if not match:
        return None
    names, at = [], match.end()
    while length := re.match(r"\d+", symbol[at:]):
        begin = at + length.end()
        at = begin + int(length.group())
        names.append(symbol[begin:at])
    return "::".join(names)


def functions(path, objdump):
    """The instructions of each function."""
    result = {}
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        if header := re.match(r"[0-9a-f]+ <(.*)>:", line):
            instructions = result[header[1]] = []
        elif instruction := re.match(r"\s+[0-9a-f]+:\s+(.*)", line):
            instructions.append(instruction[1])
    return result


def main(baseline, avx, objdump):
    first, second = functions(baseline, objdump), functions(avx, objdump)
    shared, wrong = 0, set()
    for symbol in first.keys() & second.keys():
        name = qualified(symbol)
        # What builds programs runs in the compiler alone.
        if not name or name.startswith("tapeless::program") or "6traced" in symbol:
            continue
        shared += 1
        if name not in INLINED and any(re.match(r"v\w+\s.*%[xyz]mm", each) for each in second[symbol]):
            wrong.add(name)
    print(f"{shared} functions are shared")
    for name in sorted(wrong):
        print(f"{name}: computes, and is not in the namespace of its target")
    return 1 if wrong or not shared else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
