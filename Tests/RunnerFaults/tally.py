"""The faults and findings so far, in a file per seed, so that runs can be added up."""

import json
import os
from collections import Counter
from pathlib import Path


class Tally:
    def __init__(self, folder: Path | None, seed: int):
        self.path = folder and folder / f"{seed}.json"
        self.faults: Counter[str] = Counter()
        self.builds: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.findings: list[str] = []

    def struck(self, fault: str):
        self.faults[fault] += 1
        self.write()

    def ended(self, state: str, reason: str | None):
        self.builds[state] += 1
        if reason:
            self.reasons[reason] += 1
        self.write()

    def found(self, finding: str):
        self.findings.append(finding)
        self.write()

    def write(self):
        if self.path:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            partial = self.path.with_suffix(".partial")
            partial.write_text(json.dumps(vars(self) | {"path": str(self.path)}, indent=1))
            os.replace(partial, self.path)

    def add(self, values: dict):
        for name in ("faults", "builds", "reasons"):
            getattr(self, name).update(values[name])
        self.findings += values["findings"]

    @property
    def words(self) -> str:
        return (f"{self.faults.total()} interruptions {shown(self.faults)} of {self.builds.total()} "
                f"builds {shown(self.builds)}, {len(self.findings)} findings")


def shown(counts: Counter) -> str:
    return "(" + ", ".join(f"{count} {name}" for name, count in counts.most_common()) + ")"


def total(folder: Path) -> Tally:
    """The sum over all seeds with a file in the folder."""
    sum = Tally(None, 0)
    for path in sorted(folder.glob("*.json")):
        sum.add(json.loads(path.read_text()))
    return sum
