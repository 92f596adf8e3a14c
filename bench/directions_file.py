"""Directions for `ofw-bench domain SPEC --directions FILE`, in the format of bench/directions/directions.h."""
import array
import os
import struct
import sys


def write(folder, name, rows, cols, directions):
    """Each of them is rows x cols numbers, row by row; the path of the file."""
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(struct.pack("<8sQQQ", b"ofwdirec", 1, rows, cols))
        for t, d in enumerate(directions):
            numbers = array.array("d", d)
            if sys.byteorder == "big":
                numbers.byteswap()
            file.write(struct.pack("<Q", t + 1) + numbers.tobytes())
    return path
