"""What must be true of finished builds, whatever has happened to them."""

import hashlib
import json
import re
import time
from pathlib import Path

from room import Room, digest
from tally import Tally

LINE = re.compile(rb"^L (\S+) (\d+)$")
#: The allowed reasons for the end of an interrupted build; any other is wrong.
REASONS = re.compile(
    r"cancelled by faults|the process that ran it (ended|was stopped)"
    r"|(runner \S+ (was not heard from for \d+ s|was removed|abandoned the build: ("
    r"the agent of runner \S+ was killed, or crashed|runner \S+ (was stopped"
    r"|cannot continue what it has begun|could not continue: No space left on device))))"
    r"; it was attempt [0-9]+"
    r"|less than .* of the runner's disk is free|the runner could not continue: No space left on device"
    r"|step “\w+” left less than .* of the disk free and was killed")
OVER = {"succeeded", "failed", "cancelled", "interrupted", "skipped"}


class Judge:
    def __init__(self, room: Room, tally: Tally):
        self.room = room
        self.tally = tally
        self.judged: set[tuple[str, int]] = set()

    def is_quiet(self) -> bool:
        return all(run["state"] in OVER for mirror in self.room.mirrors
                   for run in self.room.runs(mirror).values())

    def faults(self) -> list[str]:
        """The findings about the builds that have ended since the last call, and about what they left behind.
        """
        found = []
        for mirror in self.room.mirrors:
            runs = self.room.runs(mirror)
            for build, run in runs.items():
                if (mirror, build) in self.judged:
                    continue
                self.judged.add((mirror, build))
                reason = run.get("reason") and re.sub(r"\d+", "N", run["reason"])
                self.tally.ended(run["state"], reason)
                found += [f"{mirror} {build} ({run['state']}, {run.get('reason')}): {words}"
                          for words in self._of(mirror, build, run, runs)]
        found += self._left()
        return found

    def _of(self, mirror: str, build: int, run: dict, runs: dict[int, dict]):
        room = self.room
        order = room.mirrors[mirror]["builds"].get(run.get("repeats") or build)
        if order is None:
            yield "nobody has asked for it"
            return
        state = run["state"]
        if state != "succeeded" and not run.get("reason"):
            yield "it has no reason"
        elif state != "succeeded" and not REASONS.fullmatch(run["reason"]):
            yield "no interruption explains that"
        # A second attempt is the last, and a cancelled build is not repeated.
        isLast = run.get("repeats") or run.get("cancelledBy")
        if state == "interrupted" and not isLast and not any(
                other.get("repeats") == build for other in runs.values()):
            yield "it was not repeated"
        log = room.run("mirror", "logs", mirror, build).stdout.encode()
        lines = [line.rstrip(b"\r") for line in log.split(b"\n")]
        end = state if state == "succeeded" else f"{state}: {run.get('reason')}"
        if run.get("log") and [line for line in lines if line][-1:] != [end.encode()]:
            yield f"its log ends otherwise: {lines[-2:]}"
        seen: dict[bytes, list[int]] = {}
        for line in lines:
            if match := LINE.match(line):
                seen.setdefault(match[1], []).append(int(match[2]))
        for nonce, numbers in seen.items():
            if numbers != list(range(1, len(numbers) + 1)):
                yield f"the lines of {nonce.decode()} are {spans(numbers)}"
        ends = [line for line in lines if line.startswith(b"E ")]
        if len(set(ends)) != len(ends):
            yield "the end of a step is told twice"
        # What was acknowledged must be in the log, even if the runner was lost afterwards.
        with room.line.lock:
            acknowledged = {key: bytes(value) for key, value in room.line.acknowledged.items()
                            if key[:2] == (mirror, build)}
        for key, value in acknowledged.items():
            whole = value[:value.rfind(b"\n") + 1]
            missing = [line for line in whole.split(b"\n") if line and line not in lines]
            if missing:
                yield (f"{len(missing)} acknowledged lines of attempt {key[2]} are lost, such as "
                       f"{missing[0][:60]!r}; {len(value)} bytes were acknowledged")
            elif whole and whole.strip(b"\n") not in log:
                yield f"the acknowledged bytes of attempt {key[2]} are not in a row"
        if state == "succeeded":
            yield from self._success(mirror, build, run, order, seen)

    def _success(self, mirror, build, run, order, seen):
        complete = [nonce for nonce, numbers in seen.items() if len(numbers) == order["lines"]]
        for step in (b"one-", b"two-"):
            if not any(nonce.startswith(step) for nonce in complete):
                yield f"step {step.decode()[:-1]} has not printed all of its lines"
        if any(step["state"] != "succeeded" for step in run["steps"]):
            yield "a step has another state"
        if order["shape"] == "release" and not any(
                artifact.get("outcome") == "published" for artifact in run["artifacts"]):
            yield "its IPA was not published"
        output = self.room.folder / "artifact"
        output.unlink(missing_ok=True)
        done = self.room.run("mirror", "artifact", mirror, build, "out/data.bin", "--output", output)
        if done.returncode != 0:
            yield f"its artifact is missing: {done.stderr[-200:]}"
        elif hashlib.sha256(output.read_bytes()).hexdigest() != digest(order["number"]):
            yield f"its artifact is not what was made: {output.stat().st_size} bytes"

    def _left(self):
        room = self.room
        deadline = time.monotonic() + 15
        while True:
            found = []
            stages = [path.name for path in (room.store / "stages").glob("*.json")]
            if stages:
                found.append(f"stages are left: {stages}")
            for folder in (room.store / "mirrors").glob("*.logs"):
                if names := [path.name for path in folder.iterdir()]:
                    found.append(f"files are left in {folder.name}: {names}")
            if marked := room.marked():
                found.append(f"processes are left: {marked}")
            for name in room.agents:
                work = room.agent_folder(name) / "work"
                if work.exists() and any(work.iterdir()):
                    found.append(f"{name} has left {[path.name for path in work.iterdir()]}")
            if not found or time.monotonic() > deadline:
                break
            time.sleep(0.5)
        verified = room.run("store", "verify")
        if verified.returncode != 0:
            found.append(f"ota store verify: {verified.stdout[-400:]}{verified.stderr[-400:]}")
        for mirror in room.mirrors:
            found += self._releases(mirror)
        return found

    def _releases(self, mirror: str):
        room = self.room
        wanted = set()
        for run in room.runs(mirror).values():
            if run["state"] == "succeeded" and any(
                    artifact.get("outcome") == "published" for artifact in run["artifacts"]):
                wanted.add(run["tag"].removeprefix("v"))
        done = room.run("releases", "list", room.mirrors[mirror]["app"], "--limit", "1000", "--json")
        if done.returncode != 0:
            if wanted:
                yield f"releases of {mirror}: {done.stderr[-200:]}"
            return
        versions = [release.get("version") for release in json.loads(done.stdout)["releases"]]
        if len(set(versions)) != len(versions):
            yield f"a release was published twice: {versions}"
        if missing := wanted - set(versions):
            yield f"releases are missing: {sorted(missing)}"


def spans(numbers: list[int]) -> str:
    parts, start = [], 0
    for index in range(1, len(numbers) + 1):
        if index == len(numbers) or numbers[index] != numbers[index - 1] + 1:
            parts.append(f"{numbers[start]}–{numbers[index - 1]}")
            start = index
    return ", ".join(parts)
