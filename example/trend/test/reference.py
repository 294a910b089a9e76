#!/usr/bin/env python3
"""reference.py FILE.csv: the same fit by statsmodels' local linear trend. Wrote the numbers of CMakeLists.txt, with
statsmodels 0.15 (numbers of the first two observations, of which nothing was known before, are left out)."""

import sys

import numpy as np
from statsmodels.tsa.statespace.structural import UnobservedComponents

y = np.loadtxt(sys.argv[1], skiprows=1)
model = UnobservedComponents(y, "lltrend", use_exact_diffuse=True)


def report(title, variances):
    print(title, f"{np.sum(model.smooth(variances).llf_obs[2:]):.8f}", np.sqrt(variances))


second = np.diff(y, 2)
report("start", np.full(3, np.mean(second**2) / 9))
fit = model.fit(np.full(3, np.mean(second**2) / 9), disp=False, method="bfgs", maxiter=1000, gtol=1e-9)
fit = model.fit(fit.params, disp=False, method="nm", maxiter=5000, xtol=1e-10, ftol=1e-13, cov_type="approx")
report("maximum", fit.params)
print("standard errors", fit.bse / (2 * np.sqrt(fit.params)))
