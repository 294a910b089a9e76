#!/usr/bin/env python3
"""reference.py FILE.g2o: the least sum of squared errors by SciPy's least_squares, with differences for derivatives and
rotations as matrices. Wrote the numbers of CMakeLists.txt, with SciPy 1.17."""

import sys

import numpy as np
from scipy.optimize import least_squares
from scipy.sparse import lil_matrix
from scipy.spatial.transform import Rotation


def read(path):
    vertices, edges = {}, []
    for line in open(path):
        tag, *words = line.split()
        if tag.startswith("VERTEX"):
            vertices[int(words[0])] = np.array(words[1:], float)
        elif tag.startswith("EDGE"):
            n = 3 if tag == "EDGE_SE2" else 7
            d = 3 if n == 3 else 6
            upper = np.zeros((d, d))
            upper[np.triu_indices(d)] = [float(w) for w in words[2 + n :]]
            information = upper + np.triu(upper, 1).T
            edges.append((int(words[0]), int(words[1]), np.array(words[2 : 2 + n], float), np.linalg.cholesky(information)))
    return vertices, edges


def frame(pose):
    if len(pose) == 3:
        rotation = Rotation.from_euler("z", pose[2])
        return rotation, np.array([pose[0], pose[1], 0])
    return Rotation.from_quat(pose[3:]), pose[:3]


def error(a, b, measured):
    (ra, ta), (rb, tb), (rm, tm) = frame(a), frame(b), frame(measured)
    rotation = rm.inv() * ra.inv() * rb
    translation = rm.inv().apply(ra.inv().apply(tb - ta) - tm)
    if len(a) == 3:
        return np.array([translation[0], translation[1], rotation.as_rotvec()[2]])
    return np.concatenate([translation, rotation.as_quat(canonical=True)[:3]])


def main():
    vertices, edges = read(sys.argv[1])
    names = list(vertices)
    plane = len(vertices[names[0]]) == 3
    d = 3 if plane else 6

    def poses(moves):
        result = {names[0]: vertices[names[0]]}
        for name, move in zip(names[1:], moves.reshape(-1, d)):
            pose = vertices[name]
            if plane:
                result[name] = pose + move
            else:
                turned = Rotation.from_quat(pose[3:]) * Rotation.from_rotvec(move[3:])
                result[name] = np.concatenate([pose[:3] + move[:3], turned.as_quat()])
        return result

    def residuals(moves):
        at = poses(moves)
        return np.concatenate([root.T @ error(at[a], at[b], m) for a, b, m, root in edges])

    pattern = lil_matrix((d * len(edges), d * (len(names) - 1)))
    for e, (a, b, _, _) in enumerate(edges):
        for end in (names.index(a), names.index(b)):
            if end:
                pattern[d * e : d * e + d, d * (end - 1) : d * end] = 1
    fit = least_squares(
        residuals, np.zeros(d * (len(names) - 1)), "3-point", jac_sparsity=pattern, xtol=1e-13, ftol=1e-15, gtol=1e-12,
        x_scale="jac", tr_options={"atol": 1e-14, "btol": 1e-14}, max_nfev=300)
    print(f"squared error {np.sum(residuals(0 * fit.x) ** 2):.10g}, least {2 * fit.cost:.10g}")


main()
