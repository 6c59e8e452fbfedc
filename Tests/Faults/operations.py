"""Everything that changes a store, each with what must be true once it was acknowledged."""

import json
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from program import Program, copy

APP = "sample"
WITHDRAWN = '"state" : "withdrawn"'
UDIDS = ["00008120-000A1B2C3D4E5F67", "00008120-000A1B2C3D4E5F68"]


@dataclass
class Place:
    """A store of its own for one try, and the files beside it."""

    folder: Path

    @property
    def store(self) -> Path:
        return self.folder / "store"


@dataclass
class Operation:
    name: str
    #: The command, without `--store`.
    command: Callable[[Place], list]
    #: Whether it has been done, judged by what other commands say.
    isDone: Callable[[Program, Place], bool]
    #: Parts of the identifier of an error that the repetition may end with: done before.
    done_before: tuple = ()
    #: Which store it works on.
    target: Callable[[Place], Path] = field(default=lambda place: place.store)
    #: Made before each try.
    prepare: Callable[[Program, Place], None] = field(default=lambda program, place: None)
    #: Whether the base store is there.
    hasStore: bool = True

    def arguments(self, place: Place) -> list:
        return [*self.command(place), "--store", self.target(place)]


def says(*arguments, wanted: str, absent: bool = False):
    """Whether a command's answer has a text."""
    def check(program: Program, place: Place) -> bool:
        text = program.must(*arguments, "--json", "--store", place.store)
        return (wanted in text) != absent
    return check


class Base:
    """A store with something of everything, made once and copied for each try."""

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
        program.must("devices", "add", UDIDS[0], "--name", "Ana", *store)
        program.must("tokens", "create", "--name", "old", "--scope", "admin", *store)
        program.must("webhooks", "add", "https://old.example.org/", "--kind", "json", *store)
        self.webhook = program.json("webhooks", "list", *store)["webhooks"][0]["identifier"]
        program.must("releases", "withdraw", APP, "1.1.0", *store)
        program.must("store", "backup", folder / "base.tar", *store)
        self._repository()

    def _sample(self, version, number, more):
        self.program.must("sample", "--output", self.build / f"{version}.ipa", "--version", version,
                          "--build", number, *more)

    def _publish(self, version, number, more):
        self._sample(version, number, more)
        self._store(version)

    def _store(self, version, *more):
        anchor = next(self.build.glob("*authority.pem"))
        self.program.must("publish", self.build / f"{version}.ipa", "--anchor", anchor, "--store",
                          self.store, *more)

    def _repository(self):
        """A repository whose pipeline gives a build that was made before."""
        folder = self.folder / "repository"
        (folder / ".ota").mkdir(parents=True)
        shutil.copy(self.build / "1.4.0.ipa", folder / "build.ipa")
        (folder / ".ota/pipeline.yml").write_text(
            "steps: [{run: mkdir -p out && cp build.ipa out/}]\nartifacts: [out/*.ipa]\n")
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(folder)]
        for arguments in [["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "a"],
                          ["tag", "-m", "a", "v1.4.0"]]:
            subprocess.run(git + arguments, check=True, env=self.program.environment)
        self.program.must(
            "mirror", "add", "pare", folder, "--allow-file", "--no-sync", "--tag", "v*", "--store",
            self.store)

    def place(self, folder: Path, operation: Operation) -> Place:
        folder.mkdir()
        place = Place(folder)
        if operation.hasStore:
            copy(self.store, place.store)
        operation.prepare(self.program, place)
        return place


def all_operations(base: Base) -> list[Operation]:
    anchor = next(base.build.glob("*authority.pem"))
    ipa = base.build / "1.4.0.ipa"
    publish = lambda place: ["publish", ipa, "--anchor", anchor]
    listed = lambda version, **more: says("releases", "list", APP, wanted=version, **more)
    restored = lambda place: place.folder / "restored"
    return [
        Operation("publish", publish, listed("1.4.0")),
        Operation("publish-first", publish, listed("1.4.0"), hasStore=False),
        Operation("withdraw", lambda place: ["releases", "withdraw", APP, "1.2.0"],
                  says("releases", "show", APP, "1.2.0", wanted=WITHDRAWN)),
        Operation("offer-again", lambda place: ["releases", "restore", APP, "1.1.0"],
                  says("releases", "show", APP, "1.1.0", wanted=WITHDRAWN, absent=True)),
        Operation("promote", lambda place: ["releases", "promote", APP, "1.3.0", "--channel",
                                            "stable"],
                  lambda program, place: "1.3.0" in json.dumps(
                      [row for row in _channels(program, place) if "stable" in json.dumps(row)])),
        Operation("prune", lambda place: ["releases", "prune", APP, "--keep", "1"],
                  listed("1.0.0", absent=True)),
        Operation("gc", lambda place: ["store", "gc", "--older-than", "0s"],
                  lambda program, place: True, prepare=_prune),
        Operation("backup", lambda place: ["store", "backup", place.folder / "out.tar"],
                  lambda program, place: program.run(
                      ["store", "restore", place.folder / "out.tar", "--store",
                       place.folder / f"check-{len(list(place.folder.iterdir()))}"]).status == 0),
        Operation("restore", lambda place: ["store", "restore", base.folder / "base.tar"],
                  lambda program, place: program.run(
                      ["store", "verify", "--store", restored(place)]).status == 0,
                  ("not-empty",), target=restored),
        Operation("device-add", lambda place: ["devices", "add", UDIDS[1], "--name", "Ben"],
                  says("devices", "list", wanted="Ben"), ("device.",)),
        Operation("device-remove", lambda place: ["devices", "remove", UDIDS[0]],
                  says("devices", "list", wanted="Ana", absent=True), ("device.", "no-device")),
        Operation("invite", lambda place: ["devices", "invite", "--name", "Cleo", "--base-url",
                                           "https://localhost:8443"],
                  says("devices", "invitations", wanted="Cleo"), ("invitation.",)),
        Operation("token-create", lambda place: ["tokens", "create", "--name", "new", "--scope",
                                                 "read"],
                  says("tokens", "list", wanted='"new"'), ("token.",)),
        Operation("token-revoke", lambda place: ["tokens", "revoke", "old"],
                  says("tokens", "list", wanted='"old"', absent=True), ("token.",)),
        Operation("webhook-add", lambda place: ["webhooks", "add", "https://new.example.org/",
                                                "--kind", "json"],
                  says("webhooks", "list", wanted="new.example.org"), ("webhook.",)),
        Operation("webhook-remove", lambda place: ["webhooks", "remove", base.webhook],
                  says("webhooks", "list", wanted="old.example.org", absent=True), ("webhook.",)),
        Operation("app-set", lambda place: ["apps", "set", APP, "--access", "enrolled"],
                  says("apps", "show", APP, wanted='"enrolled"')),
        Operation("mirror-build", lambda place: ["mirror", "build", "pare", "--tag", "v1.4.0"],
                  listed("1.4.0")),
    ]


def _channels(program: Program, place: Place) -> list:
    value = program.json("apps", "show", APP, "--store", place.store)
    value = value.get("app", value)
    channels = value.get("channels", [])
    return [{name: row} for name, row in channels.items()] if isinstance(channels, dict) else channels


def _prune(program: Program, place: Place):
    program.must("releases", "prune", APP, "--keep", "1", "--store", place.store)
