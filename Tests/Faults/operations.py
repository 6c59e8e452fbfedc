"""Every command that changes a store, with what must be true once it was acknowledged."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from base import ANA, APP, EVA, Base, Place
from program import Program

WITHDRAWN = '"state" : "withdrawn"'
BEN = "00008120-000A1B2C3D4E5F68"


@dataclass
class Operation:
    name: str
    #: The command, without `--store`.
    command: Callable[[Place], list]
    #: Whether it has been done, according to other commands.
    isDone: Callable[[Program, Place], bool]
    #: Parts of the error identifiers with which the repetition may fail because it is already done.
    done_before: tuple = ()
    #: The store that it changes.
    target: Callable[[Place], Path] = field(default=lambda place: place.store)
    #: Runs before each try.
    prepare: Callable[[Program, Place], None] = field(default=lambda program, place: None)
    #: Whether the repetition reports an interrupted build, with exit status 1.
    reports: bool = False
    #: The command that completes it after a reported failure, if that is another one.
    after_failure: tuple = ()
    #: Whether it skips a release that cannot be read, which `ota store verify` reports.
    passesOver: bool = False
    #: Whether the store is damaged until it succeeds.
    fixes: bool = False
    #: Further entries that the activity may have, as event and subject: what was removed after a fault.
    mayTell: tuple = ()
    #: Whether the base store exists before it.
    hasStore: bool = True

    def arguments(self, place: Place) -> list:
        return [*self.command(place), "--store", self.target(place)]


def says(*arguments, wanted: str, absent: bool = False):
    """Whether a command's output has a text."""
    def check(program: Program, place: Place) -> bool:
        text = program.must(*arguments, "--json", "--store", place.store)
        return (wanted in text) != absent
    return check


def all_operations(base: Base) -> list[Operation]:
    ipa = base.build / "1.4.0.ipa"
    publish = lambda place: ["publish", ipa, "--trusted-ca", base.anchor]
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
                  listed("1.0.0", absent=True), passesOver=True),
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
        Operation("device-add", lambda place: ["devices", "add", BEN, "--name", "Ben"],
                  says("devices", "list", wanted="Ben"), ("device.",)),
        Operation("device-remove", lambda place: ["devices", "remove", ANA],
                  says("devices", "list", wanted="Ana", absent=True), ("device.", "no-device")),
        Operation("invite", lambda place: ["devices", "invite", "--name", "Cleo", "--base-url",
                                           "https://localhost:8443"],
                  says("devices", "invitations", wanted="Cleo"), ("invitation.",)),
        Operation("token-create", lambda place: ["tokens", "create", "--name", "new", "--scope",
                                                 "read"],
                  says("tokens", "list", wanted='"new"'), ("token.",)),
        Operation("token-revoke", lambda place: ["tokens", "revoke", "old"],
                  says("tokens", "list", wanted='"old"', absent=True), ("token.",)),
        Operation("token-rotate", lambda place: ["tokens", "rotate", "old"],
                  says("tokens", "list", wanted=base.token, absent=True)),
        Operation("webhook-add", lambda place: ["webhooks", "add", "https://new.invalid/",
                                                "--kind", "json"],
                  says("webhooks", "list", wanted="new.invalid"), ("webhook.",)),
        Operation("webhook-remove", lambda place: ["webhooks", "remove", base.webhook],
                  says("webhooks", "list", wanted="old.invalid", absent=True), ("webhook.",)),
        Operation("app-set", lambda place: ["apps", "set", APP, "--access", "enrolled"],
                  says("apps", "show", APP, wanted='"enrolled"')),
        Operation("notes", lambda place: ["releases", "notes", APP, "1.2.0", base.notes],
                  says("releases", "show", APP, "1.2.0", wanted="Better maps")),
        Operation("approve", lambda place: ["devices", "approve", EVA],
                  says("devices", "show", EVA, wanted='"state" : "approved"')),
        Operation("device-rename", lambda place: ["devices", "rename", ANA, "Anabel"],
                  says("devices", "list", wanted="Anabel")),
        Operation("invitation-revoke", lambda place: ["devices", "invitations", "--revoke",
                                                      base.invitation],
                  says("devices", "invitations", wanted="Finn", absent=True), ("invitation.",)),
        Operation("webhook-retry", lambda place: ["webhooks", "retry", base.webhook],
                  lambda program, place: base.attempts(place.store) == [0]),
        Operation("webhook-pause", lambda place: ["webhooks", "pause", base.webhook],
                  says("webhooks", "list", wanted='"status" : "paused"')),
        Operation("webhook-resume", lambda place: ["webhooks", "resume", base.webhook],
                  says("webhooks", "list", wanted='"status" : "paused"', absent=True),
                  prepare=lambda program, place: program.must(
                      "webhooks", "pause", base.webhook, "--store", place.store)),
        Operation("app-add", lambda place: ["apps", "add", "org.example.new", "--title", "New"],
                  says("apps", "list", wanted="org.example.new"), ("app.exists",)),
        Operation("channel-end", lambda place: ["channels", "end", APP, "beta"],
                  says("channels", "list", APP, wanted='"channel" : "beta"', absent=True)),
        Operation("runner-add", lambda place: ["runners", "add", "mini", "--mirror", "pare"],
                  says("runners", "list", wanted='"mini"'), ("runner.name-taken",)),
        Operation("document", lambda place: ["store", "restore", "--document", "devices.json"],
                  says("devices", "list", wanted="Ana"),
                  prepare=_damage, fixes=True),
        Operation("mirror-add", lambda place: ["mirror", "add", "more", *base.source, "--sync"],
                  says("mirror", "list", wanted='"more"'), ("mirror.",),
                  mayTell=(("mirrorRemoved", "more"),)),
        Operation("mirror-set", lambda place: ["mirror", "set", "pare", "--interval", "7m"],
                  says("mirror", "list", wanted='"interval" : 420')),
        Operation("mirror-remove", lambda place: ["mirror", "remove", "pare"],
                  says("mirror", "list", wanted='"pare"', absent=True), ("mirror.",)),
        # A sync does not repeat a failed build, for example after git was killed.
        Operation("mirror-sync", lambda place: ["mirror", "sync", "pare"], listed("1.4.0"),
                  reports=True, after_failure=("mirror", "build", "pare", "--tag", "v1.4.0")),
        Operation("mirror-build", lambda place: ["mirror", "build", "pare", "--tag", "v1.4.0"],
                  listed("1.4.0")),
    ]


def _channels(program: Program, place: Place) -> list:
    value = program.json("apps", "show", APP, "--store", place.store)
    value = value.get("app", value)
    channels = value.get("channels", [])
    return [{name: row} for name, row in channels.items()] if isinstance(channels, dict) else channels


def _damage(program: Program, place: Place):
    (place.store / "devices.json").write_bytes(b"")


def _prune(program: Program, place: Place):
    program.must("releases", "prune", APP, "--keep", "1", "--store", place.store)
