"""Interruptions of builds on runners: see `scripts/runner-faults --help`."""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from faults import Faults
from judge import Judge
from measures import measure
from room import SHAPES, Room
from tally import Tally, total

AGENT = Path(__file__).resolve().parents[2] / "agent/runner.py"


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/runner-faults", description=(
        "Runs builds on runners while the agents and the server are killed, connections between them are "
        "cut, leases expire and builds are cancelled. Afterwards every build must have a correct state, "
        "every log line that the server acknowledged and complete artifacts, and nothing may be left over."))
    parser.add_argument("--ota", help="the program to test")
    parser.add_argument("--agent", default=AGENT, metavar="FILE", help="default: agent/runner.py")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1, metavar="N",
                        help="run N seeds, one after the other, each with its own server and agents")
    parser.add_argument("--builds", type=int, default=10, metavar="N", help="builds in each round")
    parser.add_argument("--faults", type=int, default=10, metavar="N", help="faults for each build")
    parser.add_argument("--lines", type=int, default=60, metavar="N", help="lines that each step prints")
    parser.add_argument("--lease", type=int, metavar="SECONDS", help="duration of a lease")
    parser.add_argument("--only", action="append", default=[], help="use only these faults")
    parser.add_argument("--without", action="append", default=[], help="use all but these faults")
    parser.add_argument("--shape", action="append", default=[], choices=SHAPES)
    parser.add_argument("--measure", action="store_true",
                        help="measure an agent's memory, the cost of idle agents, and the delay of log lines")
    parser.add_argument("--agents", type=int, default=50, metavar="N", help="idle agents for --measure")
    parser.add_argument("--keep", action="store_true", help="keep the folders of failed rounds")
    parser.add_argument("--tally", type=Path, metavar="FOLDER",
                        help="write the figures of each seed to this folder while it runs")
    parser.add_argument("--total", type=Path, metavar="FOLDER",
                        help="add up the figures of all seeds in a folder, and exit")
    parser.add_argument("--temporary", default=tempfile.gettempdir())
    options = parser.parse_args()
    if options.total:
        sum = total(options.total)
        print("\n".join([sum.words, *(f"{count:5} {reason}" for reason, count in
                                      sum.reasons.most_common()), *sum.findings]))
        return 1 if sum.findings else 0
    if not options.ota:
        parser.error("--ota is missing")
    # Cleans up after the SIGTERM of `timeout` too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    began = time.monotonic()

    def say(line: str):
        print(f"{time.monotonic() - began:7.1f} {line}", flush=True)

    isGood = True
    if options.measure:
        with Place(options) as place:
            isGood &= measure(options, place.folder, say)
    whole = Tally(None, 0)
    for seed in range(options.seed, options.seed + options.rounds):
        with Place(options) as place:
            tally = Tally(options.tally, seed)
            strike(options, place.folder, seed, tally, say)
            whole.add(vars(tally))
            say(f"seed {seed}: {tally.words}; so far {whole.words}")
            if tally.findings:
                isGood = False
                place.isKept = options.keep
                say(f"its folder: {place.folder}")
    say("good" if isGood else "BAD")
    return 0 if isGood else 1


class Place:
    """A folder in which agents have small disks of their own, if this user may mount them."""

    def __init__(self, options):
        self.options = options
        self.isKept = False

    def __enter__(self) -> "Place":
        self.folder = Path(tempfile.mkdtemp(prefix="ota-runners-", dir=self.options.temporary))
        self.folder = self.folder.resolve()
        return self

    def __exit__(self, *_):
        for path in (self.folder / "agents").glob("*"):
            if os.path.ismount(path) and not self.isKept:
                subprocess.run(["umount", "-l", path], check=False)
        if not self.isKept:
            shutil.rmtree(self.folder, ignore_errors=True)


def disk(room: Room, name: str):
    """Mounts a disk with little more space than an agent keeps free."""
    folder = room.agent_folder(name)
    folder.mkdir(parents=True)
    if os.geteuid() == 0:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1400m,mode=700", "tmpfs", folder],
                       check=False, capture_output=True)


def strike(options, folder: Path, seed: int, tally: Tally, say):
    generator = random.Random(seed)
    room = Room(options, folder, say)

    def complain(lines):
        for line in lines:
            tally.found(f"seed {seed}: {line}")
            say(f"BAD seed {seed}: {line}")

    try:
        subprocess.run([room.ota, "sample", "--output", folder / "first.ipa", "--save-keys"],
                       check=True, cwd=folder, capture_output=True, env=room.environment)
        keys = next(path for path in folder.glob("first*") if "key" in path.name)
        for name, app in (("m1", "browsey"), ("m2", "pare")):
            room.add_mirror(name, app, keys)
        anchor = next(path for path in folder.glob("first*authority.pem"))
        room.must("publish", folder / "first.ipa", "--trusted-ca", anchor)
        room.serve()
        for name in ("r1", "r2"):
            disk(room, name)
            room.start_agent(name, room.add_runner(name, room.mirrors))
        faults, judge = Faults(room, generator, tally, say), Judge(room, tally)
        if options.only:
            faults.weights = {name: faults.weights[name] for name in options.only}
        for name in options.without:
            faults.weights.pop(name)
        shapes = options.shape or list(SHAPES)
        for first in range(0, options.builds, 2):
            for name in list(room.mirrors)[:options.builds - first]:
                room.queue(name, generator.choice(shapes), options.lines)
            deadline = time.monotonic() + 900
            struck, wanted = 0, options.faults * min(2, options.builds - first)
            while not judge.is_quiet() and time.monotonic() < deadline:
                time.sleep(generator.uniform(0.1, 2.5) if struck < wanted else 0.5)
                if struck < wanted and not judge.is_quiet():
                    struck += faults.strike()
                for name in list(room.agents):
                    if not room.is_running(name):
                        complain([f"agent {name} has ended with {room.agents[name].returncode}"])
                        room.start_agent(name)
                if room.server.poll() is not None:
                    complain([f"the server has ended with {room.server.returncode}"])
                    room.kill_server()
                    room.serve()
            room.line.losses = 0
            if not judge.is_quiet():
                complain([f"builds are not over: "
                          f"{[(name, number, run['state']) for name in room.mirrors for number, run in room.runs(name).items() if run['state'] in ('queued', 'running')]}"])
                return
            complain(judge.faults())
            say(tally.words)
    except Exception as failure:  # Only of this seed; the others continue.
        complain([f"{type(failure).__name__}: {failure}"])
        say(traceback.format_exc())
    finally:
        room.close()
        if left := room.marked():
            complain([f"processes are left: {left}"])


if __name__ == "__main__":
    sys.exit(main())
