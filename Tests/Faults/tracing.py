"""Faults that `strace` injects into system calls."""

import errno
import os
import re
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from program import Outcome, Program

# The calls that modify a disk; those that this machine's strace does not know are left out.
CHANGING = [
    "write", "pwrite64", "writev", "fsync", "fdatasync", "rename", "renameat", "renameat2", "link",
    "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "symlink", "symlinkat",
    "ftruncate", "fallocate", "chmod", "fchmod", "fchmodat", "copy_file_range",
]
# Calls that take part in a change, and can fail as well.
REACHING = ["openat", "flock"]

# Thirty errors of a call. Expected results (ENOENT, EEXIST) are not among them.
ERRORS = """EIO ENOSPC EMFILE ENFILE EDQUOT EROFS EACCES EPERM EINTR EAGAIN ENOMEM ESTALE EBUSY EFBIG
    ENXIO ENODEV ETXTBSY EMLINK EOVERFLOW EOPNOTSUPP ETIMEDOUT EREMOTEIO EINVAL ENAMETOOLONG ELOOP
    ENOTDIR EISDIR ENOLCK EUCLEAN ECANCELED""".split()

# The C library's messages, in lower case.
TEXTS = {name: os.strerror(getattr(errno, name)).lower() for name in ERRORS}


def errors_at(calls: int, each: int):
    """Pairs of a call's index and an error, for a number of errors at each call.

    Each error is tried at some call, even if there are few calls or few errors each; 30 means every error at
    every call. The first few pairs are the same for every number.
    """
    # The step is coprime to 30, so that no error comes twice at a call, and leaves no gaps.
    step = max(step for step in (1, 7, 11) if step <= max(calls, 1))
    passes = each if calls >= 30 else max(each, 1 + -(-(30 - calls) // step))
    for index_of_pass in range(min(passes, 30)):
        for call in range(calls):
            yield call, ERRORS[(call + step * index_of_pass) % 30]


STRACE = ["strace", "-f", "-qq", "-y", "-s", "0"]
# Stops the program only at the given calls, which is faster, but then strace cannot inject signals.
QUICK = [*STRACE, "--seccomp-bpf"]


@dataclass(frozen=True, order=True)
class Point:
    """The `number`-th time that a thread makes this call, of those on `path` if that is given."""

    call: str
    number: int
    #: Relative to the folder of a try. Only for `openat`: the loader opens dozens of other files first.
    path: str = ""

    def __str__(self):
        return f"{self.call} {self.path} {self.number}" if self.path else f"{self.call} {self.number}"

    def expressions(self, root: Path, fault: str) -> list[str]:
        """The arguments of `strace`."""
        chosen = ["-P", str(root / self.path)] if self.path else []
        return [*chosen, "-e", f"trace={self.call}", "-e",
                f"inject={self.call}:{fault}:when={self.number}"]


MADE_UP = re.compile(r"([0-9a-f]{2}/)?[0-9a-f]{32,}")


def labels(found: list[Point]) -> dict[Point, str]:
    """A name for each point that is the same in the next run, although generated blobs differ."""
    plain = {point: MADE_UP.sub("#", str(point)) for point in found}
    counts: Counter = Counter()
    named = {}
    for point, text in plain.items():
        counts[text] += 1
        named[point] = text if counts[text] == 1 else f"{text} ({counts[text]})"
    return named


OPENED = re.compile(r'"([^"]*)"')
WORKING = re.compile(r"AT_FDCWD<[^>]*>")
CALL = re.compile(r"^(\d+)\s+(\w+)\(")


def points(log: str, folder: Path, root: Path, calls) -> list[Point]:
    """The calls in a trace that touch this folder, in order; `root` is the folder of the try."""
    counts: Counter = Counter()
    found: dict[Point, None] = {}
    for line in log.splitlines():
        match = CALL.match(line)
        if not match or match[2] not in calls:
            continue
        opened = OPENED.search(line) if match[2] == "openat" else None
        if opened:
            path = opened[1].removeprefix(f"{root}/")
            # A generated name differs in the next run.
            if path != opened[1] and not path.endswith(".tmp"):
                counts[match[1], path] += 1
                found[Point("openat", counts[match[1], path], path)] = None
            continue
        counts[match[1], match[2]] += 1
        # `write(7</srv/ota/store/x>`: the path of a descriptor, or a path among the arguments.
        if str(folder) in WORKING.sub("", line):
            found[Point(match[2], counts[match[1], match[2]])] = None
    return list(found)


def trace(
    program: Program, arguments, folder: Path, root: Path, calls
) -> tuple[Outcome, list[Point]]:
    """Runs undisturbed, and returns the points at which a fault could strike."""
    with tempfile.NamedTemporaryFile("r", prefix="ota-trace") as log:
        outcome = program.run(
            arguments, [*QUICK, "-o", log.name, "-e", f"trace={','.join(calls)}"])
        return outcome, points(log.read(), folder, root, calls)


def strike(
    program: Program, arguments, root: Path, point: Point, fault: str
) -> tuple[Outcome, bool, bool]:
    """Runs with a fault, and returns the outcome, whether the fault struck the folder, and whether it struck
    nothing else; `fault` is as in `strace -e inject`.

    The same call of another thread may be on a pipe, whose failure is not a disk fault; if that pipe would
    carry the error message, nothing reports the error.
    """
    tracer = STRACE if "signal" in fault else QUICK
    with tempfile.NamedTemporaryFile("r", prefix="ota-trace") as log:
        outcome = program.run(
            arguments, [*tracer, "-o", log.name, *point.expressions(root, fault)])
        text = log.read()
        areOfFolder = [str(root.parent) in WORKING.sub("", line) for line in text.splitlines()
                       if "(INJECTED)" in line]
        hasStruck = any(areOfFolder) or "killed by SIGKILL" in text
        return outcome, hasStruck, hasStruck and all(areOfFolder)
