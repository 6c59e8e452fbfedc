"""A server, mirrors whose builds run on runners, and their agents, all of them processes."""

import hashlib
import json
import os
import shlex
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from line import Line

#: The size of each build's artifact: zeros that `openssl` encrypts with the key of its step.
ARTIFACT_BYTES = 3_000_000

SHAPES = ("runner", "runner-server", "server-runner", "release")


def artifact(number: int) -> str:
    return (f"mkdir -p out; head -c {ARTIFACT_BYTES} /dev/zero | openssl enc -aes-128-ctr -K "
            f"{number:032x} -iv 0 2>/dev/null > out/data.bin")


def pipeline(shape: str, number: int, lines: int) -> str:
    """A pipeline whose steps print numbered lines, with a unique name for each run of a step."""
    def step(name, where, more):
        script = [f"nonce={name}-$OTA_BUILD-$(date +%s%N)"]
        if where == "mac":
            script.append("(setsid sleep 3111 >/dev/null 2>&1 &)")
        script.append(f"for i in $(seq 1 {lines}); do echo \"L $nonce $i\"; sleep 0.04; done")
        script += more + ['echo "E $nonce"']
        body = "".join(f"      {line}\n" for line in script)
        return f"  - name: {name}\n    runs-on: {where}\n    run: |\n{body}"
    make, test = [artifact(number)], ["test -s out/data.bin"]
    steps = {
        "runner": [step("one", "mac", []), step("two", "mac", make)],
        "runner-server": [step("one", "mac", make), step("two", "server", test)],
        "server-runner": [step("one", "server", make), step("two", "mac", test)],
        "release": [step("one", "mac", make), step("two", "mac", ["cp build.ipa out/app.ipa"])],
    }[shape]
    artifacts = "  - path: out/data.bin\n    ifMissing: error\n"
    if shape == "release":
        artifacts += "  - path: out/app.ipa\n    ifMissing: error\n"
    return "steps:\n" + "".join(steps) + "artifacts:\n" + artifacts


class Lease(NamedTuple):
    """A runner's attempt at the steps of a build, starting with the step `first`."""

    runner: str
    mirror: str
    build: int
    first: int
    place: int


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Room:
    def __init__(self, options, folder: Path, say):
        self.ota = os.path.realpath(options.ota)
        self.agent = os.path.realpath(options.agent)
        self.folder = folder
        self.say = say
        self.lease = options.lease
        self.store = folder / "store"
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.lower().endswith("_proxy") and not name.startswith("OTA_")
        } | {"NO_COLOR": "1", "OTA_ACTOR": "faults", "HOME": str(folder)}
        self._certify()
        self.port, self.lineport = free_port(), free_port()
        self.line = Line(self.lineport, self.port, folder / "leaf.pem", folder / "leaf.key")
        self.server = None
        self.agents: dict[str, subprocess.Popen] = {}
        self.mirrors: dict[str, dict] = {}
        self.starts = 0

    # MARK: Commands

    def run(self, *words, limit=120) -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.ota, *map(str, words), "--store", self.store], cwd=self.folder,
            env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", timeout=limit)

    def must(self, *words) -> str:
        done = self.run(*words)
        if done.returncode != 0:
            raise RuntimeError(f"ota {' '.join(map(str, words))}: {done.stderr[-600:]}")
        return done.stdout

    def json(self, *words):
        return json.loads(self.must(*words, "--json"))

    def _certify(self):
        for words in [
            "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=faults "
            "-addext basicConstraints=critical,CA:TRUE",
            "req -newkey rsa:2048 -nodes -keyout leaf.key -out leaf.csr -subj /CN=localhost",
        ]:
            self._openssl(words)
        (self.folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        self._openssl("x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 "
                      "-extfile names -out leaf.pem")
        with open(self.folder / "leaf.pem", "a") as chain:
            chain.write((self.folder / "ca.pem").read_text())

    def _openssl(self, words: str):
        subprocess.run(["openssl", *words.split()], cwd=self.folder, check=True,
                       capture_output=True)

    # MARK: The server

    def serve(self):
        words = [self.ota, "serve", "--port", str(self.port), "--no-plain", "--base-url",
                 f"https://localhost:{self.lineport}", "--certificate", "leaf.pem", "--private-key",
                 "leaf.key", "--store", str(self.store)]
        if self.lease:
            words += ["--lease", f"{self.lease}s"]
        with open(self.folder / "server.log", "ab") as errors:
            self.server = subprocess.Popen(
                words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=errors, text=True)
        if not self.server.stdout.readline().startswith("listening on "):
            log = (self.folder / "server.log").read_text(errors="replace")
            raise RuntimeError(f"the server does not start: {log[-600:]}")

    def kill_server(self):
        if self.server:
            self.server.kill()
            self.server.wait()
            self.server.stdout.close()
        self.server = None

    # MARK: Mirrors

    def add_mirror(self, name: str, app: str, authority: Path):
        folder = self.folder / f"{name}.work"
        folder.mkdir()
        self.mirrors[name] = {"folder": folder, "app": app, "builds": {}, "count": 0,
                              "authority": authority}
        self._git(name, "init", "-q", "-b", "main")
        (folder / "README").write_text(name)
        self._git(name, "add", ".")
        self._git(name, "commit", "-qm", "Begin")
        self.must("mirror", "add", name, folder, "--allow-file", "--no-sync", "--tag", "none*",
                  "--branch", "none")

    def _git(self, name: str, *words):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "gc.auto=0",
             "-C", str(self.mirrors[name]["folder"]), *words], check=True, env=self.environment,
            capture_output=True)

    def queue(self, name: str, shape: str, lines: int) -> int:
        """Queues another build of a mirror, and returns its number."""
        mirror = self.mirrors[name]
        mirror["count"] += 1
        number = mirror["count"]
        folder = mirror["folder"]
        (folder / ".ota").mkdir(exist_ok=True)
        (folder / ".ota/pipeline.yml").write_text(pipeline(shape, number, lines))
        if shape == "release":
            self.must_sample(mirror, number)
        self._git(name, "add", "-A")
        self._git(name, "commit", "-qm", f"Build {number}", "--allow-empty")
        self._git(name, "tag", f"v1.0.{number}")
        told = self.json("mirror", "build", name, "--tag", f"v1.0.{number}", "--queue-only")
        build = max(run["number"] for run in told["builds"])
        mirror["builds"][build] = {"shape": shape, "number": number, "lines": lines}
        return build

    def must_sample(self, mirror, number: int):
        subprocess.run(
            [self.ota, "sample", "--output", mirror["folder"] / "build.ipa", "--app", mirror["app"],
             "--version", f"1.0.{number}", "--build", str(number), "--authority",
             mirror["authority"]], check=True, env=self.environment, capture_output=True,
            cwd=self.folder)

    def run_of(self, name: str, build: int) -> dict:
        return json.loads((self.store / f"runs/{name}/{build:06}.json").read_text())

    def runs(self, name: str) -> dict[int, dict]:
        found = {}
        for path in sorted((self.store / f"runs/{name}").glob("*.json")):
            for _ in range(20):
                try:
                    run = json.loads(path.read_text())
                    found[run["number"]] = run
                    break
                except (ValueError, OSError):
                    time.sleep(0.02)
        return found

    def stages(self) -> list[dict]:
        found = []
        for path in (self.store / "stages").glob("*.json"):
            try:
                found.append(json.loads(path.read_text()))
            except (ValueError, OSError):
                # The file is gone, or is being written.
                continue
        return found

    def leases(self) -> dict[str, Lease]:
        """The lease of each runner that has started steps."""
        found = {}
        for stage in self.stages():
            last = (stage.get("attempts") or [{}])[-1]
            if stage["state"] == "leased" and last.get("isBegun"):
                found[last["runner"]] = Lease(
                    last["runner"], stage["mirror"], stage["build"], stage["steps"][0]["index"],
                    len(stage["attempts"]) - 1)
        return found

    def has_expired(self, lease: Lease) -> bool:
        """Whether a lease has ended because the server lost contact with its runner."""
        words = f"runner {lease.runner} was not heard from for "
        for stage in self.stages():
            if (stage["mirror"], stage["build"]) == (lease.mirror, lease.build) and \
                    stage["steps"][0]["index"] == lease.first:
                return stage["attempts"][lease.place].get("lost", "").startswith(words)
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            # It was the last attempt, and the stage has been removed.
            if (self.run_of(lease.mirror, lease.build).get("reason") or "").startswith(words):
                return True
            time.sleep(0.1)
        return False

    # MARK: Agents

    def agent_folder(self, name: str) -> Path:
        return self.folder / "agents" / name

    def add_runner(self, name: str, mirrors):
        words = ["runners", "add", name, "--references", "any"]
        for mirror in mirrors:
            words += ["--mirror", mirror]
        return self.json(*words)["code"]

    def start_agent(self, name: str, code: str | None = None):
        words = ["python3", "-B", self.agent, "--name", name, "--folder",
                 str(self.agent_folder(name)), "--no-update"]
        if code:
            words += ["--server", f"https://localhost:{self.lineport}", "--code", code]
        self.starts += 1
        with open(self.folder / f"agent-{name}.log", "ab") as log:
            self.agents[name] = subprocess.Popen(
                words, cwd=self.folder, env=self.environment | {
                    "SSL_CERT_FILE": str(self.folder / "ca.pem")},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def kill_agent(self, name: str):
        agent = self.agents.pop(name, None)
        if agent:
            agent.kill()
            agent.wait()

    def is_running(self, name: str) -> bool:
        return name in self.agents and self.agents[name].poll() is None

    # MARK: The end

    def marked(self, place: Path | None = None) -> list[str]:
        """Processes of steps that still run: of all agents and the server, or of one agent."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                environment = (folder / "environ").read_bytes()
                if b"OTA_RUN_MARK=" in environment and os.fsencode(place or self.folder) in environment:
                    command = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
                    found.append(f"{folder.name} {command.decode(errors='replace')[:80]}")
            except OSError:
                continue
        return found

    def close(self):
        for name in list(self.agents):
            agent = self.agents[name]
            agent.send_signal(signal.SIGCONT)
            agent.terminate()
        for name in list(self.agents):
            try:
                self.agents[name].wait(15)
            except subprocess.TimeoutExpired:
                self.kill_agent(name)
        self.kill_server()
        for line in self.marked():
            try:
                os.kill(int(line.split()[0]), signal.SIGKILL)
            except OSError:
                pass


def digest(number: int) -> str:
    done = subprocess.run(["bash", "-c", f"head -c {ARTIFACT_BYTES} /dev/zero | openssl enc "
                           f"-aes-128-ctr -K {number:032x} -iv 0 2>/dev/null"],
                          check=True, capture_output=True)
    return hashlib.sha256(done.stdout).hexdigest()
