"""A second reader of logs, slow and plain, that owes ofw nothing but ofw-checkpoint(5)."""
import re
import zlib

from program import check

SECTOR, EDGE, END_MARKS = 512, 64, 74


class Log:
    """A log as ofw-checkpoint(5) has it: `header` lines, `lines` of feedback, `ends`: where the header and the commit of each
    line end, and whether the file is `whole`: nothing follows its commits but the marks of its end."""

    def __init__(self, path):
        with open(path, "rb") as file:
            text = file.read()
        first = b"ofwlog 2\n"
        self.header, self.lines, self.ends, self.whole, self.dropped = [], [], [], False, 0
        self.number, self.total, self.at = 0, zlib.crc32(first), len(first)
        if not text.startswith(first):
            check(first.startswith(text[:9].rstrip(b"\0")), f"{path} begins with {text[:20]!r}")
            return
        while self.take_commit(text):
            check(EDGE < self.at % SECTOR < SECTOR - EDGE, f"{path}: a commit ends at {self.at}, at a sector's edge")
        self.whole = text[self.at:] in (b"", self.end_mark() * END_MARKS)

    def end_mark(self):
        return sealed(b".%d %d %08x" % (self.number - 1, self.at, self.total), EDGE)

    def take_commit(self, text):
        newline = text.find(b"\n", self.at)
        mark, words = text[self.at:newline + 1], text[self.at + 8:newline].split()
        if newline < 0 or len(words) != 3 or mark != sealed(b"=%d %d %08x" % (self.number, int(words[1]), self.total)):
            return False
        body, total, found = text[newline + 1:newline + 1 + int(words[1])], self.total, []
        if len(body) != int(words[1]):
            return False
        for record in body.splitlines(keepends=True):
            if not record.strip():
                continue
            total = zlib.crc32(record[9:], total)
            if record[:9] != b"%08x " % total:
                return False
            found.append(record[9:-1].decode())
        self.at, self.total = newline + 1 + len(body), total
        if self.number == 0:
            self.header = found[:2]
            dropped, total = re.fullmatch(r"from=(\d+) sum=([0-9a-f]{8})", found[2]).groups()
            self.dropped, self.total = int(dropped), int(total, 16)
            self.ends = [self.at]
        else:
            self.lines += found
            self.ends += [self.at] * len(found)
        self.number += 1
        return True

    def next_commit(self, line):
        """The bytes of a commit of one line that would come next."""
        text = line.encode() + b"\n"
        record = b"%08x " % zlib.crc32(text, self.total) + text
        return sealed(b"=%d %d %08x" % (self.number, len(record), self.total)) + record


def sealed(mark, width=0):
    mark = mark.ljust(max(width - 9, 0)) + b"\n"
    return b"%08x" % zlib.crc32(mark) + mark
