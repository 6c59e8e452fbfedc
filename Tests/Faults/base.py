"""A store with something of every kind, of which each try gets a copy."""

import json
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from program import Program, copy
from serving import Phone, Server

APP = "sample"
ANA = "00008120-000A1B2C3D4E5F67"
#: Its device has enrolled and waits for approval.
EVA = "00008120-00000000000000EE"
#: Enrols in the course of a try.
DORA = "00008120-00000000000000AA"


@dataclass
class Place:
    """The store of one try, and the files next to it."""

    folder: Path

    @property
    def store(self) -> Path:
        return self.folder / "store"


class Base:
    """A store with something of every kind, made once and copied for each try."""

    def __init__(self, program: Program, folder: Path):
        self.program = program
        self.folder = folder
        folder.mkdir(parents=True)
        self.store = folder / "store"
        self.build = folder / "builds"
        self.build.mkdir()
        self._publish("1.0.0", 1, ["--save-keys"])
        keys = next(self.build.glob("*keys*"), None) or next(self.build.glob("*authority*key*"))
        for number, version in enumerate(["1.1.0", "1.2.0", "1.3.0", "1.4.0"], start=2):
            self._sample(version, number, ["--authority", keys])
        for version in ["1.1.0", "1.2.0"]:
            self._store(version)
        self._store("1.3.0", "--channel", "beta")
        store = ["--store", self.store]
        program.must("devices", "add", ANA, "--name", "Ana", *store)
        program.must("tokens", "create", "--name", "old", "--scope", "admin", *store)
        self.token = program.json("tokens", "list", *store)["tokens"][0]["identifier"]
        program.must("webhooks", "add", "https://old.invalid/", "--kind", "json", *store)
        self.webhook = program.json("webhooks", "list", *store)["webhooks"][0]["identifier"]
        program.must("releases", "withdraw", APP, "1.1.0", *store)
        self.notes = folder / "notes.md"
        self.notes.write_text("Better maps")
        self.phone = Phone(folder / "phone")
        self._enrol()
        self._repository()
        program.must("store", "backup", folder / "base.tar", *store)

    def _sample(self, version, number, more):
        self.program.must("sample", "--output", self.build / f"{version}.ipa", "--version", version,
                          "--build", number, *more)

    def _publish(self, version, number, more):
        self._sample(version, number, more)
        self._store(version)

    @property
    def anchor(self) -> Path:
        """The certificate of the authority that signed the builds."""
        return next(self.build.glob("*authority.pem"))

    def _store(self, version, *more):
        self.program.must("publish", self.build / f"{version}.ipa", "--trusted-ca", self.anchor,
                          "--store", self.store, *more)

    def _enrol(self):
        """Adds a device that waits for approval, and a webhook to which this could not be delivered."""
        store = ["--store", self.store]
        link = self.program.json("devices", "invite", "--name", "Eva", "--base-url",
                                 "https://localhost:8443", *store)["url"]
        server = Server(self.program, self.store, self.phone.anchor)
        outcome = self.phone.enrol(server, EVA, link)
        while self.attempts(self.store) != [1]:
            time.sleep(0.2)
        server.stop()
        if outcome.status != 0:
            raise SystemExit(f"the device does not enrol: {outcome}")
        invited = self.program.json("devices", "invite", "--name", "Finn", *store)
        self.invitation = invited["invitation"]["identifier"]

    @staticmethod
    def attempts(store: Path) -> list[int]:
        """The number of attempts of each waiting delivery."""
        notices = store / "notices.json"
        waiting = json.loads(notices.read_text())["outbox"]["waiting"] if notices.exists() else []
        return [delivery["attempts"] for delivery in waiting]

    def _repository(self):
        """Makes a repository whose pipeline delivers a prebuilt app, for a tag that was pushed since the last
        sync of its mirror.
        """
        folder = self.folder / "repository"
        self.source = [folder, "--allow-file", "--tag", "v*"]
        (folder / ".ota").mkdir(parents=True)
        shutil.copy(self.build / "1.4.0.ipa", folder / "build.ipa")
        (folder / ".ota/pipeline.yml").write_text(
            "steps: [{run: mkdir -p out && cp build.ipa out/}]\nartifacts: [out/*.ipa]\n")
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(folder)]
        run = lambda *arguments: subprocess.run(
            [*git, *arguments], check=True, env=self.program.environment)
        run("init", "-q", "-b", "main")
        run("add", ".")
        run("commit", "-qm", "a")
        self.program.must("mirror", "add", "pare", *self.source, "--store", self.store)
        run("tag", "-m", "a", "v1.4.0")

    def place(self, folder: Path, operation) -> Place:
        folder.mkdir()
        place = Place(folder)
        if operation.hasStore:
            copy(self.store, place.store)
        operation.prepare(self.program, place)
        return place
