"""Times the derivatives of tapeless's tool for GradBench beside those of GradBench's own tools in C++.

  times.py TOOL FOLDER [--evals EVAL...] [--limit SECONDS] [--page FILE]

FOLDER is a checkout of GradBench. Its tools are built there by its makefiles, with the compiler of CXX and
-march=native, that for Enzyme by the compiler in the package enzyme-ad. What does not build is left out, with a line
that says so. GradBench's own evals make the inputs, three sizes each. A tool gets each input by GradBench's interface
and times itself; its fastest evaluation counts. Outputs must agree with those of the derivatives by hand, to
GradBench's 1e-4, or the tool is left out of the row. One that takes longer than the limit with all of an input's
evaluations is left out of it and of larger ones. The table is written to the page, between its two comments.
"""

import argparse
import functools
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile

from check import Tool, error

HERE = pathlib.Path(__file__).parent

# The function, that of its derivatives, and the options of GradBench's eval that choose small, middle and large inputs.
INPUTS = {
    "lse": ("primal", "gradient", "-n 2500", "-n 80000", "-n 1280000"),
    "llsq": ("primal", "gradient", "-n 16", "-n 512", "-n 16392"),
    "gmm": ("objective", "jacobian", "-d 2 -k 5", "-d 10 -k 25", "-d 32 -k 50"),
    "kmeans": ("cost", "dir", "-k 10 -n 1000 -d 8", "-k 100 -n 1000 -d 16", "-k 100 -n 10000 -d 16"),
    "ba": ("objective", "jacobian", "--min 1 --max 1", "--min 5 --max 5", "--min 10 --max 10"),
    "ht": ("objective", "jacobian", "--min 1 --max 1", "--min 6 --max 6", "--min 11 --max 11"),
    "lstm": ("objective", "jacobian", "-l 2 -c 1024", "-l 6 -c 1024", "-l 6 -c 4096"),
    "ode": ("primal", "gradient", "-n 1000 -s 1", "-n 10000 -s 10", "-n 100000 -s 10"),
    "det": ("primal", "gradient", "-l 5", "-l 8", "-l 10"),
    "particle": (None, "rr", ""),
    "saddle": (None, "rr", ""),
}
TOOLS = {
    "manual": "by hand",
    "tapenade": "Tapenade",
    "codipack": "CoDiPack",
    "adept": "Adept",
    "adol-c": "ADOL-C",
    "cppad": "CppAD",
    "finite": "finite differences",
    "enzyme": "Enzyme",
}
RUNS = "--min-runs=3", "--min-seconds=0.25"
MEMORY = 12 << 30  # bytes that a tool may take
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}


def build(folder, eval_, limit):
    """The tools that have this eval and build here: functions that give what a tool writes, or None where it fails."""
    # Tapenade's makefile leaves out -march=native.
    compilers = [f"CXX={os.environ.get('CXX', 'g++')} -march=native -I/usr/include/nlohmann",
                 f"CC={os.environ.get('CC', 'gcc')} -march=native"]
    built = {}
    for tool in TOOLS:
        home = folder / "tools" / tool
        if not (home / f"{eval_}.cpp").exists():
            continue
        if tool == "enzyme":
            command = [sys.executable, HERE / "enzyme_tool.py", folder, eval_, str(limit)]
            process = subprocess.Popen(command, **PIPES, stderr=subprocess.DEVNULL)
            works, errors = process.stdout.readline(), ""
            built[tool] = functools.partial(ask_enzyme, process)
        else:
            done = subprocess.run(["make", "-C", home, *compilers, f"bin/{eval_}"], capture_output=True, text=True)
            works, errors = done.returncode == 0, done.stderr
            built[tool] = functools.partial(ask, home / "bin" / eval_, limit)
        if not works:
            del built[tool]
            print(f"{eval_}: {TOOLS[tool]} is left out", *re.findall(".*error.*", errors)[:1])
    return built


def ask(program, limit, file, function):
    try:
        done = subprocess.run([program, file, function], timeout=limit, capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        return done.stdout if done.returncode == 0 else None
    except subprocess.TimeoutExpired:
        return None


def ask_enzyme(process, file, function):
    process.stdin.write(f"{file} {function}\n")
    process.stdin.flush()
    output = process.stdout.readline().strip()
    return pathlib.Path(output).read_text() if output else None


def problem(folder, eval_, function, options):
    """The message by which GradBench's eval asks for the function. A failure is an answer that needs no validation."""
    script = [sys.executable, f"python/gradbench/gradbench/evals/{eval_}/run.py", *options.split(), *RUNS]
    process = subprocess.Popen(script, **PIPES, cwd=folder, env=os.environ | {"PYTHONPATH": "python/gradbench"})
    found = None
    for line in process.stdout:
        message = json.loads(line)
        if message["kind"] == "evaluate" and message["function"] == function:
            found = message
        if message["kind"] == "end":
            break
        process.stdin.write(json.dumps({"id": message["id"], "success": message["kind"] == "define"}) + "\n")
        process.stdin.flush()
    process.communicate()
    return found


def milliseconds(answer):
    return min(t["nanoseconds"] for t in answer["timings"] if t["name"] == "evaluate") / 1e6


def row(ours, message, primal, tools):
    """The cells of the table; tools that fail are removed."""
    name, size = message["module"], message["description"] if primal else message["function"]
    function = short(milliseconds(ours.ask(**message | {"function": primal}))) if primal else ""
    answers = {"ours": ours.ask(**message)}
    with tempfile.NamedTemporaryFile("w") as file:
        json.dump(message["input"], file)
        file.flush()
        for tool in list(tools):
            if text := tools[tool](file.name, message["function"]):
                output, *timings = map(json.loads, text.splitlines())
                answers[tool] = {"output": output, "timings": timings}
            else:
                print(f"{name} {size}: {TOOLS[tool]} failed, or took too long")
                del tools[tool]
    reference = answers.get("manual", answers["ours"])["output"]
    times = {}
    for tool, answer in answers.items():
        off = error(answer["output"], reference)
        if off < 1e-4:
            times[tool] = milliseconds(answer)
        else:
            print(f"{name} {size}: {tool} is off by {off:.1e}")
    print(f"{name:9}{size:28}" + ", ".join(f"{tool} {time:.4g}" for tool, time in times.items()) + " ms", flush=True)
    mine = times.pop("ours")
    hand = times.pop("manual", None)
    best = min(times, key=times.get, default=None)
    return [f"`{name}`", size, function, short(mine), short(mine / hand) if hand else "",
            f"{short(mine / times[best])} ({TOOLS[best]})" if best else ""]


def short(number):
    return f"{number:.0f}" if number >= 100 else f"{number:.2g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--evals", nargs="+", default=list(INPUTS))
    parser.add_argument("--limit", type=int, default=6)
    parser.add_argument("--page", type=pathlib.Path)
    arguments = parser.parse_args()

    ours = Tool(shlex.split(arguments.tool))
    lines = ["| eval | input | function, ms | derivatives, ms | / by hand | / the fastest other |", "|---" * 6 + "|"]
    for eval_ in arguments.evals:
        tools = build(arguments.folder.resolve(), eval_, arguments.limit)
        primal, function, *inputs = INPUTS[eval_]
        for options in inputs:
            message = problem(arguments.folder, eval_, function, options)
            if not message:
                print(f"{eval_} {options}: GradBench's eval has no such input here")
                continue
            lines.append("| " + " | ".join(row(ours, message, primal, tools)) + " |")
    table = "\n".join(lines)
    print(table)
    if arguments.page:
        text = arguments.page.read_text()
        mark = r"(<!-- table gradbench -->\n).*?(<!-- end -->)"
        arguments.page.write_text(re.sub(mark, lambda m: m[1] + table + "\n" + m[2], text, flags=re.S))


main()
