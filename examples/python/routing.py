"""Traffic through a grid of streets, one unit of it a minute: the fastest mixture of routes, with a limit on a bridge."""
import numpy as np
import ofw

side = 6
edges = [(i * side + j + 1, k * side + l + 1) for i in range(side) for j in range(side)
         for k, l in ((i, j + 1), (i + 1, j)) if k < side and l < side]
bridge = np.array([float({a, b} == {15, 16}) for a, b in edges])
usual = np.random.default_rng(5).uniform(0.5, 1.5, len(edges))
fast = [1, 2, 3, 9, 15, 16, 22, 28, 34, 35, 36]              # the fastest route is over the bridge, from 15 to 16
usual[[edges.index(edge) for edge in zip(fast, fast[1:])]] = 0.4
K = ofw.Paths(np.array(edges), from_=1, to=side * side)


def minute(t, x):
    delay = usual * (1.2 + np.sin(2 * np.pi * t / 1440 + np.arange(len(edges))) / 5)
    return delay @ x, delay, bridge @ x - 0.3, bridge         # at most 0.3 of the traffic over the bridge


learners = [ofw.Learner("ofw-ada", K), ofw.Learner("ofw", K, lipschitz=10.0, horizon=3000, step=100.0)]   # ofw knows of no limit
plays = [ofw.run(learner, minute, 3000) for learner in learners]
for play in plays:
    over = np.maximum(play.constraint, 0.0)
    print(f"{play.label:8} minutes of delay {play.loss[-500:].mean():.2f}, above the bridge's limit {over[-500:].mean():.3f}")
ofw.plot(plays, "python-routing.svg", labels=["ofw-ada", "ofw (no limit)"])
