"""Each time on README.md stands on doc/benchmarks.md too, in the table with the same head and in the row of the same name."""
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
for row in wrong:
    print(row, shown[row], "is not", measured.get(row))
sys.exit(1 if wrong or len(shown) < 10 else 0)
