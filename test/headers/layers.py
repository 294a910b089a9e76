"""Fails where a header of include/tapeless includes one of a layer above its own: layers.py INCLUDE_DIRECTORY."""
import pathlib
import re
import sys

# From the bottom to the top.
LAYERS = ["core", "math", "operation", "program", "evaluate", "gradient", "loop", "inspect", "interop", "mpi", "."]

root = pathlib.Path(sys.argv[1]) / "tapeless"


def layer(path):
    return path.parts[0] if len(path.parts) > 1 else "."


upward = [f"{path.relative_to(root)} includes {included}"
          for path in sorted(root.rglob("*.hpp"))
          for included in re.findall(r"^#include <tapeless/(\S+)>", path.read_text(), re.M)
          if LAYERS.index(layer(pathlib.Path(included))) > LAYERS.index(layer(path.relative_to(root)))]
print("\n".join(upward))
sys.exit(bool(upward))
