#!/usr/bin/env python3
"""The module's source, include/tapeless/tapeless.cppm: it exports what the headers declare in some namespaces.

usage: exports.py CLANG [--write]   fails where the file says something else, or writes it"""

import pathlib
import re
import subprocess
import sys
import textwrap

INCLUDE = pathlib.Path(__file__).resolve().parents[3] / "include"
MODULE = INCLUDE / "tapeless/tapeless.cppm"
NAMESPACES = ["tapeless", "tapeless::literals", "tapeless::math", "tapeless::operation", "tapeless::unconnected"]
HEAD = """// `import tapeless;`: <tapeless/tapeless.hpp> as a module. Macros, such as Hana's for structs, still come from headers.
// Written by test/package/module/exports.py.
module;
#include <tapeless/tapeless.hpp>
export module tapeless;
"""


def run_clang(clang, *options, text=""):
    return subprocess.run([clang, "-std=c++20", "-I", INCLUDE, "-fsyntax-only", *options, "-x", "c++", "-"], input=text,
                          capture_output=True, text=True)


def using(namespace, names):
    last = namespace.split("::")[-1]
    declared = f"using {', '.join(f'{last}::{name}' for name in names)};"
    return textwrap.fill(declared, 120, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def module_text(clang):
    header = "#include <tapeless/tapeless.hpp>\n"
    declared = set(run_clang(clang, "-Xclang", "-ast-list", text=header).stdout.splitlines())
    found = {namespace: sorted({match[1] for match in map(re.compile(namespace + r"::(operator\W.*|\w+)").fullmatch, declared)
                                if match}) for namespace in NAMESPACES}
    # Parameters of templates and namespaces are in clang's list too, and cannot be named by `using`.
    lines = [(namespace, name) for namespace in NAMESPACES for name in found[namespace]]
    trial = header + "".join(f"namespace a{i} {{ using {namespace}::{name}; }}\n" for i, (namespace, name) in enumerate(lines))
    refused = {int(line) for line in re.findall(r"^<stdin>:(\d+):\d+: error", run_clang(clang, "-ferror-limit=0", text=trial).stderr,
                                                re.MULTILINE)}
    text = HEAD
    for namespace in NAMESPACES:
        names = [name for line, (where, name) in enumerate(lines, 2) if where == namespace and line not in refused]
        text += f"export namespace {namespace} {{\n{using(namespace, names)}\n}}\n"
    text += "export namespace tapeless {\nusing namespace literals;\n}\n"
    return text


if __name__ == "__main__":
    text = module_text(sys.argv[1])
    if "--write" in sys.argv:
        MODULE.write_text(text)
    elif text != MODULE.read_text():
        sys.exit(f"{MODULE.name} does not export what the headers declare: run {' '.join(sys.argv)} --write")
