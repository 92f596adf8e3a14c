"""Money over campaigns, ten minutes at a time, under a spend limit that follows the day and two caps at once."""
import numpy as np
import ofw

day, campaigns = 144, 8
rng = np.random.default_rng(2)
worth, half = rng.uniform(0.5, 2.0, campaigns), rng.uniform(0.1, 0.5, campaigns)
price = 0.4 + worth / worth.max()
video = np.arange(campaigns) < 3                             # these three share a quota
K = ofw.CappedSimplex(caps=np.full(campaigns, 0.3), sum=1.0)


def slot(t, x):
    x = np.asarray(x)
    demand = 0.6 + 0.4 * np.sin(2 * np.pi * t / day + np.arange(campaigns)) + 0.2 * rng.random(campaigns)
    loss, gradient = -(worth * demand) @ np.log1p(x / half), -(worth * demand) / (half + x)
    limit = 0.85 + 0.05 * np.cos(2 * np.pi * t / day)
    return loss, gradient, [price @ x - limit, video @ x - 0.5], [price, video.astype(float)]


plays = [ofw.run(ofw.Learner(name, K, lipschitz=12.0), slot, 30 * day) for name in ("ofw-ada", "ofw")]
for play in plays:
    print(f"{play.label:8} worth per slot {-play.loss.mean():.3f}, the worse limit broken by {play.ccv[-1] / len(play):.4f} per slot")
ofw.plot(plays, "python-pacing.svg", labels=["ofw-ada", "ofw (no limits)"])
