"""A portfolio day by day: the logarithm of its growth, with a cap on its variance as it is estimated from the past."""
import numpy as np
import ofw

assets, days = 6, 2500
rng = np.random.default_rng(8)
mean, spread = np.array([9.0, 7.0, 5.0, 4.0, 2.0, 1.0]) * 1e-4, np.array([30.0, 22.0, 14.0, 10.0, 5.0, 1.0]) * 1e-3
shared = rng.standard_normal(days)
relative = 1.0 + mean + spread * (0.6 * shared[:, None] + 0.8 * rng.standard_normal((days, assets)))
cap, past = 0.012**2, np.diag(spread**2)


class Market(ofw.Stream):
    def reveal(self, t, x):
        global past
        x, r = np.asarray(x), relative[t - 1]
        risk = past @ x                                      # the variance's gradient, halved; scaled to the losses' size
        past = 0.98 * past + 0.02 * np.outer(r - 1.0, r - 1.0)
        return -np.log(r @ x), -r / (r @ x), 1e2 * (x @ risk - cap), 2e2 * risk


plays = []
for name in ("ofw-ada", "ofw"):
    past = np.diag(spread**2)
    K = ofw.Simplex(assets)
    plays.append(ofw.run(ofw.Learner(name, K, lipschitz=3.0), Market(K), days))
    growth = -plays[-1].loss
    print(f"{name:8} growth per year {250 * growth.mean():.3f}, deviation per day {growth.std():.4f}, the cap is {cap**0.5:.4f}")
ofw.plot(plays, "python-portfolio.svg", labels=["variance capped (ofw-ada)", "growth alone (ofw)"])
