"""Faults in a cluster: three servers on SeaweedFS, while 64 publishers, phones and admins work, and
everything is killed, cut, slowed and refused. A checker then replays all responses.

Usage: main.py --ota OTA --weed WEED --seconds 600 [--seed 1] [--keep FOLDER]
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from history import History, now
from line import Line
from processes import KEY, SECRET, Server, Store, free_ports, store_environment, until
from workers import APP, Client, Cluster, Receiver, Work


class Run:
    def __init__(self, options, folder: Path):
        self.options, self.folder = options, folder
        self.random = random.Random(options.seed)
        self.history = History()
        self.faults: collections.Counter = collections.Counter()
        self.versions = 0
        #: The longest time that the store took to recover after a component was killed, and which one.
        self.longest_return = (0.0, "nothing")
        self.servers: list[Server] = []
        (folder / "store").mkdir()
        self.store = Store(options.weed, folder / "store")

    def prepare(self):
        self.store.start()
        base_port = free_ports(1)[0]
        self.host = f"127.0.0.1:{base_port}"
        self.lines = [Line(self.store.port, self.options.seed + number) for number in range(3)]
        # Two clocks are two minutes wrong, one of them behind and one ahead.
        self.servers = [
            Server(number, self.options.ota, f"https://{self.host}", self.lines[number].port, self.folder, skew)
            for number, skew in enumerate((0, 120, -120))]
        self.environment = store_environment(self.store.port, self.folder / "spool-commands")
        self.ota("sample", "--app", "browsey", "--output", "anchor.ipa", "--save-keys", "--version", "0.0.1",
                 "--build", "0.0.1")
        self.ota("publish", "anchor.ipa", "--trusted-ca", "anchor-authority.pem", "--base-url", f"https://{self.host}")
        self.ota("tokens", "create", "--name", "cluster", "--scope", "admin", "--file", "token")
        receiver = Receiver(self.history)
        self.ota("webhooks", "add", f"http://127.0.0.1:{receiver.server_port}/", "--kind", "json", "--events",
                 "release.published", "--allow-private", "--allow-http")
        for server in self.servers:
            until(60, server.answers, f"{server.name} did not start; see {server.log}")
        self.cluster = Cluster(self.servers, self.lines)
        token = (self.folder / "token").read_text().strip()
        self.client = Client(self.host, token)
        self.work = Work(self.cluster, self.client, self.history, self.options.seed)
        self.work.pause = max(1.0, self.options.seconds / 12)

    def ota(self, *arguments: str) -> str:
        done = subprocess.run([self.options.ota, *arguments], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, **self.environment})
        if done.returncode:
            raise SystemExit(f"ota {arguments[0]}: {done.stderr}")
        return done.stdout

    def build(self):
        """Makes two builds of each version, of which one can win; several workers publish each."""
        while not self.work.is_over.is_set():
            if self.work.builds.qsize() > 8:
                time.sleep(0.2)
                continue
            self.versions += 1
            version = f"1.{self.versions}.0"
            files = []
            for variant in ("a", "b"):
                (self.folder / "variant.txt").write_text(f"{version} {variant}")
                file = f"build-{self.versions}-{variant}.ipa"
                self.ota("sample", "--app", "browsey", "--output", file, "--authority",
                         "anchor-authority-keys.pem", "--version", version, "--build", version, "--resource",
                         "variant.txt")
                files.append(str(self.folder / file))
            self.work.published_now.add(version)
            for _ in range(4):
                for file in self.random.sample(files, 2):
                    self.work.builds.put((version, file))

    # Faults, each of which ends by itself.

    def kill_server(self):
        number = self.random.randrange(3)
        server = self.servers[number]
        self.cluster.harm([number])
        server.kill()
        time.sleep(self.random.uniform(0.2, 2))
        until(60, server.answers, f"{server.name} did not start again; see {server.log}")
        self.cluster.heal([number])

    def kill_part(self):
        part = self.random.choice(list(self.store.parts.values()))
        self.cluster.harm(range(3))
        part.kill()
        self.faults[f"kill {part.name}"] += 1
        time.sleep(self.random.uniform(0.2, 2))
        began = now()

        def is_back() -> bool:
            # A component that could not start, because of its predecessor's remains, is started once more.
            if not part.is_running:
                part.start()
            return self.store.ask("PUT", "/builds/alive") == "200"

        until(60, is_back, f"{part.name} is not back")
        self.longest_return = max(self.longest_return, (now() - began, part.name))
        self.cluster.heal(range(3))

    def on_line(self, harm, seconds: float):
        number = self.random.randrange(3)
        self.cluster.harm([number])
        harm(self.lines[number])
        time.sleep(seconds)
        self.lines[number].mend()
        self.cluster.heal([number])

    def cut(self):
        self.on_line(Line.cut, self.random.uniform(0.5, 9))

    def slow(self):
        def harm(line):
            line.delay = self.random.uniform(0.1, 0.8)
        self.on_line(harm, self.random.uniform(1, 6))

    def refuse(self):
        def harm(line):
            line.refusing = self.random.uniform(0.2, 0.9)
        self.on_line(harm, self.random.uniform(1, 6))

    def lose(self):
        def harm(line):
            line.losing = self.random.randint(1, 6)
        self.on_line(harm, self.random.uniform(1, 4))

    def go(self):
        threading.Thread(target=self.build, daemon=True).start()
        self.work.begin(publishers=64, phones=6, admins=4)
        end = now() + self.options.seconds
        kinds = [self.kill_server, self.kill_part, self.cut, self.slow, self.refuse, self.lose]
        turn = 0
        # Long enough to look for the releases that were published meanwhile on healthy servers.
        time.sleep(min(8, self.options.seconds / 4))
        while now() < end:
            kind = kinds[turn % len(kinds)] if turn < len(kinds) else self.random.choice(kinds)
            turn += 1
            self.faults[kind.__name__.replace("_", " ")] += 1
            kind()
            time.sleep(self.random.choice((0, 1, 10)))
        for line in self.lines:
            line.mend()
        self.work.end()

    def judge(self) -> list[str]:
        # The lease of a dead holder has expired, and its work is done.
        until(120, lambda: all(self.page(server) for server in self.servers), "a server is not back")
        subjects = self.history.acknowledged(self.history.publishes)
        # A delivery that a server began and did not complete is repeated, by the next server's clock.
        end = now() + 120 + max(s.skew for s in self.servers) - min(s.skew for s in self.servers)
        while now() < end and any(s not in self.history.deliveries for s in subjects):
            time.sleep(1)
        time.sleep(5)
        ends = [self.end(server) for server in self.servers]
        # What one server shows is in the store; a server that does not show it has not noticed yet.
        releases = {release: digest for end in ends for release, digest in end[0].items()}
        activity = ends[0][1] | ends[1][1] | ends[2][1]
        found = []
        for server, end in zip(self.servers, ends):
            lacking = [*(releases.keys() - end[0].keys()), *(activity - end[1])]
            if end != (releases, activity):
                found.append(f"{server.name} shows something else than others in the end; it lacks {lacking}")
        found += self.history.flaws(releases, self.devices(), activity, self.published)
        verified = subprocess.run([self.options.ota, "store", "verify"], cwd=self.folder, capture_output=True,
                                  text=True, env={**os.environ, **self.environment})
        if verified.returncode:
            found.append(f"the store is damaged: {verified.stdout[-2000:]} {verified.stderr[-500:]}")
        return found

    def stop(self):
        for part in [*self.servers, *self.store.parts.values()]:
            if part.process:
                part.kill()

    def page(self, server) -> bool:
        try:
            return self.client.ask(server.port, "GET", "/apps/browsey")[0] == 200
        except OSError:
            return False

    def get(self, server, path: str):
        status, body = self.client.ask(server.port, "GET", path)
        if status != 200:
            raise SystemExit(f"{server.name} answers {status} to {path} in the end: {body[:300]!r}")
        return json.loads(body)

    def end(self, server):
        releases, after = {}, ""
        while after is not None:
            page = self.get(server, f"/api/v1/apps/{APP}/releases?limit=200" + (f"&after={after}" if after else ""))
            releases |= {r["release"]: r["sha256"] for r in page["releases"] if r["release"] != "0.0.1-0.0.1"}
            after = page["next"]
        activity: collections.Counter = collections.Counter()
        published: list[dict] = []
        place = ""
        while True:
            page = self.get(server, f"/api/v1/activity?limit=200{place}")
            found = [a for a in page["activity"] if a["event"] == "published" and a["subject"] != "0.0.1-0.0.1"]
            activity.update((a["subject"], a["date"]) for a in found)
            published += found
            if not page.get("older") or not page["activity"]:
                self.published = [a["subject"] for a in reversed(published)]
                return releases, activity
            place = "&before=" + page["older"]

    def document(self, name: str):
        """Reads a document from the store."""
        done = subprocess.run(
            ["curl", "-s", "--aws-sigv4", "aws:amz:us-east-1:s3", "--user", f"{KEY}:{SECRET}",
             f"http://127.0.0.1:{self.store.port}/builds/ota/{name}"], capture_output=True)
        return json.loads(done.stdout or b"{}")

    def devices(self) -> list[str]:
        """The devices in the order of the document."""
        return [device["udid"] for device in self.document("devices.json").get("devices", [])]

    def waiting(self) -> list[str]:
        """Announcements that no server has delivered yet."""
        return [f"{delivery['notice']['title']}, attempts {delivery['attempts']}, next at {delivery['next']}"
                for delivery in self.document("notices.json").get("outbox", {}).get("waiting", [])]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ota", required=True)
    parser.add_argument("--weed", required=True)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ota-faults.") as temporary:
        folder = Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        run = Run(options, folder)
        try:
            run.prepare()
            run.go()
            flaws = run.judge()
            waiting = run.waiting()
        finally:
            run.stop()
        history = run.history
        publishes = collections.Counter(w.answer for w in history.publishes)
        devices = collections.Counter(w.answer for w in history.devices)
        delays = sorted(history.delays) or [0.0]
        print(f"faults: {dict(run.faults)}; answers lost {sum(l.lost for l in run.lines)}, "
              f"requests refused {sum(l.refused for l in run.lines)}, passed {sum(l.passed for l in run.lines)}")
        print(f"the store worked again {run.longest_return[0]:.1f} s after {run.longest_return[1]} was started "
              f"again, at most")
        print(f"clocks of the servers: {[server.skew for server in run.servers]} seconds")
        print(f"publishes: {dict(publishes)} of {len(history.acknowledged(history.publishes))} versions; "
              f"devices: {dict(devices)}; announced {len(history.deliveries)}")
        why = collections.Counter(f"{w.answer}: {w.reason}" for w in history.publishes if w.reason and
                                  w.answer not in ("done", "refused"))
        print(f"why publishers tried again: {dict(why)}")
        print(f"longest time without an answer of a server to a publisher: {history.longest_silence():.1f} s")
        print(f"looks: {history.reads}; another server shows a change after "
              f"{delays[len(delays) // 2]:.2f} s (median), {delays[-1]:.2f} s at most, of {len(history.delays)}")
        for who, stalest in (("a server", history.stalest), ("a server without faults", history.stalest_well)):
            age, number, subject = stalest
            print(f"longest stale answer of {who}: " + (
                f"{age:.2f} s after {subject} was acknowledged, by server {number}" if subject else "none"))
        for delivery in waiting:
            print(f"waiting at {time.strftime('%H:%M:%S', time.gmtime())}: {delivery}")
        for flaw in flaws[:50]:
            print(f"flaw: {flaw}")
        print(f"{len(flaws)} flaws; seed {options.seed}")
        sys.exit(1 if flaws else 0)


main()
