#!/usr/bin/env python3
"""Builds for an ota server on this machine, such as a Mac with Xcode.

The agent asks the server for work, runs the steps, and hands in the log and the files. It only
makes outgoing connections, over HTTPS. It needs Python 3.9 or later, git and bash, nothing else.

    python3 runner.py --server https://ota.example.com --name mac-1 --code otc_...

`ota runners add` prints the whole line. --help lists the options, --check shows what the agent
reports to the server about this machine. The agent keeps its files in ~/.ota-runner/NAME.
"""

from __future__ import annotations

import argparse
import base64
import fcntl
import hashlib
import http.client
import json
import os
import plistlib
import random
import re
import select
import shlex
import shutil
import signal
import ssl
import stat
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
import zipfile
from typing import Any, BinaryIO, Callable, Iterable, Iterator, Optional

IS_MAC = sys.platform == "darwin"
MEGABYTE = 1 << 20

# Seconds for which a build continues while the server cannot be reached.
PATIENCE = 600.0
# Seconds of a long poll.
POLL = 50
# Seconds between SIGTERM and SIGKILL.
GRACE = 5.0
# Bytes of the disk that a build must leave.
RESERVE = 1 << 30
# Bytes of one request with a piece of the log, or of the archive.
LOG_PIECE = 256 << 10
ARCHIVE_PIECE = 16 * MEGABYTE
# Seconds between two polls with a token that the server does not know: first, to be certain, and
# then for as long as a service runs.
SECOND_LOOK = 4.0
UNKNOWN_PAUSE = 300.0
# Seconds in which an agent that another one replaces must end.
TAKEOVER = 45.0
# The variable with which its service starts an agent.
SERVICE_MARK = "OTA_RUNNER_SERVICE"
# Lines of the log about files that match and are not uploaded.
REMARK_LIMIT = 10
# Seconds between two reads of a step's output.
LOG_BEAT = 0.3
# Entries that an archive may have; the server reads no more.
FILE_LIMIT = 90_000
LINK_LIMIT = 5000
# The limits of the server's own search for artifacts.
VISIT_LIMIT = 500_000
DEPTH_LIMIT = 60
RESULT_LIMIT = 100
# Packs of a cached repository after which it is packed again.
PACK_LIMIT = 30
# The variable that marks the processes of a build.
MARK = "OTA_RUN_MARK"
# Where the agent searches for programs after its own PATH.
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

with open(os.path.abspath(__file__), "rb") as own_file:
    OWN_DIGEST = hashlib.sha256(own_file.read()).hexdigest()


# MARK: Saying


class Trouble(Exception):
    """An error that ends a command or a build: a sentence for people."""


class NoRoom(Exception):
    """The server does not take the artifacts of a failed build."""


class LeaseEnded(Exception):
    """The server no longer wants this attempt."""


class Cancelled(LeaseEnded):
    """A user of the server ended the build."""


class Refused(Exception):
    """The server answered with an error."""

    def __init__(self, status: int, problem: dict[str, Any], retry_after: Optional[float] = None):
        self.status = status
        self.problem = problem
        self.retry_after = retry_after
        super().__init__(self.words)

    @property
    def words(self) -> str:
        fix = printable(str(self.problem.get("fix") or ""), 400)
        return f"{self.detail} ({fix})" if fix and self.problem.get("detail") else self.detail

    @property
    def detail(self) -> str:
        detail = printable(str(self.problem.get("detail") or ""), 400)
        return detail or f"the server answered with status {self.status}"

    @property
    def identifier(self) -> str:
        return str(self.problem.get("id") or "")


def say(text: str) -> None:
    """One line for the owner of this machine."""
    moment = time.strftime("%Y-%m-%d %H:%M:%S")
    print(f"{moment} {text}", flush=True)


def printable(text: str, limit: int = 200) -> str:
    """Untrusted text as one line, of at most so many bytes of UTF-8."""
    line = "".join(letter if letter.isprintable() else "?" for letter in text)
    return line.encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")


def size(count: int) -> str:
    if count >= 1_000_000_000:
        return f"{count / 1_000_000_000:.1f} GB"
    return f"{count / 1_000_000:.0f} MB"


# MARK: The machine


def output_of(*command: str, seconds: float = 10) -> str:
    """The output of a program; empty if it fails."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # So that dates are the same for every user.
            env={**os.environ, "LC_ALL": "C"},
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""


def system_name() -> str:
    kind = os.uname()
    if IS_MAC:
        return f"macOS {output_of('/usr/bin/sw_vers', '-productVersion')} ({kind.machine})"
    return f"{kind.sysname} {'.'.join(kind.release.split('.')[:2])} ({kind.machine})"


def xcodes() -> list[str]:
    """Every Xcode on this machine, such as `26.1 (17B55)`, newest first."""
    if not IS_MAC:
        return []
    folder = "/Applications"
    names = os.listdir(folder) if os.path.isdir(folder) else []
    places = {
        os.path.realpath(os.path.join(folder, name))
        for name in names
        if name.startswith("Xcode") and name.endswith(".app")
    }
    selected = output_of("/usr/bin/xcode-select", "-p")
    if selected.endswith("/Contents/Developer"):
        places.add(os.path.realpath(selected[: -len("/Contents/Developer")]))
    found = set()
    for place in places:
        try:
            with open(os.path.join(place, "Contents", "version.plist"), "rb") as file:
                facts = plistlib.load(file)
            version = printable(str(facts["CFBundleShortVersionString"]), 30)
            found.add(f"{version} ({printable(str(facts['ProductBuildVersion']), 30)})")
        except (OSError, KeyError, TypeError, ValueError):
            continue

    def order(text: str) -> list[int]:
        return [int(digits) for digits in re.findall(r"\d+", text.split(" ")[0])]

    return sorted(found, key=order, reverse=True)[:20]


def tool_path() -> str:
    """The agent's own PATH, with the folders of Homebrew and of the system."""
    own = [part for part in os.environ.get("PATH", "").split(":") if part.startswith("/")]
    brew = ["/opt/homebrew/bin", "/opt/homebrew/sbin"] if IS_MAC else []
    parts = [part for part in brew if part not in own] + own + SYSTEM_PATH.split(":")
    return ":".join(dict.fromkeys(parts))


def free_bytes(folder: str) -> int:
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize


def git_version() -> str:
    """Empty if git is missing, or is Apple's stand-in for one that is not installed."""
    place = shutil.which("git", path=tool_path())
    return output_of(place, "--version") if place else ""


def bash_path() -> Optional[str]:
    return next((path for path in ("/bin/bash", "/usr/bin/bash") if os.path.exists(path)), None)


def missing_tools() -> list[str]:
    """Programs without which the agent cannot build."""
    found = (("git", git_version()), ("bash", bash_path()))
    return [name for name, value in found if not value]


def tool_fix(tools: list[str]) -> str:
    """How a user installs programs on this system."""
    if IS_MAC:
        return "run `xcode-select --install`"
    names = " ".join(tools)
    managers = (
        ("apt-get", "apt-get install"), ("dnf", "dnf install"), ("yum", "yum install"),
        ("zypper", "zypper install"), ("apk", "apk add"), ("pacman", "pacman -S"),
    )
    for program, words in managers:
        if shutil.which(program, path=tool_path()):
            return f"run `sudo {words} {names}`"
    return f"install {' and '.join(tools)} with the system's package manager"


def require_tools() -> None:
    missing = missing_tools()
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise Trouble(f"{' and '.join(missing)} {verb} not installed: {tool_fix(missing)}")


class Machine:
    """What the agent reports to the server about this machine."""

    def __init__(self, folder: str):
        self.folder = folder
        self.system = system_name()
        self.xcodes = xcodes()
        self.looked = time.monotonic()

    def facts(self) -> dict[str, Any]:
        if time.monotonic() - self.looked > 600:
            self.xcodes = xcodes()
            self.looked = time.monotonic()
        return {
            "system": self.system,
            "python": ".".join(str(part) for part in sys.version_info[:3]),
            "agent": OWN_DIGEST,
            "xcodes": self.xcodes,
            "freeBytes": free_bytes(self.folder),
        }

    @property
    def words(self) -> str:
        if not self.xcodes:
            return self.system
        return f"{self.system}, Xcode {', '.join(self.xcodes)}"


# MARK: What is kept


class Home:
    """The folder of one runner, readable by its owner only."""

    def __init__(self, folder: str):
        self.folder = folder

    @property
    def exists(self) -> bool:
        return os.path.isdir(self.folder)

    def create(self) -> None:
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        os.chmod(self.folder, 0o700)

    def path(self, *names: str) -> str:
        return os.path.join(self.folder, *names)

    def read(self, name: str) -> Optional[str]:
        try:
            with open(self.path(name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def write(self, name: str, text: str) -> None:
        """Replaces a file atomically: after a crash it is the old one or the new one."""
        place = self.path(name)
        descriptor, temporary = tempfile.mkstemp(dir=self.folder)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, place)
        except BaseException:
            os.unlink(temporary)
            raise

    def remove(self, name: str) -> None:
        try:
            os.unlink(self.path(name))
        except FileNotFoundError:
            pass

    def json(self, name: str) -> dict[str, Any]:
        try:
            value = json.loads(self.read(name) or "{}")
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    def unlock(self) -> None:
        os.close(self.lock_file)

    def keep_agent(self, is_new: bool) -> None:
        """Keeps a copy of this agent, in place of an earlier one if `is_new`."""
        own = os.path.realpath(os.path.abspath(__file__))
        copy = self.path("runner.py")
        if own == os.path.realpath(copy) or (os.path.exists(copy) and not is_new):
            return
        with open(own, encoding="utf-8") as file:
            self.write("runner.py", file.read())

    def lock(self, is_replacing: bool = False, is_waiting: bool = False) -> None:
        """Locks the folder until this process ends or unlocks it.

        An agent that holds the lock is ended if this one replaces it, or waited for.
        """
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        self.lock_file = os.open(self.path("lock"), flags, 0o600)
        if not self._try_lock():
            if is_replacing:
                self._replace()
            elif is_waiting:
                say(f"another agent runs with {self.folder}; waiting until it ends")
                while not self._try_lock():
                    time.sleep(5)
            else:
                raise Trouble(
                    f"another agent already runs with {self.folder}: end it, or give this one "
                    "another --folder"
                )
        note = {"process": os.getpid(), "started": processes().get(os.getpid())}
        os.ftruncate(self.lock_file, 0)
        os.pwrite(self.lock_file, json.dumps(note).encode(), 0)

    def _try_lock(self) -> bool:
        try:
            fcntl.flock(self.lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _replace(self) -> None:
        """Ends the agent that holds the lock."""
        try:
            note = json.loads(os.pread(self.lock_file, 1000, 0))
            process, started = int(note["process"]), note["started"]
        except (KeyError, TypeError, ValueError):
            process, started = 0, None
        # The identifier may belong to another program by now.
        is_agent = process > 1 and bool(started) and processes().get(process) == started
        if not is_agent or "runner.py" not in command_of(process):
            raise Trouble(f"another agent already runs with {self.folder}: end it, and try again")
        say(f"stopping the agent that already runs here (process {process})")
        send(signal.SIGTERM, [process])
        end = time.monotonic() + TAKEOVER
        while not self._try_lock():
            if time.monotonic() > end:
                raise Trouble(
                    f"the agent that already runs here (process {process}) did not stop within "
                    f"{TAKEOVER:.0f} s: end it with `kill -9 {process}`, and try again"
                )
            time.sleep(0.1)


# MARK: The server


def unreachable(failure: BaseException) -> str:
    """Why there was no answer, as a sentence."""
    if isinstance(failure, ssl.SSLCertVerificationError):
        why = printable(failure.verify_message or "it cannot be verified")
        return (
            f"this machine does not trust the server's certificate ({why}): if the server issues "
            "its own, paste the whole line of `ota runners code NAME`, with --authority-sha256; "
            "for a company's authority set SSL_CERT_FILE"
        )
    return f"the server cannot be reached: {printable(str(failure), 300)}"


class Server:
    """The address of the server, and the authority that vouches for its certificate."""

    def __init__(self, url: str, authority: Optional[str] = None):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            raise Trouble(f"{printable(url)} is not the address of a server: give https://HOST")
        if parts.scheme == "http":
            raise Trouble(
                f"{printable(url)} is a plain http address, over which others can read the "
                f"runner's token: give https://{printable(parts.hostname)}"
            )
        self.host = parts.hostname
        self.port = parts.port or 443
        self.prefix = parts.path.rstrip("/")
        self.url = url.rstrip("/")
        self.context = self._context(authority)

    @staticmethod
    def _context(authority: Optional[str]) -> ssl.SSLContext:
        try:
            context = ssl.create_default_context(cafile=authority)
        except (OSError, ssl.SSLError):
            raise Trouble(f"{authority} has no certificate: remove it and start again") from None
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        return context

    def connect(self, timeout: float) -> http.client.HTTPConnection:
        """A connection, through the proxy that the environment names."""
        proxy = self._proxy()
        host, port = (proxy.hostname or "", proxy.port or 80) if proxy else (self.host, self.port)
        connection = http.client.HTTPSConnection(
            host, port, timeout=timeout, context=self.context
        )
        if proxy:
            fields = {}
            if proxy.username:
                pair = urllib.parse.unquote(f"{proxy.username}:{proxy.password or ''}")
                fields["Proxy-Authorization"] = (
                    "Basic " + base64.b64encode(pair.encode()).decode()
                )
            connection.set_tunnel(self.host, self.port, fields)
        return connection

    def _proxy(self) -> Optional[urllib.parse.SplitResult]:
        proxies = urllib.request.getproxies_environment()
        text = proxies.get("https") or proxies.get("all")
        if not text:
            return None
        if urllib.request.proxy_bypass_environment(self.host, proxies):
            return None
        parts = urllib.parse.urlsplit(text if "://" in text else "http://" + text)
        if parts.scheme != "http":
            raise Trouble(f"the proxy must have an http:// address, not {parts.scheme}://")
        return parts


def pinned_authority(
    server: Server, digest: str, home: Home, name: str = "authority.pem"
) -> str:
    """The path of the server's own authority, which was compared with its SHA-256."""
    path = home.path(name)
    if not os.path.exists(path):
        # Anyone may answer: only the digest counts, which must be the one that the admin saw.
        server.context = ssl.create_default_context()
        server.context.check_hostname = False
        server.context.verify_mode = ssl.CERT_NONE
        connection = server.connect(30)
        try:
            connection.request("GET", server.prefix + "/trust/authority.pem")
            response = connection.getresponse()
            text = whole(response).decode("ascii", "replace")
        finally:
            connection.close()
        if response.status != 200:
            raise Trouble(f"the server has no authority of its own (status {response.status})")
        home.write(name, proven_authority(text, digest))
    kept = home.read(name) or ""
    proven = proven_authority(kept, digest)
    if proven != kept:
        home.write(name, proven)
    return path


def proven_authority(text: str, digest: str) -> str:
    """The one certificate of the text, written again, if it is the pinned one.

    Whatever else the text has must never be trusted, so nothing of it is kept.
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    if (
        len(lines) < 3
        or lines[0] != "-----BEGIN CERTIFICATE-----"
        or lines[-1] != "-----END CERTIFICATE-----"
        or not all(re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", line) for line in lines[1:-1])
        or any("=" in line for line in lines[1:-2])
    ):
        raise Trouble("what the server sent is not the one certificate of its authority")
    try:
        der = base64.b64decode("".join(lines[1:-1]), validate=True)
    except ValueError:
        raise Trouble("the authority that the server sent is not a certificate") from None
    if hashlib.sha256(der).hexdigest() != digest.lower().replace(":", ""):
        raise Trouble(
            "the authority is not the one of --authority-sha256: either the server has a new one, "
            "or another machine answers in its place; `ota runners code` prints a new line"
        )
    return ssl.DER_cert_to_PEM_cert(der)


class Client:
    """Requests of one thread, over one connection that is kept open."""

    BROKEN = (OSError, http.client.HTTPException)

    def __init__(self, server: Server, token: str = ""):
        self.server = server
        self.token = token
        self.connection: Optional[http.client.HTTPConnection] = None

    def close(self) -> None:
        if self.connection:
            self.connection.close()
        self.connection = None

    def open(
        self,
        method: str,
        path: str,
        body: Any = None,
        length: Optional[int] = None,
        timeout: float = 30,
    ) -> http.client.HTTPResponse:
        """Sends a request; the caller reads the body of the answer.

        Raises Refused for an error of the server's, and one of BROKEN where there is no answer.
        """
        fields = {"User-Agent": "ota-runner", "Accept": "application/json"}
        if self.token:
            fields["Authorization"] = "Bearer " + self.token
        if isinstance(body, dict):
            body = json.dumps(body).encode()
            fields["Content-Type"] = "application/json"
        elif body is not None:
            fields["Content-Type"] = "application/octet-stream"
        if length is not None:
            fields["Content-Length"] = str(length)
        if self.connection is None:
            self.connection = self.server.connect(timeout)
        try:
            if self.connection.sock:
                self.connection.sock.settimeout(timeout)
            self.connection.timeout = timeout
            try:
                self.connection.request(method, self.server.prefix + path, body, fields)
            except (BrokenPipeError, ConnectionResetError):
                # The server may have answered before it had read the whole request.
                if self.connection.sock is None:
                    raise
            response = self.connection.getresponse()
            if response.status >= 300:
                self._refuse(response)
            return response
        except self.BROKEN:
            self.close()
            raise

    def _refuse(self, response: http.client.HTTPResponse) -> None:
        try:
            problem = json.loads(whole(response))
        except ValueError:
            problem = {}
        wait = response.getheader("Retry-After") or ""
        status = response.status
        self.close()
        raise Refused(
            status,
            problem if isinstance(problem, dict) else {},
            float(wait) if re.fullmatch(r"[0-9]{1,9}", wait) else None,
        )

    def answer(
        self, method: str, path: str, body: Any = None, timeout: float = 30
    ) -> tuple[int, dict[str, Any], http.client.HTTPMessage]:
        """Sends a request, and reads the answer as JSON."""
        response = self.open(method, path, body, timeout=timeout)
        try:
            text = whole(response, 8 * MEGABYTE)
        except self.BROKEN:
            self.close()
            raise
        value = json.loads(text) if text.strip() else {}
        if not isinstance(value, dict):
            raise Trouble("the server answered with something other than a JSON object")
        return response.status, value, response.headers


def whole(response: http.client.HTTPResponse, limit: int = MEGABYTE) -> bytes:
    """The body of a response, read in pieces: Python takes memory for a whole read in advance."""
    text = b""
    while piece := response.read(32 << 10):
        text += piece
        if len(text) > limit:
            raise http.client.HTTPException(f"the server answered with more than {limit} bytes")
    # Python takes a cut connection for the end of what it reads in pieces.
    if response.length:
        raise http.client.IncompleteRead(text, response.length)
    return text


class BackOff:
    """The wait before another try: twice as long each time, with a random part."""

    def __init__(self, least: float = 0.5, most: float = 60):
        self.least = least
        self.most = most
        self.failures = 0

    def reset(self) -> None:
        self.failures = 0

    def next(self) -> float:
        wait: float = min(self.most, self.least * 2.0 ** min(self.failures, 20))
        self.failures += 1
        return wait * random.uniform(0.5, 1)


# MARK: Secrets


class Mask:
    """Removes secrets from bytes that come in pieces, wherever a piece ends.

    A secret is known as it is, line by line, in base 64 at any of the three alignments, and
    percent-encoded; the server knows the same forms.
    """

    LEAST = 4

    def __init__(self, secrets: Iterable[str]):
        forms: set[bytes] = set()
        for secret in secrets:
            for text in [secret, *secret.splitlines()]:
                if len(text.strip().encode()) < self.LEAST:
                    continue
                forms |= self._forms(text.encode()) | self._forms(text.strip().encode())
        self.forms = sorted(forms, key=lambda form: (-len(form), form))
        self.longest = len(self.forms[0]) if self.forms else 0
        self.pattern = re.compile(b"|".join(re.escape(form) for form in self.forms))
        self.pending = b""

    def masked(self, piece: bytes) -> bytes:
        """The part of the held-back bytes and of a further piece that can be shown."""
        if not self.forms:
            return piece
        text = self.pending + piece
        shown = bytearray()
        place = 0
        while True:
            held = self._held(text, place)
            found = self.pattern.search(text, place)
            if not found or found.start() >= held:
                break
            shown += text[place : found.start()] + b"***"
            place = found.end()
        shown += text[place:held]
        self.pending = text[held:]
        return bytes(shown)

    def finish(self) -> bytes:
        """The bytes that were held back, at the end."""
        rest, self.pending = self.pending, b""
        return self.pattern.sub(b"***", rest) if self.forms else rest

    def _held(self, text: bytes, start: int) -> int:
        """The first place from which the rest may be the beginning of a longer secret."""
        least = len(text)
        for form in self.forms:
            place = max(start, len(text) - len(form) + 1)
            while (place := text.find(form[:1], place, least)) >= 0:
                if form.startswith(text[place:]):
                    least = place
                    break
                place += 1
        return least

    def _forms(self, secret: bytes) -> set[bytes]:
        upper = urllib.parse.quote_from_bytes(secret, safe="")
        lower = re.sub("%..", lambda found: found.group().lower(), upper)
        forms = {secret, upper.encode(), lower.encode(), base64.b64encode(secret)}
        for offset in range(3):
            # Only the letters that do not depend on a neighbouring byte.
            encoded = base64.b64encode(bytes(offset) + secret)
            whole = encoded[(0, 2, 3)[offset] : (offset + len(secret)) * 8 // 6]
            if len(whole) >= self.LEAST:
                forms |= {whole, whole.translate(bytes.maketrans(b"+/", b"-_"))}
        return forms


# MARK: Processes


def processes() -> dict[int, str]:
    """The identifiers of all running processes, and when each was started."""
    found: dict[int, str] = {}
    if not IS_MAC:
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            if fields and fields[0] not in (b"Z", b"X"):
                found[int(name)] = fields[19].decode()
        return found
    listing = output_of("/bin/ps", "-ax", "-o", "pid=", "-o", "stat=", "-o", "lstart=")
    for line in listing.splitlines():
        parts = line.split(None, 2)
        if len(parts) == 3 and not parts[1].startswith("Z"):
            found[int(parts[0])] = parts[2]
    return found


def command_of(process: int) -> str:
    """The program of a process with its arguments."""
    if IS_MAC:
        return output_of("/bin/ps", "-ww", "-o", "command=", "-p", str(process))
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return file.read(MEGABYTE).replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""


def marked(mark: str) -> set[int]:
    """Processes with the mark in their environment, as far as the system shows it."""
    needle = f"{MARK}={mark}"
    if IS_MAC:
        return marked_on_mac(needle)
    found = set()
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if needle.encode() + b"\0" in file.read(MEGABYTE):
                    found.add(int(name))
        except OSError:
            continue
    return found


def marked_on_mac(needle: str) -> set[int]:
    """As `ps` shows environments, in which a value of several lines may look like a process."""
    candidates: list[int] = []
    found: set[int] = set()
    for line in output_of("/bin/ps", "-axwwE", "-o", "pid=", "-o", "command=").splitlines():
        first = line.split(None, 1)[0] if line.strip() else ""
        if first.isdigit():
            candidates.append(int(first))
        if needle in line:
            found.update(candidates[-30:])
    return {
        process
        for process in found
        if needle in output_of("/bin/ps", "-wwE", "-o", "command=", "-p", str(process))
    }


def members(leader: int, mark: str) -> set[int]:
    """The processes of a session, and those with the mark of a build."""
    running = processes()
    found = marked(mark) & set(running)
    for process in running:
        try:
            if os.getsid(process) == leader:
                found.add(process)
        except OSError:
            continue
    return found - {os.getpid()}


def send(signal_number: int, targets: Iterable[int]) -> None:
    for process in targets:
        try:
            os.kill(process, signal_number)
        except OSError:
            pass


def end_session(leader: int, mark: str, grace: float) -> None:
    """Ends all processes of a session, and those that left it with the mark; finally by SIGKILL."""
    if grace > 0:
        send(signal.SIGTERM, members(leader, mark))
        end = time.monotonic() + grace
        while time.monotonic() < end and members(leader, mark):
            time.sleep(0.1)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        found = members(leader, mark)
        if not found:
            return
        send(signal.SIGKILL, found)
        time.sleep(0.02)
    say("some processes of the build could not be ended")


def boot() -> str:
    """Identifies the current boot: it changes when the machine restarts."""
    if IS_MAC:
        return output_of("/usr/sbin/sysctl", "-n", "kern.boottime")
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


class ExitWatch:
    """Whether a child has ended, without collecting it: its identifier stays reserved."""

    def __init__(self, process: int):
        self.process = process
        self.has_ended = False
        self.queue = None
        if hasattr(os, "waitid"):
            return
        self.queue = select.kqueue()
        event = select.kevent(
            process,
            filter=select.KQ_FILTER_PROC,
            flags=select.KQ_EV_ADD | select.KQ_EV_ONESHOT,
            fflags=select.KQ_NOTE_EXIT,
        )
        try:
            self.queue.control([event], 0)
        except OSError:
            self.has_ended = True

    def look(self) -> bool:
        if self.has_ended:
            return True
        if self.queue:
            self.has_ended = bool(self.queue.control(None, 1, 0))
        else:
            flags = os.WEXITED | os.WNOWAIT | os.WNOHANG
            self.has_ended = os.waitid(os.P_PID, self.process, flags) is not None
        return self.has_ended

    def close(self) -> None:
        if self.queue:
            self.queue.close()


# MARK: Git


class Git:
    """Runs git as the server does: with these settings only, without hooks, filters and network."""

    SETTINGS = {
        "core.hooksPath": "/dev/null",
        "core.fsmonitor": "false",
        "core.attributesFile": "/dev/null",
        "core.excludesFile": "/dev/null",
        "core.quotePath": "false",
        "credential.helper": "",
        "filter.lfs.smudge": "",
        "filter.lfs.process": "",
        "filter.lfs.clean": "",
        "filter.lfs.required": "false",
        "submodule.recurse": "false",
        "fetch.recurseSubmodules": "false",
        "gc.auto": "0",
        "maintenance.auto": "false",
        "protocol.allow": "never",
        "protocol.file.allow": "always",
        "advice.detachedHead": "false",
        "safe.directory": "*",
    }

    def __init__(self, folder: str, symbolic_links: bool = False):
        self.folder = folder
        settings = dict(self.SETTINGS)
        settings["core.symlinks"] = "true" if symbolic_links else "false"
        self.environment = {
            "PATH": tool_path(),
            "HOME": "/nonexistent",
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_SYSTEM": "/dev/null",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_ALLOW_PROTOCOL": "file",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_LFS_SKIP_SMUDGE": "1",
            "GIT_ASKPASS": "false",
            "GIT_CONFIG_COUNT": str(len(settings)),
        }
        for index, (key, value) in enumerate(settings.items()):
            self.environment[f"GIT_CONFIG_KEY_{index}"] = key
            self.environment[f"GIT_CONFIG_VALUE_{index}"] = value
        for name in ("DEVELOPER_DIR", "TMPDIR"):
            if os.environ.get(name):
                self.environment[name] = os.environ[name]

    def run(self, *words: str, given: Optional[bytes] = None, seconds: float = 1800) -> str:
        try:
            done = subprocess.run(
                ["git", *words],
                cwd=self.folder,
                env=self.environment,
                input=given if given is not None else b"",
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Trouble(f"git {words[0]} took longer than {seconds:.0f} s") from None
        except FileNotFoundError:
            raise Trouble(f"git is not installed: {tool_fix(['git'])}") from None
        if done.returncode != 0:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise Trouble(f"git {words[0]} failed: {printable(lines[-1] if lines else '', 160)}")
        return done.stdout.decode("utf-8", "replace")


class Cache:
    """The commits of one mirror from earlier bundles, so that the next bundle is small."""

    KEPT = "refs/kept/"

    def __init__(self, folder: str):
        self.folder = folder
        if not os.path.isdir(folder):
            os.makedirs(folder, mode=0o700)
            Git(folder).run("init", "--quiet", "--bare", "--template=", ".")
        self.git = Git(folder)

    def tips(self) -> list[str]:
        """At most 64 commits that the cache has completely."""
        listing = self.git.run(
            "for-each-ref", "--sort=-committerdate", "--format=%(objectname)", self.KEPT
        )
        return listing.split()[:64]

    def add(self, bundle: str, commit: str, has_all_tags: bool) -> None:
        """Adds the commits of a bundle."""
        heads = [line.split(" ", 1) for line in self._heads(bundle)]
        specs = ["+refs/tags/*:refs/tags/*"]
        for index, (_, name) in enumerate(heads):
            if not name.startswith("refs/tags/"):
                specs.append(f"+{name}:refs/bundle/{index}")
        options = ["--prune"] if has_all_tags else []
        self.git.run(
            "fetch", "--quiet", "--no-write-fetch-head", "--no-recurse-submodules", *options,
            bundle, *specs,
        )
        self.keep(commit)
        if len(os.listdir(os.path.join(self.folder, "objects", "pack"))) > PACK_LIMIT * 3:
            self.git.run("repack", "-a", "-d", "-q")

    def _heads(self, bundle: str) -> list[str]:
        return self.git.run("bundle", "list-heads", bundle).splitlines()

    def keep(self, commit: str) -> None:
        self.git.run("cat-file", "-e", commit + "^{commit}")
        self.git.run("update-ref", self.KEPT + commit, commit)

    def check_out(self, commit: str, folder: str, symbolic_links: bool) -> None:
        """Writes the files of a commit, as a repository with all tags and no remote."""
        git = Git(folder, symbolic_links)
        git.run("init", "--quiet", "--template=", ".")
        git.run(
            "fetch", "--quiet", "--no-write-fetch-head", "--no-recurse-submodules", self.folder,
            "+refs/tags/*:refs/tags/*", f"+{self.KEPT}{commit}:refs/ota/commit",
        )
        git.run(
            "checkout", "--quiet", "--force", "--detach", "--no-recurse-submodules", commit, "--"
        )
        git.run("update-ref", "-d", "refs/ota/commit")


# MARK: Files


def remove_folder(folder: str) -> None:
    """Removes everything, including what a build has made unreadable."""
    if not os.path.lexists(folder):
        return
    tools = [["/bin/chmod", "-R", "u+rwX", folder], ["/bin/rm", "-rf", folder]]
    if IS_MAC:
        tools.insert(0, ["/usr/bin/chflags", "-R", "-P", "nouchg", folder])
    for tool in tools:
        subprocess.run(tool, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def disk_use(folder: str, enough: int) -> int:
    """The size of a folder, without following links; stops counting above `enough`."""
    total = 0
    waiting = [folder]
    while waiting and total <= enough:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    status = entry.stat(follow_symlinks=False)
                    total += status.st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError:
            continue
    return total


class Search:
    """Finds the files that a pipeline names, as the server does, without following links.

    `*` and `?` match part of a name, but not hidden names; `**` matches folders. A folder that
    matches includes everything in it.
    """

    def __init__(self, top: str):
        self.top = os.fsencode(top)
        # What matches and is left out, and why.
        self.left_out: dict[bytes, str] = {}

    def found(self, pattern: str) -> list[bytes]:
        """Paths relative to the top, in order; at most a hundred."""
        self.results: set[bytes] = set()
        self.visits = 0
        self._visit(b"", [part for part in os.fsencode(pattern).split(b"/") if part], 0)
        return sorted(path for path in self.results if not self._is_below(path))

    def _is_below(self, path: bytes) -> bool:
        parts = path.split(b"/")
        return any(b"/".join(parts[:count]) in self.results for count in range(1, len(parts)))

    def _visit(self, path: bytes, pattern: list[bytes], depth: int) -> None:
        if not pattern or depth >= DEPTH_LIMIT:
            return
        first, rest = pattern[0], pattern[1:]
        if first == b"**":
            # At the end it matches every file.
            self._visit(path, rest or [b"*"], depth)
            for name in self._names(path):
                place = self._join(path, name)
                # An Xcode archive, or a result bundle, is one artifact.
                is_bundle = name.lower().endswith((b".xcarchive", b".xcresult"))
                if self._kind(place) == "folder" and not is_bundle:
                    self._visit(place, pattern, depth + 1)
            return
        is_plain = b"*" not in first and b"?" not in first
        for name in [first] if is_plain else self._names(path):
            # As in a shell, a star does not match hidden names.
            if not is_plain and (name.startswith(b".") or not wildcard(first).fullmatch(name)):
                continue
            place = self._join(path, name)
            kind = self._kind(place)
            if not rest and kind in ("folder", "file"):
                if len(self.results) < RESULT_LIMIT:
                    self.results.add(place)
            elif kind == "folder":
                self._visit(place, rest, depth + 1)
            elif is_plain or not rest:
                self._leave_out(place)

    def _leave_out(self, path: bytes) -> None:
        if len(self.left_out) > REMARK_LIMIT or not os.path.lexists(os.path.join(self.top, path)):
            return
        if is_git(path.split(b"/")[-1]):
            self.left_out[path] = "nothing under .git is"
        elif os.path.islink(os.path.join(self.top, path)):
            self.left_out[path] = "it is a symbolic link"

    def _names(self, path: bytes) -> list[bytes]:
        if self.visits >= VISIT_LIMIT:
            return []
        try:
            names = os.listdir(os.path.join(self.top, path))
        except OSError:
            return []
        self.visits += len(names)
        return sorted(name for name in names if not is_git(name))

    def _kind(self, path: bytes) -> str:
        name = path.split(b"/")[-1]
        if name in (b"..", b".") or is_git(name):
            return "other"
        try:
            mode = os.lstat(os.path.join(self.top, path)).st_mode
        except OSError:
            return "other"
        if stat.S_ISDIR(mode):
            return "folder"
        return "file" if stat.S_ISREG(mode) else "other"

    @staticmethod
    def _join(path: bytes, name: bytes) -> bytes:
        return path + b"/" + name if path else name


def is_git(name: bytes) -> bool:
    """Whether a name means a repository's own folder, also where case does not count."""
    return name.lower() == b".git"


def wildcard(pattern: bytes) -> re.Pattern[bytes]:
    words = re.escape(pattern).replace(rb"\*", b"[^/]*").replace(rb"\?", b"[^/]")
    return re.compile(words, re.DOTALL)


class Archive:
    """Packs files of a checkout as one ZIP archive: the same files make the same bytes."""

    # Formats that deflate does not make smaller.
    PACKED = (".ipa", ".zip", ".gz", ".xz", ".bz2", ".png", ".jpg", ".heic", ".mp4", ".dmg", ".car")

    def __init__(self, top: str, limit: int):
        self.top = top
        self.limit = limit
        self.bytes = 0
        self.links = 0
        self.remarks: list[str] = []

    def pack(self, patterns: list[str], to: str) -> int:
        """Packs the files that match. Returns the number of entries; with none, makes no file."""
        search = Search(self.top)
        paths: set[bytes] = set()
        for pattern in patterns:
            for path in search.found(pattern):
                paths.update(self._all(path))
        for path, reason in search.left_out.items():
            self._remark(path, reason)
        if not paths:
            return 0
        if len(paths) > FILE_LIMIT:
            raise Trouble(f"the artifacts are more than {FILE_LIMIT} files")
        count = 0
        with zipfile.ZipFile(to, "w", allowZip64=True) as archive:
            for path in sorted(paths):
                count += self._add(path, archive)
        if count == 0:
            os.unlink(to)
        return count

    def _remark(self, path: bytes, reason: str) -> None:
        """Notes that a path that matches is left out; the first ten, and that there are more."""
        if len(self.remarks) < REMARK_LIMIT - 1:
            shown = printable(path.decode("utf-8", "replace"))
            self.remarks.append(f"{shown} is not uploaded: {reason}")
        elif len(self.remarks) == REMARK_LIMIT - 1:
            self.remarks.append("further files that match are not uploaded")

    def _all(self, path: bytes) -> Iterator[bytes]:
        """A path, and everything below it if it is a folder."""
        yield path
        full = os.path.join(os.fsencode(self.top), path)
        if not stat.S_ISDIR(os.lstat(full).st_mode):
            return
        count = 0
        for folder, folders, files in os.walk(full):
            for name in filter(is_git, folders + files):
                path = os.path.relpath(os.path.join(folder, name), os.fsencode(self.top))
                self._remark(path, "nothing under .git is")
            folders[:] = [name for name in folders if not is_git(name)]
            for name in folders + [name for name in files if not is_git(name)]:
                count += 1
                if count > FILE_LIMIT:
                    raise Trouble(f"the artifacts are more than {FILE_LIMIT} files")
                yield os.path.relpath(os.path.join(folder, name), os.fsencode(self.top))

    def _leads_out(self, path: bytes) -> bool:
        top = os.path.realpath(os.fsencode(self.top))
        full = os.path.join(top, path)
        target = os.readlink(full)
        place = os.path.realpath(os.path.join(os.path.dirname(full), target))
        return target.startswith(b"/") or not (place + b"/").startswith(top + b"/")

    def _add(self, path: bytes, archive: zipfile.ZipFile) -> bool:
        """Packs a path. Returns whether it did."""
        full = os.path.join(os.fsencode(self.top), path)
        try:
            name = path.decode("utf-8")
        except UnicodeDecodeError:
            self._remark(path, "its name is not UTF-8")
            return False
        status = os.lstat(full)
        mode = status.st_mode
        if stat.S_ISDIR(mode):
            entry = self._entry(name + "/", stat.S_IFDIR | (mode & 0o777))
            entry.external_attr |= 0x10
            archive.writestr(entry, b"")
        elif stat.S_ISLNK(mode):
            if self._leads_out(path):
                self._remark(path, "the symbolic link leads out of the checkout")
                return False
            self.links += 1
            if self.links > LINK_LIMIT:
                raise Trouble(f"the artifacts have more than {LINK_LIMIT} symbolic links")
            archive.writestr(self._entry(name, stat.S_IFLNK | 0o755), os.readlink(full))
        elif stat.S_ISREG(mode):
            self.bytes += status.st_size
            if self.bytes > self.limit:
                raise Trouble(f"the artifacts have more than {size(self.limit)}")
            entry = self._entry(name, stat.S_IFREG | (mode & 0o777))
            entry.file_size = status.st_size
            if not name.lower().endswith(self.PACKED):
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry._compresslevel = 3  # type: ignore[attr-defined]
            # A process that is left may put something else in the place of the file.
            descriptor = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(descriptor, "rb") as source:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise Trouble(f"{printable(name)} changed while it was packed")
                with archive.open(entry, "w") as sink:
                    shutil.copyfileobj(source, sink, 256 << 10)
        else:
            self._remark(path, "it is neither a file nor a folder")
            return False
        return True

    @staticmethod
    def _entry(name: str, mode: int) -> zipfile.ZipInfo:
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.create_system = 3
        entry.external_attr = mode << 16
        return entry


def unpack(archive_path: str, top: str) -> None:
    """Writes the files of earlier steps into a checkout, without following links."""
    with zipfile.ZipFile(archive_path) as archive:
        links = []
        for entry in archive.infolist():
            parts = [part for part in entry.filename.split("/") if part]
            if entry.filename.startswith("/") or any(part in ("..", ".", ".git") for part in parts):
                path = printable(entry.filename)
                raise Trouble(f"the files of earlier steps have a bad path: {path}")
            place = os.path.join(top, *parts)
            mode = entry.external_attr >> 16
            if stat.S_ISLNK(mode):
                links.append((place, archive.read(entry)))
                continue
            make_way(top, parts if entry.is_dir() else parts[:-1])
            if entry.is_dir():
                continue
            if os.path.lexists(place):
                os.unlink(place)
            descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as sink, archive.open(entry) as source:
                shutil.copyfileobj(source, sink, 256 << 10)
            os.chmod(place, (mode & 0o777) or 0o644)
        for place, target in links:
            make_way(top, os.path.relpath(os.path.dirname(place), top).split("/"))
            if os.path.lexists(place):
                os.unlink(place)
            os.symlink(target, os.fsencode(place))


def make_way(top: str, parts: list[str]) -> None:
    place = top
    for part in parts:
        place = os.path.join(place, part)
        if os.path.islink(place):
            raise Trouble("the files of earlier steps lead through a symbolic link")
        if not os.path.isdir(place):
            os.mkdir(place)


# MARK: A build


class Log:
    """The output of a build, without its secrets: a file that is sent while it grows."""

    def __init__(self, path: str, mask: Mask, limit: int):
        self.path = path
        self.mask = mask
        self.limit = limit
        self.count = 0
        self.is_at_line_start = True
        self.lock = threading.Lock()
        self.file: BinaryIO = open(path, "wb", buffering=0)

    def append(self, piece: bytes) -> None:
        """Writes output of a step."""
        with self.lock:
            self._write(self.mask.masked(piece))

    def say(self, line: str) -> None:
        """Writes a message of the agent on a line of its own."""
        with self.lock:
            self._write(self.mask.finish())
            text = self.mask.masked(line.encode("utf-8", "replace")) + self.mask.finish()
            self._write((b"" if self.is_at_line_start else b"\n") + text + b"\n")

    def flush(self) -> None:
        with self.lock:
            self._write(self.mask.finish())

    def read(self, offset: int) -> bytes:
        with open(self.path, "rb") as file:
            file.seek(offset)
            return file.read(LOG_PIECE)

    def _write(self, text: bytes) -> None:
        if text:
            self.is_at_line_start = text.endswith(b"\n")
        text = text[: max(0, self.limit - self.count)]
        try:
            # All of it, unless the disk is full.
            self.count += self.file.write(text) or 0
        except OSError:
            # A full disk costs the log, not the build.
            return

    def close(self) -> None:
        self.file.close()


class Lease:
    """One attempt at a stage: whether it still counts, and its requests."""

    # Statuses below 500 that may be another with the next try; 499 is for a request that was cut.
    PASSING = (408, 409, 425, 429, 499)

    def __init__(self, server: Server, token: str, offer: dict[str, Any]):
        self.server = server
        self.token = token
        self.mirror = str(offer["mirror"])
        self.build = int(offer["build"])
        self.attempt = int(offer["attempt"])
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,62}", self.mirror):
            raise Trouble("the server sent an invalid name of a mirror")
        self.path = f"/api/v1/runner/stages/{self.mirror}/{self.build}/{self.attempt}"
        self.lock = threading.RLock()
        self.heard = time.monotonic()
        # Set once: why the work ends early.
        self.reason: Optional[BaseException] = None
        self.ended = threading.Event()

    @property
    def name(self) -> str:
        return f"{self.mirror}.{self.build}.{self.attempt}"

    def end(self, reason: BaseException) -> None:
        with self.lock:
            if self.reason is None:
                self.reason = reason
        self.ended.set()

    def check(self) -> None:
        if self.reason:
            raise self.reason

    def client(self) -> Client:
        return Client(self.server, self.token)

    def note(self, answer: dict[str, Any]) -> None:
        """Notes from any answer that the server is there, and whether it still wants the build."""
        self.heard = time.monotonic()
        if answer.get("cancel") is True:
            self.end(Cancelled("was cancelled"))

    def judge(self, failure: BaseException) -> None:
        """Ends the lease for a failure that retrying cannot fix."""
        if isinstance(failure, Refused) and failure.status not in self.PASSING:
            if failure.status < 500:
                # What is to be done for an attempt that is over, the agent does itself.
                words = failure.detail if failure.status == 410 else failure.words
                self.end(LeaseEnded(words))
                return
        if time.monotonic() - self.heard > PATIENCE:
            self.end(LeaseEnded(f"the server could not be reached for {PATIENCE:.0f} s"))

    def insist(self, body: Callable[[], Any], least: float = 0.5) -> Any:
        """Retries, with pauses, until the request succeeds or the lease has ended."""
        pause = BackOff(least, 15)
        while True:
            self.check()
            try:
                return body()
            except (Refused, *Client.BROKEN) as failure:
                if isinstance(failure, Refused) and failure.status == 409:
                    raise
                self.judge(failure)
                wait = pause.next()
                if isinstance(failure, Refused) and failure.retry_after:
                    wait = max(wait, min(failure.retry_after, 60))
                self.ended.wait(wait)


class Beats(threading.Thread):
    """Reports every few seconds how far the steps are, and learns whether to continue."""

    def __init__(self, lease: Lease, every: float, folder: str):
        super().__init__(daemon=True)
        self.lease = lease
        self.every = every
        self.folder = folder
        self.steps: list[dict[str, Any]] = []
        self.is_over = threading.Event()
        self.has_news = threading.Event()

    def tell(self) -> None:
        """Reports soon, because a step has begun or ended."""
        self.has_news.set()

    def stop(self) -> None:
        self.is_over.set()
        self.has_news.set()

    def run(self) -> None:
        client = self.lease.client()
        pause = BackOff(min(1, self.every), self.every)
        while not self.is_over.is_set() and not self.lease.ended.is_set():
            self.has_news.clear()
            try:
                self.beat(client)
                pause.reset()
            except (Refused, ValueError, *Client.BROKEN) as failure:
                self.lease.judge(failure)
                self.is_over.wait(pause.next())
                continue
            # Short steps do not make many requests.
            self.is_over.wait(min(0.5, self.every))
            self.has_news.wait(max(0, self.every - 0.5))
        client.close()

    def beat(self, client: Client) -> dict[str, Any]:
        body = {"steps": list(self.steps), "freeBytes": free_bytes(self.folder)}
        _, answer, _ = client.answer("POST", self.lease.path + "/beat", body, timeout=20)
        self.lease.note(answer)
        return answer


class LogSender(threading.Thread):
    """Sends the log as it grows; what the server has acknowledged is never sent again."""

    def __init__(self, lease: Lease, log: Log):
        super().__init__(daemon=True)
        self.lease = lease
        self.log = log
        self.offset = 0
        self.is_over = threading.Event()

    def run(self) -> None:
        client = self.lease.client()
        pause = BackOff(LOG_BEAT, 15)
        while not self.lease.ended.is_set():
            # Checked before the read, so that nothing comes between the last read and the end.
            is_over = self.is_over.is_set()
            piece = self.log.read(self.offset)
            if not piece:
                if is_over:
                    break
                self.is_over.wait(LOG_BEAT)
                continue
            try:
                self._send(client, piece)
                pause.reset()
                if len(piece) < LOG_PIECE:
                    self.is_over.wait(LOG_BEAT)
            except (Refused, *Client.BROKEN) as failure:
                self.lease.judge(failure)
                self.lease.ended.wait(pause.next())
            except (KeyError, TypeError, ValueError):
                self.lease.end(LeaseEnded("the server does not say how much of the log it has"))
        client.close()

    def _send(self, client: Client, piece: bytes) -> None:
        path = f"{self.lease.path}/log?offset={self.offset}"
        try:
            _, answer, _ = client.answer("PATCH", path, piece)
        except Refused as failure:
            known = failure.problem.get("logBytes")
            if failure.status != 409 or not isinstance(known, int):
                raise
            # An answer was lost, and the server has more than the agent knew.
            self._accept(known)
            return
        self.lease.note(answer)
        self._accept(int(answer["logBytes"]))

    def _accept(self, count: int) -> None:
        if not self.offset <= count <= self.log.count:
            reason = "the server has a log that this agent did not write"
            self.lease.end(LeaseEnded(reason))
            return
        self.offset = count


class DiskWatch(threading.Thread):
    """Watches the disk space that a build uses."""

    def __init__(self, folder: str, limit: int):
        super().__init__(daemon=True)
        self.folder = folder
        self.limit = limit
        self.excess: Optional[str] = None
        self.is_over = threading.Event()

    def run(self) -> None:
        due = 0.0
        while not self.is_over.is_set() and self.excess is None:
            if free_bytes(self.folder) < RESERVE:
                self.excess = f"left less than {size(RESERVE)} of the disk free and was killed"
            elif time.monotonic() >= due:
                start = time.monotonic()
                if disk_use(self.folder, self.limit) > self.limit:
                    self.excess = f"used more than {size(self.limit)} of disk space and was killed"
                # A large folder is checked less often.
                due = time.monotonic() + (time.monotonic() - start) * 10
            self.is_over.wait(0.5)


class Build:
    """One attempt, from the offer to the hand-in."""

    def __init__(self, agent: Agent, offer: dict[str, Any]):
        self.agent = agent
        self.offer = offer
        self.lease = Lease(agent.server, agent.token, offer)
        self.commit = str(offer["commit"])
        if not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", self.commit):
            raise Trouble("the server sent an invalid commit")
        self.limits = {name: int(value) for name, value in offer["limits"].items()}
        self.deadline = time.monotonic() + self.limits["seconds"]
        self.mark = os.urandom(16).hex()
        self.has_handed_in = False
        self.ending = ""
        # The step that is being run.
        self.step = ""
        # Whether the archive of artifacts is packed and complete, and whether the server has it.
        self.is_packed = False
        self.is_sent = False
        self.root = agent.home.path("work", self.lease.name)
        self.checkout = os.path.join(self.root, "checkout")
        self.archive = os.path.join(self.root, "artifacts.zip")
        self.secrets = {str(name): str(value) for name, value in offer.get("secrets", {}).items()}

    def run(self) -> bool:
        """Builds, and hands in the result. Returns whether the build succeeded.

        Raises LeaseEnded if the server no longer accepts the result.
        """
        self.agent.home.write("job.json", json.dumps({**self._note(), "leader": None}))
        remove_folder(self.root)
        for name in ("checkout", "tmp", "home", "derived"):
            os.makedirs(os.path.join(self.root, name), mode=0o700)
        log = Log(
            os.path.join(self.root, "log"), Mask([*self.secrets.values(), self.lease.token]), self.limits["logBytes"]
        )
        beats = Beats(self.lease, float(self.offer.get("beatSeconds", 5)), self.root)
        sender = LogSender(self.lease, log)
        watch = DiskWatch(self.root, self.limits["diskBytes"])
        awake = self._stay_awake()
        self.agent.lease = self.lease
        try:
            if self.agent.stopped.is_set():
                self.agent.stop_lease()
            for thread in (beats, sender, watch):
                thread.start()
            outcome = self._outcome(log, beats, watch)
            self.ending = outcome["ending"]
            has_succeeded = self.ending == "succeeded"
            if self.ending == "failed" and self.is_packed:
                self._send_what_is_there(log, beats)
            log.flush()
            sender.is_over.set()
            while sender.is_alive():
                sender.join(0.5)
            watch.is_over.set()
            self._hand_in(outcome, beats)
            return has_succeeded
        finally:
            self.agent.lease = None
            for thread in (sender, watch):
                thread.is_over.set()
            beats.stop()
            log.close()
            if awake:
                awake.kill()
                awake.wait()
            remove_folder(self.root)
            self.agent.home.remove("job.json")

    @property
    def place(self) -> str:
        """The step in which it ended early, as the end of a phrase; empty outside steps."""
        return f" in step “{self.step}”" if self.step else ""

    def _note(self) -> dict[str, Any]:
        """What a later agent needs to clean up after this one."""
        lease = self.lease
        return {
            "mirror": lease.mirror,
            "build": lease.build,
            "attempt": lease.attempt,
            "mark": self.mark,
            "boot": boot(),
        }

    @staticmethod
    def _stay_awake() -> Optional[subprocess.Popen[bytes]]:
        """Keeps a Mac from falling asleep while it builds."""
        if not IS_MAC:
            return None
        return subprocess.Popen(
            ["/usr/bin/caffeinate", "-ims", "-w", str(os.getpid())], stdin=subprocess.DEVNULL
        )

    def _outcome(self, log: Log, beats: Beats, watch: DiskWatch) -> dict[str, Any]:
        try:
            log.say(f"runner {self.agent.name}: {self.agent.machine.words}")
            self._prepare(log)
            for step in self.offer["steps"]:
                problem = self._step(step, log, beats, watch)
                self.lease.check()
                if problem:
                    name = printable(str(step["name"]), 120)
                    self._pack_what_is_there(log)
                    return {"ending": "failed", "reason": f"step “{name}” {problem}"}
            self._pack(log)
            return {"ending": "succeeded", "reason": None}
        except Cancelled as cancelled:
            return {"ending": "cancelled", "reason": str(cancelled)}
        except (Trouble, Refused, OSError, ValueError, KeyError, zipfile.BadZipFile) as trouble:
            self.lease.check()
            words = str(trouble)
            if isinstance(trouble, OSError):
                words = f"the runner could not continue: {trouble.strerror or trouble}"
            return {"ending": "failed", "reason": words}

    # The checkout

    def _prepare(self, log: Log) -> None:
        if free_bytes(self.root) < RESERVE:
            raise Trouble(f"less than {size(RESERVE)} of the runner's disk is free")
        cache = self._fetch()
        try:
            self._check_out(cache)
        except Trouble as trouble:
            log.say(f"note: the runner fetches the repository again: {trouble}")
            remove_folder(cache.folder)
            remove_folder(self.checkout)
            os.mkdir(self.checkout, 0o700)
            self._check_out(self._fetch())
        if self.offer.get("hasFiles"):
            path = os.path.join(self.root, "files.zip")
            self.lease.insist(lambda: self._download("/files", path))
            unpack(path, self.checkout)
            os.unlink(path)

    def _check_out(self, cache: Cache) -> None:
        links = self.offer.get("symbolicLinks") is True
        cache.check_out(self.commit, self.checkout, links)

    def _fetch(self) -> Cache:
        folder = self.agent.home.path("cache", self.lease.mirror + ".git")
        try:
            cache = Cache(folder)
            self._take(cache, cache.tips())
        except Trouble:
            # Whatever is wrong with it, a new one only costs one longer download.
            self.lease.check()
            remove_folder(folder)
            cache = Cache(folder)
            self._take(cache, [])
        return cache

    def _take(self, cache: Cache, tips: list[str]) -> None:
        path = os.path.join(self.root, "bundle")
        query = "?have=" + ",".join(tips) if tips else ""
        fields = self.lease.insist(lambda: self._download("/bundle" + query, path))
        if fields is None:
            cache.keep(self.commit)
            return
        cache.add(path, self.commit, fields.get("Ota-Tags") == "all")
        os.unlink(path)

    def _download(self, path: str, to: str) -> Optional[http.client.HTTPMessage]:
        """Saves the answer to a file; None if there is none."""
        client = self.lease.client()
        try:
            response = client.open("GET", self.lease.path + path, timeout=120)
            if response.status == 204:
                return None
            count = 0
            with open(to, "wb") as file:
                while True:
                    piece = response.read(256 << 10)
                    if not piece:
                        break
                    self.lease.check()
                    count += len(piece)
                    if count % (16 * MEGABYTE) < len(piece) and free_bytes(self.root) < RESERVE:
                        raise Trouble(f"less than {size(RESERVE)} of the runner's disk is free")
                    file.write(piece)
            # An answer that was cut short raises by itself only if it was chunked.
            if response.length:
                raise http.client.IncompleteRead(b"", response.length)
            self.lease.heard = time.monotonic()
            return response.headers
        finally:
            client.close()

    # The steps

    def _step(
        self, step: dict[str, Any], log: Log, beats: Beats, watch: DiskWatch
    ) -> Optional[str]:
        """Runs a step. Returns why it failed, as the end of a sentence."""
        self.lease.check()
        self.step = printable(str(step["name"]), 120)
        log.say("── " + printable(str(step["name"])))
        report: dict[str, Any] = {"index": int(step["index"]), "state": "running"}
        beats.steps.append(report)
        # So that the server knows what a build that is cancelled soon was doing.
        beats.tell()
        start = time.monotonic()
        problem, code = self._end_of(step, log, watch)
        done = {**report, "state": "failed" if problem else "succeeded"}
        done["seconds"] = round(time.monotonic() - start)
        if code is not None and code >= 0:
            done["exitCode"] = code
        if problem:
            done["reason"] = printable(problem)
        # Replaced as a whole, because another thread sends it.
        beats.steps[-1] = done
        beats.tell()
        if not self.lease.ended.is_set():
            self.step = ""
        return problem

    def _end_of(
        self, step: dict[str, Any], log: Log, watch: DiskWatch
    ) -> tuple[Optional[str], Optional[int]]:
        folder = self._folder_of(step)
        if folder is None:
            path = printable(str(step.get("workingDirectory")))
            return f"has the working directory `{path}`, which is not a folder", None
        end = self.deadline
        limit = (
            f"was stopped after the {self.limits['seconds']} s that the build had left, by the "
            "`timeout` of the pipeline or the mirror's --time-limit"
        )
        timeout = step.get("timeout")
        if timeout and time.monotonic() + timeout < end:
            end = time.monotonic() + timeout
            limit = f"took longer than its timeout of {timeout} s and was killed"
        process = self._start(str(step["run"]), folder, self._environment(step))
        output = process.stdout
        assert output is not None
        exit_watch = ExitWatch(process.pid)
        os.set_blocking(output.fileno(), False)
        count = 0
        problem: Optional[str] = None
        try:
            while not exit_watch.look():
                piece = self._read(output, 0.1)
                count += len(piece)
                log.append(piece)
                if count > self.limits["logBytes"]:
                    problem = "printed too much and was killed"
                elif self.lease.ended.is_set():
                    is_cancelled = isinstance(self.lease.reason, Cancelled)
                    problem = "was cancelled" if is_cancelled else f"was stopped: {self.lease.reason}"
                elif time.monotonic() > end:
                    problem = limit
                else:
                    problem = watch.excess
                if problem:
                    break
        finally:
            end_session(process.pid, self.mark, GRACE if problem else 0)
            exit_watch.close()
        # The last of its output; no process is left to print more.
        while count <= self.limits["logBytes"]:
            piece = self._read(output, 0)
            if not piece:
                break
            count += len(piece)
            log.append(piece)
        output.close()
        code = process.wait()
        self._note_leader(None)
        return problem or self._problem(code), code

    def _problem(self, code: int) -> Optional[str]:
        if code == 0:
            return None
        limit = size(self.limits["fileBytes"])
        if code == -signal.SIGXFSZ or code == 128 + signal.SIGXFSZ:
            return f"was killed for writing a file of more than {limit}, the mirror's --size-limit"
        if code < 0:
            return f"was killed by signal {-code}"
        return f"failed with exit status {code}"

    @staticmethod
    def _read(output: Any, wait: float) -> bytes:
        if wait and not select.select([output], [], [], wait)[0]:
            return b""
        try:
            piece = os.read(output.fileno(), 64 << 10)
        except BlockingIOError:
            return b""
        if not piece and wait:
            # The step has closed its output and still runs.
            time.sleep(wait)
        return piece

    def _folder_of(self, step: dict[str, Any]) -> Optional[str]:
        """The folder that a step works in, which must be in the checkout by its real path."""
        path = step.get("workingDirectory")
        if not path:
            return self.checkout
        top = os.path.realpath(self.checkout)
        folder = os.path.realpath(os.path.join(self.checkout, str(path)))
        is_inside = folder == top or folder.startswith(top + os.sep)
        return folder if is_inside and os.path.isdir(folder) else None

    def _environment(self, step: dict[str, Any]) -> dict[str, str]:
        """All environment variables of a step."""
        variables = {
            "PATH": tool_path(),
            "LANG": "en_US.UTF-8" if IS_MAC else "C.UTF-8",
            "TERM": "dumb",
            "SHELL": "/bin/sh",
        }
        for name in ("DEVELOPER_DIR", "USER", "LOGNAME"):
            if os.environ.get(name):
                variables[name] = os.environ[name]
        for more in (self.offer.get("environment", {}), step.get("environment", {})):
            variables.update({str(name): str(value) for name, value in more.items()})
        # Xcode reads keychains, profiles and its own settings from the real home.
        own_home = os.path.join(self.root, "home")
        variables["HOME"] = os.path.expanduser("~") if IS_MAC else own_home
        variables["TMPDIR"] = os.path.join(self.root, "tmp")
        variables["OTA_WORKSPACE"] = self.checkout
        variables["OTA_DERIVED_DATA"] = os.path.join(self.root, "derived")
        variables["OTA_RUNNER"] = self.agent.name
        # Last, so that a pipeline cannot read one under the name of another.
        variables.update(self.secrets)
        variables[MARK] = self.mark
        return variables

    def _start(
        self, script: str, folder: str, environment: dict[str, str]
    ) -> subprocess.Popen[bytes]:
        """Starts a step in its own session; it waits until the agent has noted its identifier."""
        bash = bash_path() or "/bin/bash"
        blocks = str(max(1, self.limits["fileBytes"] // 1024))
        gate = 'read -r _ || exit 125; ulimit -c 0; ulimit -f "$1"; shift; exec "$@" </dev/null'
        shell = [bash, "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]
        process = subprocess.Popen(
            [bash, "--noprofile", "--norc", "-c", gate, "ota", blocks, *shell],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._note_leader(process.pid)
        assert process.stdin is not None
        try:
            process.stdin.write(b"\n")
            process.stdin.close()
        except BrokenPipeError:
            pass
        return process

    def _note_leader(self, leader: Optional[int]) -> None:
        started = processes().get(leader) if leader else None
        note = {**self._note(), "leader": leader, "started": started}
        self.agent.home.write("job.json", json.dumps(note))

    # The hand-in

    def _pack(self, log: Log) -> None:
        patterns = [str(pattern) for pattern in self.offer.get("artifacts", [])]
        if not patterns:
            return
        archive = Archive(self.checkout, self.limits["diskBytes"])
        count = archive.pack(patterns, self.archive)
        for remark in archive.remarks:
            log.say("note: " + remark)
        self.is_packed = count > 0
        entries = "1 file" if count == 1 else f"{count} files and folders"
        log.say(f"── uploading {entries}" if count else "── no file to upload")

    def _pack_what_is_there(self, log: Log) -> None:
        """Packs the artifacts of a build that failed, such as the results of its tests."""
        try:
            if free_bytes(self.root) < RESERVE:
                raise Trouble(f"less than {size(RESERVE)} of the runner's disk is free")
            self._pack(log)
        except (Trouble, OSError, ValueError, zipfile.BadZipFile) as trouble:
            # The build fails for the reason that it has.
            log.say(f"note: no file is uploaded: {trouble}")

    def _send_what_is_there(self, log: Log, beats: Beats) -> None:
        """Sends the artifacts of a build that failed while its log can still say that they do not fit."""
        try:
            self._upload(self.lease.client(), beats, may_refuse=True)
            self.is_sent = True
        except NoRoom as failure:
            self.is_packed = False
            log.say(f"note: the artifacts of this failed build are not uploaded: {failure}")

    def _hand_in(self, outcome: dict[str, Any], beats: Beats) -> None:
        has_archive = outcome["ending"] != "cancelled" and self.is_packed
        body: dict[str, Any] = {
            "ending": outcome["ending"],
            "reason": printable(outcome["reason"]) if outcome["reason"] else None,
            "steps": beats.steps,
        }
        if has_archive:
            body["archive"] = {"bytes": os.path.getsize(self.archive), "sha256": file_digest(self.archive)}
        client = self.lease.client()
        cancelled = outcome["ending"] == "cancelled"
        for _ in range(3):
            if has_archive and not self.is_sent:
                self._upload(client, beats)
            self.is_sent = False
            try:
                if cancelled:
                    # Here the lease has ended; at the server it has not.
                    client.answer("POST", self.lease.path + "/finish", body)
                else:
                    finish = lambda: client.answer("POST", self.lease.path + "/finish", body)
                    self.lease.insist(finish)
                self.has_handed_in = has_archive
                return
            except Refused as failure:
                if failure.status != 409 or cancelled:
                    raise LeaseEnded(failure.words) from None
            except Client.BROKEN as failure:
                raise LeaseEnded(f"the server cannot be reached: {failure}") from None
        raise LeaseEnded("the server did not accept the files in three tries")

    def _upload(self, client: Client, beats: Beats, may_refuse: bool = False) -> None:
        """Sends the archive. Raises NoRoom if `may_refuse` and the server has no room for it."""
        total = os.path.getsize(self.archive)
        offset = 0
        # If the answer to a request was lost, the server says how much it has.
        must_ask = False

        def send_piece() -> int:
            nonlocal must_ask
            if must_ask:
                known = beats.beat(client).get("archiveBytes")
                must_ask = False
            else:
                must_ask = True
                try:
                    known = self._send_piece(file, offset, total, client)
                except Refused as failure:
                    if may_refuse and failure.status in (413, 507):
                        raise NoRoom(failure.words) from None
                    raise
                must_ask = False
            if not isinstance(known, int) or not 0 <= known <= total:
                raise LeaseEnded("the server has files that this agent did not send")
            return known

        with open(self.archive, "rb") as file:
            while offset < total:
                offset = self.lease.insist(send_piece)

    def _send_piece(self, file: BinaryIO, offset: int, total: int, client: Client) -> Any:
        """Sends a piece. Returns how much the server has."""
        count = min(ARCHIVE_PIECE, total - offset)
        file.seek(offset)
        path = f"{self.lease.path}/archive?offset={offset}"
        try:
            response = client.open("PATCH", path, pieces(file, count, self.lease), count, 120)
            answer = json.loads(whole(response))
        except Refused as failure:
            if failure.status != 409:
                raise
            return failure.problem.get("archiveBytes")
        self.lease.note(answer)
        return answer.get("archiveBytes")


def pieces(file: BinaryIO, count: int, lease: Lease) -> Iterator[bytes]:
    while count > 0:
        lease.check()
        piece = file.read(min(count, 128 << 10))
        if not piece:
            return
        count -= len(piece)
        yield piece


def file_digest(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(MEGABYTE):
            digest.update(piece)
    return digest.hexdigest()


# MARK: The agent


class Agent:
    """Takes one build after the other."""

    def __init__(self, home: Home, server: Server, name: str, token: str, machine: Machine):
        self.home = home
        self.server = server
        self.name = name
        self.token = token
        self.machine = machine
        self.updates = True
        self.stopped = threading.Event()
        self.lease: Optional[Lease] = None
        # The attempt that was begun last; none is begun twice.
        self.begun = ""
        self.is_idle = False

    def stop(self, *_: Any) -> None:
        """Handles signals: ends the build, and gives its lease back."""
        # On another thread, because the interrupted thread may hold a lock of these events.
        threading.Thread(target=self._stop, daemon=True).start()
        if self.is_idle:
            # Otherwise the agent would wait for the server's answer.
            raise SystemExit(0)

    def _stop(self) -> None:
        self.stopped.set()
        self.stop_lease()

    def stop_lease(self) -> None:
        lease = self.lease
        if lease:
            lease.end(AgentStopped())

    def run(self, once: bool) -> int:
        self.clear_up()
        say(f"runner {self.name} of {self.server.url} waits for work: {self.machine.words}")
        client = Client(self.server, self.token)
        pause = BackOff(1, 60)
        last = ""
        unknown = 0
        while not self.stopped.is_set():
            try:
                self.is_idle = True
                status, offer, fields = client.answer(
                    "POST",
                    f"/api/v1/runner/poll?wait={POLL}",
                    {"machine": self.machine.facts()},
                    timeout=POLL + 30,
                )
            except (Refused, ValueError, *Client.BROKEN) as failure:
                is_unknown = isinstance(failure, Refused) and failure.status == 401 \
                    and failure.identifier == "runner.unknown-token"
                unknown = unknown + 1 if is_unknown else 0
                words = self._words_for(failure)
                if words != last:
                    say(words)
                last = words
                wait = pause.next()
                if isinstance(failure, Refused) and failure.status in (401, 403):
                    if once:
                        return 3
                    wait = random.uniform(45, 75)
                    if is_unknown:
                        if unknown > 1 and not is_service():
                            return 1
                        # A service would be started again at once.
                        wait = SECOND_LOOK if unknown == 1 else UNKNOWN_PAUSE
                elif isinstance(failure, Refused) and failure.retry_after:
                    wait = max(wait, min(failure.retry_after, 300))
                self.stopped.wait(wait)
                continue
            finally:
                self.is_idle = False
            if last:
                say("the server answers again")
            last = ""
            unknown = 0
            pause.reset()
            if status == 204 or not offer:
                self._update(fields.get("Ota-Agent"))
                # So that many runners do not poll again at the same moment.
                self.stopped.wait(random.uniform(0, 1))
                continue
            client.close()
            has_succeeded = self._take(offer)
            if once:
                return 0 if has_succeeded else 1
            self._update(offer.get("agent"))
        return 0

    def _words_for(self, failure: BaseException) -> str:
        if isinstance(failure, Refused):
            if failure.status == 401:
                return (
                    "the server no longer knows this runner's token: the runner was removed, or "
                    f"registered again; paste a new line: ota runners code {self.name}"
                )
            return f"the server offers no work: {failure.words}"
        return unreachable(failure) + "; trying again"

    def _take(self, offer: dict[str, Any]) -> bool:
        try:
            build = Build(self, offer)
        except (KeyError, TypeError, ValueError, Trouble) as failure:
            say(f"the server offers a build that this agent does not understand: {failure}")
            self.stopped.wait(random.uniform(20, 40))
            return False
        if offer.get("resumes") is True and not self._may_begin(build.lease):
            say(f"returning build {build.lease.build} of {build.lease.mirror}, which an agent "
                "here has begun")
            self._abandon(build.lease, "it cannot continue what it has begun", is_whole=True)
            self.stopped.wait(random.uniform(1, 3))
            return False
        self.begun = build.lease.name
        subject = printable(str(offer.get("subject", "")), 80)
        say(f"build {build.lease.build} of {build.lease.mirror}: {subject}")
        start = time.monotonic()
        try:
            has_succeeded: bool = build.run()
            # Whether the build succeeds is for the server to say, which has yet to take the files.
            words = {"succeeded": "steps done", "failed": "steps failed"}
            word = words.get(build.ending, "cancelled") + build.place
            files = ", files uploaded" if build.has_handed_in else ""
            say(f"build {build.lease.build} of {build.lease.mirror}: {word}{files}, after "
                f"{time.monotonic() - start:.0f} s")
            return has_succeeded
        except AgentStopped:
            say(f"returning build {build.lease.build} of {build.lease.mirror}{build.place}: the "
                "agent was stopped")
            self._abandon(build.lease, "its agent was stopped", is_whole=True)
        except LeaseEnded as ended:
            say(f"build {build.lease.build} of {build.lease.mirror} ended{build.place}: {ended}")
            if not isinstance(ended, Cancelled):
                # The server may not know of it, and would give the same attempt again.
                self._abandon(build.lease, f"runner {self.name} could not continue: {ended}")
        except Exception as failure:  # The agent continues, whatever happened in one build.
            words = printable(str(failure) or type(failure).__name__)
            say(f"build {build.lease.build} of {build.lease.mirror} failed here: {words}")
            self._abandon(build.lease, f"runner {self.name} could not continue: {words}")
            self.stopped.wait(random.uniform(5, 15))
        return False

    def _may_begin(self, lease: Lease) -> bool:
        """Whether an attempt that was given before is as new: the log of another start of its steps
        would be continued with this one's."""
        if lease.name == self.begun:
            return False
        client = lease.client()
        self.lease = lease
        try:
            _, answer, _ = lease.insist(
                lambda: client.answer("POST", lease.path + "/beat", {"steps": []}, 20)
            )
        except (Refused, LeaseEnded, ValueError):
            return False
        finally:
            self.lease = None
            client.close()
        return answer.get("logBytes") == 0 and answer.get("archiveBytes") == 0

    def _abandon(self, lease: Lease, reason: str, is_whole: bool = False) -> None:
        """Ends a lease without an outcome.

        A build that is given back whole, by an agent that was told to stop, does not count as lost.
        """
        client = Client(self.server, self.token)
        body = {"reason": printable(reason), "givesBack": is_whole}
        try:
            client.answer("POST", lease.path + "/abandon", body, 10)
        except (Refused, ValueError, *Client.BROKEN):
            # Then the lease expires.
            pass
        client.close()

    def clear_up(self) -> None:
        """Cleans up after an agent that was killed during a build."""
        note = self.home.json("job.json")
        if note:
            if note.get("boot") == boot() and isinstance(note.get("mark"), str):
                leader = note.get("leader") or -1
                now = processes().get(leader)
                # The system does not reuse the identifier of a process that ended while its
                # session has members.
                is_ours = now is None or now == note.get("started")
                end_session(leader if is_ours else -1, note["mark"], 0)
            try:
                lease = Lease(self.server, self.token, note)
                self.begun = lease.name
                self._abandon(lease, f"the agent of runner {self.name} was killed, or crashed")
                say(f"returned build {lease.build} of {lease.mirror}, which was interrupted")
            except (KeyError, TypeError, ValueError, Trouble):
                pass
        remove_folder(self.home.path("work"))
        self.home.remove("job.json")

    def _update(self, digest: Any) -> None:
        """Replaces this agent with the server's, if that is another one."""
        if not self.updates or not isinstance(digest, str) or digest == OWN_DIGEST:
            return
        if not re.fullmatch(r"[0-9a-f]{64}", digest) or self.stopped.is_set():
            return
        client = Client(self.server)
        try:
            text = whole(client.open("GET", "/runner.py"), 4 * MEGABYTE)
        except (Refused, *Client.BROKEN) as failure:
            say(f"the newer agent could not be fetched: {failure}")
            return
        finally:
            client.close()
        if hashlib.sha256(text).hexdigest() != digest:
            say("the newer agent does not have the digest that the server named; it is not used")
            return
        try:
            compile(text, "runner.py", "exec")
        except (SyntaxError, ValueError):
            say("the newer agent does not run with this Python; it is not used")
            return
        self.home.write("runner.py", text.decode("utf-8"))
        say("continues as the server's newer agent")
        words = [sys.executable, self.home.path("runner.py"), "--name", self.name]
        os.execv(sys.executable, words + ["--folder", self.home.folder])


class AgentStopped(LeaseEnded):
    """The agent was asked to stop."""

    def __str__(self) -> str:
        return "the agent was stopped"


# MARK: A service


def is_service() -> bool:
    """Whether this agent was started by its service."""
    return os.environ.get(SERVICE_MARK) == "1"


class Service:
    """The service that starts the agent when its user logs in, and again whenever it ends."""

    def __init__(self, home: Home, name: str):
        self.home = home
        self.name = name
        if IS_MAC:
            self.path = os.path.expanduser(f"~/Library/LaunchAgents/ota.runner.{name}.plist")
        else:
            folder = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
            self.path = os.path.join(folder, "systemd", "user", f"ota-runner-{name}.service")

    @property
    def command(self) -> list[str]:
        # The system's Python stays in place when Xcode is replaced.
        python = "/usr/bin/python3" if IS_MAC else sys.executable
        script = self.home.path("runner.py")
        return [python, script, "--name", self.name, "--folder", self.home.folder]

    @property
    def environment(self) -> dict[str, str]:
        names = ["PATH", "DEVELOPER_DIR", "SSL_CERT_FILE"]
        names += [name for name in os.environ if name.lower() in
                  ("https_proxy", "http_proxy", "all_proxy", "no_proxy")]
        found = {name: os.environ[name] for name in names if os.environ.get(name)}
        return {**found, SERVICE_MARK: "1"}

    def text(self) -> str:
        if IS_MAC:
            log = self.home.path("runner.log")
            job = {
                "Label": f"ota.runner.{self.name}",
                "ProgramArguments": self.command,
                "EnvironmentVariables": self.environment,
                "RunAtLoad": True,
                "KeepAlive": True,
                "ThrottleInterval": 10,
                "ExitTimeOut": 30,
                "ProcessType": "Interactive",
                "StandardOutPath": log,
                "StandardErrorPath": log,
            }
            return plistlib.dumps(job).decode()
        lines = ["[Unit]", f"Description=Builds for an ota server as {self.name}", "", "[Service]"]
        words = " ".join(shlex.quote(word).replace("%", "%%") for word in self.command)
        lines.append(f"ExecStart={words}")
        for name, value in sorted(self.environment.items()):
            text = value.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
            lines.append(f'Environment="{name}={text}"')
        lines += ["Restart=always", "RestartSec=10", "TimeoutStopSec=30", "KillMode=mixed"]
        return "\n".join(lines + ["", "[Install]", "WantedBy=default.target", ""])

    def require(self) -> None:
        """Raises Trouble where the system cannot run a service for this user."""
        if IS_MAC:
            return
        cron = f"@reboot {shlex.join(self.command)}"
        other = f"run the agent in a terminal, or start it from cron: `{cron}`"
        if not shutil.which("systemctl"):
            raise Trouble(f"this machine has no systemctl, so --install cannot work: {other}")
        if self._run(["systemctl", "--user", "show-environment"], is_quiet=True) != 0:
            user = os.environ.get("USER") or output_of("id", "-un") or str(os.getuid())
            raise Trouble(
                f"systemd runs no services for {user} now: run `sudo loginctl enable-linger "
                f"{user}` and try again; or {other}"
            )

    @staticmethod
    def _run(words: list[str], is_quiet: bool = False) -> int:
        environment = dict(os.environ)
        # Missing after `su`, although the user's systemd runs.
        bus = f"/run/user/{os.getuid()}"
        if not IS_MAC and os.path.isdir(bus):
            environment.setdefault("XDG_RUNTIME_DIR", bus)
        sink = subprocess.DEVNULL if is_quiet else None
        if not is_quiet:
            print("  " + shlex.join(words), flush=True)
        try:
            return subprocess.run(
                words, env=environment, stdout=sink, stderr=sink, check=False
            ).returncode
        except OSError:
            return 127

    def install(self) -> None:
        self.home.keep_agent(is_new=True)
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(self.text())
        for words in self._starting():
            if self._run(words) != 0:
                self.end()
                self._remove()
                where = "log in at the Mac's screen" if IS_MAC else "see its message above"
                raise Trouble(
                    f"`{shlex.join(words)}` failed, so there is no service: {where}, and try "
                    f"again; or run the agent in a terminal: {shlex.join(self.command)}"
                )
        print(f"Runner {self.name} is now a service: {self.path}")
        if IS_MAC:
            print(f"Its messages are in {self.home.path('runner.log')}.")
            print("It runs while you are logged in: turn on automatic login for restarts.")
        else:
            print(f"Its messages: journalctl --user -u ota-runner-{self.name}")
            print("To keep it running while no one is logged in: loginctl enable-linger")
        script = self.home.path("runner.py")
        undo = ["python3", script, "--name", self.name, "--folder", self.home.folder, "--uninstall"]
        print(f"To undo this: {shlex.join(undo)}")

    def end(self) -> None:
        """Stops the service, if there is one, and its build."""
        if not os.path.exists(self.path):
            return
        if IS_MAC:
            words = ["launchctl", "bootout", f"gui/{os.getuid()}/ota.runner.{self.name}"]
        else:
            words = ["systemctl", "--user", "disable", "--now", f"ota-runner-{self.name}.service"]
        if shutil.which(words[0]):
            self._run(words)

    def _remove(self) -> None:
        folder, name = os.path.split(self.path)
        for path in (self.path, os.path.join(folder, "default.target.wants", name)):
            if os.path.lexists(path):
                os.unlink(path)

    def uninstall(self) -> None:
        if not os.path.lexists(self.path):
            if not self.home.exists:
                raise Trouble(no_runner(self.name, self.home))
            print(f"Runner {self.name} is not a service.")
            return
        self.end()
        self._remove()
        print(f"Runner {self.name} is no longer a service.")
        print(f"Its token and its copies of repositories are still in {self.home.folder}.")

    def _starting(self) -> list[list[str]]:
        if IS_MAC:
            return [["launchctl", "bootstrap", f"gui/{os.getuid()}", self.path]]
        unit = f"ota-runner-{self.name}.service"
        return [
            ["systemctl", "--user", "daemon-reload"],
            ["systemctl", "--user", "enable", "--now", unit],
        ]


# MARK: The command


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="runner.py",
        description="Builds for an ota server on this machine, such as a Mac with Xcode.",
        epilog="`ota runners add` prints the line that starts the agent the first time. After "
        "that, --name is enough.",
    )
    parser.add_argument("--name", help="the runner's name; default: the only one on this machine")
    parser.add_argument("--server", metavar="URL", help="the server's address")
    parser.add_argument("--code", help="register with this code, which works once, for one hour")
    parser.add_argument(
        "--authority-sha256",
        metavar="HEX",
        help="trust only the server's own authority whose certificate has this SHA-256",
    )
    parser.add_argument(
        "--folder", help="where the agent keeps its files; default: ~/.ota-runner/NAME"
    )
    parser.add_argument("--once", action="store_true", help="exit after one build")
    parser.add_argument(
        "--no-update",
        action="store_true",
        help="do not replace this file with the server's newer one",
    )
    parser.add_argument(
        "--check", action="store_true", help="show what the agent reports to the server, and exit"
    )
    parser.add_argument(
        "--install", action="store_true", help="start the agent at every login, and keep it running"
    )
    parser.add_argument("--uninstall", action="store_true", help="undo --install")
    return parser


def runner_names() -> list[str]:
    """The runners that were registered on this machine, in their usual folders."""
    top = os.path.expanduser("~/.ota-runner")
    names = os.listdir(top) if os.path.isdir(top) else []
    return sorted(name for name in names if os.path.exists(os.path.join(top, name, "token")))


def no_runner(name: str, home: Home) -> str:
    names = ", ".join(runner_names())
    known = f"; registered here: {names}" if names else ""
    return f"there is no runner {name} in {home.folder}{known}"


def runner_name(given: Optional[str]) -> str:
    if given is None:
        names = runner_names()
        if len(names) != 1:
            raise Trouble("give --name" + (f", one of {', '.join(names)}" if names else ""))
        return names[0]
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,62}", given):
        raise Trouble(f"{printable(given)} is not a valid runner name: use a-z, 0-9 and -")
    return given


def register(server: Server, home: Home, name: str, code: str, machine: Machine) -> str:
    """Exchanges a code for the runner's token."""
    client = Client(server)
    body = {"code": code, "name": name, "machine": machine.facts()}
    try:
        _, answer, _ = client.answer("POST", "/api/v1/runner/register", body)
    except Refused as refused:
        hint = ""
        if home.read("token"):
            hint = "; this runner is already registered: leave out --code to continue as it is"
        raise Trouble(f"the server does not accept the code: {refused.words}{hint}") from None
    except Client.BROKEN as failure:
        raise Trouble(unreachable(failure)) from None
    finally:
        client.close()
    token = str(answer.get("token", ""))
    if not token.startswith("otr_"):
        raise Trouble("the server sent no token")
    home.write("token", token + "\n")
    mirrors = printable(", ".join(map(str, answer.get("mirrors", []))), 400)
    labels = printable(", ".join(map(str, answer.get("labels", []))), 400)
    say(f"registered as {name}, for {mirrors}, with the labels {labels or 'none'}")
    return token


def check(home: Home, machine: Machine, settings: dict[str, Any], name: str) -> int:
    facts = machine.facts()
    registered = "registered" if home.read("token") else "not registered"
    rows = [
        ("Runner", f"{name}, {registered}"),
        ("Server", printable(str(settings.get("server", "none yet")))),
        ("Folder", home.folder),
        ("System", facts["system"]),
        ("Python", facts["python"]),
        ("Git", git_version() or f"not installed: {tool_fix(['git'])}"),
        ("Bash", bash_path() or f"not installed: {tool_fix(['bash'])}"),
        ("Xcode", ", ".join(facts["xcodes"]) or "none found"),
        ("Free", size(facts["freeBytes"])),
        ("Agent", facts["agent"]),
    ]
    for title, value in rows:
        print(f"{title:8} {value}")
    return 1 if missing_tools() else 0


def main(words: list[str]) -> int:
    given = options().parse_args(words)
    # What started the agent may have blocked signals; steps would inherit that.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    name = runner_name(given.name)
    folder = os.path.abspath(os.path.expanduser(given.folder or f"~/.ota-runner/{name}"))
    os.umask(0o077)
    home = Home(folder)
    if given.uninstall:
        Service(home, name).uninstall()
        return 0
    machine = Machine(folder)
    settings = home.json("config.json")
    for key, value in (("server", given.server), ("authority", given.authority_sha256)):
        if value:
            settings[key] = value
    if given.no_update:
        settings["updates"] = False
    if given.check:
        return check(home, machine, settings, name)
    if not given.code and not home.exists:
        raise Trouble(
            no_runner(name, home) + f"; paste the line of: ota runners code {name}"
        )
    if not settings.get("server"):
        raise Trouble("give --server; `ota runners add` prints the whole line")
    # Refuses a bad address before an agent is ended or anything is sent.
    Server(settings["server"])
    require_tools()
    if given.server and not given.authority_sha256 and given.code:
        settings.pop("authority", None)
    if given.install:
        Service(home, name).require()
    was_there = home.exists
    home.create()
    try:
        token = home.read("token") or ""
        if given.code:
            # First: a code that is refused ends no agent that runs here.
            token = registered(home, settings, name, given.code, machine)
    except BaseException:
        if not was_there:
            remove_folder(folder)
        raise
    if given.install:
        Service(home, name).end()
    home.lock(is_replacing=bool(given.code), is_waiting=is_service())
    if not token.strip():
        raise Trouble(
            f"this runner is not registered: paste the line of: ota runners code {name}"
        )
    if settings.get("authority"):
        pinned_authority(Server(settings["server"]), settings["authority"], home)
    home.keep_agent(is_new=bool(given.code))
    home.write("config.json", json.dumps({**settings, "name": name}, indent=2) + "\n")
    if given.install:
        home.unlock()
        Service(home, name).install()
        return 0
    path = home.path("authority.pem") if settings.get("authority") else None
    agent = Agent(home, Server(settings["server"], path), name, token.strip(), machine)
    agent.updates = settings.get("updates") is not False and not given.once
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, agent.stop)
    return agent.run(given.once)


def registered(
    home: Home, settings: dict[str, Any], name: str, code: str, machine: Machine
) -> str:
    """Exchanges a code for the runner's token, and keeps what belongs to it."""
    server = Server(settings["server"])
    new = "authority.new.pem"
    # It may be another server, or the same one with a new authority.
    home.remove(new)
    try:
        if settings.get("authority"):
            server = Server(
                settings["server"], pinned_authority(server, settings["authority"], home, new)
            )
        token = register(server, home, name, code, machine)
        if settings.get("authority"):
            os.replace(home.path(new), home.path("authority.pem"))
        else:
            home.remove("authority.pem")
    finally:
        home.remove(new)
    return token


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Trouble as trouble:
        print(f"error: {trouble}", file=sys.stderr)
        sys.exit(2)
    except (OSError, ssl.SSLError) as failure:
        print(f"error: {failure}", file=sys.stderr)
        sys.exit(2)
