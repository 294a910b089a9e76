"""Each time on README.md stands on doc/benchmarks.md too, in the table with the same head and in the row of the same name,
and README.md lists each cell in which tapeless is slower."""
import pathlib
import sys

root = pathlib.Path(__file__).parents[2]


def tables(path):
    """The tables of times of a page: the cells of each row by the head and the row's name, without quartiles."""
    result, head = {}, None
    for line in path.read_text().splitlines():
        cells = [cell.strip().split(" (")[0] for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            head = None
        elif line.startswith("| time / hand"):
            head = line
        elif head and not line.startswith("|---"):
            result[head, cells[0]] = cells[1:]
    return result


measured, shown = tables(root / "doc/benchmarks.md"), tables(root / "README.md")
wrong = [row for row in shown if shown[row] != measured.get(row)]

slower = set()
for (head, library), times in shown.items():
    problems, ours = [cell.strip() for cell in head.strip("|").split("|")[1:]], shown[head, "tapeless"]
    slower |= {f"{library}: {problem} {our} against {time}" for problem, our, time in zip(problems, ours, times)
               if library != "tapeless" and time and float(our) > float(time)}
    slower |= {f"hand-written code (1): {problem} {our}" for problem, our in zip(problems, ours) if float(our) > 1}
listed, inside = set(), False
for line in (root / "README.md").read_text().splitlines():
    inside = line.startswith("|") and (inside or line.startswith("| than "))
    if inside and not line.startswith(("| than ", "|---")):
        library, cells = (cell.strip() for cell in line.strip("|").split("|"))
        library = library.replace("hand-written SIMD code", "hand SIMD")
        listed |= {f"{library}: {cell}" for cell in cells.split(", ")}
for cell in slower ^ listed:
    print(cell, "is not listed" if cell in slower else "is listed but not so in the tables")
for row in wrong:
    print(row, shown[row], "is not", measured.get(row))
sys.exit(1 if wrong or slower != listed or len(shown) < 10 else 0)
