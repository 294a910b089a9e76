"""The maximum for ../data/returns.csv by other means: hmmlearn's Baum and Welch from starts of its own, with the first
state's distribution held uniform. Prints what CMakeLists.txt expects; needs NumPy and hmmlearn."""
import csv
import pathlib

import numpy
from hmmlearn.hmm import GaussianHMM

path = pathlib.Path(__file__).parent / "../data/returns.csv"
with open(path, newline="") as file:
    values = numpy.array([[float(row["return"])] for row in csv.DictReader(file)])

best = None
for seed in range(10):
    model = GaussianHMM(3, n_iter=5000, tol=1e-11, random_state=seed, params="tmc", init_params="tmc",
                        covars_prior=0, covars_weight=0, min_covar=0)
    model.startprob_ = numpy.full(3, 1 / 3)
    model.fit(values)
    if best is None or model.score(values) > best.score(values):
        best = model
order = numpy.argsort(best.covars_.ravel())
print("log-likelihood", best.score(values))
print("means", best.means_.ravel()[order])
print("standard deviations", numpy.sqrt(best.covars_.ravel()[order]))
print(best.transmat_[numpy.ix_(order, order)])
