"""In gdb: what its printers print is what the library writes, and what a user looks for in results."""
import os

import gdb

gdb.execute(f"source {os.environ['PRINTERS']}")
gdb.execute("break stop")
try:
    gdb.execute("run")
except gdb.error as error:
    print(f"nothing can be debugged here: {error}")
    gdb.execute("quit 77")
gdb.execute("up")
EXPECTED = {
    **{name: gdb.parse_and_eval(f"expected[{i}]").string()
       for i, name in enumerate(["arithmetic", "with_numbers", "condition", "density"])},
    "x": "x", "user": "x + half",
    "of_formula": "{value = 12, gradient = {[x] = 12, [speed of light] = 4}}",
    "with_zero": "{[x] = 3, [speed of light] = 0}",
    "second": "{(x, x) = 6, (x, speed of light) = 4, (speed of light, speed of light) = 0}",
    "rows": "{(0, x) = 3, (0, speed of light) = 2, (1, x) = 1, (1, speed of light) = 0}",
}
faults = [f"{name}: {printed}\n  expected {expected}" for name, expected in EXPECTED.items()
          if (printed := gdb.parse_and_eval(name).format_string()) != expected]
print("\n".join(faults) or f"{len(EXPECTED)} values are as expected")
gdb.execute(f"quit {int(bool(faults))}")
