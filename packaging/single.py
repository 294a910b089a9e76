#!/usr/bin/env python3
"""Writes the library as a single header: what <tapeless/tapeless.hpp> includes, or with --tensor <tapeless/xtensor.hpp>.
Headers of other libraries stay includes."""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = ROOT / "include"
OWN = re.compile(r"#include <(tapeless/[^>]+)>")
OTHER = re.compile(r"#include <[^>]+>")
# What each header has once for itself, and the single one at its top.
QUIET = "#ifndef TAPELESS_SHOW_WARNINGS\n#pragma GCC system_header\n#endif\n"


class Single:
    def __init__(self):
        self.text = []
        self.others = set()
        self.condition_of = {}  # header to the condition under which it is included, None if there is none

    def add(self, header, condition=None):
        """Appends a header if it is not there; with a condition, between the lines that are there already."""
        path = INCLUDE / header
        source = path.read_text()
        if "#pragma once\n" in source:
            if header in self.condition_of:
                if self.condition_of[header] not in (None, condition):
                    sys.exit(f"{header} is included under {self.condition_of[header]}, and elsewhere")
                return
            self.condition_of[header] = condition
        if condition:  # what it includes is also wanted where the condition does not hold
            source = OWN.sub(lambda match: self.included_first(match[1]), source)
        outer = []
        for line in source.replace("#pragma once\n", "", 1).replace(QUIET, "", 1).splitlines():
            if re.match(r"#if", line):
                outer.append((line, len(self.text)))
            elif line.startswith("#endif"):
                outer.pop()
            if match := OWN.match(line):
                self.add_in_place(match[1], outer) if outer else self.add(match[1], condition)
            elif OTHER.match(line) and not outer and not condition:
                self.others.add(line)
            else:
                self.text.append(line)

    def included_first(self, header):
        if self.condition_of.get(header, "") is not None:
            sys.exit(f"{header} is included under a condition alone")
        return ""

    def add_in_place(self, header, outer):
        """Appends a header that an #if surrounds; what it includes stands before the #if."""
        if len(outer) > 1:
            sys.exit(f"{header} is included under two conditions")
        condition, line = outer[0]
        below = self.text[line:]
        del self.text[line:]
        for needed in OWN.findall((INCLUDE / header).read_text()):
            self.add(needed)
        outer[0] = condition, len(self.text)
        self.text += below
        self.add(header, condition)


def single(header):
    result = Single()
    result.add(header)
    version = ".".join(re.findall(r"^#define TAPELESS_VERSION_[A-Z]+ (\d+)$", (INCLUDE / "tapeless/version.hpp").read_text(),
                                  re.MULTILINE))
    top = [f"tapeless {version}: <{header}> as a single header, written by packaging/single.py.", "",
           *(ROOT / "LICENSE").read_text().splitlines()]
    text = "\n".join([*(f"// {line}".rstrip() for line in top), "#pragma once", QUIET, *sorted(result.others), "",
                      *result.text, ""])
    return re.sub(r"\n{3,}", "\n\n", text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tensor", action="store_true", help="with operations on tensors")
    parser.add_argument("file", type=pathlib.Path)
    given = parser.parse_args()
    given.file.parent.mkdir(parents=True, exist_ok=True)
    given.file.write_text(single("tapeless/xtensor.hpp" if given.tensor else "tapeless/tapeless.hpp"))
