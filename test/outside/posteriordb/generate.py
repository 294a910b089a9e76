#!/usr/bin/env python3
"""Writes samples/*.txt: small data for the models, laid out as unpack.py does, with the means and standard deviations of
the posteriors. NumPy integrates: the densities are written here once more, of the parameters as they are and without
derivatives. In free parameters, the sum over a grid converges exponentially."""

import pathlib

import numpy as np

from unpack import text

HERE = pathlib.Path(__file__).resolve().parent
logistic = lambda x: 1 / (1 + np.exp(-x))
IDENTITY = lambda u: (u, 0 * u)
POSITIVE = lambda u: (np.exp(u), u)
UNIT = lambda u: (logistic(u), -np.logaddexp(0, u) - np.logaddexp(0, -u))


def normal(x, mean, deviation):
    return -((x - mean) ** 2) / (2 * deviation**2) - np.log(deviation)


def cauchy(x, scale):
    return -np.log1p((x / scale) ** 2)


def moments(log_density, free, start, reach=3.2, step=0.32):
    """Means and standard deviations of what `log_density` returns second, by sums over a grid along the axes of the
    covariance, which is found by repetition, and wider towards its ends. `free` says how each parameter comes from a free number."""
    n = len(start)

    def at(u):
        parts = [f(u[k]) for k, f in enumerate(free)]
        value, natural = log_density(*(p for p, _ in parts))
        return value + sum(j for _, j in parts), natural

    centre, axes = np.array(start, float), 0.3 * np.eye(n)
    side = np.arange(-reach, reach + step / 2, step)
    for count in range(40):
        grid = np.stack(np.meshgrid(*[side] * n, indexing="ij")).reshape(n, -1)
        u = centre[:, None] + axes @ np.sinh(grid)
        with np.errstate(all="ignore"):
            value, natural = at(u)
        value = np.where(np.isfinite(value), value, -np.inf) + np.log(np.cosh(grid)).sum(0)
        weight = np.exp(value - value.max())
        weight /= weight.sum()
        mean = u @ weight
        covariance = (u - mean[:, None]) * weight @ (u - mean[:, None]).T
        known = abs(mean - centre).max() < 1e-6 and abs(axes @ axes.T - covariance).max() < 1e-6
        centre, axes = mean, np.linalg.cholesky(covariance + 1e-12 * np.eye(n))
        if known:
            break
    else:
        raise RuntimeError("no grid")
    edge = weight.reshape([len(side)] * n)
    if max(edge.take(i, k).sum() for k in range(n) for i in (0, -1)) > 1e-4:
        raise RuntimeError("the posterior reaches beyond the grid")
    first = [np.sum(x * weight) for x in natural]
    return [(float(m), float(np.sqrt(np.sum((x - m) ** 2 * weight)))) for x, m in zip(natural, first)]


def save(name, data, names, found):
    listed = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in data.items()}
    references = [(n, mean, deviation) for n, (mean, deviation) in zip(names, found, strict=True)]
    (HERE / "samples" / f"{name}.txt").write_text(text(listed, references))
    print(name, [(n, f"{m:.4g}", f"{d:.4g}") for n, m, d in references])


def linear(name, data, x, y, prior_of_sigma=lambda s: 0 * s, prior=None):
    """Given sigma, the coefficients are normal; sigma is integrated. `prior` is the mean and deviation of coefficients."""
    k, n = x.shape[1], len(y)
    u = np.linspace(np.log(y.std()) - 6, np.log(y.std()) + 6, 4001)
    weights, means, squares = [], [], []
    for s in np.exp(u):
        precision, right = x.T @ x / s**2, x.T @ y / s**2
        if prior:
            precision, right = precision + np.diag(1 / prior[1] ** 2), right + prior[0] / prior[1] ** 2
        mean = np.linalg.solve(precision, right)
        value = (-n * np.log(s) - y @ y / (2 * s**2) + right @ mean / 2 - np.linalg.slogdet(precision)[1] / 2
                 + prior_of_sigma(s) + np.log(s))
        weights.append(value), means.append(mean), squares.append(mean**2 + np.diag(np.linalg.inv(precision)))
    weights = np.exp(np.array(weights) - max(weights))
    weights /= weights.sum()
    of = lambda v: weights @ np.array(v)
    found = [(float(m), float(np.sqrt(q - m * m))) for m, q in zip(of(means), of(squares))]
    m, q = of(np.exp(u)), of(np.exp(2 * u))
    save(name, data, [f"beta[{i + 1}]" for i in range(k)] + ["sigma"], found + [(float(m), float(np.sqrt(q - m * m)))])


def short(x, digits=4):
    return np.array([float(f"{v:.{digits}g}") for v in np.ravel(x)]).reshape(np.shape(x))


def regressions(draw):
    height, male = short(draw.normal(1.2, 0.5, 30)), (draw.random(30) < 0.5).astype(float)
    earn = short(np.exp(1 + 0.5 * height + 0.3 * male + draw.normal(0, 0.4, 30)))
    one = np.ones(30)
    linear("earnings-logearn_interaction", {"earn": earn, "height": height, "male": male},
           np.column_stack([one, height, male, height * male]), np.log(earn))
    hs, iq = (draw.random(30) < 0.6).astype(float), short(draw.normal(1, 0.3, 30))
    score = short(2 + hs + 3 * iq + draw.normal(0, 1.5, 30))
    linear("kidiq-kidscore_momhsiq", {"kid_score": score, "mom_hs": hs, "mom_iq": iq}, np.column_stack([one, hs, iq]),
           score, lambda s: cauchy(s, 2.5))
    x = short(draw.normal(0, 1, (25, 5)))
    y = short(x @ np.array([1, -2, 0.5, 0, 3]) + draw.normal(0, 2, 25))
    linear("sblrc-blr", {"X": x, "y": y}, x, y, lambda s: normal(s, 0, 10), (np.zeros(5), np.full(5, 10.0)))
    x = short(np.linspace(-2, 2, 25))
    y = short(9 + 0.02 * x + draw.normal(0, 1, 25))
    linear("kilpisjarvi_mod-kilpisjarvi",
           {"x": x, "y": y, "pmualpha": 9.3, "psalpha": 100, "pmubeta": 0, "psbeta": 0.0333},
           np.column_stack([np.ones(25), x]), y, prior=(np.array([9.3, 0]), np.array([100, 0.0333])))
    y = [0.0] * 5
    for t in range(35):
        y.append(0.5 + 0.4 * y[-1] - 0.3 * y[-2] + 0.1 * y[-5] + draw.normal(0, 0.5))
    y = short(y)
    lags = np.column_stack([np.ones(35)] + [y[5 - k:40 - k] for k in range(1, 6)])
    linear("arK-arK", {"y": y}, lags, y[5:], lambda s: cauchy(s, 2.5), (np.zeros(6), np.full(6, 10.0)))


def eight_schools(draw):
    """Given mu and tau, the effects are independent and normal."""
    y, sigma = short(draw.normal(5, 6, 8)), short(draw.uniform(4, 9, 8))
    u, mu = np.meshgrid(np.linspace(-14, 7, 2101), np.linspace(-25, 30, 551), indexing="ij")
    tau = np.exp(u)
    value = normal(mu, 0, 5) + cauchy(tau, 5) + u
    means, squares = [], []
    for yj, sj in zip(y, sigma):
        value = value + normal(yj, mu, np.hypot(sj, tau))
        spread = 1 / (1 / sj**2 + 1 / tau**2)
        means.append(spread * (yj / sj**2 + mu / tau**2)), squares.append(spread + means[-1] ** 2)
    means += [mu, tau]
    squares += [mu**2, tau**2]
    weight = np.exp(value - value.max())
    weight /= weight.sum()
    of = lambda v: float(np.sum(weight * v))
    found = [(of(m), float(np.sqrt(of(q) - of(m) ** 2))) for m, q in zip(means, squares)]
    save("eight_schools-eight_schools_noncentered", {"y": y, "sigma": sigma},
         [f"theta[{j + 1}]" for j in range(8)] + ["mu", "tau"], found)


def counts(draw):
    year = short(np.linspace(-1, 1, 12))
    total = draw.integers(15, 30, 12)
    count = draw.binomial(total, logistic(0.3 + year - 0.5 * year**2))

    def binomial(a, b, c):
        logit = [a + b * t + c * t**2 for t in year]
        value = sum(k * l - n * np.logaddexp(0, l) for k, n, l in zip(count, total, logit))
        return value + sum(normal(x, 0, 100) for x in (a, b, c)), (a, b, c)

    save("GLM_Binomial_data-GLM_Binomial_model", {"year": year, "C": count, "N": total}, ["alpha", "beta1", "beta2"],
         moments(binomial, [IDENTITY] * 3, [0, 0, 0]))
    income = draw.integers(1, 6, 40).astype(float)
    vote = (draw.random(40) < logistic(-1 + 0.4 * income)).astype(int)
    logit = lambda a, b: (sum(v * (a + b * x) - np.logaddexp(0, a + b * x) for v, x in zip(vote, income)), (a, b))
    save("nes_logit_data-nes_logit_model", {"income": income, "vote": vote}, ["alpha", "beta[1]"],
         moments(logit, [IDENTITY] * 2, [0, 0]))


def series(draw):
    y = short(draw.normal(2, 1, 30))

    def garch(mu, alpha0, alpha1, share):
        beta1, variance, value = share * (1 - alpha1), 0.81, np.log1p(-alpha1)
        for t, yt in enumerate(y):
            value = value + normal(yt, mu, np.sqrt(variance))
            variance = alpha0 + alpha1 * (yt - mu) ** 2 + beta1 * variance
        return value, (mu, alpha0, alpha1, beta1)

    save("garch-garch11", {"y": y, "sigma1": 0.9}, ["mu", "alpha0", "alpha1", "beta1"],
         moments(garch, [IDENTITY, POSITIVE, UNIT, UNIT], [2, 0, 0, 0]))
    errors = draw.normal(0, 0.6, 41)
    y = [0.5]
    for t in range(39):
        y.append(0.3 + 0.5 * y[-1] + errors[t + 1] + 0.3 * errors[t])
    y = short(y)

    def arma(mu, phi, theta, sigma):
        error = y[0] - (mu + phi * mu)
        value = normal(mu, 0, 10) + normal(phi, 0, 2) + normal(theta, 0, 2) + cauchy(sigma, 2.5)
        value = value + normal(error, 0, sigma)
        for before, now in zip(y, y[1:]):
            error = now - mu - phi * before - theta * error
            value = value + normal(error, 0, sigma)
        return value, (mu, phi, theta, sigma)

    save("arma-arma11", {"y": y}, ["mu", "phi", "theta", "sigma"],
         moments(arma, [IDENTITY] * 3 + [POSITIVE], [0.3, 0.5, 0.3, -0.5]))


def forward(a, b, of_first, of_second):
    """The likelihood of two hidden states, by products of matrices with scaled probabilities."""
    p, q = np.exp(of_first[0]), np.exp(of_second[0])
    total = np.log(p + q)
    p, q = p / (p + q), q / (p + q)
    for one, two in zip(of_first[1:], of_second[1:]):
        p, q = (p * a + q * b) * np.exp(one), (p * (1 - a) + q * (1 - b)) * np.exp(two)
        total, p, q = total + np.log(p + q), p / (p + q), q / (p + q)
    return total


def states(draw):
    y = short(np.where(np.arange(30) // 6 % 2 == 0, 3, 9) + draw.normal(0, 1, 30))

    def hmm(a, b, mu1, gap):
        mu2 = mu1 + gap
        value = forward(a, b, [normal(t, mu1, 1.0) for t in y], [normal(t, mu2, 1.0) for t in y])
        return value + normal(mu1, 3, 1.0) + normal(mu2, 10, 1.0), (a, 1 - a, b, 1 - b, mu1, mu2)

    save("hmm_example-hmm_example", {"y": y}, ["theta1[1]", "theta1[2]", "theta2[1]", "theta2[2]", "mu[1]", "mu[2]"],
         moments(hmm, [UNIT, UNIT, POSITIVE, POSITIVE], [1, -1, 1, 1.7]))
    y = short(np.where(draw.random(60) < 0.4, draw.normal(-2, 0.7, 60), draw.normal(2, 1, 60)))

    def mixture(mu1, gap, s1, s2, theta):
        mu2 = mu1 + gap
        value = sum(normal(x, 0, 2) for x in (s1, s2, mu1, mu2)) + 4 * np.log(theta) + 4 * np.log1p(-theta)
        for t in y:
            value = value + np.log(theta * np.exp(normal(t, mu1, s1)) + (1 - theta) * np.exp(normal(t, mu2, s2)))
        return value, (mu1, mu2, s1, s2, theta)

    save("low_dim_gauss_mix-low_dim_gauss_mix", {"y": y}, ["mu[1]", "mu[2]", "sigma[1]", "sigma[2]", "theta"],
         moments(mixture, [IDENTITY, POSITIVE, POSITIVE, POSITIVE, UNIT], [-2, 1.3, 0, 0, 0], 6.4, 0.8))


def process(draw):
    x = short(np.linspace(-10, 10, 11))
    y = short(4 * np.sin(x / 4) + draw.normal(0, 1, 11))

    def gaussian(rho, alpha, sigma):
        k = alpha[:, None, None] ** 2 * np.exp(-0.5 * ((x[:, None] - x) / rho[:, None, None]) ** 2)
        k = k + sigma[:, None, None] * np.eye(11)
        value = -0.5 * np.linalg.slogdet(k)[1] - 0.5 * np.einsum("i,nij,j->n", y, np.linalg.inv(k), y)
        return value + 24 * np.log(rho) - 4 * rho + normal(alpha, 0, 2) + normal(sigma, 0, 1), (rho, alpha, sigma)

    save("gp_pois_regr-gp_regr", {"x": x, "y": y}, ["rho", "alpha", "sigma"],
         moments(gaussian, [POSITIVE] * 3, [1.8, 0.7, 0]))


def only_data(draw):
    """Densities with too many dimensions for a grid: the test looks at their gradients alone."""
    y = lambda start, n: short(start * np.exp(0.3 * np.sin(np.arange(n)) + draw.normal(0, 0.2, n)))
    save("hudson_lynx_hare-lotka_volterra", {"y_init": y(20, 2), "ts": np.arange(1.0, 11), "y": np.stack([y(30, 10), y(15, 10)], 1)}, [], [])
    save("one_comp_mm_elim_abs-one_comp_mm_elim_abs",
         {"times": np.arange(0.5, 5, 0.5), "C_hat": y(5, 9), "D": 30, "V": 2}, [], [])
    data = {"u": y(0.5, 30), "v": y(2, 30), "alpha": np.array([[4, 2], [1, 6]])}
    save("bball_drive_event_0-hmm_drive_0", data, [], [])
    save("bball_drive_event_1-hmm_drive_1", {**data, "tau": 0.1, "rho": 0.2}, [], [])


def added(draw):
    height = short(draw.normal(1.2, 0.5, 30))
    earn = short(np.exp(1 + 0.5 * height + draw.normal(0, 0.4, 30)))
    linear("earnings-log10earn_height", {"earn": earn, "height": height}, np.column_stack([np.ones(30), height]),
           np.log10(earn))
    x = short(np.column_stack([np.ones(30), draw.normal(1, 1, (30, 3))]))
    save("diamonds-diamonds", {"X": x, "Y": short(x @ np.array([8, 0.5, -1, 0.2]) + draw.normal(0, 0.3, 30))}, [], [])
    x = short(np.linspace(-10, 10, 11))
    save("gp_pois_regr-gp_pois_regr", {"x": x, "k": draw.poisson(np.exp(2.5 + 1.5 * np.sin(x / 3)))}, [], [])


(HERE / "samples").mkdir(exist_ok=True)
for write in (regressions, eight_schools, counts, series, states, process, only_data, added):
    write(np.random.default_rng([*write.__name__.encode()]))
