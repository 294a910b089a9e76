#!/usr/bin/env python3
"""unpack.py posterior_database FOLDER: writes FOLDER/NAME.txt for each posterior: the data, and means and
standard deviations of the reference draws where there are any, as problem.hpp reads them."""

import json
import math
import pathlib
import statistics
import sys
import zipfile


# K_m and V_m have no variance: logarithms are compared.
OF_LOGARITHMS = {"one_comp_mm_elim_abs-one_comp_mm_elim_abs"}


def unzipped(path):
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read(archive.namelist()[0]))


def flat(value):
    return [number for part in value for number in flat(part)] if isinstance(value, list) else [value]


def extents(value):
    return [len(value), *extents(value[0] if value else 0)] if isinstance(value, list) else []


def text(data, references):
    lines = [" ".join(map(str, ["data", name, len(extents(value)), *extents(value), *flat(value)]))
             for name, value in data.items()]
    return "\n".join(lines + [f"reference {name} {mean!r} {deviation!r}" for name, mean, deviation in references]) + "\n"


def main(database, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((database / "posteriors").glob("*.json")):
        posterior = json.loads(path.read_text())
        draws = database / "reference_posteriors/draws/draws" / f"{posterior.get('reference_posterior_name')}.json.zip"
        data = database / "data/data" / f"{posterior['data_name']}.json.zip"
        if not data.exists():
            continue
        chains = unzipped(draws) if draws.exists() else [{}]
        together = {name: [draw for chain in chains for draw in chain[name]] for name in chains[0]}
        if path.stem in OF_LOGARITHMS:
            together = {name: [math.log(draw) for draw in values] for name, values in together.items()}
        references = [(name, statistics.fmean(values), statistics.stdev(values)) for name, values in together.items()]
        (folder / f"{path.stem}.txt").write_text(text(unzipped(data), references))


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
