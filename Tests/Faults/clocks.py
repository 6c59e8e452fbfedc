"""A clock that jumps a day ahead and back, in the middle of everything."""

import itertools
import shutil
from pathlib import Path

from aftermath import Aftermath, Reference, one_line
from base import Base
from operations import all_operations
from program import documents


def jumps(base: Base, work: Path, names: list[str], say) -> bool:
    """Each operation a day ahead; then everything is looked at, and done again, today."""
    problems = 0
    for operation, when in itertools.product(all_operations(base), ["+1d", "-1d"]):
        if names and operation.name not in names:
            continue
        place = base.place(work / "clock", operation)
        before = documents(place.store)
        arguments = operation.arguments(place)
        outcome = base.program.run(arguments, before=["faketime", "-f", when])
        found = [] if outcome.status == 0 else [f"{outcome.status} {outcome.errors[-300:]}"]
        reference = Reference.of(outcome, before, documents(place.store))
        found += Aftermath(base, operation, reference).problems(
            place, before, outcome, None)
        for problem in found:
            say(f"  {operation.name}, {when}: {one_line(problem)}")
        problems += len(found)
        shutil.rmtree(place.folder)
    say(f"a clock a day ahead, and a day behind: {problems} problems")
    return problems == 0
