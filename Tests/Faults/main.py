"""Fault injection at depth: see `scripts/faults --help`."""

import argparse
import datetime
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from clocks import jumps
from disks import full, power_cuts
from base import Base
from program import Program
from record import Record, TimeIsUp
from served import ServedStrikes
from strikes import Strikes


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/faults", description=(
        "Kills, refuses and starves every command that changes a store, cuts its power and moves "
        "its clock; after each, nothing acknowledged may be lost, `ota store verify` must be "
        "content, and the same command must succeed. Exits 0 when every promise was kept, 1 when "
        "one was broken, 3 when time was up before the end."))
    parser.add_argument("--ota", required=True, help="the program")
    parser.add_argument("--operation", action="append", default=[], help="only these")
    parser.add_argument("--kills", action="store_true")
    parser.add_argument("--errors", type=int, default=0, metavar="N",
                        help="N of the thirty errors at each call, and each of the thirty at some "
                             "calls; 30 takes hours")
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="strike only every N-th of the calls, for a machine with little time")
    parser.add_argument("--point", default="", metavar="TEXT",
                        help="strike only calls whose name has this text, such as \"openat\" or "
                             "\"fsync 20\"")
    parser.add_argument("--served", action="store_true",
                        help="kills and errors while a server takes an upload, an enrolment, an "
                             "approval, a build and what admins do")
    parser.add_argument("--full-disk", action="store_true")
    parser.add_argument("--clock", action="store_true")
    parser.add_argument("--power-cuts", type=int, default=0, metavar="N",
                        help="N on ext4 and N on xfs")
    parser.add_argument("--state", type=Path, metavar="FILE",
                        help="keep each result here, and try only what is not there or showed a "
                             "problem: what was interrupted continues where it stopped. A release "
                             "begins with no such file")
    parser.add_argument("--minutes", type=float, metavar="N", help="stop after this time")
    parser.add_argument("--temporary", default=tempfile.gettempdir(),
                        help="where stores are made; one in memory, such as /dev/shm, saves time "
                             "in all but power cuts")
    options = parser.parse_args()

    # So that everything mounted is unmounted.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    work = Path(tempfile.mkdtemp(prefix="ota-faults-", dir=options.temporary)).resolve()
    began = datetime.datetime.now()

    def say(line: str):
        print(f"{(datetime.datetime.now() - began).seconds:5} {line}", flush=True)

    record = Record(options.state, Path(options.ota), options.minutes, options.point)
    try:
        base = Base(Program(options.ota, work), work / "base")
        isGood = True
        names = options.operation
        if options.kills or options.errors:
            isGood &= Strikes(base, work, record, say).run(
                names, options.kills, options.errors, options.every)
        if options.served:
            isGood &= ServedStrikes(base, work, record, say).run(names, options.every)
        if options.full_disk:
            isGood &= full(base, work, names, record, say)
        if options.clock:
            isGood &= jumps(base, work, names, record, say)
        if options.power_cuts:
            for form in ("ext4", "xfs"):
                isGood &= power_cuts(base, work, form, options.power_cuts, record, say)
        say("all promises were kept" if isGood else "some promises were broken")
        return 0 if isGood else 1
    except KeyboardInterrupt:
        say("interrupted; with the same --state, the next run continues here")
        return 130
    except TimeIsUp:
        say("time is up; with the same --state, the next run continues here")
        return 1 if any(result.problems for result in record.results.values()) else 3
    finally:
        for line in record.totals():
            say(line)
        if os.environ.get("OTA_KEEP_FAULTS") is None:
            shutil.rmtree(work, ignore_errors=True)


sys.exit(main())
