"""Publishers, phones and admins, and the receiver of the servers' webhooks."""

import functools
import hashlib
import http.client
import http.server
import json
import queue
import random
import re
import ssl
import threading
import time
import urllib.parse
from pathlib import Path

from history import History, Write, now

CONTEXT = ssl._create_unverified_context()
APP = "com.vforsh.browsey"


class Client:
    """Sends the base URL's requests to any of the servers."""

    def __init__(self, host: str, token: str):
        self.host, self.token = host, token

    def ask(self, port: int, method: str, path: str, body=None, fields=None, timeout=30):
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=timeout, context=CONTEXT)
        try:
            connection.request(method, path, body, {
                "Host": self.host, "Authorization": f"Bearer {self.token}", **(fields or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


class Cluster:
    """The servers, and the health of each, as the workers know them."""

    def __init__(self, servers, lines):
        self.servers, self.lines = servers, lines
        self.lock = threading.Lock()
        #: Since when each server has been healthy; nil while a fault is active.
        self.well: list[float | None] = [now()] * len(servers)

    def harm(self, numbers):
        with self.lock:
            for number in numbers:
                self.well[number] = None

    def heal(self, numbers):
        with self.lock:
            for number in numbers:
                self.well[number] = now()

    def is_well(self, number: int, since: float) -> bool:
        """Whether the server has been healthy from some seconds before `since` until now."""
        with self.lock:
            well = self.well[number]
        return well is not None and well + 6 < since


class Work:
    def __init__(self, cluster: Cluster, client: Client, history: History, seed: int):
        self.cluster, self.client, self.history = cluster, client, history
        self.random = random.Random(seed)
        #: Builds to publish, as version and file.
        self.builds: queue.Queue = queue.Queue()
        self.is_over = threading.Event()
        self.threads: list[threading.Thread] = []
        self.number = 0
        #: The longest pause of an admin, in seconds: a team has room for 100 devices.
        self.pause = 2.0
        self.lock = threading.Lock()
        #: The next change that each server should show although it is affected by a fault.
        self.pursued: list[queue.Queue] = [queue.Queue(1) for _ in cluster.servers]

    def begin(self, publishers: int, phones: int, admins: int):
        for count, work in ((publishers, self.publish), (phones, self.install), (admins, self.administer)):
            for _ in range(count):
                thread = threading.Thread(target=self._repeat, args=(work,), daemon=True)
                thread.start()
                self.threads.append(thread)
        for number in range(len(self.cluster.servers)):
            pursue = functools.partial(self.pursue, number)
            thread = threading.Thread(target=self._repeat, args=(pursue,), daemon=True)
            thread.start()
            self.threads.append(thread)

    def end(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join(120)

    def _repeat(self, work):
        while not self.is_over.is_set():
            try:
                work()
            except (OSError, http.client.HTTPException):
                time.sleep(0.2)

    def _server(self) -> int:
        return self.random.randrange(len(self.cluster.servers))

    def publish(self):
        """Publishes until the result is known; several workers publish each version, with different bytes."""
        try:
            version, file = self.builds.get(timeout=0.5)
        except queue.Empty:
            return
        data = Path(file).read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        pause = 1.0
        for attempt in range(40):
            number, begun = self._server(), now()
            answer, reason = "unknown", ""
            try:
                status, body = self.client.ask(
                    self.cluster.servers[number].port, "POST", "/api/v1/uploads?channel=stable", data,
                    {"Content-Type": "application/octet-stream", "Upload-Complete": "?1",
                     "Upload-Length": str(len(data))}, timeout=60)
                reason = f"status {status}"
                if status in (200, 201):
                    answer = "done"
                elif status == 409 and b"other-bytes" in body:
                    answer = "refused"
                elif status not in (409, 500, 502, 503, 429, 404) and b"upload.cut" not in body:
                    self.history.note(self.history.wrong, f"a publish was answered {status}: {body[:200]!r}")
                else:
                    answer = "later"
            except ConnectionRefusedError:
                # Nothing listens on the port, so nothing was sent.
                answer = "unreached"
            except (OSError, http.client.HTTPException) as error:
                reason = type(error).__name__
            write = Write(f"{version}-{version}", digest, answer, begun, now(), reason)
            self.history.note(self.history.publishes, write)
            if answer == "done" and attempt == 0:
                self.watch(write, self._shows_release)
            if answer in ("done", "refused"):
                return
            # Like a real client, workers back off, so that together they do not overload a recovering server.
            time.sleep(self.random.random() * 2 * pause)
            pause = min(pause * 1.5, 8)

    def administer(self):
        with self.lock:
            self.number += 1
            device = f"00008120-{self.number:016X}"
        number, begun, answer = self._server(), now(), "unknown"
        try:
            status, body = self.client.ask(
                self.cluster.servers[number].port, "POST", "/api/v1/devices",
                json.dumps({"udid": device, "name": f"D{self.number}"}),
                {"Content-Type": "application/json"}, timeout=60)
            if status == 201:
                answer = "done"
            elif status in (400, 409, 422):
                answer = "refused"
        except (OSError, http.client.HTTPException):
            pass
        write = Write(device, device, answer, begun, now())
        self.history.note(self.history.devices, write)
        if answer == "done":
            self.watch(write, self._shows_device)
        time.sleep(self.random.random() * self.pause)

    def watch(self, write: Write, shows):
        """Checks that every healthy server shows it within 2 seconds."""
        for number in range(len(self.cluster.servers)):
            if not self.cluster.is_well(number, write.begun):
                try:
                    self.pursued[number].put_nowait((write, shows))
                except queue.Full:
                    pass
                continue
            while True:
                asked = now()
                is_there = self._look(number, write, shows, asked)
                if is_there or not self.cluster.is_well(number, write.begun):
                    break
                if is_there is False and asked > write.ended + 2:
                    self.history.note(
                        self.history.stale,
                        f"server {number} does not show {write.subject} {asked - write.ended:.1f} s later")
                    break
                time.sleep(0.1)
            if is_there:
                self.history.note(self.history.delays, max(0.0, asked - write.ended))

    def pursue(self, number: int):
        """Looks when a server that is affected by a fault shows a change, for at most a minute."""
        try:
            write, shows = self.pursued[number].get(timeout=0.5)
        except queue.Empty:
            return
        while not self.is_over.is_set() and now() < write.ended + 60:
            if self._look(number, write, shows, now()):
                return
            time.sleep(0.2)

    def _look(self, number: int, write: Write, shows, asked: float):
        """Whether a server shows a change; nothing if it cannot say."""
        try:
            is_there = shows(number, write)
        except (OSError, http.client.HTTPException):
            is_there = None
        with self.history.lock:
            self.history.reads += 1
        if is_there is False:
            is_well = self.cluster.is_well(number, write.begun)
            self.history.note_stale(write, number, asked, is_well)
        return is_there

    def _shows_release(self, number: int, write: Write):
        status, body = self.client.ask(
            self.cluster.servers[number].port, "GET", f"/api/v1/apps/{APP}/releases/{write.subject}")
        if status == 200:
            return write.value.encode() in body
        return False if status == 404 else None

    def _shows_device(self, number: int, write: Write):
        status, body = self.client.ask(self.cluster.servers[number].port, "GET", "/api/v1/devices?all=true")
        return write.subject.encode() in body if status == 200 else None

    def install(self):
        """Acts as a phone: loads page, manifest and build, and checks that the build is one that was
        published.
        """
        number = self._server()
        port = self.cluster.servers[number].port
        time.sleep(self.random.random())
        status, page = self.client.ask(port, "GET", "/apps/browsey")
        link = re.search(rb'https%3A%2F%2F[^"&]+manifest\.plist', page)
        if status != 200 or not link:
            return
        path = urllib.parse.urlsplit(urllib.parse.unquote(link[0].decode())).path
        status, manifest = self.client.ask(port, "GET", path)
        archive = re.search(rb"<string>(https:[^<]+\.ipa)</string>", manifest)
        version = re.search(rb"bundle-version</key>\s*<string>([^<]+)", manifest)
        if status != 200 or not archive or not version:
            return
        status, data = self.client.ask(port, "GET", urllib.parse.urlsplit(archive[1].decode()).path)
        if status != 200:
            return
        digest, subject = hashlib.sha256(data).hexdigest(), version[1].decode()
        if subject == "0.0.1":
            return
        with self.history.lock:
            self.history.reads += 1
            known = {w.value for w in self.history.publishes if w.subject == f"{subject}-{subject}"}
        # A build that is being published now is recorded only afterwards.
        if digest not in known and subject not in self.published_now:
            self.history.note(self.history.wrong, f"a phone got other bytes of {subject} than anyone published")

    #: Versions whose builds were given to publishers.
    published_now: set = set()


class Receiver(http.server.ThreadingHTTPServer):
    """Receives the servers' webhooks."""

    daemon_threads = True

    def __init__(self, history: History):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                release = json.loads(body).get("release")
                if release and self.headers.get("X-Ota-Event") == "release.published":
                    subject = f"{release['version']}-{release['build']}"
                    with history.lock:
                        history.deliveries.setdefault(subject, set()).add(self.headers["X-Ota-Delivery"])
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()
