"""Runs the benchmark of calls on processes, and draws how it scales: strongly, 10^6 rows in all, and weakly, 500 000 rows
for each process. What more nodes would take is predicted from the time of a row on one process and from a network whose
numbers stand below. scaling.py PICTURE PROGRAM LAUNCHER...   (the picture needs gnuplot)"""

import math
import os
import re
import subprocess
import sys

LATENCY = 2e-6  # seconds a message: a common InfiniBand
BANDWIDTH = 10e9  # bytes a second
NODES = (8, 64, 1024)
COLUMNS = 8

picture, program, *launcher = sys.argv[1:]
environment = dict(
    os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
)


def run(processes, rows):
    """Seconds of a call, measured, and of one process with all rows in the same run."""
    text = subprocess.run(
        [*launcher, str(processes), program, str(rows)], env=environment, check=True, capture_output=True, text=True
    ).stdout
    print(text, end="", flush=True)
    several, alone = re.search(r"bytes: ([0-9.]+) ms; one process ([0-9.]+) ms", text).groups()
    return float(several) / 1e3, float(alone) / 1e3


def all_reduce(nodes):
    """Recursive doubling: a message to each of log2(nodes) partners."""
    return math.ceil(math.log2(nodes)) * (LATENCY + 8 * (1 + COLUMNS) / BANDWIDTH)


cores = [n for n in (1, 2, 4, 8, 16) if n <= len(os.sched_getaffinity(0))]
strong = {n: run(n, 1_000_000) for n in cores}
weak = {n: run(n, 500_000 * n)[0] for n in cores}
per_row = strong[1][0] / 1e6
print(f"one process: {1e-6 / per_row:.1f} million rows a second, {8 * COLUMNS * 1e-9 / per_row:.2f} GB/s")
lines = ["# processes, strong: speed-up, weak: efficiency; predicted alike"]
for n in cores:
    lines.append(f"{n} {strong[n][1] / strong[n][0]:.4f} {weak[1] / weak[n]:.4f} nan nan")
for n in NODES:
    seconds = 1e6 / n * per_row + all_reduce(n)
    of_weak = 5e5 * per_row
    lines.append(f"{n} nan nan {1e6 * per_row / seconds:.4f} {of_weak / (of_weak + all_reduce(n)):.4f}")
    print(
        f"predicted, {n} nodes: 10^6 rows {1e6 * seconds:.1f} us, speed-up {1e6 * per_row / seconds:.1f}; "
        f"500 000 rows a node: efficiency {of_weak / (of_weak + all_reduce(n)):.4f}; all-reduce {1e6 * all_reduce(n):.1f} us"
    )
table = "\n".join(lines)
script = f"""set terminal svg size 560,560 font "sans-serif,13" background "white"
set output "{picture}"
$t << EOD
{table}
EOD
set border 3 linecolor rgb "#606060"
set tics nomirror out textcolor rgb "#404040"
set title offset 0,-0.6
set logscale x 2
set xrange [0.9:1100]
set lmargin at screen 0.12
set rmargin at screen 0.97
set key left top reverse Left samplen 2
set multiplot
set tmargin at screen 0.93
set bmargin at screen 0.46
set logscale y 2
set title "speed-up with 1 000 000 rows in total"
plot x with lines dashtype 2 linecolor rgb "#909090" title "ideal", \\
     $t using 1:2 with points pointtype 7 linecolor rgb "#d55e00" title "measured", \\
     $t using 1:4 with linespoints pointtype 6 linecolor rgb "#0072b2" title "predicted"
unset logscale y
unset key
set tmargin at screen 0.33
set bmargin at screen 0.13
set title "efficiency with 500 000 rows per process"
set xlabel "processes (predictions: one per node)" offset 0,0.5
set yrange [*<0.9:1.01]
set ytics 0.05
plot 1 with lines dashtype 2 linecolor rgb "#909090", \\
     $t using 1:3 with points pointtype 7 linecolor rgb "#d55e00", \\
     $t using 1:5 with linespoints pointtype 6 linecolor rgb "#0072b2"
"""
if subprocess.run(["gnuplot", "-d"], input=script, text=True).returncode == 0:
    print(picture)
