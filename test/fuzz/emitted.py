#!/usr/bin/env python3
"""Random programs over tensors as emitted C, against the oracle: memory that is not written has NaN, which spreads, and
a zone around each array that must stay as it is.

usage: emitted.py [--minutes M] [--seed S] [--program K]"""

import argparse
import ctypes
import datetime
import pathlib
import random
import re
import subprocess
import sys
import time

import numpy

import fuzz
import oracle
import source
import tensors
from program import Program, Unfit, nodes_of

HEAD = """#include <tapeless/emit.hpp>
#include <tapeless/xtensor.hpp>
#include <iostream>
#include <xtensor/xfixed.hpp>
using namespace tapeless;
template <class T> struct held { T value{}; const T& get() const { return value; } };
template <class T, std::size_t R> using rows = held<xt::xtensor<T, R>>;
template <class T, std::size_t R> using columns = held<xt::xtensor<T, R, xt::layout_type::column_major>>;
template <class T> using vector = held<std::vector<T>>;
template <class T> using number = held<T>;
template <class T, std::size_t... N> using fixed = held<xt::xtensor_fixed<T, xt::xshape<N...>>>;
"""
FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wfloat-equal", "-pedantic", "-Werror", "-shared", "-fPIC"]
ZONE = 16


def draw_program(seed, number):
    draw = random.Random(f"{seed}.{number}")
    while True:
        function = draw.random() < 0.85
        try:
            program = Program(tensors.Tensors(draw, function).draw(), function=function)
        except Unfit:
            continue
        if any(node.text.startswith("sort") for node in nodes_of(program.root)):
            continue
        if not program.real_variables or not any(v.rank for v in program.variables) or not 2 < program.size < 60:
            continue
        names = program.base_dimensions()
        if draw.random() < 0.25 and names:
            for name in draw.sample(names, draw.randint(1, len(names))):
                program.pinned[name] = draw.choice([1, 2, 3, 3, 4, 5])
        program.containers = {v.name: draw.choice(["rows", "rows", "columns", "vector", "fixed"]) for v in program.variables}
        reals = [v.name for v in program.real_variables]
        # Most have loops; none stacks one step, whose extent of 1 would be broadcast.
        loops = set(re.findall(r"scan\(|cond\(|while_loop\(|odeint|steps\(1\)", "".join(source.definition(program))))
        if "steps(1)" in loops or (not loops and draw.random() < 0.7):
            continue
        verb = draw.choice(["vjp", "vjp", "jvp", "value"] if program.root.rank else
                           ["value_and_gradient"] * 3 + ["gradient", "hvp", "hvp", "jvp", "value"])
        small = [v.name for v in program.real_variables if v.rank < 2]
        if small and program.root.rank < 2 and draw.random() < 0.3:
            verb, reals = "jacobian" if program.root.rank else "hessian", small
        program.asked = [{"verb": verb, "wrt": fuzz.subset(draw, reals)}]
        program.number = draw.choices(["double", "float"], [5, 1])[0]
        return program


def is_kernel(number):
    return number % 3 == 2


def text_of(program, number):
    """The C++ that prints the function."""
    lines = ["{"]
    if not program.function:
        lines += [f'  constexpr auto {v.name} = variable<"{v.name}">;' for v in program.variables]
    lines += source.definition(program)
    lines += [f"  const {kind} {name}{{}};" for name, kind in source.operands_of(program)]
    verb, _ = source.verb_text(program, program.asked[0])
    bound = source.bindings(program)
    language = "cuda" if is_kernel(number) else "c99"
    lines.append(f'  std::cout << emit<{language}, "p{number}">({verb}, {bound}).text().str() << "\\1";\n}}')
    return "\n".join(lines)


class Function:
    """The function in C, compiled."""

    def __init__(self, text, stem, program, compiler, kernel):
        self.text, self.kernel, self.count = text, kernel, 3 if kernel else 1
        scratch = re.search(r"#define (\w+_scratch)(\((.*?)\))? ", text)
        # Extents, and integers that decide lengths.
        parameters = ", ".join(f"{'ptrdiff_t' if f'const ptrdiff_t {name}' in text else 'size_t'} {name}"
                               for name in (scratch[3] or "").split(", ") if name) if scratch else ""
        size = f"\nsize_t how_many({parameters or 'void'});\nsize_t how_many({parameters or 'void'}) {{ return {scratch[1]}{scratch[2] or ''}; }}\n" if scratch else ""
        path = stem.with_suffix(".cpp" if kernel else ".c")
        path.write_text(f'#include "cuda_names.h"\nextern "C" {{\n{text}{size}\nvoid thread(unsigned i) {{ blockIdx.x = i; }}\n}}\n' if kernel
                        else text + size)
        library = stem.with_suffix(".so")
        level = random.Random(text).choice(["-O0", "-O1", "-O2", "-O3"])
        flags = ["-w", "-shared", "-fPIC", "-I", str(fuzz.HERE.parent / "emit")] if kernel else FLAGS
        done = subprocess.run([*compiler, level, *flags, str(path), "-o", str(library), "-lm"], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        self.library = ctypes.CDLL(str(library))
        self.name = re.search(r"/\* (\w+):", text)[1]
        self.scratch = [name for name in (scratch[3] or "").split(", ") if name] if scratch else None
        comment = " ".join(text[:text.index("*/")].split())
        self.inputs = re.findall(r"(\w+)((?:\[[^]]*\])*)(?:,|\.|$)", re.search(r"Inputs: (.*?)\. Results", comment)[1] + ".")
        self.results = re.findall(r"(\w+)((?:\[[^]]*\])*)(?:,|\.|$)", re.search(r"Results: (.*?)\. *$", comment)[1] + ".")
        self.parameters = [part.split()[-1].lstrip("*") for part in
                           re.search(r"void \w+\((.*?)\)" + (" {" if kernel else ";"), " ".join(text[text.index("*/"):].split()))[1].split(", ")]
        self.number = ctypes.c_float if program.number == "float" else ctypes.c_double
        self.dtype = numpy.float32 if program.number == "float" else numpy.float64
        self.integers = set(re.findall(r"const int32_t \*(?:__)?restrict(?:__)? (\w+)", text))

    def __call__(self, operands):
        extents, given, kept = {}, {}, []
        for (name, axes), array in zip(self.inputs, operands, strict=True):
            array = numpy.asarray(array)
            axes = re.findall(r"\[([^]]*)\]", axes)
            for axis, length in zip(axes, array.shape, strict=True):
                if axis.startswith("n") and extents.setdefault(axis, length) != length:
                    raise RuntimeError(f"{axis} is {extents[axis]} and {length}")
                if axis.isdigit() and int(axis) != length:
                    raise RuntimeError(f"{axis} is {length}")
            if f"const ptrdiff_t {name}" in self.text:
                given[name] = ctypes.c_ssize_t(int(array))
                continue
            if not axes and not self.kernel:
                given[name] = self.number(float(array))
                continue
            # The element in the middle of a batch has the numbers, those beside it others.
            batch = numpy.stack([array.reshape(-1) if array.dtype.kind == "i" or k == self.count // 2 else
                                 array.reshape(-1) * 0.9 + 0.1 for k in range(self.count)], axis=1)
            beside, dtype = (-1 << 30, numpy.int32) if name in self.integers else (numpy.nan, self.dtype)
            zone = numpy.full(batch.size + 2 * ZONE, beside, dtype)
            zone[ZONE:ZONE + batch.size] = batch.reshape(-1)
            given[name] = ctypes.c_void_p(zone[ZONE:].ctypes.data)
            kept.append((zone, zone.copy(), None))
        given |= {name: ctypes.c_size_t(length) for name, length in extents.items()}

        def result(count):
            count *= self.count
            zone = numpy.full(count + 2 * ZONE, numpy.nan, self.dtype)
            zone[:ZONE], zone[ZONE + count:] = 7, 7
            kept.append((zone, zone.copy(), count))
            return zone, ctypes.c_void_p(zone[ZONE:].ctypes.data)

        found = {}
        for name, axes in self.results:
            shape = [int(eval(re.sub(r"(\d)U", r"\1", axis).replace("/", "//"), {}, extents)) for axis in re.findall(r"\[([^]]*)\]", axes)]
            zone, given[name] = result(int(numpy.prod(shape)))
            found[name] = (zone, shape)
        if self.scratch is not None:
            self.library.how_many.restype = ctypes.c_size_t
            _, given["scratch"] = result(self.library.how_many(*[given[name] for name in self.scratch]))
        given["count"] = ctypes.c_size_t(self.count)
        for k in range(self.count):
            if self.kernel:
                self.library.thread(k)
            getattr(self.library, self.name)(*[given[name] for name in self.parameters])
        for zone, before, count in kept:
            if count is not None:
                zone, before = zone.copy(), before.copy()
                zone[ZONE:ZONE + count] = before[ZONE:ZONE + count] = 0
            if zone.tobytes() != before.tobytes():
                raise RuntimeError("memory beside an array is written")
        return [zone[ZONE + self.count // 2:len(zone) - ZONE:self.count].astype(numpy.float64).reshape(shape)
                for zone, shape in found.values()]


def operands(program, function, arrays):
    """In the order of the text: variables of a formula in the order of appearance, then seeds."""
    if program.function:
        names = [f"x_{v.name}" for v in program.variables]
    else:
        names = [f"x_{name.rstrip('_')}" for name, _ in function.inputs if not name.startswith("seed")]
    verb = program.asked[0]["verb"]
    seeds = [f"t_{name}" for name in program.asked[0]["wrt"]] if verb in ("jvp", "hvp") else ["t_"] if verb == "vjp" else []
    return [arrays[name] for name in names + seeds]


def check(program, function, seed, number, sets):
    draw = random.Random(f"{seed}.{number}.data")
    generator = numpy.random.default_rng(1)
    tried = 0
    for _ in range(sets):
        kept = program.containers
        program.containers = {}  # no axis that has the extent 1 at run time and is broadcast
        arrays = oracle.draw_set(program, draw)
        program.containers = kept
        if arrays is None:
            continue
        try:
            expectation = oracle.Expectation(program, program.asked[0], arrays, generator)
        except Exception as error:
            print("oracle", number, repr(error)[:200])
            continue
        found = function(operands(program, function, arrays))
        tried += 1
        labels = list(expectation.exact)
        if len(found) == len(labels):
            parts = found
        else:  # of a formula or several numbers, the gradient is one array
            flat = numpy.concatenate([part.reshape(-1) for part in found])
            parts, at = [], 0
            for label in labels:
                size = expectation.exact[label].size
                parts.append(flat[at:at + size].reshape(expectation.exact[label].shape))
                at += size
        for label, part in zip(labels, parts):
            wrong = expectation.difference(label, part.reshape(expectation.exact[label].shape)
                                           if part.size == expectation.exact[label].size else part)
            if wrong:
                return tried, f"{label}: {wrong} at {arrays.sizes}"
    return tried, None


def examine(seed, numbers, work, options):
    programs = {n: draw_program(seed, n) for n in numbers}
    stem = work / f"unit_{numbers[0]}"
    body = "\n".join(text_of(program, n) for n, program in programs.items())
    stem.with_suffix(".cpp").write_text(f"{HEAD}int main() {{\n{body}\n}}\n")
    done = subprocess.run([options.compiler, "-std=c++20", "-O0", "-w", "-DTAPELESS_NO_ALWAYS_INLINE", "-DTAPELESS_VERIFY", "-I",
                           str(options.include), str(stem.with_suffix(".cpp")), "-o", str(stem), "-ltbb"], capture_output=True, text=True)
    if done.returncode:
        # Vectors in loops over numbers, and numbers of their steps, that emit refuses.
        if len(numbers) == 1 and re.search(r"\[TL19[78]\]", done.stderr):
            return [], 0, 0
        if len(numbers) == 1:
            return [(numbers[0], "compiler: " + "\n".join(line for line in done.stderr.split("\n") if "error" in line)[:1500])], 0, 0
        half = len(numbers) // 2
        a, b = examine(seed, numbers[:half], work, options), examine(seed, numbers[half:], work, options)
        return a[0] + b[0], a[1] + b[1], a[2] + b[2]
    texts = subprocess.run([str(stem)], capture_output=True, text=True).stdout.split("\1")[:-1]
    faults, sets = [], 0
    for (number, program), text in zip(programs.items(), texts, strict=True):
        try:
            kernel = is_kernel(number)
            compiler = "g++" if kernel else "gcc" if number % 2 else options.compiler.replace("++", "")
            function = Function(text, work / f"p{number}", program, [compiler], kernel)
            tried, fault = check(program, function, seed, number, options.sets)
            sets += tried
        except RuntimeError as error:
            fault = str(error)
        if fault:
            faults.append((number, fault))
    return faults, len(numbers), sets


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--minutes", type=float, default=5)
    arguments.add_argument("--seed", default=datetime.date.today().isoformat())
    arguments.add_argument("--program", type=int)
    arguments.add_argument("--first", type=int, default=0)
    arguments.add_argument("--sets", type=int, default=8)
    arguments.add_argument("--compiler", default="clang++-19")
    arguments.add_argument("--work", type=pathlib.Path, default=fuzz.HERE.parent.parent / "build" / "emitted")
    arguments.add_argument("--include", type=pathlib.Path, default=fuzz.INCLUDE, help="other headers, such as older ones")
    options = arguments.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.program is not None:
        print(text_of(draw_program(options.seed, options.program), options.program))
        print(examine(options.seed, [options.program], options.work, options))
        return
    begin, first, done, sets, failed = time.monotonic(), options.first, 0, 0, 0
    while time.monotonic() - begin < 60 * options.minutes:
        faults, programs, tried = examine(options.seed, list(range(first, first + 6)), options.work, options)
        for number, fault in faults:
            print(f"FAULT in program {number}: {fault}\n{text_of(draw_program(options.seed, number), number)}", flush=True)
        first, done, sets, failed = first + 6, done + programs, sets + tried, failed + len(faults)
        print(f"{done} programs, {sets} calls, {failed} faults, {time.monotonic() - begin:.0f} s", flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
