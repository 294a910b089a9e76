#!/usr/bin/env python3
"""Random programs, computed by the library and by an oracle from outside. What fails is made smaller and written down.

usage: fuzz.py [--minutes M] [--seed S] [--programs N] [--program K] [--jobs J]"""

import argparse
import concurrent.futures
import datetime
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import time

import numpy

import minimise
import oracle
import source
from loops import Loops
from program import Program, Unfit
from tensors import Tensors

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"
PER_UNIT = 8
SETS = 5
LOOPS = 0.35  # the share of functions of numbers with loops
TOO_LARGE = "the compiler stopped the constant evaluation"  # what the library says of programs beyond its default limits


class Compiler:
    """Compiles units with the headers compiled once before."""

    def __init__(self, name, command, work, include=INCLUDE):
        self.name, self.work = name, work / name
        self.options = command[1:] + ["-std=c++20", "-DTAPELESS_VERIFY", "-I", str(include)]
        self.command, self.ready = command[0], None

    def prepare(self):
        self.work.mkdir(parents=True, exist_ok=True)
        header = self.work / "harness.hpp"
        header.write_text((HERE / "harness.hpp").read_text())
        gnu = "clang" not in self.command
        output = self.work / ("harness.hpp.gch" if gnu else "harness.pch")
        subprocess.run([self.command, *self.options, "-x", "c++-header", str(header), "-o", str(output)], check=True)
        self.include = ["-I", str(self.work)] if gnu else ["-include-pch", str(output), "-I", str(self.work)]
        self.ready = True

    def compile(self, text, stem, run=True):
        """The program's path, or the messages."""
        if not self.ready:
            self.prepare()
        path = self.work / f"{stem}.cpp"
        path.write_text(text)
        output = ["-o", str(path.with_suffix("")), "-ltbb"] if run else ["-fsyntax-only"]
        done = subprocess.run([self.command, *self.options, *self.include, str(path), *output], capture_output=True,
                              text=True, errors="replace")
        return (path.with_suffix("") if run else True, "") if done.returncode == 0 else (None, done.stderr)


def draw_program(seed, number):
    """Program NUMBER of a seed: the same wherever it is drawn."""
    draw = random.Random(f"{seed}.{number}")
    while True:
        try:
            program = draw_loops(draw) if draw.random() < LOOPS else draw_tensors(draw)
        except Unfit:
            continue
        # Where no tensor is bound, sums are refused.
        tensors = program.of_numbers or any(variable.rank for variable in program.variables)
        if program.real_variables and tensors and 2 < program.size < 70:
            break
    program.number = draw.choices(["double", "float"], [5, 1])[0]
    return program


def subset(draw, names):
    chosen = names if draw.random() < 0.5 else draw.sample(names, draw.randint(1, len(names)))
    return [name for name in names if name in chosen]


def draw_tensors(draw):
    function = draw.random() < 0.35
    program = Program(Tensors(draw, function).draw(), function=function)
    names = program.base_dimensions()
    if draw.random() < 0.2 and names:
        for name in draw.sample(names, draw.randint(1, len(names))):
            program.pinned[name] = draw.choice([1, 2, 3, 3, 4, 5, 8, 9])
    kinds = ["rows", "rows", "columns", "strided", "vector", "span", "fixed", "standard_array"]
    program.containers = {v.name: draw.choice(kinds) for v in program.variables}
    reals = [v.name for v in program.real_variables]
    if program.function and reals and not program.root.rank and draw.random() < 0.3:
        program.batched, program.pinned = tuple(draw.sample(reals, draw.randint(1, len(reals)))), {}
        program.asked = [{"verb": draw.choice(["value_and_gradient", "value_and_gradient", "gradient", "value"]),
                          "wrt": subset(draw, reals), "into": draw.random() < 0.6, "threads": draw.random() < 0.1}]
        return program
    if program.root.rank:
        verbs = [draw.choice(["vjp", "vjp", "jvp", "value"])]
    else:
        verbs = [draw.choice(["value_and_gradient"] * 4 + ["gradient"])]
        if draw.random() < 0.3:
            verbs.append(draw.choice(["value_and_gradient", "jvp", "hvp", "value", "engines", "engines"]))
    if program.function and reals and not program.root.rank and draw.random() < 0.4:
        program.members = subset(draw, reals)
        program.asked = [{"verb": draw.choice(["value_and_gradient", "gradient"]), "wrt": program.members,
                          "into": draw.random() < 0.6}]
    elif reals:
        program.asked = [{"verb": verb, "wrt": subset(draw, reals), "into": draw.random() < 0.6,
                          "threads": draw.random() < 0.1} for verb in verbs]
    small = [v.name for v in program.real_variables if v.rank < 2 + program.root.rank]
    if small and not program.function and program.root.rank < 2 and draw.random() < 0.1 + 0.2 * program.root.rank:
        program.asked.append({"verb": "jacobian" if program.root.rank else "hessian", "wrt": subset(draw, small),
                              "into": draw.random() < 0.5})
    return program


def draw_assembly(draw):
    program = Program(Loops(draw).draw_element(), function=True, of_numbers=True)
    names = [v.name for v in program.variables]
    program.assembled = tuple(name for name in names if name in "ab")
    if not program.assembled:
        raise Unfit
    program.each = tuple(name for name in names if name in "pq" and draw.random() < 0.7)
    program.asked = [{"verb": verb, "into": draw.random() < 0.6, "threads": draw.random() < 0.2}
                     for verb in ["value_and_gradient", "hessian"] if draw.random() < 0.6] or [{"verb": "hessian"}]
    return program


def draw_loops(draw):
    if draw.random() < 0.15:
        return draw_assembly(draw)
    clips = draw.random() < 0.2
    program = Program(Loops(draw, clips).draw(), function=True, of_numbers=True)
    names, reals = [v.name for v in program.variables], [v.name for v in program.real_variables]
    if not reals:
        raise Unfit
    program.containers = {name: draw.choice(["vector", "span", "columns", "rows"]) for name in names}
    if draw.random() < 0.25:
        program.batched = tuple(draw.sample(names, draw.randint(1, len(names))))
        reals = [v.name for v in program.real_variables if not v.rank or v.name in program.batched]
        if not reals:
            raise Unfit
        verbs = [draw.choice(["value_and_gradient", "value_and_gradient", "gradient"])]
    else:
        verbs = [draw.choice(["value_and_gradient", "value_and_gradient", "gradient", "jvp"])]
        if draw.random() < 0.2:
            verbs.append("hvp")
    if clips:  # a rule for adjoints alone, whose derivatives need not be symmetric
        verbs = ["value_and_gradient"]
    program.asked = [{"verb": verb, "wrt": subset(draw, reals), "into": draw.random() < 0.3} for verb in verbs]
    numbers = [v.name for v in program.real_variables if not v.rank]
    if numbers and not clips and draw.random() < 0.15:
        program.asked.append({"verb": "hessian", "wrt": subset(draw, numbers)})
    return program


def draw_data(program, seed, number, sets=SETS):
    draw = random.Random(f"{seed}.{number}.data")
    found = [arrays for _ in range(sets) if (arrays := oracle.draw_set(program, draw)) is not None]
    return found, [int(draw.random() < 0.8) for _ in found]


def run_program(path, number, program, sets, again, seconds=60):
    """Results per set, and how it ended ("" if well)."""
    data, results = path.with_suffix(f".{number}.in"), path.with_suffix(f".{number}.out")
    data.write_bytes(oracle.pack_sets([name for name, _ in source.operands_of(program)], sets, again))
    try:
        done = subprocess.run([str(path), str(number), str(data), str(results)], capture_output=True, text=True,
                              errors="replace", timeout=seconds)
        ended = "" if done.returncode == 0 else f"ended with {done.returncode}: {done.stderr[-2000:]}"
    except subprocess.TimeoutExpired:
        ended = f"took more than {seconds} s"
    found = oracle.unpack_results(results.read_bytes()) if results.exists() else []
    for file in (data, results):
        file.unlink(missing_ok=True)
    return found, ended


class Fault:
    def __init__(self, kind, text, asked=None, label=None, arrays=None):
        self.kind, self.text, self.asked, self.label, self.arrays = kind, text, asked, label, arrays
        self.sizes = getattr(arrays, "sizes", None)

    def __str__(self):
        return f"{self.kind}: {self.label or ''} {self.text}"


def judge(program, sets, found, ended):
    """Faults of a run."""
    faults = []
    generator = numpy.random.default_rng(1)
    if ended:
        faults.append(Fault("crash", ended, arrays=sets[len(found) - 1] if found else None))
    for arrays, results in zip(sets, found[:len(found) - bool(ended)]):
        for k, asked in enumerate(program.asked):
            if str(k) in results:
                faults.append(Fault("throws", results[str(k)], k, None, arrays))
                continue
            try:
                expectation = oracle.Expectation(program, asked, arrays, generator)
            except Exception as error:  # the oracle's own fault
                faults.append(Fault("oracle", repr(error), k, None, arrays))
                continue
            for label in expectation.exact:
                wrong = expectation.difference(label, results.get(f"{k} {label}", numpy.array(numpy.nan)))
                if wrong:
                    faults.append(Fault("wrong", wrong, k, label, arrays))
    return faults


class Tools:
    """What the minimiser works with."""

    judge, run = staticmethod(judge), staticmethod(run_program)

    def __init__(self, compiler):
        self.compile = compiler.compile

    @staticmethod
    def signature(messages):
        """The first error without its place."""
        found = re.search(r"error: (.*)", messages)
        return re.sub(r"unit_\d+|smaller|program_\d+|\d+:\d+", "", found[1])[:60] if found else messages[:60]


def write_down(compiler, options, number, fault):
    """Makes a program that fails smaller and writes its test."""
    program = draw_program(options.seed, number)
    print(f"fuzz: making program {number} smaller", flush=True)
    program, fault = minimise.minimise(Tools(compiler), program, fault, lambda text: print(f"  {text}", flush=True))
    name = f"seed_{re.sub('[^0-9a-zA-Z]', '_', str(options.seed))}_program_{number}"
    file = options.regressions / f"{name}_test.cpp"
    file.parent.mkdir(parents=True, exist_ok=True)
    text = minimise.regression_text(program, fault, name, f"./dev fuzz --seed {options.seed} --program {number}")
    file.write_text(text)
    print(f"fuzz: wrote {file}\n{text}", flush=True)


def examine(compiler, seed, numbers):
    """Compiles and runs these programs in one unit: (number, fault) for each that fails."""
    programs = [draw_program(seed, number) for number in numbers]
    path, messages = compiler.compile(source.unit_text(programs, numbers[0]), f"unit_{numbers[0]}")
    if path is None:
        if len(numbers) == 1:
            return [(numbers[0], Fault("too large" if TOO_LARGE in messages else "compiler", messages))]
        half = len(numbers) // 2
        return examine(compiler, seed, numbers[:half]) + examine(compiler, seed, numbers[half:])
    failed = []
    for number, program in zip(numbers, programs):
        sets, again = draw_data(program, seed, number)
        found, ended = run_program(path, number, program, sets, again)
        faults = judge(program, sets, found, ended)
        if faults:
            failed.append((number, faults[0]))
    path.unlink()
    path.with_suffix(".cpp").unlink()
    return failed


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--minutes", type=float, default=5)
    arguments.add_argument("--seed", default=datetime.date.today().isoformat())
    arguments.add_argument("--programs", type=int, default=10**9, help="stop after so many")
    arguments.add_argument("--program", type=int, help="only this one, which is printed")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments.add_argument("--compiler", default="clang++-19")
    arguments.add_argument("--work", type=pathlib.Path, default=HERE.parent.parent / "build" / "fuzz")
    arguments.add_argument("--regressions", type=pathlib.Path, default=HERE.parent / "regressions",
                           help="where tests of what fails are written")
    arguments.add_argument("--include", type=pathlib.Path, default=INCLUDE, help="other headers, such as older ones")
    options = arguments.parse_args()
    print(f"fuzz: seed {options.seed}, {options.minutes:g} minutes, {options.jobs} jobs", flush=True)
    compiler = Compiler(options.compiler, [options.compiler, "-O0", "-DTAPELESS_NO_ALWAYS_INLINE"], options.work, options.include)
    compiler.prepare()
    begin, done, too_large, failures = time.monotonic(), 0, 0, []
    if options.program is not None:
        print(source.unit_text([draw_program(options.seed, options.program)], options.program))
        for number, fault in examine(compiler, options.seed, [options.program]):
            if fault.kind == "too large":
                sys.exit("fuzz: it is too large for the compiler's default limits")
            print(f"FAULT in program {number}: {fault}"[:6000], flush=True)
            failures.append(number)
            write_down(compiler, options, number, fault)
        sys.exit(bool(failures))
    # What one program asks for stops neither the others nor the machine.
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        running, first = {}, 0
        while True:
            late = time.monotonic() - begin > 60 * options.minutes or first >= options.programs
            while not late and len(running) < options.jobs:
                numbers = list(range(first, first + PER_UNIT))
                running[pool.submit(examine, compiler, options.seed, numbers)] = numbers
                first += PER_UNIT
            if not running:
                break
            for future in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                done += len(running.pop(future))
                for number, fault in future.result():
                    if fault.kind == "too large":
                        too_large += 1
                        print(f"fuzz: program {number} is too large for the compiler's default limits", flush=True)
                        continue
                    failures.append((number, fault))
                    print(f"FAULT in program {number} of seed {options.seed} after {time.monotonic() - begin:.0f} s:\n"
                          f"{source.program_text(draw_program(options.seed, number), number)}  {str(fault)[:3000]}", flush=True)
    for number, fault in failures[:2]:  # more are often the same fault
        write_down(compiler, options, number, fault)
    print(f"fuzz: seed {options.seed}: {done} programs, {len(failures)} with faults, {too_large} too large, "
          f"{time.monotonic() - begin:.0f} s")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
