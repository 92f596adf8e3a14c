"""Ratings come in by and by; the decision is a whole matrix of predictions, and few films may get all the attention."""
import numpy as np
import ofw

users, films, rank = 300, 200, 3
rng = np.random.default_rng(3)
truth = rng.standard_normal((users, rank)) @ rng.standard_normal((rank, films)) / np.sqrt(rank)
popular = np.argsort(-truth.mean(axis=0))[:20]
attention = np.zeros((users, films))
attention[:, popular] = 1.0 / (users * 20)                   # the mean prediction of the popular films ..
cap = 0.05                                                   # .. is to stay below this

learner = ofw.Learner("ofw-ada", ofw.TraceBall(users, films, radius=1.2 * np.linalg.norm(truth, "nuc")))
errors = []


def batch(t, x):
    """500 ratings; of x only what they need is read, and nothing of the matrix's size is made."""
    row, col = np.divmod(rng.choice(users * films, size=500, replace=False), films)
    error = x[row, col] - truth[row, col]
    errors.append(np.sqrt(np.mean(error**2)))
    return {"loss": 0.5 * np.mean(error**2), "gradient": ((row, col), error / 500),
            "constraint": x.dot(attention) - cap, "constraint_gradient": attention}


play = ofw.run(learner, batch, 400)
x = learner.decide()
print(f"error of the predictions: {np.mean(errors[:20]):.2f} at first, {np.mean(errors[-20:]):.2f} at the end")
print(f"mean prediction of the popular films: {x.dot(attention):.3f}, the cap is {cap}")
columns, numbers = x.top(row=0, k=3, exclude=popular)
print("for user 0, of the others:", columns)
ofw.plot(play, "python-matrices.svg")
