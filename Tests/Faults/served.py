"""Kills and errors while a server handles requests: uploads, enrolments, builds, actions."""

import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from aftermath import entries, is_named, one_line
from base import APP, Base, DORA, EVA, Place
from operations import all_operations
from program import Outcome, documents
from record import Record, Result, Try
from serving import Server
from states import state, words
from tracing import CHANGING, REACHING, errors_at, labels, points


#: Commands that can change a store through a server, by the API's actions.
ACTIONS = ["withdraw", "promote", "prune", "app-set", "token-create", "token-revoke", "webhook-add",
           "webhook-remove", "device-remove"]
NAMES = ["upload", "enrol", "approve", "served-build"] + [f"served-{name}" for name in ACTIONS]


class Request:
    """A request of a client to a server, and how the store shows that it was done."""

    def __init__(self, base: Base, name: str):
        self.base, self.name = base, name
        #: The equivalent operation of the command line, if there is one.
        self.operation = next(
            (one for one in all_operations(base) if name == f"served-{one.name}"), None)
        # The client checks a build before it sends it.
        upload = ["publish", base.build / "1.4.0.ipa", "--trusted-ca", base.anchor]
        #: The command that sends the request; nil for those of a phone.
        self.command = self.operation.command(None) if self.operation else {
            "upload": upload, "approve": ["devices", "approve", EVA],
            "served-build": ["mirror", "build", "pare", "--tag", "v1.4.0"], "enrol": None}[name]
        #: The entries that it adds to the activity, and so the webhooks.
        self.told = {
            "enrol": Counter([("deviceEnrolled", "Dora")]),
            "approve": Counter([("deviceApproved", "Eva")]),
            "upload": Counter([("published", "1.4.0-5")]),
            "served-build": Counter([("published", "1.4.0-5")])}.get(name)

        #: A store that is ready for the request; each try gets a copy.
        self.folder = base.folder / f"served-{name}"
        self.folder.mkdir()
        shutil.copytree(base.store, self.folder / "store")
        store = ["--store", self.folder / "store"]
        self.token = self.folder / "token"
        if self.command:
            base.program.must(
                "tokens", "create", "--name", "ci", "--scope", "admin", "--file", self.token, *store)
        if name != "served-build":
            # Otherwise the server would start builds at the same time.
            base.program.must("mirror", "set", "pare", "--paused", *store)
        if not self.command:
            self.link = base.program.json("devices", "invite", "--name", "Dora", *store)["url"]
        text = (self.folder / "store/keys/development-authority.pem").read_text()
        self.ca = self.folder / "ca.pem"
        self.ca.write_text(re.search(
            r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", text, re.S)[0])
        self.known = words(self.folder)
        self.before = entries(documents(self.folder / "store"))

    def place(self, folder: Path) -> Place:
        folder.mkdir()
        shutil.copytree(self.folder / "store", folder / "store")
        return Place(folder)

    def ask(self, server: Server) -> Outcome:
        if self.command is None:
            return self.base.phone.enrol(server, DORA, self.link)
        # A client would retry for minutes after the server was killed.
        return self.base.program.run_while(
            lambda: server.process.poll() is None,
            [*self.command, "--server", server.base, "--token-file", self.token, "--ca-file",
             self.ca])

    def isDone(self, place: Place) -> bool:
        if self.operation:
            try:
                return self.operation.isDone(self.base.program, place)
            except SystemExit:
                return False
        shown, wanted = {
            "enrol": (["devices", "list"], DORA),
            "approve": (["devices", "show", EVA], '"state" : "approved"'),
        }.get(self.name, (["releases", "list", APP], "1.4.0"))
        outcome = self.base.program.run([*shown, "--json", "--store", place.store])
        return outcome.status == 0 and wanted in outcome.output


class ServedStrikes:
    """Kills and errors while a server handles a request."""

    def __init__(self, base: Base, work: Path, record: Record, say):
        self.base, self.work, self.record, self.say = base, work, record, say

    def run(self, names: list[str], every: int) -> bool:
        isGood = True
        for name in NAMES:
            if names and name not in names:
                continue
            request = Request(self.base, name)
            found = self._reference(request)[::every]
            strikes = [(point, "signal=SIGKILL", None) for point in found if point.call in CHANGING]
            strikes += [(found[index], f"error={error}", error)
                        for index, error in errors_at(len(found), 1)]
            isGood &= self._each(request, strikes)
        return isGood

    def _reference(self, request: Request):
        place = request.place(self.work / f"served-{request.name}")
        calls = CHANGING + REACHING
        server = self._serve(place)
        outcome, trace = self._traced(request, server, ["-e", f"trace={','.join(calls)}"])
        server.stop()
        if outcome.status != 0 or not request.isDone(place):
            raise SystemExit(f"{request.name}, undisturbed: {outcome} {server.log()[-600:]}")
        if request.told is None:
            request.told = entries(documents(place.store)) - request.before
        shutil.rmtree(place.folder)
        return points(trace, place.store, place.folder, calls)

    def _serve(self, place: Place) -> Server:
        return Server(self.base.program, place.store, self.base.phone.anchor)

    def _traced(self, request: Request, server: Server, expressions: list[str]):
        """Sends the request to a server that is traced or struck."""
        with tempfile.NamedTemporaryFile("r", prefix="ota-trace") as log:
            tracer = subprocess.Popen(
                ["strace", "-f", "-qq", "-y", "-s", "0", "-o", log.name, "-p",
                 str(server.process.pid)]
                + expressions,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while not server.isTraced and tracer.poll() is None:
                time.sleep(0.02)
            outcome = request.ask(server)
            # What a server does after its response belongs to the request.
            time.sleep(0.3)
            tracer.send_signal(signal.SIGINT)
            tracer.wait()
            return outcome, log.read()

    def _each(self, request: Request, strikes) -> bool:
        tries = []
        sound: set[tuple[str, bool]] = set()
        named = labels([point for point, _, _ in strikes])
        for number, (point, fault, error) in enumerate(strikes):
            one = Try("served", request.name, named[point], fault)
            tries.append(one)
            if not self.record.wants(one):
                continue
            place = request.place(self.work / f"served-{request.name}-{number}")
            server = self._serve(place)
            try:
                result = self._try(request, place, server, point, fault, error, sound)
            finally:
                server.stop()
            for problem in result.problems:
                self.say(f"  {one}: {problem}")
            self.record.add(one, result)
            shutil.rmtree(place.folder)
        self.say(self.record.tally("served", request.name, tries))
        results = [self.record.results[one] for one in tries if one in self.record.results]
        isStruck = not results or any(result.struck for result in results)
        return isStruck and not any(result.problems for result in results)

    def _try(self, request, place, server, point, fault, error, sound) -> Result:
        outcome, trace = self._traced(request, server, point.expressions(place.folder, fault))
        status = server.process.poll()
        injected = [line for line in trace.splitlines() if "(INJECTED)" in line]
        isOfStore = [str(place.store) in line for line in injected]
        hasStruck = any(isOfStore) or "killed by SIGKILL" in trace
        # The same call of another thread may be on a socket or the log, whose failure is not a disk fault.
        if not all(isOfStore):
            server.stop()
        problems = []
        if status not in (None, -9):
            problems.append(f"the server ended with {status}: {server.log()[-300:]}")
        isToName = error and hasStruck and all(isOfStore) and outcome.status != 0
        if isToName and not is_named(server.log() + outcome.errors, error):
            problems.append(
                f"{error} is not named: {outcome.errors[-200:]} {server.log()[-300:]}")
        # After an error, the same server must be able to do it; after a kill, the next one.
        isDown = server.process.poll() is not None
        reached = state(place.store, request.known), outcome.status == 0
        if not isDown or reached not in sound:
            found = self._after(request, place, outcome, server if not isDown else None)
            if isDown and not found:
                sound.add(reached)
            problems += found
        return Result(hasStruck, outcome.status == 0, [one_line(text) for text in problems])

    def _after(self, request, place, outcome, server: Server | None) -> list[str]:
        """The flaws afterwards, of the server that still runs or of the next one."""
        found = []
        verified = self.base.program.run(["store", "verify", "--store", place.store])
        if verified.status != 0:
            found.append(f"verify: {verified.status} {(verified.output + verified.errors)[-400:]}")
        isDone = request.isDone(place)
        if outcome.status == 0 and not isDone:
            found.append("it was acknowledged and is not there")
        try:
            server = server or self._serve(place)
        except RuntimeError as error:
            return found + [str(error)]
        again = request.ask(server)
        told = self._told(request, place)
        server.stop()
        if again.status != 0 and not isDone:
            found.append(f"again: {again.errors.strip()[-300:]} {server.log()[-300:]}")
        if not isDone and not request.isDone(place):
            found.append("after the repetition it is not there")
        if told != request.told:
            found.append(f"the activity tells {dict(told)}")
        return found

    def _told(self, request, place) -> Counter:
        """The activity's new entries: a server writes them after its response, or when it starts."""
        end = time.monotonic() + 10
        while True:
            told = entries(documents(place.store)) - request.before
            if told == request.told or time.monotonic() > end:
                return told
            time.sleep(0.1)
