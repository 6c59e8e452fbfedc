"""Faults at depth: see `scripts/faults --help`."""

import argparse
import datetime
import os
import shutil
import sys
import tempfile
from pathlib import Path

from clocks import jumps
from disks import full, power_cuts
from base import Base
from program import Program
from served import ServedStrikes
from strikes import Strikes
from tracing import ERRORS


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/faults", description=(
        "Kills, refuses and starves every command that changes a store, cuts its power and moves "
        "its clock; after each, nothing acknowledged may be lost, `ota store verify` must be "
        "content, and the same command must succeed."))
    parser.add_argument("--ota", required=True, help="the program")
    parser.add_argument("--operation", action="append", default=[], help="only these")
    parser.add_argument("--kills", action="store_true")
    parser.add_argument("--errors", type=int, default=0, metavar="N",
                        help="N of the thirty errors at each call; 30 takes hours")
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="strike only every N-th of the calls, for a machine with little time")
    parser.add_argument("--served", action="store_true",
                        help="kills and errors while a server takes an upload, an enrolment, an "
                             "approval and a build")
    parser.add_argument("--full-disk", action="store_true")
    parser.add_argument("--clock", action="store_true")
    parser.add_argument("--power-cuts", type=int, default=0, metavar="N",
                        help="N on ext4 and N on xfs")
    parser.add_argument("--temporary", default=tempfile.gettempdir())
    options = parser.parse_args()

    work = Path(tempfile.mkdtemp(prefix="ota-faults-", dir=options.temporary)).resolve()
    began = datetime.datetime.now()

    def say(line: str):
        print(f"{(datetime.datetime.now() - began).seconds:5} {line}", flush=True)

    try:
        base = Base(Program(options.ota, work), work / "base")
        isGood = True
        names = options.operation
        if options.kills or options.errors:
            isGood &= Strikes(base, work, say).run(
                names, options.kills, options.errors, options.every)
        if options.served:
            isGood &= ServedStrikes(base, work, say).run(
                names, options.every, ERRORS)
        if options.full_disk:
            isGood &= full(base, work, names, say)
        if options.clock:
            isGood &= jumps(base, work, names, say)
        if options.power_cuts:
            for form in ("ext4", "xfs"):
                isGood &= power_cuts(base, work, form, options.power_cuts, say)
        say("all promises were kept" if isGood else "some promises were broken")
        return 0 if isGood else 1
    finally:
        if os.environ.get("OTA_KEEP_FAULTS") is None:
            shutil.rmtree(work, ignore_errors=True)


sys.exit(main())
