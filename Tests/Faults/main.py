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
        "Injects faults into every command that changes a store: kills, failing system calls, full "
        "disks, power cuts and clock jumps. After each, nothing acknowledged may be lost, `ota store "
        "verify` must find no damage, and the same command must succeed. Exits with 0 if every "
        "promise was kept, 1 if one was broken, 3 if the time was up before the end."))
    parser.add_argument("--ota", required=True, help="the program to test")
    parser.add_argument("--operation", action="append", default=[], help="test only these operations")
    parser.add_argument("--kills", action="store_true",
                        help="kill the command at each call that changes something")
    parser.add_argument("--errors", type=int, default=0, metavar="N",
                        help="inject N of the thirty errors at each call, and each of the thirty at "
                             "some call; 30 takes hours")
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="inject a fault at every N-th call only, to save time")
    parser.add_argument("--point", default="", metavar="TEXT",
                        help="inject faults only at calls whose name contains this text, such as \"openat\" or "
                             "\"fsync 20\"")
    parser.add_argument("--served", action="store_true",
                        help="inject kills and errors while a server handles an upload, an enrolment, "
                             "an approval, a build and the actions of admins")
    parser.add_argument("--full-disk", action="store_true",
                        help="run each command on disks with little free space")
    parser.add_argument("--clock", action="store_true",
                        help="run each command with the clock a day ahead, and a day behind")
    parser.add_argument("--power-cuts", type=int, default=0, metavar="N",
                        help="cut the power N times on ext4 and N times on xfs")
    parser.add_argument("--state", type=Path, metavar="FILE",
                        help="keep the results in this file, and test only what is not in it or had a "
                             "problem, so that an interrupted run continues where it stopped. Use a "
                             "new file for each release")
    parser.add_argument("--minutes", type=float, metavar="N", help="stop after this time")
    parser.add_argument("--temporary", default=tempfile.gettempdir(),
                        help="the folder for stores; one in memory, such as /dev/shm, saves time for "
                             "everything except power cuts")
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
