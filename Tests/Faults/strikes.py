"""Kills and errors at every changing system call of every operation."""

import itertools
import shutil
from pathlib import Path

from aftermath import Aftermath, Reference, Tally, one_line
from base import Base
from operations import Operation, all_operations
from program import documents
from tracing import CHANGING, ERRORS, REACHING, strike, trace


class Strikes:
    """One operation after the other, from the same base."""

    def __init__(self, base: Base, work: Path, say):
        self.base = base
        self.work = work
        self.say = say
        self.errors = itertools.cycle(ERRORS)

    def run(self, names: list[str], kills: bool, errors: int, every: int) -> bool:
        """- errors: how many of the thirty at each call; 30 takes hours.
        - every: how many calls there are to each that is struck."""
        isGood = True
        for operation in all_operations(self.base):
            if names and operation.name not in names:
                continue
            reference, changes, reaches = self._reference(operation)
            if reference.outcome.status != 0:
                self.say(f"{operation.name}: undisturbed it ends with {reference.outcome}")
                isGood = False
                continue
            if kills:
                isGood &= self._each(operation, reference, "killed", [
                    (point, "signal=SIGKILL", None) for point in changes[::every]])
            if errors:
                isGood &= self._each(operation, reference, "refused", [
                    (point, f"error={error}", error)
                    for point in (changes + reaches)[::every]
                    for error in itertools.islice(self.errors, errors)])
        return isGood

    def _reference(self, operation: Operation):
        place = self.base.place(self.work / "reference", operation)
        before = documents(place.store)
        outcome, found = trace(
            self.base.program, operation.arguments(place), self.work, place.folder,
            CHANGING + REACHING)
        reference = Reference.of(outcome, before, documents(place.store))
        shutil.rmtree(place.folder)
        changes = [point for point in found if point.call in CHANGING]
        return reference, changes, [point for point in found if point.call in REACHING]

    def _each(self, operation, reference, kind, strikes) -> bool:
        tally = Tally()
        aftermath = Aftermath(self.base, operation, reference)
        for number, (point, fault, error) in enumerate(strikes):
            place = self.base.place(self.work / f"try-{number}", operation)
            before = documents(place.store)
            outcome, hasStruck = strike(
                self.base.program, operation.arguments(place), place.folder, point, fault)
            tally.tried += 1
            tally.struck += hasStruck
            tally.acknowledged += outcome.status == 0
            for problem in aftermath.problems(
                    place, before, outcome, error if hasStruck else None):
                tally.problems.append(f"{operation.name}, {point}, {fault}: {one_line(problem)}")
                self.say("  " + tally.problems[-1])
            shutil.rmtree(place.folder)
        self.say(f"{operation.name:15} {kind}: {tally.tried} tried, {tally.struck} struck, "
                 f"{tally.acknowledged} acknowledged, {len(tally.problems)} problems")
        return not tally.problems and (tally.struck > 0 or not strikes)
