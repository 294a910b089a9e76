"""The table of names in doc/pitfalls.md has each name of namespace tapeless that is one word and is not in C's math.h."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(root / "doc/site"))
sys.dont_write_bytecode = True
import docstrings

MATH_H = set("""abs acos acosh asin asinh atan atanh cbrt ceil copysign cos cosh erf erfc exp fabs floor fma fmax fmin fmod hypot
                lgamma log pow round sin sinh sqrt tan tanh tgamma trunc""".split())
NOT_AT_GLOBAL_SCOPE = {"operator", "characters"}

declared = {one.name for path in docstrings.INCLUDE.rglob("*.hpp") for one in docstrings.of_header(path)}
declared |= set(re.findall(r"tapeless::(\w+)", (docstrings.INCLUDE / "tapeless/tapeless.cppm").read_text()))
names = {name for name in declared if re.fullmatch("[A-Za-z][a-z]*", name)} - MATH_H - NOT_AT_GLOBAL_SCOPE
page = (root / "doc/pitfalls.md").read_text()
section = re.search(r"^## Names$(.*?)^## ", page, re.DOTALL | re.MULTILINE)[1]
table = set(re.findall(r"`(\w+)`", "".join(line for line in section.splitlines() if line.startswith("|"))))
print("not in the table:", *sorted(names - table))
print("not in the library:", *sorted(table - names))
sys.exit(names != table or len(names) < 50)
