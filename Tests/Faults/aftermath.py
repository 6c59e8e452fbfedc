"""What must hold after any fault."""

import json
import re
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from base import Base, Place
from operations import Operation
from program import Outcome, documents
from states import state, words
from tracing import TEXTS


@dataclass
class Reference:
    """The result of an undisturbed operation."""

    outcome: Outcome
    #: The documents that it does not change.
    untouched: set[str]
    #: The entries that it adds to the activity.
    entries: Counter
    #: The words that were there before anything was generated.
    known: set[bytes]

    @classmethod
    def undisturbed(cls, base: Base, operation: Operation, folder: Path):
        place = base.place(folder, operation)
        before, known = documents(place.store), words(place.folder)
        outcome = base.program.run(operation.arguments(place))
        after = documents(place.store)
        shutil.rmtree(folder)
        return cls.of(outcome, before, after, known)

    @classmethod
    def of(cls, outcome: Outcome, before: dict[str, bytes], after: dict[str, bytes], known):
        untouched = {name for name in before if after.get(name) == before[name]}
        return cls(outcome, untouched, entries(after) - entries(before), known)


#: Events of builds are left out, since an interrupted build is recorded too.
UNTOLD = ("buildEnded", "tagRefused")


def entries(found: dict[str, bytes]) -> Counter:
    """The events in the activity, without their times."""
    lines = [json.loads(line) for name, text in found.items() if name.startswith("activity/")
             for line in text.splitlines()]
    return Counter((line["event"], line["subject"]) for line in lines if line["event"] not in UNTOLD)


def is_named(text: str, error: str) -> bool:
    """Whether the output names the error; a backup made without damaged files lists them in its result."""
    text = text.lower()
    if TEXTS[error] in text:
        return True
    if error == "ENOSPC" and ("without space" in text or "filled the disk" in text):
        return True
    # git has its own messages, or only ends: if it cannot open `HEAD`, it says that there is no repository,
    # whatever the error was.
    return bool(re.search(r"fatal: |by signal|\bgit [a-z-]+ failed", text))


class Aftermath:
    def __init__(self, base: Base, operation: Operation, reference: Reference):
        self.base = base
        self.program = base.program
        self.operation = operation
        self.reference = reference
        #: The states without a flaw, each with whether the operation was acknowledged.
        self.sound: set[tuple[str, bool]] = set()

    def problems(
        self, place: Place, before: dict[str, bytes], outcome: Outcome, error: str | None,
        isToName: bool = True
    ) -> list[str]:
        """Every broken promise: checks the state, repeats the command, and checks again."""
        found = []
        # Without its pipes or event descriptors a program may wait for ever, but not without a disk.
        if outcome.status == 124 and isToName:
            found.append("it hangs")
        if outcome.crashed:
            found.append(f"the program crashed with {outcome.status}: {outcome.errors[-300:]}")
        text = outcome.output + outcome.errors
        if error and isToName and outcome.status != 0 and not is_named(text, error):
            found.append(f"{error} is not named: {outcome.status} {outcome.errors.strip()[-300:]}")
        found += self._unchanged(place, before)
        added = entries(documents(place.store)) - entries(before)
        if surplus := added - self.reference.entries - Counter(self.operation.mayTell):
            found.append(f"the activity tells too much: {dict(surplus)}")
        reached = state(place.folder, self.reference.known), outcome.status == 0
        if reached not in self.sound:
            isPassed = error is not None and self.operation.passesOver
            wrong = self._wrong(place, before, outcome, isPassed)
            if not wrong:
                self.sound.add(reached)
            found += wrong
        return found

    def _wrong(
        self, place: Place, before: dict[str, bytes], outcome: Outcome, isPassed: bool
    ) -> list[str]:
        """The flaws of this state, and of the state after the same command is repeated.

        - isPassed: whether the operation may have skipped something that it could not read.
        """
        found = []
        target = self.operation.target(place)
        # A store that was to be created, and does not exist yet, cannot be checked.
        if self.operation.fixes and outcome.status != 0:
            pass
        elif (target / "store.json").exists():
            found += self._verify(target, "after the fault")
        elif self.operation.hasStore and target == place.store:
            found.append("the store is gone")
        if outcome.status == 0 and not isPassed and not self._isDone(place):
            found.append("it was acknowledged and is not there")
        found += self._repeat(place)
        added = entries(documents(place.store)) - entries(before)
        if missing := self.reference.entries - added:
            found.append(f"the activity does not tell {dict(missing)}")
        return found

    def _verify(self, store: Path, when: str) -> list[str]:
        outcome = self.program.run(["store", "verify", "--store", store])
        if outcome.status == 0:
            return []
        return [f"verify {when}: {outcome.status} {(outcome.output + outcome.errors).strip()[-400:]}"]

    def _unchanged(self, place: Place, before: dict[str, bytes]) -> list[str]:
        """Checks that documents which the operation never changes are unchanged, and that journals have only
        grown.
        """
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

    def _again(self, place: Place) -> list:
        """Repeats the command, or runs another one that a known failure requires."""
        if self.operation.after_failure:
            shown = self.program.run(
                ["mirror", "show", "pare", "--json", "--store", place.store])
            if '"state" : "failed"' in shown.output:
                return [*self.operation.after_failure, "--store", place.store]
        return self.operation.arguments(place)

    def _repeat(self, place: Place) -> list[str]:
        command = self._again(place)
        # With --json, the error's identifier is printed.
        outcome = self.program.run([*command, "--json"] if self.operation.done_before else command)
        wasDone = self.operation.reports or any(
            part in outcome.output + outcome.errors for part in self.operation.done_before)
        found = []
        if outcome.status != 0 and not (wasDone and outcome.status == 1):
            found.append(f"again: {outcome.status} {outcome.errors.strip()[-300:]}")
        elif not self._isDone(place):
            found.append(f"again: it ended with {outcome.status} and is not there")
        target = self.operation.target(place)
        if (target / "store.json").exists():
            found += self._verify(target, "after the repetition")
        return found


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)
