"""The method of apps/recommend, slow and obvious: lists of ratings, dense matrices, a full SVD, every regression from its definition.

Nothing is kept up to date that can be worked out from the ratings seen, except what the method itself keeps between replays: the item's
bias and the value that a rating had for the user's row when it came.
"""
import math

import numpy as np

DEFAULTS = {"rank": 8, "ridge": 8.0, "user_ridge": 4.0, "item_ridge": 4.0, "forget": 0.99, "session": 0.8, "batch": 500, "growth": 0.05,
            "slack": 0.0}
SCALE = 2.0          # within, ratings are from -2 to 2


def ridge(features, targets, weights, penalties):
    """argmin sum w (z - <f, x>)^2 + sum penalty x^2, by stacking rows and numpy's least squares."""
    root = np.sqrt(np.asarray(weights))[:, None]
    left = np.vstack([root * np.asarray(features), np.diag(np.sqrt(penalties))])
    right = np.concatenate([root[:, 0] * np.asarray(targets), np.zeros(len(penalties))])
    return np.linalg.lstsq(left, right, rcond=None)[0]


class Cap:
    """The mean score of a group over the users of a round, kept below a cap."""

    def __init__(self, group, cap, slack, per_round):
        self.group, self.cap, self.slack, self.per_round = list(group), cap, slack, per_round
        self.first, self.paid, self.free, self.ratings, self.base, self.violations = {}, {}, {}, 0, 0.0, []

    def share_out(self, times):
        mean = sum(times[j] for j in self.group) / len(self.group)
        share = [min(4.0, max(0.25, (1 + mean) / (1 + times[j]))) for j in self.group]
        self.share = {j: a * len(self.group) / sum(share) for j, a in zip(self.group, share)}

    def mean_at(self, scores, price):
        return sum(min(SCALE, max(-SCALE, scores[j] - price * self.share[j])) for j in self.group) / len(self.group)

    def meet(self, user, scores):
        """The user's price, by bisection."""
        others = {u: x for u, x in self.paid.items() if u != user}
        most = (self.cap + self.slack) * (len(others) + 1) - sum(others.values())
        if user not in self.first:
            most = min(most, (self.cap + self.slack) * (len(self.first) + 1) - sum(self.first.values()))
        low, high = 0.9 * self.base, 100.0
        if self.mean_at(scores, low) <= most:
            high = low
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if self.mean_at(scores, middle) > most else (low, middle)
        self.paid[user], self.free[user] = self.mean_at(scores, high), self.mean_at(scores, 0.0)
        self.first.setdefault(user, self.paid[user])
        return high

    def count(self, times):
        self.ratings += 1
        if self.ratings < self.per_round:
            return
        self.violations.append(max(0.0, *(sum(scores.values()) / len(scores) - self.cap for scores in (self.first, self.paid))))
        need = sum(self.free.values()) / len(self.free) - self.cap - self.slack
        self.base += 0.1 * (max(0.0, need) - self.base)
        self.first, self.paid, self.free, self.ratings = {}, {}, {}, 0
        self.share_out(times)


class Recommender:
    def __init__(self, users, items, lowest, highest, group=(), cap=None, per_round=500, atoms=True, mixing=True, row_step=True,
                 **constants):
        self.c = {**DEFAULTS, **constants}
        self.users, self.items, self.lowest, self.highest = users, items, lowest, highest
        self.middle, self.unit = (lowest + highest) / 2, (highest - lowest) / (2 * SCALE)
        self.atoms, self.mixing, self.row_step = atoms if self.c["rank"] > 0 else False, mixing, row_step
        width = 1 + self.c["rank"]
        self.row, self.column = np.zeros((users, width)), np.zeros((items, width))
        self.seen = []                                   # (user, item, value)
        self.rows = [[] for _ in range(users)]           # per user: features and target of each of their ratings
        self.misses = np.zeros(items)                    # whose mean, shrunk, is the item's bias
        self.off = [[] for _ in range(users)]            # per user: how far the row was off, rating by rating
        self.parts, self.targets, self.logs = [], [], []
        self.next = self.c["batch"]
        self.cap = Cap(group, (cap - self.middle) / self.unit, self.c["slack"] / self.unit, per_round) if group else None
        if self.cap:
            self.cap.share_out(self.times())

    def times(self):
        return np.bincount([item for _, item, _ in self.seen], minlength=self.items)

    def mean(self):
        return sum(value for _, _, value in self.seen) / (1 + len(self.seen))

    def weights(self):
        first = np.array([0.0, 1, 1, 1, 0, 0, 0])
        if not self.mixing or not self.parts:
            return first
        left = np.array(self.parts)
        return first + ridge(left, np.array(self.targets) - left @ first, np.ones(len(left)), np.full(7, 1 / 0.1))

    def part(self, user, item, times):
        age = self.c["session"] ** np.arange(len(self.off[user]))[::-1]
        p, q = self.row[user], self.column[item]
        return np.array([1.0, p[0], q[0], p[1:] @ q[1:], age @ np.array(self.off[user]) / (age.sum() + 2.0),
                         math.log1p(times[item]) - sum(self.logs) / (1 + len(self.seen)), 1 / (1 + times[item])])

    def rate(self, user, item, rating):
        """The prediction; then the rating is learned from."""
        times, w, mu = self.times(), self.weights(), self.mean()
        f = self.part(user, item, times)
        score = mu + w @ f
        if self.cap:
            price = self.cap.meet(user, {j: mu + w @ self.part(user, j, times) for j in self.cap.group})
            score -= price * self.cap.share.get(item, 0.0)
        prediction = min(self.highest, max(self.lowest, self.middle + self.unit * score))
        value = (rating - self.middle) / self.unit
        self.parts.append(f)
        self.targets.append(value - mu)
        self.off[user].append(value - mu - f[1] - f[2] - f[3])
        self.logs.append(math.log1p(times[item]))
        self.seen.append((user, item, value))
        self.learn_row(user, item, value)
        if self.cap:
            self.cap.count(self.times())
        if len(self.seen) >= self.next:
            self.replay()
        return prediction

    def solve_row(self, user):
        features = [f for f, _ in self.rows[user]] or [np.zeros(1 + self.c["rank"])]
        targets = [z for _, z in self.rows[user]] or [0.0]
        age = self.c["forget"] ** np.arange(len(targets))[::-1]
        self.row[user] = ridge(features, targets, age, [self.c["user_ridge"]] + [self.c["ridge"]] * self.c["rank"])

    def learn_row(self, user, item, value):
        mu, q = self.mean(), self.column[item]
        self.rows[user].append((np.concatenate([[1.0], q[1:]]), value - mu - q[0]))
        if self.row_step:
            self.solve_row(user)
        p = self.row[user]
        self.misses[item] += value - mu - p[0] - p[1:] @ q[1:]
        q[0] = self.misses[item] / (self.times()[item] + self.c["item_ridge"])

    # ---- replay ----

    def bare(self):
        """What biases leave of each rating."""
        return np.array([value - self.mean() - self.row[u][0] - self.column[j][0] for u, j, value in self.seen])

    def atom(self):
        residual = np.zeros((self.users, self.items))
        for (u, j, _), z in zip(self.seen, self.bare()):
            residual[u, j] += z - self.row[u][1:] @ self.column[j][1:]
        left, _, right = np.linalg.svd(residual)
        return left[:, 0], right[0]

    def correct(self):
        """Weights w >= 0 of all atoms, then the smallest of them makes room for the new one."""
        rank, (u, v) = self.c["rank"], self.atom()
        left = [self.row[:, a + 1] for a in range(rank)] + [u]
        right = [self.column[:, a + 1] for a in range(rank)] + [v]
        sizes = np.array([np.linalg.norm(p) * np.linalg.norm(q) for p, q in zip(left, right)])
        design = np.array([[p[i] * q[j] for p, q in zip(left, right)] for i, j, _ in self.seen])
        gram, moment = design.T @ design, design.T @ self.bare()
        w = np.concatenate([np.ones(rank), [0.0]])
        for _ in range(50):
            for a in range(rank if self.atoms == "single" else 0, rank + 1):
                slope = moment[a] - self.c["ridge"] * sizes[a] - gram[a] @ w + gram[a, a] * w[a]
                w[a] = slope / gram[a, a] if slope > 0 and gram[a, a] > 0 else 0.0
        for a in range(rank):
            for side, vector in ((self.row, left[a].copy()), (self.column, right[a].copy())):
                length = np.linalg.norm(vector)
                side[:, a + 1] = vector * math.sqrt(w[a] * sizes[a]) / length if length > 0 else 0.0
        least = int(np.argmin(w[:rank] * sizes[:rank]))
        if w[rank] > w[least] * sizes[least]:
            self.row[:, least + 1], self.column[:, least + 1] = math.sqrt(w[rank]) * u, math.sqrt(w[rank]) * v

    def replay(self):
        if self.atoms:
            self.correct()
        mu, times = self.mean(), self.times()
        for item in range(self.items):
            mine = [(u, value) for u, j, value in self.seen if j == item]
            if mine:
                self.column[item] = ridge([[1.0, *self.row[u][1:]] for u, _ in mine], [z - mu - self.row[u][0] for u, z in mine],
                                          np.ones(len(mine)), [self.c["item_ridge"]] + [self.c["ridge"]] * self.c["rank"])
            else:
                self.column[item] = 0.0
            self.misses[item] = self.column[item][0] * (times[item] + self.c["item_ridge"])
        for user in range(self.users):
            self.rows[user] = [(np.concatenate([[1.0], self.column[j][1:]]), value - mu - self.column[j][0])
                               for u, j, value in self.seen if u == user]
            self.solve_row(user)
        self.next = len(self.seen) + int(max(self.c["batch"], self.c["growth"] * len(self.seen)))
