"""Fails where a header of include/tapeless includes one of a floor above its own, or where a folder has more headers than
one looks through: layers.py INCLUDE_DIRECTORY."""
import collections
import pathlib
import re
import sys

# From the bottom to the top. A folder's own headers stand above those of its folders; folders that are not named here
# belong to the one around them.
FLOORS = """
core
math
operation/definition operation/scalar operation/probability operation/matrix operation/tensor operation
program/graph program/rewrite program/lower program/differentiate program/pass program/schedule
evaluate/lanes evaluate/memory evaluate/registers evaluate/loops evaluate/kernels evaluate
gradient
loop
inspect
emit
interop
mpi
.
""".split()
MOST_HEADERS = 25

root = pathlib.Path(sys.argv[1]) / "tapeless"
headers = sorted(path.relative_to(root) for path in root.rglob("*.hpp"))


def floor(path):
    return FLOORS.index(next(str(folder) for folder in path.parents if str(folder) in FLOORS))


faults = [f"{header} includes {included}"
          for header in headers
          for included in re.findall(r"^#include <tapeless/(\S+)>", (root / header).read_text(), re.M)
          if floor(pathlib.Path(included)) > floor(header)]
faults += [f"{folder} has {count} headers, more than {MOST_HEADERS}"
           for folder, count in collections.Counter(header.parent for header in headers).items() if count > MOST_HEADERS]
print("\n".join(faults))
sys.exit(bool(faults))
