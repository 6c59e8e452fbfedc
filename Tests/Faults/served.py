"""A running server, and what is asked of it: uploads, enrolments, approvals."""

import plistlib
import re
import shutil
import signal
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from aftermath import Tally, one_line
from operations import APP, Base, Place
from program import Outcome, Program
from tracing import CHANGING, REACHING, TEXTS, points

PHONE = "00008120-00000000000000AA"


class Server:
    """`ota serve` on one store and free ports."""

    def __init__(self, program: Program, store: Path, anchor: Path):
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [program.path, "serve", "--port", "0", "--plain-port", "0", "--device-anchor", anchor,
             "--store", store], cwd=program.folder, env=program.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            self.stop()
            raise RuntimeError(f"the server does not start: {self.log()[-400:]}")
        self.base = line.removeprefix("listening on ").strip()

    def log(self) -> str:
        self.errors.seek(0)
        return self.errors.read()

    def stop(self) -> int:
        """Ends it at once, as a kill would, and gives how it had ended before."""
        status = self.process.poll()
        self.process.kill()
        self.process.wait()
        return 0 if status is None else status


class Phone:
    """A device in software: its key, and the authority that a server is told to believe."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.anchor = folder / "devices.pem"
        folder.mkdir()
        for arguments in [
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "authority.key", "-out",
             "devices.pem", "-days", "2", "-subj", "/CN=Apple iPhone Device CA", "-addext",
             "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"],
            ["req", "-newkey", "rsa:2048", "-nodes", "-keyout", "device.key", "-out", "device.csr",
             "-subj", "/CN=00000000-0000-4000-8000-000000000000"],
            ["x509", "-req", "-in", "device.csr", "-CA", "devices.pem", "-CAkey", "authority.key",
             "-CAcreateserial", "-out", "device.pem", "-days", "2"]]:
            subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    def answer(self, profile: bytes) -> bytes:
        """What a device posts after it was handed this profile."""
        begin, end = profile.index(b"<?xml"), profile.index(b"</plist>") + len(b"</plist>")
        challenge = plistlib.loads(profile[begin:end])["PayloadContent"]["Challenge"]
        content = plistlib.dumps({"UDID": PHONE, "PRODUCT": "iPhone15,2", "VERSION": "21E236",
                                  "CHALLENGE": challenge})
        return subprocess.run(
            ["openssl", "cms", "-sign", "-binary", "-nodetach", "-md", "sha256", "-signer",
             "device.pem", "-inkey", "device.key", "-outform", "DER"],
            cwd=self.folder, input=content, check=True, capture_output=True).stdout


class Request:
    """Something that a client asks of a server, and whether the store shows it."""

    def __init__(self, base: Base, phone: Phone, name: str):
        self.base, self.phone, self.name = base, phone, name

    def prepare(self, place: Place):
        store = ["--store", place.store]
        if self.name == "upload":
            self.token = place.folder / "token"
            self.base.program.must("tokens", "create", "--name", "ci", "--scope", "admin", "--file",
                                   self.token, *store)
        else:
            invited = self.base.program.json(
                "devices", "invite", "--name", "Dora", "--base-url", "https://localhost:8443", *store)
            self.path = "/enrol/" + re.search(r"/enrol/([^\"/?]+)", str(invited))[1].split("'")[0]

    def ask(self, server: Server, place: Place) -> Outcome:
        if self.name == "upload":
            text = (place.store / "keys/development-authority.pem").read_text()
            ca = place.folder / "ca.pem"
            ca.write_text(re.search(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n",
                                    text, re.S)[0])
            return self.base.program.run(
                ["publish", self.base.build / "1.4.0.ipa", "--server", server.base, "--token-file",
                 self.token, "--ca-file", ca],
                before=["timeout", "20"])
        try:
            profile = self._http(server, self.path + "/profile.mobileconfig")
            self._http(server, self.path, self.phone.answer(profile))
            return Outcome(0, "", "")
        except (OSError, ValueError) as error:
            detail = error.read().decode(errors="replace") if hasattr(error, "read") else ""
            return Outcome(1, "", f"{error} {detail[-300:]}")

    def _http(self, server: Server, path: str, body: bytes | None = None) -> bytes:
        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *arguments):
                return None

        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), Stay(),
            urllib.request.HTTPSHandler(context=ssl._create_unverified_context()))
        try:
            return opener.open(urllib.request.Request(server.base + path, data=body),
                               timeout=20).read()
        except urllib.error.HTTPError as error:
            # 301 is what a device is answered that was taken; a refusal has a page of its own.
            location = error.headers.get("Location", "")
            if error.code == 301 and self._isTaken(opener, server, location):
                return b""
            raise

    @staticmethod
    def _isTaken(opener, server: Server, location: str) -> bool:
        path = "/" + location.split("/", 3)[3] if location.startswith("http") else location
        text = opener.open(server.base + path, timeout=20).read().decode()
        return "not enrolled" not in text.lower() and "could not" not in text.lower()

    def isDone(self, place: Place) -> bool:
        what = ["releases", "list", APP] if self.name == "upload" else ["devices", "list", "--all"]
        outcome = self.base.program.run([*what, "--json", "--store", place.store])
        return outcome.status == 0 and ("1.4.0" if self.name == "upload" else PHONE) in outcome.output


class ServedStrikes:
    """Kills and errors while a server does what it was asked."""

    def __init__(self, base: Base, work: Path, say):
        self.base, self.work, self.say = base, work, say
        self.phone = Phone(work / "phone")

    def run(self, names: list[str], every: int, errors: list[str]) -> bool:
        isGood = True
        for name in ["upload", "enrol"]:
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
        request = Request(self.base, self.phone, name)
        request.prepare(place)
        return request, place

    def _traced(self, request: Request, place: Place, expressions: list[str]):
        server = Server(self.base.program, place.store, self.phone.anchor)
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
            server = Server(self.base.program, place.store, self.phone.anchor)
        except RuntimeError as error:
            return found + [str(error)]
        again = request.ask(server, place)
        server.stop()
        if again.status != 0 and not isDone:
            found.append(f"again: {again.errors.strip()[-300:]} {server.log()[-300:]}")
        if not request.isDone(place):
            found.append("after the repetition it is not there")
        return found
