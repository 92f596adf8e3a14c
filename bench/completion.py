#!/usr/bin/python3
"""ofw.OnlineMatrixCompletion on MovieLens-100k in the order of time: the error before each batch of ratings is learnt.

    PYTHONPATH=build/python completion.py [--data FOLDER] [--batch 250]

FOLDER has ml-100k/u.data, as `ofw data import` leaves it.
"""
import argparse
import os
import pathlib

import numpy as np

import ofw

USERS, FILMS = 943, 1682


def progressive(model, batches):
    """RMSE over all batches but the first, each predicted before it is learnt."""
    squares = []
    for users, films, ratings in batches:
        if hasattr(model, "learner_"):
            squares.append((model.predict(users, films) - ratings) ** 2)
        model.partial_fit(users, films, ratings)
    return np.sqrt(np.mean(np.concatenate(squares)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("OFW_DATA_DIR", "data"))
    parser.add_argument("--batch", type=int, default=250)
    args = parser.parse_args()
    rows = np.loadtxt(args.data / "ml-100k/u.data", dtype=int)
    rows = rows[np.argsort(rows[:, 3], kind="stable")]
    users, films, ratings = rows[:, 0] - 1, rows[:, 1] - 1, rows[:, 2].astype(float)
    batches = [(users[k:k + args.batch], films[k:k + args.batch], ratings[k:k + args.batch]) for k in range(0, len(rows), args.batch)]
    before = np.repeat(np.cumsum(ratings)[args.batch - 1::args.batch] / np.arange(args.batch, len(ratings) + 1, args.batch), args.batch)
    mean = np.sqrt(np.mean((before[:len(ratings) - args.batch] - ratings[args.batch:]) ** 2))
    still = ofw.OnlineMatrixCompletion(USERS, FILMS, clip=(1, 5), learner="still", options={"lipschitz": 1.0})
    matrix = ofw.OnlineMatrixCompletion(USERS, FILMS, clip=(1, 5))
    print("| running mean | baseline alone | baseline and matrix |\n|---|---|---|")
    print(f"| {mean:.3f} | {progressive(still, batches):.3f} | {progressive(matrix, batches):.3f} |")


if __name__ == "__main__":
    main()
