"""The problems of numbers for libraries that generate code: each from a namespace of functions and lists of symbols."""

def sum_exp_product(m, v, _):
    return [(v[0] + v[1] + v[2]) * m.exp(v[0] * v[1] * v[2])]


def black_scholes(m, v, _):
    deviation = v[3] * m.sqrt(v[4])
    d1 = (m.log(v[0] / v[1]) + (v[2] + 0.5 * v[3] * v[3]) * v[4]) / deviation
    d2 = d1 - deviation

    def cdf(x):
        return 0.5 * (1 + m.erf(x * 0.70710678118654752440))

    return [v[0] * cdf(d1) - v[1] * m.exp(-v[2] * v[4]) * cdf(d2)]


def reprojection(m, v, feature):
    x, y, z = v[11] - v[3], v[12] - v[4], v[13] - v[5]
    angle = m.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    c, s, inverse = m.cos(angle), m.sin(angle), 1 / angle
    w0, w1, w2 = v[0] * inverse, v[1] * inverse, v[2] * inverse
    along = (w0 * x + w1 * y + w2 * z) * (1 - c)
    rx = x * c + (w1 * z - w2 * y) * s + w0 * along
    ry = y * c + (w2 * x - w0 * z) * s + w1 * along
    rz = z * c + (w0 * y - w1 * x) * s + w2 * along
    a, b = rx / rz, ry / rz
    radius = a * a + b * b
    distortion = 1 + radius * (v[9] + v[10] * radius)
    return [v[14] * (a * distortion * v[6] + v[7] - feature[0]), v[14] * (b * distortion * v[6] + v[8] - feature[1])]


def rosenbrock(_, v, __):
    terms = [100 * (v[i + 1] - v[i] * v[i]) * (v[i + 1] - v[i] * v[i]) + (1 - v[i]) * (1 - v[i]) for i in range(7)]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return [total]


def pose_composition(m, v, sensor):
    def quaternion(a, b, c):
        angle = m.sqrt(a * a + b * b + c * c)
        s = m.sin(0.5 * angle) / angle
        return [m.cos(0.5 * angle), a * s, b * s, c * s]

    def product(p, q):
        return [p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
                p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]]

    def rotate(q, x, y, z):
        t0, t1, t2 = 2 * (q[2] * z - q[3] * y), 2 * (q[3] * x - q[1] * z), 2 * (q[1] * y - q[2] * x)
        return [x + q[0] * t0 + (q[2] * t2 - q[3] * t1), y + q[0] * t1 + (q[3] * t0 - q[1] * t2),
                z + q[0] * t2 + (q[1] * t1 - q[2] * t0)]

    moved = rotate(quaternion(v[0], v[1], v[2]), v[9], v[10], v[11])
    inverse = [sensor[0], -sensor[1], -sensor[2], -sensor[3]]
    q = product(inverse, product(quaternion(v[0], v[1], v[2]), quaternion(v[6], v[7], v[8])))
    t = rotate(inverse, v[3] + moved[0] - sensor[4], v[4] + moved[1] - sensor[5], v[5] + moved[2] - sensor[6])
    return [2 * q[1], 2 * q[2], 2 * q[3], *t]


# name: (function, inputs, constants)
PROBLEMS = {
    "S1": (sum_exp_product, 3, 0),
    "S2": (black_scholes, 5, 0),
    "S3": (reprojection, 15, 2),
    "S4": (rosenbrock, 8, 0),
    "S5": (pose_composition, 12, 7),
}
