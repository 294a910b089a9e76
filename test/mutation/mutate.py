#!/usr/bin/env python3
"""Breaks the library in one place at a time and reports what no test notices: ./dev mutate.

Each mutant is a copy of include/ with one change: a condition negated, a conjunct or a disjunct dropped, a comparison or
a constant off by one, a sum for a difference, two arguments swapped, a statement left out. Killers are tried in the
order of what they cost and how often they noticed mutants of the same file: tests of test/compile_time, of which
compiling is passing, then the programs of this folder and some other tests. Before these, at_once.py tries fifty or
more mutants on what it can compile once for all of them. A mutant that does not compile for another reason than a
failed static_assert or constant evaluation does not count. Survivors that explained.txt explains are not reported.
"""
import argparse
import atexit
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from at_once import try_at_once
from mutations import ROOT, mutations_of, run

HERE = ROOT / "test/mutation"
FOLDERS = ["program", "evaluate", "loop"]
# What only checks, and functions of lanes, whose coefficients and machines tensor.lanes_test tries.
LEFT_OUT = ("verify", "node_by_node", "as_recorded", "lanes")
COMPILER = os.environ.get("CXX", "clang++-19")
FLAGS = ["-std=c++20", "-w", "-ferror-limit=1", "-DTAPELESS_VERIFY", "-DTAPELESS_NO_ALWAYS_INLINE"]
# What compiling checks, and what runs. Costs are measured before the first mutant.
COMPILED = ["rewrites", "packs", "pair_rows", "schedule"]
PROGRAMS = ["numbers", "loops", "tensors", "arrays"]
# Which of them first, before anything is learned of a file: the chance to notice, where a name begins like that.
CHANCES = {
    "rules": {"program/(arithmetic|sum|move|logic)_rules|program/(fold|rewriter|finish)": 0.9},
    "rewrites": {"program/(arithmetic|sum|move|logic)_rules|program/(fold|rewriter)": 0.6, "program/(builder|growing|node|axes|copy)": 0.3},
    "packs": {"program/packs": 0.7, "evaluate/pack": 0.3},
    "pair_rows": {"program/(pair_rows|finish)": 0.7},
    "schedule": {"program/(schedule|form_kernels|sharding)": 0.6, "program/(number_axes|united|spread|uses|tensor_)": 0.3},
    "numbers": {"program/(forward|reverse|rule|flow|activity|pass|finish|copy|trace|lower|number_l|record)": 0.6,
                "program/|evaluate/(scalar|step|traced)": 0.4},
    "loops": {"program/loop|loop/|evaluate/(scan|run_loop|checkpoints|loop_values|pack)": 0.7, "program/sequence": 0.7},
    "tensors": {"program/loop|loop/|evaluate/(scan|run_loop|checkpoints|loop_values|pack|matri|move)": 0.05,
                "evaluate/|program/(tensor|axes|broadcast|number_axes|united|reduced|spread|schedule|form)": 0.6, "": 0.2},
    "arrays": {"program/(matrix|einsum|move)|evaluate/(matri|move)": 0.7, "program/loop|loop/": 0.05, "": 0.3},
    "extents": {"program/(tensor|axes|broadcast|number_axes|united|lower_t|reduced|move|schedule|form)": 0.4,
                "evaluate/(plan|kernel|move|matri|index|tensor|buffers|phase|step)": 0.2},
    "selections": {"program/(loop|flow|reach|forward|reverse|rule)": 0.5},
    "random_tensors": {"program/(loop|sequence|packs|pair_rows|record|trace|spread|sharding|lower_t|matrix|einsum|tuning|program)": 0.1,
                       "program/|evaluate/nest": 0.9},
    "random_numbers": {"program/(loop|sequence|packs|pair_rows|record|trace|spread|sharding|tensor|lower_t|matrix|einsum|tuning|program|"
                       "schedule|form_k|broadcast|united|number_a|move|reduced|uses)": 0.05,
                       "program/": 0.9},
}
# Tests of other folders, with Boost.Test: the last for what the programs of this folder do not notice.
TESTS = {"rules": "program/rules", "random_tensors": "program/random_tensors", "random_numbers": "program/random_numbers",
         "extents": "tensor/extents", "selections": "loop/selections"}
# Tests that call at run time what others have evaluated by the compiler.
AT_ONCE = ["random_tensors", "random_numbers"]
SYSTEM_HEADERS = """array atomic bit cmath complex concepts cstddef cstdint cstdio cstdlib cstring functional limits
memory new numbers numeric optional random span sstream stdexcept string string_view thread tuple type_traits utility
variant vector xtensor/xarray.hpp xtensor/xtensor.hpp xtensor/xfixed.hpp xtensor/xview.hpp xsimd/xsimd.hpp"""


def begins(name, file):
    """Whether a header's first folder and own name, folders between them left out, begin like that."""
    return re.match(name, re.sub("/.*/", "/", file))


class Killer:
    """A test: `compile` gives the command, and a program is run afterwards."""

    def __init__(self, name, source, runs, extra=()):
        self.name, self.source, self.runs, self.extra, self.cost = name, source, runs, list(extra), 1.0

    def try_on(self, include, work, limit):
        """'passed', 'killed', or 'invalid' with the first message."""
        begin = resource.getrusage(resource.RUSAGE_CHILDREN)
        output = work / "program"
        command = [COMPILER, *FLAGS, "-I", str(include)]
        pch = work / "system.pch"
        if pch.exists() and not self.extra:
            command += ["-include-pch", str(pch)]
        command += ["-O0", *self.extra, str(self.source), "-o", str(output)] if self.runs else ["-fsyntax-only", str(self.source)]
        result, message = "passed", ""
        code, text = run(command, limit)
        if code != 0:
            first = next((line for line in text.split("\n") if "error:" in line), text[:200])
            result = "invalid" if "error:" in first and not re.search(
                r"static assertion failed|constant expression|is not a constant|tapeless:(?!:)|constexpr evaluation", first) else "killed"
            if "linker command failed" in first or "undefined reference" in text:
                result = "invalid"
            message = first.split("error:")[-1].strip()[:160]
        elif self.runs:
            code, text = run([str(output)], limit)
            if code != 0:
                result, message = "killed", text.strip().split("\n")[0][:160] or f"exit {code}"
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
        return result, message


def read_explained():
    reasons = {}
    path = HERE / "explained.txt"
    for block in path.read_text().split("\n\n") if path.exists() else []:
        lines = [line for line in block.split("\n") if line and not line.startswith("#")]
        if len(lines) == 4:
            reasons[(lines[0], " ".join(lines[1].split()), lines[2])] = lines[3]
    return reasons


def main():
    arguments = argparse.ArgumentParser(description="Breaks the library in one place at a time; reports what no test notices.")
    arguments.add_argument("--count", type=int, default=300, help="how many mutants that compile")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--files", nargs="*", default=[], help="only these, such as program/rewrite/fold.hpp")
    arguments.add_argument("--again", metavar="RESULTS", help="only the survivors in these results")
    arguments.add_argument("--thorough", nargs="*", default=[], metavar="TEST", help="tests to try survivors on, such as test/loop/scan_test.cpp")
    arguments.add_argument("--minutes", type=float, default=1e9, help="stop after that long; 0 tries only those that can be tried at once")
    arguments.add_argument("--list", action="store_true", help="only list the mutants")
    arguments.add_argument("--results", default=str(ROOT / "build/mutation/results.json"))
    options = arguments.parse_args()

    paths = [path for folder in FOLDERS for path in sorted((ROOT / "include/tapeless" / folder).rglob("*.hpp"))
             if not path.name.startswith(LEFT_OUT)]
    if options.files:
        paths = [path for path in paths if any(str(path).endswith(file) for file in options.files)]
    mutants = [mutation for path in paths for mutation in mutations_of(path)]
    random.Random(options.seed).shuffle(mutants)
    explained = read_explained()
    if options.again:
        survivors = {tuple(key) for key in json.loads(Path(options.again).read_text())["survivors"]}
        mutants = [mutation for mutation in mutants if mutation.key() in survivors]
    if options.list:
        for mutation in mutants[:options.count]:
            print(*mutation.key(), sep=": ")
        return print(len(mutants), "mutants")

    results = Path(options.results)
    results.parent.mkdir(parents=True, exist_ok=True)
    learned_path = results.parent / "learned.json"
    learned = json.loads(learned_path.read_text()) if learned_path.exists() else {}
    work = Path(tempfile.mkdtemp(prefix="mutate-"))
    atexit.register(shutil.rmtree, work, ignore_errors=True)
    include = work / "include"
    shutil.copytree(ROOT / "include", include)
    killers = [Killer(name, ROOT / f"test/compile_time/{name}.cpp", False) for name in COMPILED]
    killers += [Killer(name, HERE / f"{name}.cpp", True) for name in PROGRAMS]
    boost = ["-DBOOST_TEST_DYN_LINK", str(ROOT / "test/main.cpp"), "-lboost_unit_test_framework"]
    killers += [Killer(name, ROOT / f"test/{test}_test.cpp", True, boost) for name, test in TESTS.items()]
    last = [Killer(test.replace("/", "_"), ROOT / test, "compile_time" not in test, boost if "compile_time" not in test else []) for test in options.thorough]
    (work / "system.hpp").write_text("".join(f"#include <{header}>\n" for header in SYSTEM_HEADERS.split()))
    code, text = run([COMPILER, *FLAGS, "-O0", "-x", "c++-header", str(work / "system.hpp"), "-o", str(work / "system.pch")], 200)
    if code != 0:
        sys.exit("mutate: the precompiled header fails:\n" + text)
    state = hashlib.sha256(b"".join(path.read_bytes() for folder in (ROOT / "include", ROOT / "test/compile_time", HERE)
                                    for path in sorted(folder.rglob("*.[hc]pp")))).hexdigest()
    costs = learned["costs"] if learned.get("state") == state else {}
    learned["state"], learned["costs"] = state, costs
    for killer in killers + last if options.minutes else []:
        if killer.name in costs:
            killer.cost = costs[killer.name]
            continue
        result, message = killer.try_on(include, work, 600)
        if result != "passed":
            sys.exit(f"mutate: {killer.name} fails without a mutant: {message}")
        killer.cost = max(killer.seconds, 0.1)
        costs[killer.name] = killer.cost
        learned_path.write_text(json.dumps(learned, indent=1))
        print(f"{killer.name}: {killer.cost:.1f} s", flush=True)

    signal.signal(signal.SIGTERM, lambda *_: sys.exit("mutate: stopped"))
    tried, invalid, survivors, reasoned, seconds = [], 0, [], 0, 0.0
    begin = time.monotonic()

    log = open(results.with_suffix(".log"), "w")

    def tell(mutation, verdict, by, message):
        print(f"{verdict} {by}: {mutation.file}:{mutation.line + 1}: {mutation.change()}: {message}", file=log, flush=True)

    def save():
        results.write_text(json.dumps({"tried": tried, "survivors": [m.key() for m in survivors], "invalid": invalid}, indent=1))
        learned_path.write_text(json.dumps(learned, indent=1))

    noticed = {}
    if options.count >= 50:
        programs = [(name, ROOT / f"test/{TESTS[name]}_test.cpp", ["-O1", *boost]) for name in AT_ONCE]
        programs += [(killer.name, killer.source, ["-O0", *killer.extra]) for killer in killers + last
                     if killer.runs and killer.name not in (*AT_ONCE, "rules")]  # half a minute a run
        noticed = try_at_once(mutants[:options.count], work, COMPILER, FLAGS, programs, tell)
    for number, mutation in enumerate(mutants):
        if len(tried) >= options.count:
            break
        if number in noticed:
            tried.append([*mutation.key(), "killed", *noticed[number]])
            continue
        if time.monotonic() - begin > 60 * options.minutes:
            continue
        path = include / "tapeless" / mutation.file
        original = path.read_text()
        lines = original.split("\n")
        line = lines[mutation.line]
        lines[mutation.line] = line[:mutation.begin] + mutation.new + line[mutation.end:]
        path.write_text("\n".join(lines))
        notes = learned.setdefault(mutation.file, {})

        def worth(killer):
            kills, tries = notes.get(killer.name, [0, 0])
            chances = CHANCES.get(killer.name, {})
            chance = next((value for name, value in chances.items() if begins(name, mutation.file)), 0.05)
            return -(kills + 2 * chance) / (tries + 2) / killer.cost

        verdict, by, message = "survived", "", ""
        # Tests of one header alone notice nothing elsewhere.
        able = [killer for killer in killers if killer.name not in (*TESTS, "packs", "pair_rows", "rewrites") or
                next((chance for name, chance in CHANCES[killer.name].items() if begins(name, mutation.file)), 0) > 0.1]
        for killer in sorted(able, key=worth) + last:
            result, message = killer.try_on(include, work, 20 + 5 * killer.cost)
            seconds += killer.seconds
            if result == "invalid":
                verdict = "invalid"
                break
            count = notes.setdefault(killer.name, [0, 0])
            count[1] += 1
            if result == "killed":
                count[0] += 1
                verdict, by = "killed", killer.name
                break
        path.write_text(original)
        tell(mutation, verdict, by, message)
        if verdict == "invalid":
            invalid += 1
            continue
        tried.append([*mutation.key(), verdict, by, message])
        if verdict == "survived" and mutation.key() in explained:
            reasoned += 1
        elif verdict == "survived":
            survivors.append(mutation)
            print(f"survived: {mutation.file}:{mutation.line + 1}: {mutation.change()}\n    {mutation.text.strip()}", flush=True)
        if len(tried) % 5 == 0:
            save()
            print(f"... {len(tried)} mutants, {len(survivors)} survivors, {seconds / len(tried):.1f} s each", flush=True)
    save()
    print(f"\n{len(tried)} mutants, {invalid} more did not compile; {len(tried) - len(survivors) - reasoned} noticed, "
          f"{reasoned} explained, {len(survivors)} survived; {seconds / max(len(tried), 1):.1f} s each")
    by = {}
    for *_, verdict, killer, _ in tried:
        by[killer or verdict] = by.get(killer or verdict, 0) + 1
    for name, count in sorted(by.items(), key=lambda item: -item[1]):
        print(f"  {name}: {count}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
