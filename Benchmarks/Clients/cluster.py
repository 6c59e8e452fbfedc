#!/usr/bin/env python3
"""Compares three servers on one bucket with one server.

This machine has too few cores for three servers, their store and the clients, so a control group confines
each server to the same small share of one core; the store and the clients have the rest. Only that is
simulated: a server is equally slow whether there is one or three, and what they share - the store, the
journal, the page of changes - is real. If control groups cannot be created, nothing is measured.

Usage: cluster.py --ota OTA --weed WEED [--seconds 15] [--publish-share 20] [--page-share 10]; prints JSON.
"""
import argparse
import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

KEY, SECRET = "bench", "of this run alone"
CONTEXT = ssl._create_unverified_context()
GIVEN: set = set()


def free_ports(count):
    """Free ports below the range that the kernel assigns to outgoing connections."""
    ports, port = [], 20000 + os.getpid() % 6000
    while len(ports) < count:
        port += 1
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in GIVEN:
            GIVEN.add(port)
            ports.append(port)
    return ports


class Share:
    """A control group whose processes get the given percentage of one core."""

    PERIOD = 20000

    def __init__(self, name, percent):
        quota = self.PERIOD * percent // 100
        own = Path("/proc/self/cgroup").read_text()
        first = re.search(r"^\d+:(?:[^:]*,)?cpu(?:,[^:]*)?:(.*)$", own, re.M)
        if first and Path("/sys/fs/cgroup/cpu/cpu.cfs_quota_us").parent.exists():
            self.folder = Path("/sys/fs/cgroup/cpu" + first[1]) / name
            self.folder.mkdir()
            (self.folder / "cpu.cfs_period_us").write_text(str(self.PERIOD))
            (self.folder / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            place = re.search(r"^0::(.*)$", own, re.M)
            self.folder = Path("/sys/fs/cgroup" + (place[1] if place else "")) / name
            self.folder.mkdir()
            (self.folder / "cpu.max").write_text(f"{quota} {self.PERIOD}")

    def enter(self):
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def end(self):
        try:
            self.folder.rmdir()
        except OSError:
            pass


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.processes, self.shares = [], []
        self.runs = 0

    def store(self):
        names = ["master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port",
                 "filer.port.grpc", "s3.port", "s3.port.grpc", "s3.port.lance"]
        ports = dict(zip(names, free_ports(len(names))))
        (self.folder / "data").mkdir()
        (self.folder / "identities.json").write_text(json.dumps({"identities": [{
            "name": "bench", "actions": ["Admin", "Read", "Write", "List"],
            "credentials": [{"accessKey": KEY, "secretKey": SECRET}]}]}))
        self.start([self.options.weed, "server", f"-dir={self.folder}/data", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
                    "-filer", "-s3", "-s3.port.iceberg=0", f"-s3.config={self.folder}/identities.json",
                    "-master.telemetry=false", "-volume.max=20", "-master.volumeSizeLimitMB=256",
                    *(f"-{name}={port}" for name, port in ports.items())], "weed.log")
        self.endpoint = f"http://127.0.0.1:{ports['s3.port']}"
        for _ in range(200):
            done = subprocess.run(["curl", "-sf", "--aws-sigv4", "aws:amz:us-east-1:s3", "--user", f"{KEY}:{SECRET}",
                                   "-X", "PUT", self.endpoint + "/builds"], capture_output=True)
            if done.returncode == 0:
                return
            time.sleep(0.2)
        sys.exit("SeaweedFS did not start: " + (self.folder / "weed.log").read_text()[-2000:])

    def start(self, words, log, environment=None, share=None):
        with (self.folder / log).open("ab") as file:
            process = subprocess.Popen(
                words, stdout=file, stderr=file, stdin=subprocess.DEVNULL, cwd=self.folder,
                env={**os.environ, **(environment or {})}, preexec_fn=share.enter if share else None)
        self.processes.append(process)
        return process

    def ota(self, *words, environment=None):
        done = subprocess.run([self.options.ota, *words], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, **(environment or {})})
        if done.returncode:
            sys.exit(f"ota {words[0]}: {done.stderr}")
        return done.stdout

    def builds(self, count):
        self.ota("sample", "--app", "browsey", "--output", "anchor.ipa", "--save-keys")
        files = []
        for number in range(count):
            file, version = f"build-{number}.ipa", f"1.{number}.0"
            self.ota("sample", "--app", "browsey", "--output", file, "--authority", "anchor-authority-keys.pem",
                     "--version", version, "--build", version)
            files.append((self.folder / file).read_bytes())
        return files

    def servers(self, count, percent):
        """Starts new servers on a store of their own."""
        self.runs += 1
        run = self.runs
        host = f"127.0.0.1:{free_ports(1)[0]}"
        environment = {
            "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "OTA_STORE": f"s3://builds/run-{run}",
            "OTA_STORE_ENDPOINT": self.endpoint, "OTA_STORE_PLAIN_TEXT": "1",
            "OTA_SPOOL": str(self.folder / f"spool-{run}")}
        self.ota("publish", "anchor.ipa", "--trusted-ca", "anchor-authority.pem", "--base-url", f"https://{host}",
                 environment=environment)
        self.ota("tokens", "create", "--name", "bench", "--scope", "admin", "--file", f"token-{run}",
                 environment=environment)
        token = (self.folder / f"token-{run}").read_text().strip()
        servers = []
        for number, port in enumerate(free_ports(count)):
            share = Share(f"ota-bench-{os.getpid()}-{run}-{number}", percent)
            self.shares.append(share)
            process = self.start(
                [self.options.ota, "serve", "--host", "127.0.0.1", "--port", str(port), "--no-plain", "--base-url",
                 f"https://{host}", "--spool", str(self.folder / f"spool-{run}-{number}")],
                f"server-{run}-{number}.log", environment, share)
            servers.append((port, process))
        for port, process in servers:
            end = time.monotonic() + 120
            while True:
                try:
                    if Client(port, host, token).ask("GET", "/readyz")[0] == 200:
                        break
                except OSError:
                    pass
                if time.monotonic() > end or process.poll() is not None:
                    sys.exit("a server did not start")
                time.sleep(0.2)
        return servers, host, token

    def end(self, servers):
        for _, process in servers:
            process.kill()
            process.wait()

    def stop(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        for share in self.shares:
            share.end()

    def publishes(self, count, files, publishers):
        """Runs concurrent publishers, the same number for each server, until the time is over."""
        servers, host, token = self.servers(count, self.options.publish_share)
        waiting, waits, failures = list(files), [], []
        lock = threading.Lock()
        begun = time.monotonic()
        end = begun + self.options.seconds

        def publish(port):
            client = Client(port, host, token)
            while time.monotonic() < end:
                with lock:
                    if not waiting:
                        failures.append("no builds are left")
                        return
                    data = waiting.pop()
                sent = time.monotonic()
                try:
                    status, body = client.ask("POST", "/api/v1/uploads?channel=stable", data, {
                        "Content-Type": "application/octet-stream", "Upload-Complete": "?1",
                        "Upload-Length": str(len(data))})
                except OSError as error:
                    status, body = 0, str(error).encode()
                    client = Client(port, host, token)
                with lock:
                    if status in (200, 201):
                        if time.monotonic() < end:
                            waits.append(time.monotonic() - sent)
                    else:
                        failures.append(f"{status} {body[:200]!r}")

        self.together([(publish, port) for port, _ in servers for _ in range(publishers)])
        self.end(servers)
        return rates(waits, self.options.seconds, failures)

    def pages(self, count, visitors):
        servers, host, token = self.servers(count, self.options.page_share)
        waits, failures = [], []
        lock = threading.Lock()
        end = time.monotonic() + self.options.seconds

        def visit(port):
            client, own = Client(port, host, ""), []
            while time.monotonic() < end:
                sent = time.monotonic()
                status, _ = client.ask("GET", "/apps/browsey")
                own.append(time.monotonic() - sent)
                if status != 200:
                    failures.append(str(status))
            with lock:
                waits.extend(own)

        self.together([(visit, port) for port, _ in servers for _ in range(visitors)])
        self.end(servers)
        return rates(waits, self.options.seconds, failures)

    @staticmethod
    def together(work):
        threads = [threading.Thread(target=one, args=(port,)) for one, port in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


class Client:
    """A persistent connection."""

    def __init__(self, port, host, token):
        self.connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=120, context=CONTEXT)
        self.fields = {"Host": host, **({"Authorization": f"Bearer {token}"} if token else {})}

    def ask(self, method, path, body=None, fields=None):
        self.connection.request(method, path, body, {**self.fields, **(fields or {})})
        answer = self.connection.getresponse()
        return answer.status, answer.read()


def rates(waits, seconds, failures):
    waits.sort()
    return {"perSecond": len(waits) / seconds,
            "p50": waits[len(waits) // 2] * 1000 if waits else 0,
            "p99": waits[min(len(waits) - 1, len(waits) * 99 // 100)] * 1000 if waits else 0,
            "count": len(waits), "failures": failures[:5], "failed": len(failures)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ota", required=True)
    parser.add_argument("--weed", default=shutil.which("weed"))
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--publish-share", type=int, default=20)
    parser.add_argument("--page-share", type=int, default=5)
    parser.add_argument("--builds", type=int, default=150)
    options = parser.parse_args()
    options.ota, options.weed = os.path.abspath(options.ota), os.path.abspath(options.weed)
    try:
        Share(f"ota-bench-{os.getpid()}", 20).end()
    except OSError as error:
        sys.exit(f"no control group can be made here, so nothing is measured: {error}")
    with tempfile.TemporaryDirectory(prefix="ota-cluster-bench.") as folder:
        bench = Bench(options, Path(folder))
        try:
            bench.store()
            files = bench.builds(options.builds)
            found = {
                "publishes": {str(n): bench.publishes(n, files, publishers=6) for n in (1, 3)},
                "pages": {str(n): bench.pages(n, visitors=4) for n in (1, 3)},
                "publishShare": options.publish_share, "pageShare": options.page_share}
        finally:
            bench.stop()
    for kind in ("publishes", "pages"):
        one = found[kind]["1"]["perSecond"]
        found[kind]["ratio"] = found[kind]["3"]["perSecond"] / one if one else 0
    print(json.dumps(found, indent=1))


main()
