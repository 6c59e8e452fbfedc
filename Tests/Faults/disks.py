"""Disks that fill up, and disks that lose power."""

import json
import random
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path

from aftermath import Aftermath, Reference, one_line
from base import Base, Place
from operations import all_operations
from program import copy, documents
from record import Record, Result, Try

KIB = 1024
#: More than the free space that builds of mirrors preserve.
ROOMY = 8 << 20
#: Free space in KiB.
SIZES = [0, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024, 4096, ROOMY]
#: Placeholder in a command for the webhook that was added last.
WEBHOOK = "@webhook"


def shell(script: str):
    subprocess.run(["/bin/sh", "-ec", script], check=True, capture_output=True)


def full(base: Base, work: Path, names: list[str], record: Record, say) -> bool:
    """Runs each operation on disks with increasing free space, until it succeeds."""
    isGood = True
    for operation in all_operations(base):
        if names and operation.name not in names:
            continue
        tries = [Try("full disk", operation.name, f"{room} KiB free", "ENOSPC")
                 for room in SIZES]
        aftermath = None
        for one, room in zip(tries, SIZES):
            if record.wants(one):
                aftermath = aftermath or Aftermath(
                    base, operation, Reference.undisturbed(base, operation, work / "reference"))
                result = _fill(aftermath, work / "full", room)
                for problem in result.problems:
                    say(f"  {one}: {problem}")
                record.add(one, result)
            if record.results[one].acknowledged:
                break
        say(record.tally("full disk", operation.name, tries))
        isGood &= record.results[one].acknowledged
        isGood &= not any(
            record.results[one].problems for one in tries if one in record.results)
    return isGood


def _fill(aftermath: Aftermath, folder: Path, room: int) -> Result:
    """Runs an operation with this many KiB free, and checks the store with more."""
    folder.mkdir()
    shell(f"mount -t tmpfs -o size={ROOMY}k tmpfs {folder}")
    try:
        place = aftermath.base.place(folder / "try", aftermath.operation)
        before = documents(place.store)
        used = shutil.disk_usage(folder).used // KIB
        # A size of 0 would mean no limit.
        shell(f"mount -o remount,size={max(used + room, 1)}k {folder}")
        outcome = aftermath.program.run(aftermath.operation.arguments(place))
        isFull = outcome.status != 0
        shell(f"mount -o remount,size={ROOMY}k {folder}")
        found = aftermath.problems(place, before, outcome, "ENOSPC" if isFull else None)
        return Result(isFull, not isFull, [one_line(problem) for problem in found])
    finally:
        shell(f"umount -l {folder}; rmdir {folder}")


class PowerCutDisk:
    """A disk image on a file system that can clone files.

    A clone has what has reached the disk, and nothing that was still in memory, as after a power cut.
    """

    def __init__(self, root: Path, form: str):
        self.root, self.form, self.live, self.cut = root, form, root / "live", root / "cut"
        shell(f"""
            mkdir -p {root}/base {self.live} {self.cut}
            truncate -s 1500M {root}/base.img
            mkfs.xfs -q -m reflink=1 {root}/base.img
            mount -o loop {root}/base.img {root}/base
            truncate -s 400M {root}/base/disk.img
            mkfs.{form} -q {root}/base/disk.img
            mount -o loop {root}/base/disk.img {self.live}""")

    def take(self):
        options = "loop,nouuid" if self.form == "xfs" else "loop"
        shell(f"""
            cp --reflink=always {self.root}/base/disk.img {self.root}/base/cut.img
            mount -o {options} {self.root}/base/cut.img {self.cut}""")

    def give_back(self):
        shell(f"umount {self.cut}; rm -f {self.root}/base/cut.img")

    def remove(self):
        for place in (self.cut, self.live, self.root / "base"):
            subprocess.run(["umount", "-q", "-l", place], capture_output=True)
        shutil.rmtree(self.root, ignore_errors=True)


class MixedLoad(threading.Thread):
    """Commands of every kind, one after the other, and the state of each thing after them.

    A state only advances: from nothing (0) to present (1) to removed (2).
    """

    def __init__(self, base: Base, store: Path):
        super().__init__(daemon=True)
        self.base, self.store = base, store
        #: States that commands began to reach, and states that were acknowledged.
        self.begun: dict[str, int] = {}
        self.acknowledged: dict[str, int] = {}
        self.commands = 0
        self.isOver = False
        self.failures: list[str] = []

    def run(self):
        last, number = "", 0
        while not self.isOver:
            number += 1
            for command, thing, stage in self._round(number):
                if self.isOver:
                    return
                command = [last if part == WEBHOOK else part for part in command]
                self.begun[thing] = stage
                outcome = self.base.program.run([*command, "--json", "--store", self.store])
                self.commands += 1
                if command[:2] == ["webhooks", "add"]:
                    last = (re.findall(r'"identifier" : "(\w+)"', outcome.output) or [""])[0]
                if outcome.status == 0:
                    self.acknowledged[thing] = stage
                else:
                    self.failures.append(f"{command}: {outcome.errors.strip()[-200:]}")

    def _round(self, n: int):
        yield ["tokens", "create", "--name", f"t{n}", "--scope", "read"], f"tokens t{n}", 1
        # A device family has 100 slots a year, even if devices are removed.
        if n <= 90:
            yield (["devices", "add", f"00008120-{n:016X}", "--name", f"d{n}"], f"devices d{n}", 1)
        yield (["webhooks", "add", f"https://w{n}.example.org/", "--kind", "json"],
               f"webhooks https://w{n}.example.org/", 1)
        if n % 4 == 1:
            yield (["publish", self.base.build / "1.4.0.ipa", "--trusted-ca", self.base.anchor,
                    "--replace"],
                   "releases 1.4.0-5", 1)
        yield (["releases", "promote", "sample", "1.3.0", "--channel", f"c{n}"],
               f"channels c{n}", 1)
        yield ["tokens", "revoke", f"t{n}"], f"tokens t{n}", 2
        yield ["webhooks", "remove", WEBHOOK], f"webhooks https://w{n}.example.org/", 2
        if 3 < n <= 93:
            yield ["devices", "remove", f"00008120-{n - 3:016X}"], f"devices d{n - 3}", 2
        if n % 2 == 0:
            yield ["apps", "set", "sample", "--title", f"Sample {n}"], "title", n
            yield ["releases", "withdraw", "sample", "1.2.0", "--reason", f"r{n}"], "withdrawn", n
            yield ["releases", "restore", "sample", "1.2.0"], "offered", n
        if n % 4 == 0:
            yield ["store", "gc", "--older-than", "0s"], "collected", n


def stages(store: Path) -> dict[str, int]:
    """The state of each thing according to the documents."""
    read = lambda name: json.loads((store / name).read_text())
    app = read(f"apps/{IDENTIFIER}/app.json")
    found = {f"channels {name}": 1 for name in app["channels"]}
    for token in read("tokens.json")["tokens"]:
        found[f"tokens {token['name']}"] = 2 if "revoked" in token else 1
    for device in read("devices.json")["devices"]:
        found[f"devices {device['name']}"] = 2 if device["state"] == "disabled" else 1
    for webhook in read("webhooks.json")["webhooks"]:
        found[f"webhooks {webhook['url']}"] = 1
    for release in (store / f"apps/{IDENTIFIER}/releases").glob("*.json"):
        found[f"releases {release.stem}"] = 1
    return found


IDENTIFIER = "com.example.ota-sample"


def power_cuts(base: Base, work: Path, form: str, cuts: int, record: Record, say) -> bool:
    tries = [Try("power cut", form, f"cut {number}", "mixed load") for number in range(1, cuts + 1)]
    # Tries of earlier runs had another load.
    wanted = [one for one in tries if record.wants(one)]
    load = None
    disk = PowerCutDisk(work / f"power-{form}", form)
    try:
        copy(base.store, disk.live / "store")
        shell("sync")
        load = MixedLoad(base, disk.live / "store")
        load.start()
        for number, one in enumerate(wanted, start=1):
            record.wants(one)
            time.sleep(random.uniform(0.005, 0.4))
            acknowledged = dict(load.acknowledged)
            disk.take()
            try:
                begun = dict(load.begun)
                found = look(base, disk.cut / "store", acknowledged, begun)
            finally:
                disk.give_back()
            found = [one_line(problem) for problem in found]
            for problem in found:
                say(f"  {one}: {problem}")
            record.add(one, Result(True, False, found))
            if number % 25 == 0:
                say(f"{form:5} power cuts: {number} over {load.commands} commands")
    finally:
        if load:
            load.isOver = True
            load.join(60)
        disk.remove()
    for failure in load.failures[:5]:
        say("  refused meanwhile: " + one_line(failure))
    say(f"{record.tally('power cut', form, tries)}, {load.commands} commands in this run, "
        f"{len(load.failures)} refused")
    isUnderLoad = not wanted or load.commands > 9
    return isUnderLoad and not load.failures and not any(
        record.results[one].problems for one in tries)


def look(base: Base, store: Path, acknowledged, begun) -> list[str]:
    """Checks that everything acknowledged before the cut is there, unless a later change of it had begun."""
    outcome = base.program.run(["store", "verify", "--store", store])
    found = []
    if outcome.status != 0:
        found.append(f"verify: {outcome.status} {(outcome.output + outcome.errors)[-400:]}")
    now = stages(store)
    for thing, stage in acknowledged.items():
        kind = thing.split()[0]
        if kind not in ("tokens", "devices", "webhooks", "channels", "releases"):
            continue
        # A removed webhook is no longer in its document.
        isGone = kind == "webhooks" and thing not in now
        reached = 2 if isGone and begun.get(thing, 0) == 2 else now.get(thing, 0)
        if reached < stage:
            found.append(f"{thing} was acknowledged at stage {stage} and is at {reached}")
    return found
