#!/usr/bin/env python3
"""Compares tapeless with other libraries on the same problems: builds what is there, verifies, measures, and writes the
tables and plots of doc/benchmarks.md.

    run.py [--rounds N] [--folder BUILD] [--report]

What is missing is left out, with a line that says so."""

import argparse
import csv
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import report

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
NUMBERS = ["S1", "S2", "S3", "S4", "S5"]
ARRAYS = ["V1", "V2", "V3", "V4", "V5", "BS", "NN", "RK", "HE", "GP", "TD", "TS"]
SIZES = [16, 1000, 100000]
FIXED_SIZES = {"RK": [200], "NN": [16, 1000], "HE": [16, 1000], "GP": [16, 200], "TD": [1000], "TS": [1000]}
GENERATORS = ["casadi", "sympy", "symforce", "wrenfold"]
PRINTED_NAMES = {"casadi": "CasADi", "sympy": "SymPy", "symforce": "SymForce"}
PACKAGES = ["casadi", "sympy", "symforce", "wrenfold", "jax", "enzyme-ad"]


def say(text):
    print(f"peers: {text}", flush=True)


def pkg_config(*names):
    done = subprocess.run(["pkg-config", "--cflags", *names], capture_output=True, text=True)
    return [flag.replace("-I", "-isystem", 1) for flag in shlex.split(done.stdout)] if done.returncode == 0 else []


def units(site):
    """Name: (source, options, libraries, what the include path must have)."""
    eigen = ["-isystem", "/usr/include/eigen3"]
    trilinos = ["-isystem", "/usr/include/trilinos", *pkg_config("ompi-cxx")]
    return {
        "main": (HERE / "main.cpp", [], [], "valgrind/callgrind.h"),
        "hand": (HERE / "hand.cpp", [], [], "cmath"),
        "hand SIMD": (HERE / "hand_simd.cpp", [], [], "xsimd/xsimd.hpp"),
        "tapeless": (HERE / "ours.cpp", [], [], "boost/hana.hpp"),
        "tapeless arrays": (HERE / "ours_tensors.cpp", [], ["-lmvec"], "xtensor/xtensor.hpp"),
        "hand and tapeless, LAPACK": (HERE / "gaussian_process.cpp", [], ["-llapacke", "-llapack", "-lblas", "-lmvec"], "lapacke.h"),
        "Eigen AutoDiffScalar": (HERE / "eigen.cpp", eigen, [], "unsupported/Eigen/AutoDiff"),
        "Ceres Jet": (HERE / "ceres.cpp", eigen, [], "ceres/jet.h"),
        "Sacado": (HERE / "sacado.cpp", trilinos,
                   ["-ltrilinos_sacado", "-ltrilinos_teuchoscomm", "-ltrilinos_teuchoscore", "-ltrilinos_kokkoscore"],
                   "Sacado.hpp"),
        "ADOL-C": (HERE / "adolc.cpp", [], ["-ladolc"], "adolc/adolc.h"),
        "Enzyme": (HERE / "enzyme.cpp", [], [], "cmath"),
        "CasADi": ("casadi.cpp", [], [], "cmath"),
        "SymPy": ("sympy.cpp", [], [], "cmath"),
        "SymForce": ("symforce.cpp", eigen, [], "Eigen/Core"),
        "wrenfold": ("wrenfold.cpp", [*eigen, "-isystem", str(site)], [], "wrenfold/span.h"),
    }


def measured(command):
    """CPU seconds and peak megabytes of a command and what it starts, or None where it fails."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        say(f"{shlex.join(map(str, command[-4:]))} failed: {errors[:400]}")
        return None
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def environment(folder):
    """A virtual environment with the packages of Python; those that cannot be installed are left out."""
    python = folder / "venv" / "bin" / "python"
    if not python.exists() and subprocess.run([sys.executable, "-m", "venv", folder / "venv"]).returncode:
        say("no virtual environment, so none of " + ", ".join(PACKAGES))
        return None
    for package in PACKAGES:
        if subprocess.run([python, "-m", "pip", "show", "-q", package], capture_output=True).returncode == 0:
            continue
        say(f"installing {package}")
        if subprocess.run([python, "-m", "pip", "install", "-q", package], capture_output=True).returncode:
            say(f"{package} cannot be installed and is left out")
    return python


def generate(python, folder, operations):
    for name in GENERATORS:
        say(f"{name} generates code")
        done = subprocess.run([python, "-W", "ignore", HERE / "generate.py", name, folder], capture_output=True, text=True)
        if done.returncode:
            (folder / f"{name}.cpp").unlink(missing_ok=True)
            say(f"{name} is left out: {done.stderr.strip().splitlines()[-1:]}")
            continue
        operations[name] = json.loads((folder / f"{name}.json").read_text())


def one_budget_a_problem(compiler):
    """g++ inlines into a file only so much; with all problems of a library in one, some would be slower than alone."""
    option = "--param=inline-unit-growth=1000"
    done = subprocess.run([compiler, option, "-E", "-xc++", "/dev/null"], capture_output=True)
    return [option] if done.returncode == 0 else []


def build(folder, compiler, machine, chosen, prefix):
    """Compiles the units and links the program; the costs of compiling."""
    costs, objects, libraries = [], [], []
    flags = ["-std=c++20", "-O3", f"-march={machine}", "-fPIC", "-fno-semantic-interposition", "-fopenmp-simd", f"-I{HERE}",
             f"-I{ROOT / 'include'}", *one_budget_a_problem(compiler)]
    for name, (source, options, needs, header) in chosen.items():
        source = folder / source
        has = source.exists() and subprocess.run(
            [compiler, *flags, *options, "-include", header, "-E", "-xc++", "/dev/null", "-o", "/dev/null"],
            capture_output=True).returncode == 0
        if not has:
            say(f"{name} is left out: no {header if source.exists() else source.name}")
            continue
        say(f"compiling {source.name} for {machine}")
        target = folder / f"{prefix}_{source.stem}.o"
        cost = measured([compiler, *flags, *options, "-c", source, "-o", target])
        if cost:
            costs.append([name, f"{cost[0]:.1f}", f"{cost[1]:.0f}"])
            objects.append(target)
            libraries += needs
    program = folder / prefix
    subprocess.run([compiler, *objects, *libraries, "-o", program], check=True)
    subprocess.run([compiler, "-shared", *objects, *libraries, "-o", program.with_suffix(".so")], check=True)
    return program, costs


def run_program(program, *arguments, **options):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, **options)


def with_enzyme(python, program, compiler):
    """The command that runs the program in one process with Enzyme, where there is Enzyme."""
    if not python or subprocess.run([python, "-c", "import enzyme_ad.jax"], capture_output=True).returncode:
        return None
    options = subprocess.run([compiler, "-march=native", "-Q", "--help=target"], capture_output=True, text=True).stdout
    processor = re.search(r"^\s+-march=\s+(\S+)", options, re.M)
    return [python, HERE / "enzyme.py", program.with_suffix(".so"), processor[1]] if processor else None


def time_all(program, enzyme, rounds, sizes):
    rows = []
    for problem in NUMBERS + ARRAYS:
        for size in [0] if problem in NUMBERS else FIXED_SIZES.get(problem, sizes):
            rounds_here = max(5, rounds // (4 if size > 10000 else 1))
            done = None
            if enzyme and problem in NUMBERS:
                done = run_program(*enzyme, problem, size, rounds_here)
                if done.returncode:
                    say(f"Enzyme is left out of {problem}: {done.stderr.strip().splitlines()[-1:]}")
                    done = None
            done = done or run_program(program, problem, size, rounds_here)
            if done.stderr:
                say(done.stderr.strip())
            rows += list(csv.reader(done.stdout.splitlines()))
            say(f"{problem} timed" + (f", n = {size}" if size else ""))
    return rows


def time_jax(python, program, folder, rows):
    """Rows of JAX's, as ratios to the hand's median, which is taken in another process."""
    hand = {(r[0], r[1]): float(r[6]) for r in rows if r[2] == "hand"}
    compile_seconds = []
    for (problem, size), reference in hand.items():
        if problem in NUMBERS:
            continue
        run_program(program, problem, size, "dump", folder / "dump", check=True)
        done = run_program(python, HERE / "jax_times.py", problem, size, folder / "dump")
        if done.returncode:
            say(f"JAX is left out of {problem}: {done.stderr.strip().splitlines()[-1:]}")
            continue
        _, _, median, low, high, error, seconds = done.stdout.strip().split(",")
        compile_seconds.append(float(seconds))
        rows.append([problem, size, "JAX", *(f"{float(t) / reference:.4g}" for t in (median, low, high)),
                     f"{float(median):.5g}", f"{float(error):.2g}"])
    return compile_seconds


def count_instructions(program, folder):
    """Instructions of one evaluation, with the functions of libraries that it calls."""
    rows = []
    if not shutil.which("valgrind"):
        say("no valgrind, so no instructions")
        return rows
    for problem in NUMBERS:
        say(f"counting the instructions of {problem}")
        for old in folder.glob("callgrind.*"):
            old.unlink()
        done = run_program("valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.%p",
                           program, problem, 0, "count", env={**os.environ, "LD_BIND_NOW": "1"})
        if done.returncode:
            say(f"callgrind failed on {problem}: {done.stderr[:300]}")
            continue
        for part in folder.glob("callgrind.*.*"):
            text = part.read_text(errors="replace")
            label = re.search(r"Client Request: (\S+) (.*)", text)
            if label:
                rows.append([problem, label[2], re.search(r"^(?:summary|totals): (\d+)", text, re.M)[1]])
    return sorted(rows)


def our_operations(folder, compiler, operations):
    program = folder / "ours_operations"
    subprocess.run([compiler, "-std=c++20", f"-I{ROOT / 'include'}", HERE / "ours_operations.cpp", "-o", program], check=True)
    lines = run_program(program).stdout.split("\n")
    operations["tapeless"] = {p: [int(a), int(d)] for p, a, d in (line.split() for line in lines if line)}


def versions(compiler, python):
    """Where the numbers come from."""
    def first_line(*command):
        done = subprocess.run(command, capture_output=True, text=True)
        return done.stdout.splitlines()[0].strip() if done.returncode == 0 and done.stdout else ""

    def macro(header, name, *options):
        done = subprocess.run([compiler, *options, "-include", header, "-E", "-P", "-xc++", "-"], input=f"VALUE_OF {name}",
                              capture_output=True, text=True)
        value = done.stdout.rpartition("VALUE_OF")[2]
        return "".join(re.findall(r"[\d.]+", value)) if done.returncode == 0 else ""

    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    eigen = ["-isystem", "/usr/include/eigen3"]
    result = {"processor": f"{model[1] if model else 'unknown'}, {os.cpu_count()} cores",
              "compiler": first_line(compiler, "--version") + " -O3 -march=native",
              "Eigen": ".".join(macro("Eigen/Core", f"EIGEN_{part}_VERSION", *eigen)
                                for part in ("WORLD", "MAJOR", "MINOR")),
              "Ceres": macro("ceres/version.h", "CERES_VERSION_STRING", *eigen),
              "Sacado": first_line("dpkg-query", "-W", "-f", "${Version}", "libtrilinos-sacado-dev"),
              "ADOL-C": first_line("dpkg-query", "-W", "-f", "${Version}", "libadolc-dev")}
    for package in PACKAGES if python else []:
        done = subprocess.run([python, "-m", "pip", "show", package], capture_output=True, text=True)
        found = re.search(r"^Version: (.*)", done.stdout, re.M)
        if found:
            result[package] = found[1]
    return {name: value for name, value in result.items() if value.strip(".")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "peers")
    parser.add_argument("--report", action="store_true", help="only draw and write what the CSV files say")
    options = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # all run on one thread
    data = ROOT / "doc" / "benchmarks"
    data.mkdir(exist_ok=True)
    if not options.report:
        folder = options.folder.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        os.chdir(folder)  # ADOL-C writes its tapes where it runs
        compiler = os.environ.get("CXX", "g++")
        operations = {}
        python = environment(folder)
        if python:
            generate(python, folder, operations)
        chosen = units(folder / "venv" / "include" / "site" / f"python3.{sys.version_info.minor}")
        program, costs = build(folder, compiler, "native", chosen, "peers")
        rows = time_all(program, with_enzyme(python, program, compiler), options.rounds, SIZES)
        compile_seconds = time_jax(python, program, folder, rows) if python else []
        if compile_seconds:
            costs.append(["JAX, a problem at run time", f"{sorted(compile_seconds)[len(compile_seconds) // 2]:.1f}", ""])
        report.write_csv(data / "times.csv", "problem,size,library,ratio,quartile1,quartile3,ns,error", rows)
        report.write_csv(data / "compile.csv", "unit,cpu_seconds,megabytes", costs)
        report.write_csv(data / "versions.csv", "what,version", versions(compiler, python).items())

        our_operations(folder, compiler, operations)
        report.write_csv(data / "operations.csv", "problem,library,additions_and_multiplications,divisions",
                         [[p, PRINTED_NAMES.get(library, library), *counts] for library, of in operations.items()
                          for p, counts in of.items()])
        # callgrind does not know AVX-512.
        of_arrays = ("hand SIMD", "tapeless arrays", "hand and tapeless, LAPACK")
        counted = {name: unit for name, unit in chosen.items() if name not in of_arrays}
        instructions = count_instructions(build(folder, compiler, "x86-64-v3", counted, "counted")[0], folder)
        report.write_csv(data / "instructions.csv", "problem,library,instructions", instructions)
    report.write_page(data, ROOT / "doc" / "benchmarks.md")


main()
