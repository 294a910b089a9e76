"""Tables and plots of the measured numbers; the tables stand in the page between two comments each."""

import csv
import re
import shutil
import subprocess

NUMBERS = ["S1", "S2", "S3", "S4", "S5"]
ORDER = ["tapeless", "hand", "hand SIMD", "CasADi", "wrenfold", "SymForce", "SymPy", "Enzyme", "Eigen AutoDiffScalar",
         "Ceres Jet", "Sacado SFad", "Sacado Rad", "ADOL-C", "JAX"]
SYMBOLS = dict(zip(ORDER, [7, 5, 4, 9, 11, 13, 8, 10, 12, 1, 2, 3, 6, 15]))  # of gnuplot, the same in all plots
# Those of the examples' pictures.
COLOURS = ["#d55e00", "#303030", "#909090", "#0072b2", "#009e73", "#e69f00", "#56b4e9", "#cc79a7"]
STOPS = ["TD", "TS"]  # without a stop, and with it
LIMIT = 6  # of the axis in the plot of NUMBERS


def write_csv(file, head, rows):
    with open(file, "w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(head.split(","))
        writer.writerows(rows)


def read_csv(file):
    with open(file, newline="") as stream:
        return list(csv.DictReader(stream))


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def by_library(rows, columns, cell):
    """A row a library, in the usual order; `cell` of what a library has in a column."""
    found = {(r["library"], column_of(r)): r for r in rows}
    return [[library, *(cell(found[library, c]) if (library, c) in found else "" for c in columns)]
            for library in ORDER if any((library, c) in found for c in columns)]


def column_of(row):
    return (row["problem"], row["size"]) if row.get("size") not in (None, "", "0") else row["problem"]


def short(number):
    number = float(number)
    return f"{number:.2f}" if number < 9.995 else f"{number:.3g}" if number < 999.5 else f"{number:.0f}"


def ratio(row):
    if row["library"] == "hand":
        return "1"
    return f"{short(row['ratio'])} ({short(row['quartile1'])} to {short(row['quartile3'])})"


def draw(lines):
    if shutil.which("gnuplot"):
        subprocess.run(["gnuplot", "-d"], input="\n".join(lines), text=True, check=True)
    else:
        print("peers: no gnuplot, so no plots")


def plot_numbers(times, file):
    """A row a library, a point a problem: its time over that of hand-written code, on a logarithmic axis up to LIMIT.
    Points beyond it are arrows with their number; libraries that have only such points stand in a note."""
    ratios = {}
    for row in times:
        if row["problem"] in NUMBERS and row["library"] != "hand":
            ratios.setdefault(row["library"], {})[row["problem"]] = float(row["ratio"])
    shown = [l for l in ORDER if l in ratios and min(ratios[l].values()) <= LIMIT]
    beyond = [f"{l} ({min(ratios[l].values()):.0f} to {max(ratios[l].values()):.0f})" for l in ORDER
              if l in ratios and l not in shown]
    lines = [f"set terminal svg size 560,{120 + 34 * len(shown)} font 'sans-serif,13' background 'white'",
             f"set output '{file}'\nset logscale x\nset xrange [0.8:{LIMIT}]\nset yrange [{len(shown) - 0.4}:-0.6]",
             "set border 1 lc rgb '#606060'\nset xtics nomirror out tc rgb '#404040' (1, 1.5, 2, 3, 4, 5, 6)",
             "set ytics scale 0 tc rgb '#404040' (" + ", ".join(f"'{l}' {i}" for i, l in enumerate(shown)) + ")",
             "set title 'time / time of hand-written code' offset 0,-0.6\nset tmargin 2\nset bmargin 5.5\nset rmargin 4",
             "set key at screen 0.63,0.11 center center horizontal reverse Left samplen 0.5 width 2",
             "set grid ytics lc rgb '#dddddd'",
             f"set arrow 1 from 1, -0.6 to 1, {len(shown) - 0.4} nohead back lc rgb '#909090'"]
    if beyond:
        lines.append(f"set label 'not shown: {', '.join(beyond)}' at screen 0.63,0.04 center tc rgb '#404040'")
    plots = []
    for k, problem in enumerate(NUMBERS):
        points = ""
        for i, library in enumerate(shown):
            number = ratios[library].get(problem)
            height = i + 0.13 * (k - 2)
            if number is not None and number <= LIMIT:
                points += f"{number:.4g} {height:.2f}\n"
            elif number is not None:
                lines.append(f"set arrow from {0.93 * LIMIT}, {height:.2f} to {LIMIT}, {height:.2f} lw 2 lc rgb '{COLOURS[k]}'")
                lines.append(f"set label '{short(number)}' at {0.91 * LIMIT}, {height:.2f} right tc rgb '{COLOURS[k]}'")
        lines.append(f"${problem} << EOD\n{points}EOD")
        plots.append(f"${problem} with points pt 7 ps 0.7 lc rgb '{COLOURS[k]}' title '{problem}'")
    draw([*lines, "plot " + ", ".join(plots)])


def to_ours(times):
    """The ratio of each library's time to that of tapeless."""
    ours = {column_of(r): float(r["ratio"]) for r in times if r["library"] == "tapeless"}
    return {(r["library"], column_of(r)): float(r["ratio"]) / ours[column_of(r)] for r in times if column_of(r) in ours}


def plot(times, columns, names, file):
    """Horizontal groups: a problem, a point a library, its time over ours on a logarithmic axis."""
    ratios = to_ours(times)
    libraries = [l for l in ORDER if any((l, c) in ratios for c in columns)]
    lines = [f"set terminal svg size 560,500 font 'sans-serif,13' background 'white'\nset output '{file}'",
             "set logscale y\nset title 'time / time of tapeless' offset 0,-0.6\nset grid ytics lc rgb '#dddddd'\n"
             "set key outside bottom center horizontal reverse Left samplen 1 width 1\n"
             f"set xrange [-0.5:{len(columns) - 0.5}]\nset xtics (" +
             ", ".join(f"'{n}' {i}" for i, n in enumerate(names)) + ")\n"
             "set border 3 lc rgb '#606060'\nset tics nomirror out tc rgb '#404040'"]
    for i, library in enumerate(libraries):
        points = "\n".join(f"{k + (i - len(libraries) / 2) * 0.07:.3f} {ratios[library, c]:.4g}"
                           for k, c in enumerate(columns) if (library, c) in ratios)
        lines.append(f"$data{i} << EOD\n{points}\nEOD")
    lines.append("plot " + ", ".join(
        f"$data{i} with points pt {SYMBOLS[l]} ps 1.1 lc rgb '{COLOURS[ORDER.index(l) % len(COLOURS)]}' title '{l}'"
        for i, l in enumerate(libraries)) + ", 1 with lines lc rgb '#888888' notitle")
    draw(lines)


def savings(times):
    """A row a library that can stop: its times for the problem without and with the stop, and their ratio."""
    rows = {(r["library"], r["problem"]): r for r in times if r["problem"] in STOPS}
    both = [library for library in ORDER if all((library, problem) in rows for problem in STOPS)]
    microseconds = {key: float(row["ns"]) / 1000 for key, row in rows.items()}
    return [[library, *(short(microseconds[library, problem]) for problem in STOPS),
             short(microseconds[library, "TS"] / microseconds[library, "TD"])] for library in both]


def write_page(data, page):
    times = read_csv(data / "times.csv")
    saved = savings(times)
    times = [r for r in times if r["problem"] not in STOPS]
    arrays = sorted({(r["problem"], r["size"]) for r in times if r["problem"] not in NUMBERS},
                    key=lambda c: (["V1", "V2", "V3", "V4", "V5", "BS", "NN", "RK", "HE", "GP"].index(c[0]), int(c[1])))
    middle = [c for c in arrays if c[1] in ("1000", "200")]
    instructions = read_csv(data / "instructions.csv")
    hand = {r["problem"]: int(r["instructions"]) for r in instructions if r["library"] == "hand"}
    tables = {
        "machine": table(["", ""], [[r["what"], r["version"]] for r in read_csv(data / "versions.csv")]),
        "numbers": table(["time / hand", *NUMBERS], by_library(times, NUMBERS, ratio)),
        "operations": table(["+ - and * , /", *NUMBERS], by_library(
            read_csv(data / "operations.csv"), NUMBERS,
            lambda r: f"{r['additions_and_multiplications']}, {r['divisions']}")),
        "instructions": table(["instructions / hand", *NUMBERS], by_library(
            instructions, NUMBERS, lambda r: short(int(r["instructions"]) / hand[r["problem"]]))),
        "stops": table(["microseconds", "without the stop", "with it", "ratio"], saved),
        "compile": table(["", "CPU seconds", "MB"], [[r["unit"], r["cpu_seconds"], r["megabytes"]]
                                                     for r in read_csv(data / "compile.csv") if r["unit"] != "main"]),
    }
    for size in sorted({c[1] for c in arrays if c[1] != "200"}, key=int):
        columns = [c for c in arrays if c[1] in (size, "200" if size == "1000" else size)]
        tables[f"arrays {size}"] = table([f"time / hand, n = {size}", *(c[0] for c in columns)],
                                         by_library(times, columns, ratio))
    text = page.read_text()
    for name, content in tables.items():
        text, count = re.subn(rf"(<!-- table {name} -->\n).*?(<!-- end -->)", lambda m: m[1] + content + "\n" + m[2],
                              text, flags=re.S)
        if not count:
            print(f"peers: the page has no place for the table {name}")
    page.write_text(text)
    plot_numbers(times, data / "numbers.svg")
    plot(times, middle, [c[0] for c in middle], data / "arrays.svg")
