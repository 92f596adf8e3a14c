"""A method of your own: one Frank-Wolfe step per round along the sum of the gradients, with a price on the violation."""
import numpy as np
import ofw


class Summed(ofw.Method):
    name, anytime = "summed", True                           # anytime: it needs neither the horizon nor a bound on gradients

    def __init__(self, price):
        self.price = price

    def start(self, game):
        return {"sum": np.zeros(game.domain.shape)}          # all that it remembers

    def observe(self, game, now):
        """The next decision."""
        game.memory["sum"] += now.gradient + self.price * (now.violation > 0) * now.constraint_gradient
        v = game.lmo(game.memory["sum"])
        return game.x + (v - game.x) / (now.number + 1)


cost, carbon = np.array([2.0, 1.0, 3.0]), np.array([1.0, 4.0, 2.0])


def hour(t, x):
    return cost @ x, cost, carbon @ x - 2.0, carbon


for method in (Summed(price=0.1), Summed(price=1.0), "ofw-ada"):
    learner = ofw.Learner(method, ofw.Simplex(3))
    play = ofw.run(learner, hour, 2000)
    print(f"{learner.name:8} cost per hour {play.loss.mean():.3f}, excess carbon per hour {play.ccv[-1] / 2000:.3f}")
