"""The same with a limit on carbon that follows the day: soft, and known only afterwards."""
import numpy as np
import ofw

cost, carbon = np.array([2.0, 1.0, 3.0]), np.array([1.0, 4.0, 2.0])


def hour(t, x):
    limit = 2.0 + 0.5 * np.cos(2 * np.pi * t / 24)
    return cost @ x, cost, carbon @ x - limit, carbon       # loss, gradient, constraint, constraint_gradient


plays = []
for name in ("ofw-ada", "ofw"):                              # ofw ignores the constraints
    learner = ofw.Learner(name, ofw.Simplex(3), lipschitz=5.0)
    plays.append(ofw.run(learner, hour, 2400))
    info = learner.info
    print(f"{name:8} cost per hour {plays[-1].loss.mean():.3f}, excess carbon per hour {info.violation / 2400:.3f}")

learner = ofw.Learner("ofw-ada", ofw.Simplex(3))
for t in range(1, 1001):
    x = learner.decide()
    learner.observe(*hour(t, x))
    if t in (1, 10, 100, 1000):
        print(f"round {t:4}: violation so far {learner.info.Q:.2f}, price {learner.info.price:.3g}")
ofw.plot(plays, "python-constraints.svg")
