"""What has been tried, in a file, so that an interrupted run continues where it stopped."""

import hashlib
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path


class TimeIsUp(Exception):
    """The time is up; the rest is for the next run."""


@dataclass(frozen=True)
class Try:
    """A fault, with a name that is the same in the next run."""

    #: Such as "killed" or "refused".
    kind: str
    operation: str
    #: Where or when it strikes.
    place: str
    fault: str

    def __str__(self):
        return f"{self.operation}, {self.place}, {self.fault}"


@dataclass
class Result:
    struck: bool
    acknowledged: bool
    problems: list[str] = field(default_factory=list)


class Record:
    """All tries and their results: those of this run, and those of earlier runs from the file.

    A try without problems is not repeated; one with problems is. A file belongs to one release: it records
    which programs were tried, but not which tries would have to be repeated for another.
    """

    def __init__(
        self, path: Path | None, program: Path, minutes: float | None, point: str = ""
    ):
        self.end = time.monotonic() + 60 * minutes if minutes else None
        with open(program, "rb") as file:
            self.program = hashlib.file_digest(file, "sha256").hexdigest()[:12]
        self.point = point
        self.programs: set[str] = set()
        self.results: dict[Try, Result] = {}
        if path and path.exists():
            for line in path.read_text().splitlines():
                self._read(line)
        self.file = open(path, "a") if path else None

    def _read(self, line: str):
        try:
            row = json.loads(line)
        except ValueError:
            # A line that was cut off when the run ended.
            return
        self.programs.add(row.pop("program"))
        result = Result(row.pop("struck"), row.pop("acknowledged"), row.pop("problems"))
        self.results[Try(**row)] = result

    def wants(self, one: Try) -> bool:
        """Whether this is still to be tried; ends the run when its time is up."""
        known = self.results.get(one)
        if known and not known.problems or self.point not in one.place:
            return False
        if self.end and time.monotonic() > self.end:
            raise TimeIsUp
        return True

    def add(self, one: Try, result: Result):
        self.results[one] = result
        self.programs.add(self.program)
        if self.file:
            print(json.dumps(vars(one) | vars(result) | {"program": self.program}), file=self.file,
                  flush=True)

    def tally(self, kind: str, operation: str, tries) -> str:
        """The results of these tries, in a line."""
        found = [self.results[one] for one in tries if one in self.results]
        return (f"{operation:15} {kind}: {len(found)} tried, {sum(r.struck for r in found)} struck, "
                f"{sum(r.acknowledged for r in found)} acknowledged, "
                f"{sum(len(r.problems) for r in found)} problems")

    def totals(self) -> list[str]:
        """The results of everything in the file and in this run."""
        tried, struck, problems = Counter(), Counter(), Counter()
        for one, result in self.results.items():
            tried[one.kind] += 1
            struck[one.kind] += result.struck
            problems[one.kind] += len(result.problems)
        return [f"{kind}: {tried[kind]:,} tried, {struck[kind]:,} struck, {problems[kind]:,} problems"
                for kind in tried] + [f"programs tried: {', '.join(sorted(self.programs))}"]
