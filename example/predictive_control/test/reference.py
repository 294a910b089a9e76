"""What CasADi and its Ipopt find for the first plan of predictive_control: python reference.py STEPS.

Needs casadi from PyPI. Written from the equations in README.md."""
import sys

import casadi
import numpy as np

steps, horizon = int(sys.argv[1]), 3.0
time = horizon / steps
state, force = casadi.SX.sym("state", 4), casadi.SX.sym("force")
cart, pole, length, gravity = 1, 0.3, 0.5, 9.81
sine, cosine, rate = casadi.sin(state[1]), casadi.cos(state[1]), state[3]
inertia = cart + pole * sine**2
slopes = casadi.Function("slopes", [state, force], [casadi.vertcat(
    state[2], rate,
    (force + pole * sine * (length * rate**2 + gravity * cosine)) / inertia,
    (-force * cosine - pole * length * rate**2 * cosine * sine - (cart + pole) * gravity * sine) / (length * inertia))])
a = slopes(state, force)
b = slopes(state + time / 2 * a, force)
c = slopes(state + time / 2 * b, force)
d = slopes(state + time * c, force)
advance = casadi.Function("advance", [state, force], [state + time / 6 * (a + 2 * b + 2 * c + d)])

x, u = casadi.SX.sym("x", 4, steps + 1), casadi.SX.sym("u", steps + 1)
cost = time * casadi.sum1(4 * (1 + casadi.cos(x[1, :].T)) + x[0, :].T**2 + 0.1 * (x[2, :].T**2 + x[3, :].T**2)
                          + 0.01 * u**2)
motion = casadi.horzcat(*(x[:, k + 1] - advance(x[:, k], u[k]) for k in range(steps)))
least, most = np.full((5, steps + 1), -np.inf), np.full((5, steps + 1), np.inf)
least[0], most[0], least[4], most[4] = -1, 1, -20, 20
least[:4, 0] = most[:4, 0] = 0
least[4, -1] = most[4, -1] = 0
start = np.zeros((5, steps + 1))
start[1] = np.linspace(0, np.pi, steps + 1)
both = casadi.vertcat(x, u.T)
solver = casadi.nlpsol("solver", "ipopt", {"x": casadi.vec(both), "f": cost, "g": casadi.vec(motion)},
                       {"ipopt.tol": 1e-9, "ipopt.print_level": 0, "print_time": False})
found = solver(x0=start.T.ravel(), lbx=least.T.ravel(), ubx=most.T.ravel(), lbg=0, ubg=0)
print(f"cost {float(found['f']):.8f}, angle at the end {float(found['x'][-4]):.6f}, {solver.stats()['iter_count']} iterations")
