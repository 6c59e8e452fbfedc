"""Kills and errors while a server does what it is asked: uploads, enrolments, approvals, builds."""

import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from aftermath import Tally, entries, one_line
from base import APP, Base, DORA, EVA, Place
from program import Outcome, documents
from serving import Server
from tracing import CHANGING, REACHING, TEXTS, points


class Request:
    """Something that a client asks of a server, and whether the store shows it."""

    def __init__(self, base: Base, name: str):
        self.base, self.name = base, name
        # The client looks at a build before it sends it.
        upload = ["publish", base.build / "1.4.0.ipa", "--anchor", base.anchor]
        #: The command that asks; nil for what a phone does.
        self.command = {
            "upload": upload, "approve": ["devices", "approve", EVA],
            "served-build": ["mirror", "build", "pare", "--tag", "v1.4.0"], "enrol": None}[name]

    def prepare(self, place: Place):
        store = ["--store", place.store]
        if self.command:
            self.token = place.folder / "token"
            self.base.program.must("tokens", "create", "--name", "ci", "--scope", "admin", "--file",
                                   self.token, *store)
        else:
            self.link = self.base.program.json("devices", "invite", "--name", "Dora", *store)["url"]

    def ask(self, server: Server, place: Place) -> Outcome:
        if self.command is None:
            return self.base.phone.enrol(server, DORA, self.link)
        text = (place.store / "keys/development-authority.pem").read_text()
        ca = place.folder / "ca.pem"
        ca.write_text(re.search(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", text,
                                re.S)[0])
        return self.base.program.run(
            [*self.command, "--server", server.base, "--token-file", self.token, "--ca-file", ca],
            before=["timeout", "60"])

    @property
    def told(self) -> Counter:
        """What the activity, and so webhooks, tell of it once it is done."""
        told = {"enrol": ("deviceEnrolled", "Dora"), "approve": ("deviceApproved", "Eva")}.get(
            self.name, ("published", "1.4.0-5"))
        return Counter([told])

    def isDone(self, place: Place) -> bool:
        shown, wanted = {
            "enrol": (["devices", "list"], DORA),
            "approve": (["devices", "show", EVA], '"state" : "approved"'),
        }.get(self.name, (["releases", "list", APP], "1.4.0"))
        outcome = self.base.program.run([*shown, "--json", "--store", place.store])
        return outcome.status == 0 and wanted in outcome.output


class ServedStrikes:
    """Kills and errors while a server does what it was asked."""

    def __init__(self, base: Base, work: Path, say):
        self.base, self.work, self.say = base, work, say

    def run(self, names: list[str], every: int, errors: list[str]) -> bool:
        isGood = True
        for name in ["upload", "enrol", "approve", "served-build"]:
            if names and name not in names:
                continue
            found = self._reference(name)
            strikes = [
                (point, "signal=SIGKILL", None) for point in found[::every]
                if point.call in CHANGING]
            for index, point in enumerate(found[::every]):
                error = errors[index % len(errors)]
                strikes.append((point, f"error={error}", error))
            isGood &= self._each(name, strikes)
        return isGood

    def _place(self, name: str, folder: Path) -> tuple[Request, Place]:
        folder.mkdir()
        place = Place(folder)
        shutil.copytree(self.base.store, place.store)
        request = Request(self.base, name)
        request.prepare(place)
        return request, place

    def _traced(self, request: Request, place: Place, expressions: list[str]):
        server = Server(self.base.program, place.store, self.base.phone.anchor)
        with tempfile.NamedTemporaryFile("r", prefix="ota-trace") as log:
            tracer = subprocess.Popen(
                ["strace", "-f", "-qq", "-y", "-s", "0", "-o", log.name, "-p",
                 str(server.process.pid)]
                + expressions,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.5)
            outcome = request.ask(server, place)
            # What a server does behind its answer belongs to it.
            time.sleep(0.3)
            tracer.send_signal(signal.SIGINT)
            tracer.wait()
            status, text = server.stop(), server.log()
            return outcome, status, text, log.read()

    def _reference(self, name: str):
        request, place = self._place(name, self.work / f"served-{name}")
        calls = CHANGING + REACHING
        outcome, _, log, trace = self._traced(request, place, ["-e", f"trace={','.join(calls)}"])
        if outcome.status != 0 or not request.isDone(place):
            raise SystemExit(f"{name}, undisturbed: {outcome} {log[-600:]}")
        shutil.rmtree(place.folder)
        return points(trace, place.store, place.folder, calls)

    def _each(self, name: str, strikes) -> bool:
        tally = Tally()
        for number, (point, fault, error) in enumerate(strikes):
            request, place = self._place(name, self.work / f"served-{name}-{number}")
            outcome, status, log, trace = self._traced(
                request, place,
                point.expressions(place.folder, fault))
            # The same call of another thread may be about a socket, whose end is no fault of a disk.
            isOfStore = any("(INJECTED)" in line and str(place.store) in line
                            for line in trace.splitlines())
            hasStruck = isOfStore or "killed by SIGKILL" in trace
            tally.tried += 1
            tally.struck += hasStruck
            tally.acknowledged += outcome.status == 0
            problems = []
            if status not in (0, -9):
                problems.append(f"the server ended with {status}: {log[-300:]}")
            if error and hasStruck and outcome.status != 0 and TEXTS[error] not in (
                    log + outcome.errors).lower():
                problems.append(f"{error} is not named: {outcome.errors[-200:]} {log[-300:]}")
            problems += self._after(request, place, outcome)
            for problem in problems:
                tally.problems.append(f"{name}, {point}, {fault}: {one_line(problem)}")
                self.say("  " + tally.problems[-1])
            shutil.rmtree(place.folder)
        self.say(f"{name:15} served: {tally.tried} tried, {tally.struck} struck, "
                 f"{tally.acknowledged} acknowledged, {len(tally.problems)} problems")
        return not tally.problems and (tally.struck > 0 or not strikes)

    def _after(self, request: Request, place: Place, outcome: Outcome) -> list[str]:
        found = []
        verified = self.base.program.run(["store", "verify", "--store", place.store])
        if verified.status != 0:
            found.append(f"verify: {verified.status} {(verified.output + verified.errors)[-400:]}")
        isDone = request.isDone(place)
        if outcome.status == 0 and not isDone:
            found.append("it was acknowledged and is not there")
        try:
            server = Server(self.base.program, place.store, self.base.phone.anchor)
        except RuntimeError as error:
            return found + [str(error)]
        again = request.ask(server, place)
        server.stop()
        if again.status != 0 and not isDone:
            found.append(f"again: {again.errors.strip()[-300:]} {server.log()[-300:]}")
        if not request.isDone(place):
            found.append("after the repetition it is not there")
        told = entries(documents(place.store)) - entries(documents(self.base.store))
        if told != request.told:
            found.append(f"the activity tells {dict(told)}")
        return found
