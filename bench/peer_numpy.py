"""What ofw is compared with in Python: its oracle by SciPy, its rounds by NumPy.

    peer_numpy.py oracle FILE TOLERANCE         FILE: directions as 'ofw run --record-directions' writes them
    peer_numpy.py assignment FILE               FILE: the same, of square matrices
    peer_numpy.py round FILE CONFIG BATCH SEED  FILE: of each round the batch's cells as whole numbers of 8 bytes, then its
                                                ratings as doubles

The first line printed is 'ready', or 'none' and why there is no peer. Then one number is read per line,
and numbers are printed a line:

    oracle  which direction (from 0)     seconds, the value that was found, its relative residual
    assignment  which direction          seconds, the value that was found
    round   how many more rounds         seconds, the losses so far, the violation so far
"""
import math
import sys
import time

try:
    import numpy as np
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse.linalg import svds
except ImportError as missing:
    print("none", missing)
    sys.exit(0)


def top_pair(A, tolerance, rng):
    """The top singular pair by ARPACK.

    svds asks of A'A, or AA' where that is smaller, a residual of tol^2 times the eigenvalue: |A' u - s v| <= tol^2 s.
    """
    u, _, vt = svds(A, k=1, tol=math.sqrt(tolerance), v0=rng.standard_normal(min(A.shape)))
    return u[:, 0], vt[0]


# --- learners -------------------------------------------------------------------------------------

class Learner:
    """What the methods share: matrix completion over the trace-norm ball, one constraint <P, X> <= 0 per round.

    x and d are flat; d, the gradient of the regularised sum at x, is carried forward.
    """

    def __init__(self, config, rng):
        for key, done in self.DONE.items():
            if config.get(key, done) != done:
                raise ValueError(f"{key}={config[key]} is not written in NumPy")
        shape = dict(pair.split("=") for pair in config["domain"].partition(":")[2].split(","))
        self.rows, self.cols, self.radius = int(shape["rows"]), int(shape["cols"]), float(shape["radius"])
        self.T, self.G, self.alpha = (float(config[key]) for key in ("horizon", "lipschitz", "strong-convexity"))
        self.D = 2 * self.radius
        self.beta = float(config.get("beta", 1)) * float(config.get("beta-scale", 1))
        self.gamma = float(config.get("gamma", 1)) * float(config.get("gamma-scale", 1))
        self.tolerance = float(config.get("oracle-tolerance", 1e-2))
        self.rng = rng
        self.x, self.d, self.e = (np.zeros(self.rows * self.cols) for _ in range(3))
        self.t, self.Q = 0, 0.0
        self.start(config)

    def observe(self, cells, ratings, P):
        """A round at x: the loss |X - M|^2 / 2 on the batch, the constraint <P, X>. Overwrites P."""
        x, d, e = self.x, self.d, self.e
        miss = x[cells] - ratings
        g = P @ x
        self.t += 1
        self.Q += max(g, 0.0)
        of_f, of_g = self.prices()
        d[cells] += of_f * miss
        if g > 0:
            P *= of_g
            d += P
        u, v = top_pair(d.reshape(self.rows, self.cols), self.tolerance, self.rng)
        np.outer(-self.radius * u, v, out=e.reshape(self.rows, self.cols))
        e -= x
        curvature = self.curvature()
        e *= self.step_size(d, e, curvature)
        x += e
        e *= curvature
        d += e
        return miss @ miss / 2, g


def line_search(d, e, curvature):
    length2 = e @ e
    return min(1.0, max(0.0, -(d @ e) / (curvature * length2))) if length2 > 0 else 0.0


class OfwTvc(Learner):
    """OFW-TVC:  d = eta sum_{tau=s..t} p_tau + 2 (x_t - x_s),  eta = step D / (2 Gt T^(3/4))."""
    DONE = {"lyapunov": "exp", "guess": "scale", "restart": "full", "constraints": "max"}

    def start(self, config):
        self.lam, self.step, self.sigma = float(config["lambda"]), float(config["step"]), config["sigma"]
        self.Gt, self.s = self.beta * self.gamma * self.G, 1

    def prices(self):
        w = self.lam * math.exp(self.lam * self.beta * self.Q)
        if self.Gt < self.beta * self.G * (self.gamma + w):
            while self.Gt < self.beta * self.G * (self.gamma + w):
                self.Gt *= 2
            self.s = self.t
            self.d[:] = 0
        eta = self.step * self.D / (2 * self.Gt * self.T ** 0.75)
        return eta * self.gamma * self.beta, eta * w * self.beta

    def curvature(self):
        return 2.0

    def step_size(self, d, e, curvature):
        if self.sigma == "printed":
            return min(1.0, 2 / math.sqrt(self.t - self.s + 1))
        return line_search(d, e, curvature)


class ScofwTvc(Learner):
    """SCOFW-TVC:  d = sum p_tau + 2 C1 (t x_t - sum x_tau),  2 C1 = gamma beta alpha."""
    DONE = {"lyapunov": "quadratic-linear", "constraints": "max"}

    def start(self, config):
        pass

    def prices(self):
        return self.gamma * self.beta, (2 * self.beta * self.Q + 1) * self.beta

    def curvature(self):
        return self.gamma * self.beta * self.alpha * self.t

    def step_size(self, d, e, curvature):
        return line_search(d, e, curvature)


class OfwAda(Learner):
    """OFW-Ada:  d = sum p_s + 2 sum c_s (x_t - x_s), p = grad f + w Gf grad g / |grad g|; y = x - the mean of the decisions.

    What is kept is as in src/learner/ada.h, in the loss's own unit. There is no restart that is asked for, and no hint.
    """
    DONE = {"window": "no restart", "constraints": "max", "delay": "0"}

    def start(self, config):
        self.kappa, self.first = float(config["kappa"]), float(config["first"])
        self.y = np.zeros_like(self.x)
        self.Gf = self.raised = self.pays = self.spread = 0.0
        self.since = None
        self.begin(self.first * self.D / 2)

    def begin(self, b):
        """An epoch."""
        self.d[:] = 0
        self.b, self.B = b, self.first * self.D * (self.Gf or 1.0)
        self.A = self.extra = self.taken = self.q = self.left = self.C = self.top = 0.0

    def see_loss(self, length):
        if self.Gf == 0.0:
            self.B, self.b = length * self.B, length * self.b
        elif length > self.Gf:
            if self.since is not None and length > 8 * self.since:
                self.since = None
                self.begin(self.first * self.D * self.Gf / 2)
            self.B += self.first * self.D * (length - self.Gf)
        self.Gf = max(self.Gf, length)
        self.b = max(self.b, self.first * self.D * self.Gf / 2)

    def raise_by(self, number):
        number = min(number, max(0.0, 32 * self.Gf * self.D * self.t ** 0.75 - self.raised))
        self.raised += number
        return number

    def see_curvature(self, pays, lead2):
        """How much lower Phi may be for it."""
        half, share = self.D ** 2 / 2, 3 / (self.t + 2)
        self.pays += share * (pays - self.pays)
        self.spread += share * (lead2 - self.spread)
        a = 3 * self.pays / self.spread if self.spread > 0 else 0.0
        less = min(max(0.0, -a), self.A)
        self.A += self.raise_by(a * half) / half if a > 0 else -less
        return less * half

    def throw(self, length):
        return min((math.sqrt(self.left) + length / (2 * math.sqrt(self.C))) ** 2, self.left + length) if self.C > 0 else self.left + length

    def certify(self):
        certain, w = self.B + self.taken + self.left, lambda b: math.exp(self.q / b / 1.5)
        if self.b * (1 + w(self.b)) >= certain:
            return
        low, high = self.b, certain
        while low < (low + high) / 2 < high:
            middle = (low + high) / 2
            low, high = (low, middle) if middle * (1 + w(middle)) >= certain else (middle, high)
        if 1 + w(high) < (1 + self.top) / 4:
            self.begin(2 * self.b)
        else:
            self.b = high

    def observe(self, cells, ratings, P):
        """As Learner.observe."""
        x, d, e, y = self.x, self.d, self.e, self.y
        miss, g = x[cells] - ratings, P @ x
        self.t += 1
        self.Q += max(g, 0.0)
        length = math.sqrt(miss @ miss)
        self.see_loss(length)
        lead2 = y @ y
        pays, steep = miss @ y[cells], length
        broken = math.sqrt(P @ P) if g > 0 else 0.0
        if g > 0:
            self.since = self.since or self.Gf
            self.q += self.Gf * min(g / broken, self.D)
        w = math.exp(self.q / self.b / 1.5)
        self.top = max(self.top, w)
        d[cells] += miss
        if g > 0:
            P *= w * self.Gf / broken
            d += P
            pays += P @ y
            steep += w * self.Gf
        lowered = self.see_curvature(pays, lead2)
        curvature = 2 * (self.B + self.extra) / self.D ** 2 + self.A
        u, v = top_pair(d.reshape(self.rows, self.cols), self.tolerance, self.rng)
        np.outer(-self.radius * u, v, out=e.reshape(self.rows, self.cols))
        e -= x
        slope, length2 = d @ e, e @ e
        sigma = min(1.0, max(0.0, -slope / (curvature * length2))) if length2 > 0 else 0.0
        dec = max(0.0, -sigma * (slope + sigma * curvature / 2 * length2))
        self.left = max(0.0, min(max(0.0, -slope), self.throw(self.D * steep) + lowered) - dec)
        self.C = self.D ** 2 / 2 * curvature
        e *= sigma
        x += e
        y *= 1 - 3 / (self.t + 2)
        y += e
        e *= curvature
        d += e
        self.B += dec
        self.taken += dec
        if self.pays > 0:
            self.extra += self.raise_by(max(0.0, self.kappa - 1) * dec)
        self.certify()
        return miss @ miss / 2, g


LEARNERS = {"ofw-tvc": OfwTvc, "scofw-tvc": ScofwTvc, "ofw-ada": OfwAda}


def make_learner(config, rng):
    """The learner that a configuration in ofw's words describes: 'learner=... domain=... beta=...'."""
    pairs = dict(word.split("=", 1) for word in config.split())
    if pairs["learner"] not in LEARNERS:
        raise ValueError(f"{pairs['learner']} is not written in NumPy")
    return LEARNERS[pairs["learner"]](pairs, rng)


# --- answers --------------------------------------------------------------------------------------

def answers_for(path, answer):
    """answer(A) for one direction A after the other."""
    with open(path, "rb") as file:
        rows, cols = (int(n) for n in np.fromfile(file, "<u8", 4)[2:])
        A = np.empty((rows, cols))
        k = yield
        while True:
            file.seek(32 + k * (8 + A.nbytes) + 8)
            file.readinto(A.data.cast("B"))       # which also brings it into the cache
            k = yield answer(A)


def oracle(path, tolerance):
    rng = np.random.default_rng(1)

    def answer(A):
        begun = time.perf_counter()
        u, v = top_pair(A, float(tolerance), rng)
        seconds = time.perf_counter() - begun
        value = u @ A @ v
        return seconds, value, max(np.linalg.norm(A @ v - value * u), np.linalg.norm(A.T @ u - value * v)) / value
    return answers_for(path, answer)


def assignment(path):
    def answer(A):
        begun = time.perf_counter()
        chosen = linear_sum_assignment(A)
        return time.perf_counter() - begun, A[chosen].sum()
    return answers_for(path, answer)


def rounds(path, config, batch, seed):
    """Plays as many rounds as it is sent."""
    rng = np.random.default_rng(int(seed))
    words = np.fromfile(path, np.int64).reshape(-1, 2, int(batch))
    cells, ratings = words[:, 0], words[:, 1].copy().view(np.float64)
    learner = make_learner(config, rng)
    losses = 0.0
    n = yield
    while True:
        begun = time.perf_counter()
        for t in range(learner.t, learner.t + n):
            P = rng.uniform(-1, 1, learner.x.size)
            losses += learner.observe(cells[t], ratings[t], P)[0]
        n = yield time.perf_counter() - begun, losses, learner.Q


def main(what, *args):
    answers = {"oracle": oracle, "assignment": assignment, "round": rounds}[what](*args)
    try:
        next(answers)
    except ValueError as refused:
        print("none", refused, flush=True)
        return
    print("ready", flush=True)
    for line in sys.stdin:
        print(*answers.send(int(line)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
