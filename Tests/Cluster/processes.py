"""The processes of a cluster: the components of SeaweedFS, and the servers in front of it."""

import ctypes
import json
import os
import random
import shutil
import signal
import socket
import ssl
import subprocess
import time
from pathlib import Path

KEY, SECRET = "cluster", "of this run alone"

#: Ports that were already assigned to a process of this run.
GIVEN: set[int] = set()


def free_ports(count: int) -> list[int]:
    """Free ports below the range that the kernel assigns to outgoing connections, one of which could
    otherwise take the port of a process while that is down. Each port is returned only once.
    """
    try:
        below = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    except OSError:
        below = 32768
    ports: list[int] = []
    while len(ports) < count:
        port = random.SystemRandom().randrange(max(1024, below // 2), below)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in GIVEN:
            GIVEN.add(port)
            ports.append(port)
    return ports


def _die_with_parent():
    ctypes.CDLL("libc.so.6").prctl(1, signal.SIGKILL)


class Part:
    """A process that can be killed and started again with the same arguments."""

    def __init__(self, name: str, arguments: list[str], log: Path, environment: dict[str, str]):
        self.name, self.arguments, self.log, self.environment = name, arguments, log, environment
        self.process = None
        self.kills = 0

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.arguments, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                env={**os.environ, **self.environment}, preexec_fn=_die_with_parent,
                start_new_session=True)

    def kill(self):
        self.kills += 1
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None


class Store:
    """The components of SeaweedFS: master, volume, filer and gateway."""

    def __init__(self, weed: str, folder: Path):
        self.folder = folder
        ports = free_ports(8)
        (master, masterg, volume, volumeg, filer, filerg, self.port, s3g) = ports
        (folder / "identities.json").write_text(json.dumps({"identities": [{
            "name": "ota", "actions": ["Admin", "Read", "Write", "List"],
            "credentials": [{"accessKey": KEY, "secretKey": SECRET}]}]}))
        address = f"127.0.0.1:{master}.{masterg}"
        here = ["-ip=127.0.0.1", "-ip.bind=127.0.0.1"]
        for name in ("master", "volume", "filer"):
            (folder / name).mkdir()
        parts = {
            "master": ["master", f"-port={master}", f"-port.grpc={masterg}", f"-mdir={folder}/master",
                       "-telemetry=false", "-volumeSizeLimitMB=256", *here],
            "volume": ["volume", f"-port={volume}", f"-port.grpc={volumeg}", f"-dir={folder}/volume",
                       f"-mserver={address}", "-max=20", *here],
            "filer": ["filer", f"-port={filer}", f"-port.grpc={filerg}", f"-master={address}",
                      f"-defaultStoreDir={folder}/filer", *here],
            "gateway": ["s3", f"-port={self.port}", f"-port.grpc={s3g}", f"-filer=127.0.0.1:{filer}.{filerg}",
                        "-port.iceberg=0", "-port.lance=0", f"-config={folder}/identities.json",
                        "-ip.bind=127.0.0.1"],
        }
        self.parts = {
            name: Part(name, [weed, *arguments], folder / f"{name}.log", {})
            for name, arguments in parts.items()}

    def start(self):
        for part in self.parts.values():
            part.start()
        until(60, lambda: self.ask("PUT", "/builds") == "200", "SeaweedFS did not start")

    def ask(self, method: str, path: str) -> str:
        done = subprocess.run(
            ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "5", "--aws-sigv4",
             "aws:amz:us-east-1:s3", "--user", f"{KEY}:{SECRET}", "-X", method,
             f"http://127.0.0.1:{self.port}{path}"], capture_output=True, text=True)
        return done.stdout


class Server(Part):
    """`ota serve` with its own connection to the store, and a clock that may be wrong."""

    def __init__(self, number: int, ota: str, base: str, store: int, folder: Path, skew: int):
        self.number = number
        self.port = free_ports(1)[0]
        environment = store_environment(store, folder / f"spool-{number}")
        clock = wrong_clock(folder) if skew else None
        self.skew = skew if clock else 0
        if clock:
            environment |= {"LD_PRELOAD": clock, "CLOCK_AHEAD": str(skew)}
        super().__init__(f"server {number}", [
            ota, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--no-plain",
            "--base-url", base], folder / f"server-{number}.log", environment)

    def answers(self) -> bool:
        if not self.is_running:
            self.start()
        context = ssl._create_unverified_context()
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=2) as one:
                with context.wrap_socket(one):
                    return True
        except OSError:
            return False


def wrong_clock(folder: Path) -> str | None:
    """The path of the library that shifts a process's clock, which is built once; None without a C compiler.
    """
    library = folder / "clock.so"
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler and not library.exists():
        subprocess.run([compiler, "-shared", "-fPIC", "-O", "-o", library, Path(__file__).parent / "clock.c", "-ldl"],
                       check=True)
    return str(library) if library.exists() else None


def store_environment(port: int, spool: Path) -> dict[str, str]:
    return {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "OTA_STORE": "s3://builds/ota",
            "OTA_STORE_ENDPOINT": f"http://127.0.0.1:{port}", "OTA_STORE_PLAIN_TEXT": "1",
            "OTA_SPOOL": str(spool)}


def until(seconds: float, condition, complaint: str):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(complaint)
        time.sleep(0.2)
