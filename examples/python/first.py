"""Share out work over three suppliers at the least cost, within a limit on carbon."""
import numpy as np
import ofw

cost, carbon = np.array([2.0, 1.0, 3.0]), np.array([1.0, 4.0, 2.0])
learner = ofw.Learner("ofw-ada", ofw.Simplex(3))
for t in range(1000):
    x = np.asarray(learner.decide())
    learner.observe(cost @ x, cost, carbon @ x - 2, carbon)
print(x.round(2))
