"""Only numbers are seen: what a decision cost and by how much it broke the limit, but no gradient."""
import numpy as np
import ofw

target = np.array([0.6, 0.3, -0.4])


def measure(t, x):
    x = np.asarray(x)
    return {"loss": (x - target) @ (x - target), "constraint": x[0] - 0.4}


K = ofw.L2Ball(3)
bandit = ofw.Learner("bfw-ada", K, seed=7)
play = ofw.run(bandit, measure, 20000)
x = bandit.decide()
print("plays near", x.centre.round(2), "- the best point is [ 0.4  0.3 -0.4]")
print(f"probes {np.linalg.norm(np.asarray(x) - x.centre):.2f} away from there to learn the slope")


def reveal(t, x):
    x = np.asarray(x)
    return (x - target) @ (x - target), 2 * (x - target), x[0] - 0.4, ([0], [1.0])


full = ofw.run(ofw.Learner("ofw-ada", K), reveal, 20000)
print(f"loss per round: {play.loss[-1000:].mean():.3f} with numbers alone, {full.loss[-1000:].mean():.3f} with gradients")
ofw.plot([play, full], "python-bandit.svg", labels=["numbers alone (bfw-ada)", "gradients (ofw-ada)"])
