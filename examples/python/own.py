"""A set and a stream of your own: currents in three coils whose heat is limited follow a field that moves."""
import numpy as np
import ofw

most = np.array([1.0, 2.0, 3.0])


class Coils(ofw.Domain):
    """{x : sum (x_i / most_i)^2 <= 1}"""

    def __init__(self):
        super().__init__(3, radius=3.0, inner_radius=1.0)

    def lmo(self, d):
        """The point that minimises <d, v>; a learner asks for no d of 0."""
        return -most * (most * d / np.linalg.norm(most * d))

    def excess(self, x):
        return max(0.0, np.linalg.norm(x / most) - 1.0)


class Field(ofw.Stream):
    """f_t(x) = |x - field_t|^2 / 2, and together the coils may draw no more than the supply."""

    best = np.array([0.3, 0.6, 0.8])                         # the best fixed currents

    def field(self, t):
        return np.array([0.5, 0.8, 1.0]) + 0.2 * np.sin(0.7 * t + np.arange(3))

    def reveal(self, t, x):
        e = np.asarray(x) - self.field(t)
        supply = 2.0 + 0.3 * np.cos(0.5 * t)
        return e @ e / 2, e, np.sum(np.asarray(x)) - supply, np.ones(3)

    def comparator(self, t):
        e = self.best - self.field(t)
        return e @ e / 2


K = Coils()
plays = [ofw.run(ofw.Learner(name, K, strong_convexity=1.0), Field(K), 2000) for name in ("ofw-ada", "ofw-ada-sc")]
for play in plays:
    print(f"{play.label:10} regret {play.regret[-1]:7.2f}, violation {play.ccv[-1]:6.2f}")
ofw.plot(plays, "python-own.svg")
