"""A clock that jumps a day ahead and back while commands run."""

import itertools
import shutil
from pathlib import Path

from aftermath import Aftermath, Reference, one_line
from base import Base
from operations import all_operations
from program import documents
from record import Record, Result, Try
from states import words


def jumps(base: Base, work: Path, names: list[str], record: Record, say) -> bool:
    """Runs each operation a day ahead and a day behind; afterwards everything is checked and done again at
    the true time.
    """
    isGood = True
    tries = []
    for operation, when in itertools.product(all_operations(base), ["+1d", "-1d"]):
        if names and operation.name not in names:
            continue
        one = Try("clock", operation.name, "start", when)
        tries.append(one)
        if not record.wants(one):
            continue
        place = base.place(work / "clock", operation)
        before, known = documents(place.store), words(place.folder)
        arguments = operation.arguments(place)
        outcome = base.program.run(arguments, before=["faketime", "-f", when])
        found = [] if outcome.status == 0 else [f"{outcome.status} {outcome.errors[-300:]}"]
        reference = Reference.of(outcome, before, documents(place.store), known)
        found += Aftermath(base, operation, reference).problems(
            place, before, outcome, None)
        for problem in found:
            say(f"  {one}: {one_line(problem)}")
        record.add(one, Result(True, outcome.status == 0, found))
        isGood &= not found
        shutil.rmtree(place.folder)
    say(record.tally("clock", "all", tries))
    return isGood
