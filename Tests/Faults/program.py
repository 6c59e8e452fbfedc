"""Runs `ota` and reads what it left."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Outcome:
    status: int
    output: str
    errors: str

    @property
    def crashed(self) -> bool:
        """Whether a signal of its own, such as a trap, ended it; SIGKILL is the injected fault."""
        status = -self.status if self.status < 0 else self.status - 128
        return status in (4, 5, 6, 7, 8, 11)


class Program:
    """`ota` with a temporary folder of its own."""

    def __init__(self, path: str, folder: Path):
        self.path = os.path.realpath(path)
        self.folder = folder
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.lower().endswith("_proxy") and not name.startswith("OTA_")
        } | {
            "NO_COLOR": "1", "OTA_ACTOR": "faults", "HOME": str(folder),
            # One thread at a time, so that the calls of two runs have the same order.
            "LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1",
        }

    def run(self, arguments, before=(), environment=None, limit=600) -> Outcome:
        """Runs to the end, with `before`, such as a tracer, in front; kills what hangs, with status 124."""
        process = subprocess.Popen(
            [*before, self.path, *map(str, arguments)], cwd=self.folder,
            env=self.environment | (environment or {}), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            output, errors = process.communicate(timeout=limit)
            status = process.returncode
        except subprocess.TimeoutExpired:
            # Kills the tracer and the traced processes.
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            status, errors = 124, errors + b" (hangs)"
        return Outcome(
            status, output.decode(errors="replace"), errors.decode(errors="replace"))

    def run_while(self, isWorthIt, arguments, limit=180) -> Outcome:
        """Runs until the end, or until `isWorthIt()` is false or `limit` seconds are over."""
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(
                [self.path, *map(str, arguments)], cwd=self.folder, env=self.environment,
                stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
            end = time.monotonic() + limit
            while process.poll() is None:
                if not isWorthIt() or time.monotonic() > end:
                    # It gets a second to handle what it received before.
                    try:
                        process.wait(1)
                    except subprocess.TimeoutExpired:
                        process.kill()
                time.sleep(0.02)
            texts = []
            for file in (output, errors):
                file.seek(0)
                texts.append(file.read().decode(errors="replace"))
            return Outcome(process.returncode, *texts)

    def must(self, *arguments) -> str:
        outcome = self.run(arguments)
        if outcome.status != 0:
            raise SystemExit(f"ota {' '.join(map(str, arguments))}: {outcome}")
        return outcome.output

    def json(self, *arguments):
        return json.loads(self.must(*arguments, "--json"))


def copy(source: Path, target: Path):
    """Copies a store; its blobs may be symbolic links, since no operation changes one in place."""
    if source.exists():
        shutil.copytree(source, target, symlinks=True)


def documents(store: Path) -> dict[str, bytes]:
    """Every file of a store except blobs, locks and partial files."""
    found = {}
    for folder, folders, files in os.walk(store):
        for name in files:
            path = Path(folder, name)
            relative = str(path.relative_to(store))
            if relative.split("/")[0] in ("blobs", "tmp", "mirrors", "cache"):
                continue
            if name.endswith((".json", ".jsonl", ".pem")):
                found[relative] = path.read_bytes()
    return found
