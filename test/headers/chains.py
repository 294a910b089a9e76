"""Prints headers as chains, one a line, each header after those that it includes, however indirectly: in one unit that
includes a chain in order, nothing stands before a header but what it includes itself, so that each compiles as if alone.

usage: chains.py INCLUDE_DIRECTORY HEADER..."""
import functools
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
headers = sys.argv[2:]


@functools.cache
def included(header):
    found = {header}
    for other in re.findall(r"^#include <(tapeless/\S+)>", (root / header).read_text(), re.M):
        found |= included(other)
    return found


includers = {header: [other for other in headers if other != header and header in included(other)]
             for header in headers}
successor, predecessor = {}, {}


# As few chains as there can be: a largest matching of headers with their successors, by augmenting paths.
def find_successor(header, tried):
    for other in includers[header]:
        if other not in tried:
            tried.add(other)
            if other not in predecessor or find_successor(predecessor[other], tried):
                successor[header], predecessor[other] = other, header
                return True
    return False


for header in headers:
    find_successor(header, set())
for header in headers:
    if header not in predecessor:
        chain = [header]
        while chain[-1] in successor:
            chain.append(successor[chain[-1]])
        print(*chain)
