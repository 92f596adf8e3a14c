"""Share out work over three suppliers at the least cost, which is known only afterwards."""
import numpy as np
import ofw

rng = np.random.default_rng(1)


def hour(t, x):
    """What the shares x cost in hour t, and the gradient of that."""
    cost = np.array([2.0, 1.5, 3.0]) + rng.standard_normal(3)
    return cost @ x, cost


learner = ofw.Learner("ofw-ada", ofw.Simplex(3))
for t in range(1, 1001):
    x = np.asarray(learner.decide())        # the shares for this hour
    loss, gradient = hour(t, x)             # play them
    learner.observe(loss, gradient)         # tell what they cost
print("shares", x.round(2))

play = ofw.run(ofw.Learner("ofw-ada", ofw.Simplex(3)), hour, 1000)      # the same loop, with an account of every round
print(f"cost per hour: {play.loss[:100].mean():.2f} in the first 100 hours, {play.loss[-100:].mean():.2f} in the last 100")
ofw.plot(play, "python-decide.svg", metrics=["loss_sum"])
