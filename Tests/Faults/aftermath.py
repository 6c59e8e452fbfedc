"""What must hold after a fault, whatever it was."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from operations import Base, Operation, Place
from program import Outcome, documents
from tracing import TEXTS


@dataclass
class Reference:
    """An operation that nothing disturbed."""

    outcome: Outcome
    #: The documents that it leaves as they were.
    untouched: set[str]

    @classmethod
    def of(cls, outcome: Outcome, before: dict[str, bytes], after: dict[str, bytes]):
        return cls(outcome, {name for name in before if after.get(name) == before[name]})


@dataclass
class Tally:
    """What came out, operation by operation."""

    tried: int = 0
    struck: int = 0
    acknowledged: int = 0
    problems: list[str] = field(default_factory=list)


class Aftermath:
    def __init__(self, base: Base, operation: Operation, reference: Reference):
        self.base = base
        self.program = base.program
        self.operation = operation
        self.reference = reference

    def problems(
        self, place: Place, before: dict[str, bytes], outcome: Outcome, error: str | None
    ) -> list[str]:
        """Every promise that was broken; looks, repeats the command, and looks again."""
        found = []
        if outcome.crashed:
            found.append(f"the program crashed with {outcome.status}: {outcome.errors[-300:]}")
        if error and outcome.status != 0 and not self._isNamed(outcome, error):
            found.append(f"{error} is not named: {outcome.status} {outcome.errors.strip()[-300:]}")
        target = self.operation.target(place)
        # A store that was to be made, and is not there yet, has nothing to look at.
        if (target / "store.json").exists():
            found += self._verify(target, "after the fault")
        elif self.operation.hasStore and target == place.store:
            found.append("the store is gone")
        found += self._unchanged(place, before)
        if outcome.status == 0 and not self._isDone(place):
            found.append("it was acknowledged and is not there")
        found += self._repeat(place)
        return found

    def _isNamed(self, outcome: Outcome, error: str) -> bool:
        text = outcome.errors.lower()
        if TEXTS[error] in text:
            return True
        # Another process of it, such as git, says it in its own words, or only that it ended.
        return "git" in text and ("signal" in text or "error" in text or "fatal" in text)

    def _verify(self, store: Path, when: str) -> list[str]:
        outcome = self.program.run(["store", "verify", "--store", store])
        if outcome.status == 0:
            return []
        return [f"verify {when}: {outcome.status} {(outcome.output + outcome.errors).strip()[-400:]}"]

    def _unchanged(self, place: Place, before: dict[str, bytes]) -> list[str]:
        """What the operation never touches is as it was, and journals have only grown."""
        found = []
        now = documents(place.store)
        for name, old in before.items():
            new = now.get(name)
            if name.endswith(".jsonl"):
                if new is None or not new.startswith(old):
                    found.append(f"{name} has lost lines")
            elif name in self.reference.untouched and new != old:
                found.append(f"{name} was changed")
        return found

    def _isDone(self, place: Place) -> bool:
        try:
            return self.operation.isDone(self.program, place)
        except SystemExit:
            return False

    def _repeat(self, place: Place) -> list[str]:
        wasDone = self.operation.done_before and self._isDone(place)
        outcome = self.program.run(self.operation.arguments(place))
        refused = any(part in outcome.errors for part in self.operation.done_before)
        found = []
        if outcome.status != 0 and not (wasDone and outcome.status == 1):
            found.append(
                f"again: {outcome.status} {outcome.errors.strip()[-300:]}"
                + (" (done before)" if refused else ""))
        elif not self._isDone(place):
            found.append("again: it succeeded and is not there")
        target = self.operation.target(place)
        if (target / "store.json").exists():
            found += self._verify(target, "after the repetition")
        return found


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)
