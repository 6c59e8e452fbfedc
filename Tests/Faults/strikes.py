"""Kills and errors at every modifying system call of every operation."""

import shutil
from pathlib import Path

from aftermath import Aftermath, Reference, one_line
from base import Base
from operations import Operation, all_operations
from program import documents
from record import Record, Result, Try
from states import words
from tracing import CHANGING, ERRORS, REACHING, errors_at, labels, strike, trace


class Strikes:
    """Strikes one operation after the other, each from the same base."""

    def __init__(self, base: Base, work: Path, record: Record, say):
        self.base = base
        self.work = work
        self.record = record
        self.say = say

    def run(self, names: list[str], kills: bool, errors: int, every: int) -> bool:
        """- errors: how many of the thirty errors to try at each call; 30 takes hours.
        - every: only one in this many calls is struck.
        """
        isGood = True
        for operation in all_operations(self.base):
            if names and operation.name not in names:
                continue
            reference, changes, reaches = self._reference(operation)
            if reference.outcome.status != 0:
                self.say(f"{operation.name}: undisturbed it ends with {reference.outcome}")
                isGood = False
                continue
            aftermath = Aftermath(self.base, operation, reference)
            if kills:
                isGood &= self._each(operation, aftermath, "killed", [
                    (point, "signal=SIGKILL", None) for point in changes[::every]])
            if errors:
                found = (changes + reaches)[::every]
                isGood &= self._each(operation, aftermath, "refused", [
                    (found[index], f"error={error}", error)
                    for index, error in errors_at(len(found), errors)])
        return isGood

    def _reference(self, operation: Operation):
        place = self.base.place(self.work / "reference", operation)
        before, known = documents(place.store), words(place.folder)
        outcome, found = trace(
            self.base.program, operation.arguments(place), self.work, place.folder,
            CHANGING + REACHING)
        reference = Reference.of(outcome, before, documents(place.store), known)
        shutil.rmtree(place.folder)
        changes = [point for point in found if point.call in CHANGING]
        return reference, changes, [point for point in found if point.call in REACHING]

    def _each(self, operation, aftermath, kind, strikes) -> bool:
        tries = []
        named = labels([point for point, _, _ in strikes])
        for number, (point, fault, error) in enumerate(strikes):
            one = Try(kind, operation.name, named[point], fault)
            tries.append(one)
            if not self.record.wants(one):
                continue
            place = self.base.place(self.work / f"try-{number}", operation)
            before = documents(place.store)
            outcome, hasStruck, isAlone = strike(
                self.base.program, operation.arguments(place), place.folder, point, fault)
            problems = [one_line(problem) for problem in aftermath.problems(
                place, before, outcome, error if hasStruck else None, isAlone)]
            for problem in problems:
                self.say(f"  {one}: {problem}")
            self.record.add(one, Result(hasStruck, outcome.status == 0, problems))
            shutil.rmtree(place.folder)
        self.say(self.record.tally(kind, operation.name, tries))
        results = [self.record.results[one] for one in tries if one in self.record.results]
        isStruck = not results or any(result.struck for result in results)
        return isStruck and not any(result.problems for result in results)
