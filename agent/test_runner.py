"""Tests of runner.py: its parts, and the whole against a server that fails in every way.

    python3 -m unittest discover agent
"""

from __future__ import annotations

import ast
import base64
import contextlib
import hashlib
import http.server
import io
import json
import os
import random
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
import zipfile
from typing import Any, Callable, Optional

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "runner.py")
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
import runner  # noqa: E402


# Seconds after which something is taken to hang, on a machine that has much else to do.
PATIENCE = 240

# The key and the certificate of the servers of these tests.
IDENTITY = ""


def setUpModule() -> None:
    global IDENTITY
    # The program that runs the tests may have blocked signals.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    folder = tempfile.mkdtemp(prefix="ota-runner-identity-")
    unittest.addModuleCleanup(shutil.rmtree, folder)
    key, certificate, settings = (os.path.join(folder, n) for n in ("key", "cert", "settings"))
    with open(settings, "w", encoding="ascii") as file:
        file.write(
            "[req]\ndistinguished_name = dn\nx509_extensions = ext\nprompt = no\n"
            "[dn]\nCN = 127.0.0.1\n"
            "[ext]\nsubjectAltName = IP:127.0.0.1\nbasicConstraints = critical,CA:TRUE\n"
        )
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-config",
         settings, "-keyout", key, "-out", certificate],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    IDENTITY = os.path.join(folder, "identity.pem")
    with open(IDENTITY, "wb") as sink:
        for path in (key, certificate):
            with open(path, "rb") as source:
                sink.write(source.read())


def authority() -> tuple[str, str]:
    """The certificate of the servers, and its SHA-256."""
    with open(IDENTITY, encoding="ascii") as file:
        text = file.read()
    text = text[text.index("-----BEGIN CERTIFICATE"):]
    return text, hashlib.sha256(ssl.PEM_cert_to_DER_cert(text)).hexdigest()


class FolderCase(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="ota-runner-test-"))
        self.addCleanup(runner.remove_folder, self.folder)

    def path(self, *names: str) -> str:
        return os.path.join(self.folder, *names)

    def put(self, path: str, text: bytes = b"x", mode: int = 0o644) -> None:
        full = self.path(path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(text)
        os.chmod(full, mode)


class LanguageTests(unittest.TestCase):
    def test_it_is_valid_for_python_3_9(self) -> None:
        with open(SCRIPT, encoding="utf-8") as file:
            tree = ast.parse(file.read(), feature_version=(3, 9))
        for node in ast.walk(tree):
            # New in 3.10, and not refused by every parser that knows it.
            self.assertNotEqual(type(node).__name__, "Match")
            self.assertNotEqual(type(node).__name__, "TryStar")

    def test_it_imports_the_standard_library_alone(self) -> None:
        known = getattr(sys, "stdlib_module_names", None)
        if known is None:
            self.skipTest("this Python does not know the names")
        with open(SCRIPT, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        for node in ast.walk(tree):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                self.assertIn(name.split(".")[0], known)


class MaskTests(unittest.TestCase):
    SECRETS = ["hunter22", "a b/c?d+ü", "line one\nline two is long"]

    def masked(self, text: bytes, cuts: list[int]) -> bytes:
        mask = runner.Mask(self.SECRETS)
        shown = b""
        last = 0
        for cut in [*sorted(cuts), len(text)]:
            shown += mask.masked(text[last:cut])
            last = cut
        return shown + mask.finish()

    def test_secrets_go_wherever_a_piece_ends(self) -> None:
        text = b"a hunter22 b hunter2 c line two is long d hunter22"
        for cut in range(len(text)):
            shown = self.masked(text, [cut, min(len(text), cut + 3)])
            self.assertEqual(shown, b"a *** b hunter2 c *** d ***")

    def test_secrets_go_in_base_64_and_percent_encoded(self) -> None:
        secret = self.SECRETS[1].encode()
        for before in (b"", b"x", b"xy", b"xyz"):
            text = base64.b64encode(before + secret + b"tail")
            self.assertIn(b"***", self.masked(text, []))
        quoted = urllib.parse.quote(secret, safe="").encode()
        self.assertEqual(self.masked(quoted, [3]), b"***")
        self.assertEqual(self.masked(quoted.lower(), [5]), b"***")

    def test_what_is_short_is_no_secret(self) -> None:
        mask = runner.Mask(["abc"])
        self.assertEqual(mask.masked(b"abc"), b"abc")

    def test_random_cuts_change_nothing(self) -> None:
        source = random.Random(7)
        text = b"".join(
            source.choice([b"hunter22", b"hunt", b"er22", b"\n", b"line ", b"two is long", b"z"])
            for _ in range(400)
        )
        whole = self.masked(text, [])
        for _ in range(50):
            cuts = [source.randrange(len(text)) for _ in range(20)]
            self.assertEqual(self.masked(text, cuts), whole)


class SearchTests(FolderCase):
    def found(self, pattern: str) -> list[str]:
        return [path.decode() for path in runner.Search(self.folder).found(pattern)]

    def test_patterns_mean_what_they_mean_on_the_server(self) -> None:
        for path in ("a.ipa", "b/c.ipa", "b/.hidden/d.ipa", ".e.ipa", "App.xcarchive/Info.plist",
                     "App.xcarchive/f.ipa", ".git/g.ipa", "b/h/i.ipa"):
            self.put(path)
        os.symlink("b", self.path("link"))
        os.symlink("a.ipa", self.path("link.ipa"))
        self.assertEqual(self.found("*.ipa"), ["a.ipa"])
        self.assertEqual(self.found("?.ipa"), ["a.ipa"])
        # What is hidden is not for `*`, but for a name in full.
        self.assertEqual(self.found(".e.ipa"), [".e.ipa"])
        self.assertEqual(self.found("b/*"), ["b/c.ipa", "b/h"])
        self.assertEqual(
            self.found("**/*.ipa"), ["a.ipa", "b/.hidden/d.ipa", "b/c.ipa", "b/h/i.ipa"]
        )
        self.assertEqual(self.found("*.xcarchive"), ["App.xcarchive"])
        self.put("t/Test.xcresult/Data/1.ipa")
        self.assertEqual(self.found("t/**"), ["t/Test.xcresult"])
        self.assertEqual(self.found("t/**/*.ipa"), [])
        self.assertEqual(self.found("link/*"), [])
        self.assertEqual(self.found(".git/*"), [])
        self.assertEqual(self.found("b/../a.ipa"), [])

    def test_a_folder_stands_for_all_in_it(self) -> None:
        self.put("b/c.ipa")
        self.assertEqual(self.found("**"), ["b"])


class ArchiveTests(FolderCase):
    def pack(self, name: str, *patterns: str) -> int:
        return runner.Archive(self.path("top"), 1 << 20).pack(list(patterns), self.path(name))

    def test_the_same_files_make_the_same_archive(self) -> None:
        self.put("top/A.app/run", b"x" * 5000, 0o755)
        self.put("top/A.app/.git/no")
        self.put("top/A.app/ü.txt")
        os.symlink("run", self.path("top/A.app/link"))
        os.makedirs(self.path("top/A.app/empty"))
        self.assertEqual(self.pack("1.zip", "*.app"), 5)
        os.utime(self.path("top/A.app/run"), (1, 1))
        self.pack("2.zip", "A.app", "A.app/run")
        with open(self.path("1.zip"), "rb") as one, open(self.path("2.zip"), "rb") as two:
            self.assertEqual(one.read(), two.read())
        with zipfile.ZipFile(self.path("1.zip")) as archive:
            self.assertIsNone(archive.testzip())
            modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
        self.assertEqual(modes["A.app/run"], stat.S_IFREG | 0o755)
        self.assertTrue(stat.S_ISLNK(modes["A.app/link"]))
        self.assertTrue(stat.S_ISDIR(modes["A.app/empty/"]))

    def test_what_is_too_large_is_refused(self) -> None:
        self.put("top/a", b"x" * ((1 << 20) + 1))
        with self.assertRaises(runner.Trouble):
            self.pack("1.zip", "a")

    def test_what_is_left_out_is_named(self) -> None:
        self.put("top/A.app/run")
        self.put("top/A.app/sub/.git/config")
        self.put("top/.git/config")
        os.symlink("/etc/passwd", self.path("top/A.app/absolute"))
        os.symlink("../../x", self.path("top/A.app/out"))
        os.symlink("run", self.path("top/A.app/in"))
        os.symlink("A.app", self.path("top/link.app"))
        archive = runner.Archive(self.path("top"), 1 << 20)
        archive.pack(["*.app", ".git/**", ".GIT/config"], self.path("1.zip"))
        with zipfile.ZipFile(self.path("1.zip")) as made:
            names = sorted(made.namelist())
        self.assertEqual(names, ["A.app/", "A.app/in", "A.app/run", "A.app/sub/"])
        said = "\n".join(archive.remarks)
        for words in ("A.app/sub/.git is not uploaded: nothing under .git is",
                      ".git is not uploaded: nothing under .git is",
                      "A.app/absolute is not uploaded: the symbolic link leads out",
                      "A.app/out is not uploaded: the symbolic link leads out",
                      "link.app is not uploaded: it is a symbolic link"):
            self.assertIn(words, said)

    def test_what_is_left_out_takes_ten_lines(self) -> None:
        self.put("top/a/b")
        for index in range(40):
            os.symlink("/etc", self.path(f"top/a/{index}"))
        archive = runner.Archive(self.path("top"), 1 << 20)
        self.assertEqual(archive.pack(["a"], self.path("1.zip")), 2)
        self.assertEqual(len(archive.remarks), 10)

    def test_nothing_makes_no_archive(self) -> None:
        os.makedirs(self.path("top"))
        self.assertEqual(self.pack("1.zip", "*.ipa"), 0)
        self.assertFalse(os.path.exists(self.path("1.zip")))

    def test_files_of_earlier_steps_are_unpacked_and_never_outside(self) -> None:
        self.put("top/a/b", b"1", 0o755)
        os.symlink("a", self.path("top/l"))
        runner.Archive(self.path("top"), 1 << 20).pack(["*", "l"], self.path("1.zip"))
        with zipfile.ZipFile(self.path("1.zip"), "a") as archive:
            archive.writestr(runner.Archive._entry("m", stat.S_IFLNK | 0o755), b"a")
        os.makedirs(self.path("new"))
        runner.unpack(self.path("1.zip"), self.path("new"))
        self.assertEqual(os.stat(self.path("new/a/b")).st_mode & 0o777, 0o755)
        self.assertEqual(os.readlink(self.path("new/m")), "a")
        for name in ("../x", "/x", ".git/hooks/x", "out/x"):
            with zipfile.ZipFile(self.path("2.zip"), "w") as archive:
                archive.writestr(name, b"x")
            os.makedirs(self.path("bad"))
            os.symlink(self.folder, self.path("bad/out"))
            with self.assertRaises(runner.Trouble):
                runner.unpack(self.path("2.zip"), self.path("bad"))
            runner.remove_folder(self.path("bad"))
        self.assertFalse(os.path.exists(self.path("x")))


class ServiceTests(FolderCase):
    def test_the_service_starts_the_agent_of_the_folder(self) -> None:
        home = runner.Home(self.path("with space"))
        text = runner.Service(home, "mac-1").text()
        self.assertIn("mac-1", text)
        self.assertIn(home.path("runner.py"), text)

    def test_a_mac_gets_a_property_list(self) -> None:
        was = runner.IS_MAC
        runner.IS_MAC = True
        self.addCleanup(setattr, runner, "IS_MAC", was)
        service = runner.Service(runner.Home(self.folder), "mac-1")
        job = runner.plistlib.loads(service.text().encode())
        self.assertEqual(job["Label"], "ota.runner.mac-1")
        self.assertTrue(job["KeepAlive"] and job["RunAtLoad"])
        self.assertEqual(job["ProgramArguments"][0], "/usr/bin/python3")
        self.assertTrue(service.path.endswith("Library/LaunchAgents/ota.runner.mac-1.plist"))


class CommandTests(FolderCase):
    """Commands of a user who has no server at hand."""

    def command(self, *words: str, path: Optional[str] = None) -> tuple[int, str]:
        environment = {**os.environ, "HOME": self.folder}
        for name in ("XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"):
            environment.pop(name, None)
        if path is not None:
            environment["PATH"] = path
        done = subprocess.run(
            [sys.executable, SCRIPT, *words], env=environment, check=False, timeout=PATIENCE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        return done.returncode, done.stdout.decode()

    def test_a_name_that_was_never_registered_makes_no_folder(self) -> None:
        for words in ("--uninstall", "--once", "--check"):
            code, said = self.command("--name", "zzz", words)
            self.assertEqual(code, 0 if words == "--check" else 2, said)
            if words != "--check":
                self.assertIn("there is no runner zzz", said)
            self.assertFalse(os.path.exists(self.path(".ota-runner")))

    @unittest.skipIf(runner.IS_MAC, "a Mac has no systemctl")
    def test_a_service_without_systemctl_is_explained_and_removed(self) -> None:
        self.put(".ota-runner/mac-1/token", b"otr_1\n")
        self.put(".ota-runner/mac-1/config.json", b'{"server": "https://ota.example.com"}')
        code, said = self.command("--install", path="/nonexistent")
        self.assertEqual(code, 2, said)
        self.assertIn("no systemctl", said)
        self.assertIn("@reboot", said)
        unit = ".config/systemd/user/ota-runner-mac-1.service"
        self.assertFalse(os.path.exists(self.path(unit)))
        self.put(unit)
        code, said = self.command("--uninstall", path="/nonexistent")
        self.assertEqual(code, 0, said)
        self.assertFalse(os.path.exists(self.path(unit)))
        self.assertIn("is not a service", self.command("--uninstall")[1])

    @unittest.skipIf(runner.IS_MAC, "a Mac has no systemctl")
    def test_a_service_without_a_session_is_explained(self) -> None:
        self.put(".ota-runner/mac-1/token", b"otr_1\n")
        self.put(".ota-runner/mac-1/config.json", b'{"server": "https://ota.example.com"}')
        self.put("bin/systemctl", b"#!/bin/sh\necho Failed to connect to bus >&2\nexit 1\n", 0o755)
        path = self.path("bin") + ":" + os.environ["PATH"]
        code, said = self.command("--install", path=path)
        self.assertEqual(code, 2, said)
        self.assertIn("loginctl enable-linger", said)
        self.assertNotIn("connect to bus", said)
        self.assertFalse(os.path.exists(self.path(".config")))


class ToolTests(FolderCase):
    def replace(self, name: str, value: Any) -> None:
        self.addCleanup(setattr, runner, name, getattr(runner, name))
        setattr(runner, name, value)

    def test_what_is_missing_is_named_with_a_fix_of_the_system(self) -> None:
        self.put("bin/apt-get", b"", 0o755)
        self.replace("tool_path", lambda: self.path("bin"))
        self.assertEqual(runner.missing_tools(), ["git"])
        with self.assertRaisesRegex(runner.Trouble, "git is not installed: run `sudo apt-get"):
            runner.require_tools()
        self.replace("IS_MAC", True)
        with self.assertRaisesRegex(runner.Trouble, "xcode-select --install"):
            runner.require_tools()

    def test_a_check_without_git_fails(self) -> None:
        self.replace("tool_path", lambda: self.path("bin"))
        home = runner.Home(self.folder)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            code = runner.check(home, runner.Machine(self.folder), {}, "mac-1")
        self.assertEqual(code, 1)
        self.assertIn("Git      not installed", said.getvalue())


class OptionTests(unittest.TestCase):
    """Every option has a test that shows its effect: this says which."""

    EFFECTS = {
        "name": "test_a_name_that_was_never_registered_makes_no_folder",
        "server": "test_a_plain_address_is_refused_before_anything_is_sent",
        "code": "test_a_new_code_takes_over_from_a_running_agent",
        "authority-sha256": "test_an_authority_that_was_not_given_is_explained",
        "folder": "test_a_registered_agent_keeps_a_copy_of_itself",
        "once": "test_it_builds_and_hands_in",
        "no-update": "test_a_newer_agent_takes_over_unless_the_file_is_to_stay",
        "check": "test_a_check_without_git_fails",
        "install": "test_a_service_without_systemctl_is_explained_and_removed",
        "uninstall": "test_a_service_without_systemctl_is_explained_and_removed",
    }

    def test_every_option_has_a_test_of_its_effect(self) -> None:
        found = {
            word[2:]
            for action in runner.options()._actions
            for word in action.option_strings
            if word.startswith("--") and word != "--help"
        }
        self.assertEqual(found, set(self.EFFECTS))
        tests = {
            name
            for case in vars(sys.modules[__name__]).values()
            if isinstance(case, type) and issubclass(case, unittest.TestCase)
            for name in dir(case)
        }
        self.assertEqual(set(self.EFFECTS.values()) - tests, set())


class MacTests(unittest.TestCase):
    """What a Mac's programs print, where there is none."""

    def setUp(self) -> None:
        self.outputs: dict[str, str] = {}
        for name, value in (("IS_MAC", True), ("output_of", self.output_of)):
            self.addCleanup(setattr, runner, name, getattr(runner, name))
            setattr(runner, name, value)

    def output_of(self, *words: str, seconds: float = 10) -> str:
        return self.outputs.get(" ".join(words), "")

    def test_processes_are_read_with_their_start(self) -> None:
        self.outputs["/bin/ps -ax -o pid= -o stat= -o lstart="] = (
            "    1 Ss   Mon Nov 23 10:00:00 2026\n  501 Z+   Mon Nov 23 10:00:01 2026\n"
            "  502 S    Mon Nov 23 10:00:02 2026"
        )
        expected = {1: "Mon Nov 23 10:00:00 2026", 502: "Mon Nov 23 10:00:02 2026"}
        self.assertEqual(runner.processes(), expected)

    def test_a_line_of_a_variable_is_never_taken_for_a_process(self) -> None:
        self.outputs["/bin/ps -axwwE -o pid= -o command="] = (
            "  400 /usr/bin/other A=b\n  502 bash NOTES=first\n1 fix of things\n\n"
            "OTA_RUN_MARK=abc HOME=/Users/x"
        )
        self.outputs["/bin/ps -wwE -o command= -p 502"] = "bash NOTES=x OTA_RUN_MARK=abc"
        self.outputs["/bin/ps -wwE -o command= -p 1"] = "/sbin/launchd"
        self.outputs["/bin/ps -wwE -o command= -p 400"] = "/usr/bin/other A=b"
        self.assertEqual(runner.marked("abc"), {502})

    def test_a_machine_says_its_system(self) -> None:
        self.outputs["/usr/bin/sw_vers -productVersion"] = "26.1"
        self.assertRegex(runner.system_name(), r"^macOS 26\.1 \(.+\)$")


class ServerTests(unittest.TestCase):
    def test_a_token_travels_over_https_only(self) -> None:
        for url in ("http://ota.example.com", "ftp://x", "ota.example.com", "https://a:b@host",
                    "http://127.0.0.1:80", "http://127.0.0.1.example.com", "http://localhost"):
            with self.assertRaises(runner.Trouble):
                runner.Server(url)
        self.assertEqual(runner.Server("https://127.0.0.1:80/base/").prefix, "/base")

    def test_another_authority_is_refused(self) -> None:
        with self.assertRaises(runner.Trouble):
            runner.proven_authority("no certificate", "00")

    def test_nothing_but_the_pinned_certificate_is_kept(self) -> None:
        for length in (90, 91, 92):
            der = os.urandom(length)
            digest = hashlib.sha256(der).hexdigest()
            genuine = ssl.DER_cert_to_PEM_cert(der)
            other = ssl.DER_cert_to_PEM_cert(os.urandom(length))
            self.assertEqual(runner.proven_authority(genuine, digest), genuine)
            self.assertEqual(runner.proven_authority(genuine.replace("\n", "\r\n"), digest), genuine)
            for text in (
                genuine + other, other + genuine, other, genuine + "x", "x\n" + genuine,
                genuine.replace("-----END", "=\nAAAA\n-----END"), "",
            ):
                with self.assertRaises(runner.Trouble, msg=f"{length}: {text}"):
                    runner.proven_authority(text, digest)


# MARK: The whole agent


class FakeServer(http.server.ThreadingHTTPServer):
    """Follows the protocol, and fails where a test wants it to."""

    daemon_threads = True

    def __init__(self, repository: str, offer: dict[str, Any]):
        super().__init__(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(IDENTITY)
        # The handshake belongs to the thread of the connection.
        self.socket = context.wrap_socket(
            self.socket, server_side=True, do_handshake_on_connect=False
        )
        self.token = "otr_1"
        self.repository = repository
        self.offers = [offer]
        self.log = b""
        self.archive = b""
        # What it gives as its newer agent, and the digest that it names for it.
        self.agent = b""
        self.agent_digest = ""
        self.finished: Optional[dict[str, Any]] = None
        self.abandoned: list[str] = []
        self.beats: list[dict[str, Any]] = []
        self.haves: list[list[str]] = []
        self.requests: list[str] = []
        self.cancel = False
        self.is_held = True
        # Given the kind of a request: what to do instead, before or after it is taken.
        self.fault: Callable[[str], str] = lambda kind: ""
        self.mutex = threading.RLock()

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.server_address[1]}/base"

    def handle_error(self, *_: Any) -> None:
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FakeServer

    def log_message(self, *_: Any) -> None:
        pass

    def answer(self, status: int, value: Any = None) -> None:
        text = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def problem(self, status: int, identifier: str, **members: Any) -> None:
        self.answer(status, {"id": identifier, "detail": "it is so", "fix": "", **members})

    def handle_any(self) -> None:
        parts = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(parts.query))
        path = parts.path
        assert path.startswith("/base/"), path
        kind = path.rsplit("/", 1)[1]
        server = self.server
        with server.mutex:
            server.requests.append(kind)
            fault = server.fault(kind)
        if fault == "cut":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if fault == "cut short":
            self.problem(499, "request.cut")
            return
        if fault == "full":
            self.problem(507, "runner.no-room")
            return
        if fault == "error":
            self.problem(503, "server.busy")
            return
        is_known = self.headers.get("Authorization") == "Bearer " + server.token
        if kind == "poll" and not server.offers and is_known:
            time.sleep(0.2)
            self.send_response(204)
            if server.agent_digest:
                self.send_header("Ota-Agent", server.agent_digest)
            self.end_headers()
            return
        with server.mutex:
            if "/stages/" in path and not server.is_held:
                self.problem(410, "runner.lease-ended")
                return
            reply = self.reply(kind, query, body)
        if fault == "lost":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if fault == "halved":
            self.send_response(200)
            self.send_header("Content-Length", "64")
            self.end_headers()
            self.close_connection = True
            return
        reply()

    do_GET = do_POST = do_PATCH = handle_any

    def reply(self, kind: str, query: dict[str, str], body: bytes) -> Callable[[], None]:
        server = self.server
        if kind == "authority.pem":
            text = authority()[0].encode()

            def send_authority() -> None:
                self.send_response(200)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            return send_authority
        if kind == "runner.py":
            return lambda: self.send_agent()
        if kind == "register":
            given = json.loads(body)
            if given["code"] != "otc_good":
                return lambda: self.problem(401, "runner.bad-code")
            value = {"token": server.token, "name": given["name"], "labels": ["mac"],
                     "mirrors": ["m"]}
            return lambda: self.answer(200, value)
        if self.headers.get("Authorization") != "Bearer " + server.token:
            return lambda: self.problem(401, "runner.unknown-token")
        if kind == "poll":
            offer = server.offers.pop(0)
            return lambda: self.answer(200, offer)
        if kind == "bundle":
            haves = query.get("have", "").split(",") if query.get("have") else []
            server.haves.append(haves)
            if git(server.repository, "rev-parse", "HEAD") in haves:
                return lambda: self.answer(204)
            bundle = make_bundle(server.repository, haves)

            def send() -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/x-git-bundle")
                self.send_header("Content-Length", str(len(bundle)))
                self.end_headers()
                self.wfile.write(bundle)

            return send
        if kind == "beat":
            server.beats.append(json.loads(body))
            value = {"cancel": server.cancel, "leaseSeconds": 60, "logBytes": len(server.log),
                     "archiveBytes": len(server.archive)}
            return lambda: self.answer(200, value)
        if kind in ("log", "archive"):
            text = getattr(server, kind)
            if int(query["offset"]) != len(text):
                return lambda: self.problem(
                    409, "runner.wrong-offset", **{kind + "Bytes": len(text)}
                )
            setattr(server, kind, text + body)
            value = {kind + "Bytes": len(text) + len(body), "cancel": server.cancel}
            return lambda: self.answer(200, value)
        if kind == "finish":
            given = json.loads(body)
            archive = given.get("archive")
            if archive and archive["sha256"] != hashlib.sha256(server.archive).hexdigest():
                server.archive = b""
                return lambda: self.problem(409, "runner.bad-archive", archiveBytes=0)
            server.finished = given
            return lambda: self.answer(200, {})
        if kind == "abandon":
            server.abandoned.append(json.loads(body)["reason"])
            return lambda: self.answer(200, {})
        return lambda: self.problem(404, "not-found")


    def send_agent(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.server.agent)))
        self.end_headers()
        self.wfile.write(self.server.agent)


def git(folder: str, *words: str) -> str:
    environment = {
        "PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.com",
    }
    return subprocess.run(
        ["git", *words], cwd=folder, env=environment, check=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ).stdout.decode().strip()


def make_bundle(repository: str, haves: list[str]) -> bytes:
    path = os.path.join(repository, f"bundle-{random.random()}")
    excluded = ["^" + have for have in haves]
    git(repository, "bundle", "create", path, "refs/heads/main", "--tags", *excluded)
    with open(path, "rb") as file:
        return file.read()


class AgentCase(FolderCase):
    def setUp(self) -> None:
        super().setUp()
        self.repository = self.path("repository")
        os.makedirs(self.repository)
        git(self.repository, "init", "--quiet", "--initial-branch=main", ".")
        self.commit = self.make_commit("one")
        git(self.repository, "tag", "v1.0")
        self.server = FakeServer(self.repository, {})
        self.server.offers = []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def make_commit(self, text: str) -> str:
        self.put("repository/file.txt", text.encode())
        git(self.repository, "add", "file.txt")
        git(self.repository, "commit", "--quiet", "-m", text)
        return git(self.repository, "rev-parse", "HEAD")

    def offer(self, *scripts: str, **more: Any) -> dict[str, Any]:
        value: dict[str, Any] = {
            "mirror": "m", "build": 1, "attempt": 1, "commit": self.commit, "subject": "v1.0",
            "labels": ["mac"], "environment": {"VERSION": "1.0"}, "secrets": {},
            "artifacts": ["out/*"], "hasFiles": False, "leaseSeconds": 60, "beatSeconds": 0.2,
            "agent": runner.OWN_DIGEST,
            "limits": {"seconds": 60, "logBytes": 1 << 20, "fileBytes": 64 << 20,
                       "diskBytes": 1 << 30},
            "steps": [
                {"index": index, "name": f"step {index}", "run": script, "environment": {}}
                for index, script in enumerate(scripts)
            ],
        }
        value.update(more)
        self.server.offers.append(value)
        return value

    def start(self, *more: str) -> subprocess.Popen[bytes]:
        words = [sys.executable, SCRIPT, "--name", "mac-1", "--folder", self.path("home")]
        if not os.path.exists(self.path("home", "token")):
            words += ["--server", self.server.url, "--code", "otc_good"]
            words += ["--authority-sha256", authority()[1]]
        process = subprocess.Popen(
            [*words, *more], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        assert process.stdout
        self.addCleanup(process.stdout.close)
        return process

    def build(self) -> tuple[int, str]:
        process = self.start("--once")
        said = process.communicate(timeout=PATIENCE)[0].decode()
        self.assertEqual(os.listdir(self.path("home")).count("job.json"), 0, said)
        work = self.path("home", "work")
        self.assertEqual(os.listdir(work) if os.path.isdir(work) else [], [], said)
        return process.returncode, said

    def wait_for(self, condition: Callable[[], Any], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)

    @property
    def log(self) -> str:
        return self.server.log.decode()

    def running(self, mark: str) -> bool:
        return mark in subprocess.run(
            ["ps", "-axww", "-o", "command"], stdout=subprocess.PIPE, check=False
        ).stdout.decode()


class BuildTests(AgentCase):
    def test_it_builds_and_hands_in(self) -> None:
        self.offer(
            "cat file.txt; git describe --tags; echo $VERSION $MORE; git remote; pwd -P",
            "mkdir out; echo made >out/app.ipa; echo $TOKEN; test -d $OTA_DERIVED_DATA; cat",
            secrets={"TOKEN": "hunter22"},
        )
        self.server.offers[0]["steps"][0]["environment"] = {"MORE": "too"}
        code, said = self.build()
        self.assertEqual(code, 0, said + self.log)
        self.assertIn("onev1.0\n1.0 too\n", self.log)
        self.assertIn("── step 0\n", self.log)
        self.assertIn("***\n", self.log)
        self.assertNotIn("hunter22", self.log)
        finished = self.server.finished or {}
        self.assertEqual(finished["ending"], "succeeded")
        self.assertEqual([step["state"] for step in finished["steps"]], ["succeeded"] * 2)
        with open(self.path("in.zip"), "wb") as file:
            file.write(self.server.archive)
        with zipfile.ZipFile(self.path("in.zip")) as archive:
            self.assertEqual(archive.read("out/app.ipa"), b"made\n")
        mode = os.stat(self.path("home", "token")).st_mode
        self.assertEqual(mode & 0o777, 0o600)

    def test_a_second_build_fetches_what_is_new(self) -> None:
        self.offer("true")
        self.build()
        first = self.commit
        self.commit = self.make_commit("two")
        git(self.repository, "tag", "v2.0")
        self.offer("git describe --tags", build=2)
        self.server.log = b""
        code, said = self.build()
        self.assertEqual(code, 0, said)
        self.assertEqual(self.server.haves, [[], [first]])
        self.assertIn("v2.0", self.log)

    def test_a_broken_copy_is_made_anew(self) -> None:
        self.offer("true")
        self.build()
        runner.remove_folder(self.path("home", "cache", "m.git", "objects"))
        self.server.log = b""
        self.offer("cat file.txt")
        code, said = self.build()
        self.assertEqual(code, 0, said + self.log)
        self.assertIn("one", self.log)

    def test_a_step_that_fails_ends_the_build(self) -> None:
        self.offer("false | true", "echo never")
        self.assertEqual(self.build()[0], 1)
        finished = self.server.finished or {}
        self.assertEqual(finished["ending"], "failed")
        self.assertEqual(finished["reason"], "step “step 0” failed with exit status 1")
        self.assertEqual(len(finished["steps"]), 1)
        self.assertNotIn("never", self.log)

    def test_a_build_that_failed_hands_in_what_is_there(self) -> None:
        self.offer("mkdir -p out/T.xcresult; echo kept > out/T.xcresult/data; exit 65", "echo never")
        self.assertEqual(self.build()[0], 1)
        finished = self.server.finished or {}
        self.assertEqual(finished["reason"], "step “step 0” failed with exit status 65")
        self.assertEqual(finished["archive"]["bytes"], len(self.server.archive))
        with zipfile.ZipFile(io.BytesIO(self.server.archive)) as archive:
            self.assertEqual(archive.read("out/T.xcresult/data"), b"kept\n")
        self.assertIn("── uploading 2 files and folders", self.log)

    def test_a_build_that_failed_ends_so_where_its_files_are_refused(self) -> None:
        cases = [("echo x > file; mkdir out; exit 3", {"diskBytes": 1 << 30}, "full",
                  "note: the artifacts of this failed build are not uploaded: it is so"),
                 ("mkdir out; head -c 3000000 /dev/urandom > out/a; exit 3", {"diskBytes": 1 << 20},
                  "", "note: no file is uploaded: ")]
        for script, limits, fault, words in cases:
            offer = self.offer(script, artifacts=["file", "out/a"])
            offer["limits"].update(limits)
            self.server.log = self.server.archive = b""
            self.server.fault = lambda kind, fault=fault: fault if kind == "archive" else ""
            with self.subTest(fault):
                said = self.build()[1]
                finished = self.server.finished or {}
                self.assertEqual(finished.get("ending"), "failed", said)
                self.assertNotIn("archive", finished)
                self.assertIn(words, self.log)

    def test_a_build_that_is_cancelled_hands_in_nothing(self) -> None:
        self.offer("mkdir out; echo a > out/a; sleep 60")
        process = self.start("--once")
        self.wait_for(lambda: any(beat["steps"] for beat in self.server.beats), "a step")
        self.server.cancel = True
        process.communicate(timeout=PATIENCE)
        self.assertEqual(self.server.archive, b"")

    def test_limits_end_a_step(self) -> None:
        cases = [
            ("yes", {"logBytes": 100_000}, "printed too much"),
            ("sleep 60", {"seconds": 1}, "was stopped after the 1 s that the build had left"),
            ("dd if=/dev/zero of=f bs=1M count=9", {"fileBytes": 1 << 20},
             "writing a file of more than"),
            ("dd if=/dev/zero of=f bs=1M count=20 2>/dev/null; sleep 60", {"diskBytes": 5 << 20},
             "of disk space"),
        ]
        for script, limits, words in cases:
            offer = self.offer(script)
            offer["limits"].update(limits)
            self.server.log = b""
            with self.subTest(words):
                self.build()
                self.assertIn(words, (self.server.finished or {}).get("reason", ""))

    def test_nothing_that_a_step_started_is_left(self) -> None:
        mark = f"7{random.randrange(10**8)}"
        self.offer(f"sleep {mark} & (setsid sleep {mark} >/dev/null 2>&1 &) ; sleep 0.3; echo on")
        code, said = self.build()
        self.assertEqual(code, 0, said)
        self.assertFalse(self.running(f"sleep {mark}"))

    def test_a_working_directory_stays_inside(self) -> None:
        self.offer("ln -s / out; mkdir in", "pwd", "pwd")
        self.server.offers[0]["steps"][1]["workingDirectory"] = "in"
        self.server.offers[0]["steps"][2]["workingDirectory"] = "out"
        self.build()
        self.assertIn("checkout/in\n", self.log)
        self.assertIn("which is not a folder", (self.server.finished or {})["reason"])


class TroubleTests(AgentCase):
    PRINT = "for i in $(seq 1 40); do echo line $i of the log; sleep 0.02; done; mkdir out; " \
        "head -c 3000000 /dev/urandom >out/app.ipa"

    def test_no_line_is_lost_or_doubled(self) -> None:
        """Whatever happens to a request: refused, cut, or taken and the answer lost."""
        source = random.Random(11)
        faults = [""] * 6 + ["error", "cut", "lost", "halved"]
        # The agent waits twice as long after each fault: it meets at most three in a row.
        in_a_row: dict[str, int] = {}

        def fault(kind: str) -> str:
            if kind == "poll":
                return "lost" if self.server.requests.count("poll") == 1 else ""
            chosen = source.choice(faults)
            if kind in ("authority.pem", "register") or in_a_row.get(kind, 0) == 3:
                chosen = ""
            in_a_row[kind] = in_a_row.get(kind, 0) + 1 if chosen else 0
            return chosen

        self.server.fault = fault
        offer = self.offer(self.PRINT)
        # The answer to a poll that is lost is given again.
        pop = self.server.offers

        class Again(list):  # type: ignore[type-arg]
            def pop(self, index: Any = -1) -> Any:
                return dict(offer, resumes=True)

        self.server.offers = Again(pop)
        code, said = self.build()
        self.assertEqual(code, 0, said + self.log)
        lines = "".join(f"line {i} of the log\n" for i in range(1, 41))
        self.assertIn(lines, self.log)
        self.assertEqual(self.log.count("line 7 of"), 1)
        finished = self.server.finished or {}
        digest = hashlib.sha256(self.server.archive).hexdigest()
        self.assertEqual(finished["archive"]["sha256"], digest)

    def test_an_attempt_that_was_begun_is_not_begun_again(self) -> None:
        """Its log would go on with that of another run."""
        begun = b"another run printed this\n"
        self.server.log = begun
        self.offer("echo begun")
        self.server.offers[0]["resumes"] = True
        process = self.start()
        self.wait_for(lambda: self.server.abandoned, "it gives the build back")
        process.terminate()
        process.wait(10)
        self.assertEqual(self.server.log, begun)
        self.assertNotIn("bundle", self.server.requests)

    def test_a_lease_that_ended_ends_the_build(self) -> None:
        mark = f"8{random.randrange(10**8)}"
        self.offer(f"echo begun; sleep {mark}")
        process = self.start("--once")
        self.wait_for(lambda: "begun" in self.log, "the step begins")
        self.server.is_held = False
        said = process.communicate(timeout=PATIENCE)[0].decode()
        self.assertEqual(process.returncode, 1)
        self.assertIn("build 1 of m ended in step “step 0”: it is so\n", said)
        self.assertFalse(self.running(f"sleep {mark}"))
        self.assertIsNone(self.server.finished)

    def test_a_request_that_was_cut_is_sent_again(self) -> None:
        cut: set[str] = set()

        def fault(kind: str) -> str:
            if kind in cut or kind in ("register", "poll", "authority.pem"):
                return ""
            cut.add(kind)
            return "cut short"

        self.server.fault = fault
        self.offer("mkdir out; echo made >out/app.ipa; echo done")
        code, said = self.build()
        self.assertEqual(code, 0, said + self.log)
        self.assertTrue({"bundle", "beat", "log", "archive", "finish"} <= cut, cut)
        self.assertIn("done\n", self.log)
        self.assertEqual(self.server.abandoned, [])

    def test_a_build_is_cancelled(self) -> None:
        self.offer("echo begun; trap 'echo going; exit 9' TERM; sleep 70 & wait")
        process = self.start("--once")
        self.wait_for(lambda: "begun" in self.log, "the step begins")
        self.server.cancel = True
        said = process.communicate(timeout=PATIENCE)[0].decode()
        self.assertEqual(process.returncode, 1)
        self.assertIn("build 1 of m: cancelled in step “step 0”, after", said)
        self.assertEqual((self.server.finished or {}).get("ending"), "cancelled")

    def test_an_agent_that_is_stopped_gives_its_build_back(self) -> None:
        self.offer("echo begun; sleep 71")
        process = self.start()
        self.wait_for(lambda: "begun" in self.log, "the step begins")
        process.terminate()
        self.assertEqual(process.wait(30), 0)
        self.assertEqual(self.server.abandoned, ["its agent was stopped"])

    def test_an_idle_agent_stops_at_once(self) -> None:
        process = self.start()
        self.wait_for(lambda: "poll" in self.server.requests, "it polls")
        process.terminate()
        self.assertEqual(process.wait(10), 0)

    def test_an_agent_that_was_killed_clears_up_when_it_comes_back(self) -> None:
        mark = f"9{random.randrange(10**8)}"
        self.offer(f"echo begun; sleep {mark} & wait")
        process = self.start()
        self.wait_for(lambda: "begun" in self.log, "the step begins")
        process.kill()
        process.wait()
        self.assertTrue(self.running(f"sleep {mark}"))
        again = self.start()
        self.wait_for(lambda: self.server.abandoned, "it gives the build back")
        self.assertFalse(self.running(f"sleep {mark}"))
        self.wait_for(lambda: not os.path.exists(self.path("home", "work")), "it clears up")
        again.terminate()
        self.assertEqual(again.wait(10), 0)

    def test_an_agent_whose_runner_was_removed_exits(self) -> None:
        process = self.start()
        self.wait_for(lambda: "poll" in self.server.requests, "it polls")
        self.server.token = "otr_2"
        said = process.communicate(timeout=PATIENCE)[0].decode()
        self.assertEqual(process.returncode, 1, said)
        self.assertIn("paste a new line: ota runners code mac-1", said)

    def test_a_service_waits_when_its_runner_was_removed(self) -> None:
        home = runner.Home(self.path("home"))
        home.create()
        agent = runner.Agent(
            home, runner.Server(self.server.url), "mac-1", "otr_gone", runner.Machine(self.folder)
        )
        waits: list[float] = []

        def wait(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == 3:
                agent.stopped.set()

        agent.stopped.wait = wait  # type: ignore[assignment, method-assign]
        agent.server.context = ssl.create_default_context(cafile=IDENTITY)
        os.environ[runner.SERVICE_MARK] = "1"
        self.addCleanup(os.environ.pop, runner.SERVICE_MARK)
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(agent.run(False), 0)
        self.assertEqual(waits, [runner.SECOND_LOOK, 300, 300])

    def test_a_new_code_takes_over_from_a_running_agent(self) -> None:
        self.offer("echo begun; sleep 72")
        first = self.start()
        self.wait_for(lambda: "begun" in self.server.log.decode(), "the step begins")
        second = self.start("--server", self.server.url, "--code", "otc_good",
                            "--authority-sha256", authority()[1])
        self.assertEqual(first.wait(PATIENCE), 0)
        polls = self.server.requests.count("poll")
        self.wait_for(lambda: self.server.requests.count("poll") > polls + 1, "it polls")
        self.assertEqual(self.server.abandoned, ["its agent was stopped"])
        self.assertIsNone(second.poll())
        with open(self.path("home", "lock"), encoding="ascii") as file:
            self.assertEqual(json.loads(file.read())["process"], second.pid)

    def test_a_code_that_is_refused_ends_no_agent(self) -> None:
        first = self.start()
        self.wait_for(lambda: "poll" in self.server.requests, "it polls")
        second = self.start("--server", self.server.url, "--code", "otc_used",
                            "--authority-sha256", authority()[1])
        self.assertEqual(second.wait(PATIENCE), 2)
        self.assertIsNone(first.poll())
        self.assertNotIn("authority.new.pem", os.listdir(self.path("home")))
        polls = self.server.requests.count("poll")
        self.wait_for(lambda: self.server.requests.count("poll") > polls, "it still polls")

    def test_another_program_with_the_number_of_an_agent_is_left_alone(self) -> None:
        self.start()
        self.wait_for(lambda: "poll" in self.server.requests, "it polls")
        other = subprocess.Popen(["sleep", "60"])
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        with open(self.path("home", "lock"), "r+", encoding="ascii") as file:
            file.truncate()
            file.write(json.dumps({"process": other.pid,
                                   "started": runner.processes()[other.pid]}))
        second = self.start("--server", self.server.url, "--code", "otc_good",
                            "--authority-sha256", authority()[1])
        self.assertEqual(second.wait(20), 2)
        self.assertIsNone(other.poll())

    def test_a_registered_agent_keeps_a_copy_of_itself(self) -> None:
        self.offer("true")
        _, said = self.build()
        with open(self.path("home", "runner.py"), "rb") as copy, open(SCRIPT, "rb") as own:
            self.assertEqual(copy.read(), own.read())
        self.assertIn("build 1 of m: steps done", said)
        self.assertNotIn("succeeded", said)

    def test_a_newer_agent_takes_over_unless_the_file_is_to_stay(self) -> None:
        with open(SCRIPT, "rb") as file:
            newer = file.read() + b"\n# newer\n"
        self.server.agent = newer
        self.server.agent_digest = hashlib.sha256(newer).hexdigest()
        # The choice is kept for the starts that follow.
        for words in (["--no-update"], []):
            process = self.start(*words)
            self.server.requests.clear()
            self.wait_for(lambda: self.server.requests.count("poll") > 2, "it asks for work")
            process.terminate()
            said = process.communicate(timeout=PATIENCE)[0].decode()
            self.assertNotIn("newer agent", said)
            self.assertNotIn("runner.py", self.server.requests)
        os.remove(self.path("home", "config.json"))
        process = self.start("--server", self.server.url, "--authority-sha256", authority()[1])
        kept = self.path("home", "runner.py")

        def isNewer() -> bool:
            with open(kept, "rb") as file:
                return file.read() == newer

        self.wait_for(isNewer, "it has the newer file")
        self.server.requests.clear()
        self.wait_for(lambda: self.server.requests.count("poll") > 2, "it goes on as the newer")
        self.assertNotIn("runner.py", self.server.requests)
        process.terminate()
        said = process.communicate(timeout=PATIENCE)[0].decode()
        self.assertEqual(said.count("continues as the server's newer agent"), 1, said)

    def test_a_newer_agent_of_another_digest_is_not_used(self) -> None:
        self.server.agent = b"import os\n"
        self.server.agent_digest = hashlib.sha256(b"import sys\n").hexdigest()
        process = self.start()
        self.wait_for(lambda: "runner.py" in self.server.requests, "it fetches the newer file")
        process.terminate()
        said = process.communicate(timeout=PATIENCE)[0].decode()
        self.assertIn("does not have the digest", said)
        with open(self.path("home", "runner.py"), "rb") as file, open(SCRIPT, "rb") as own:
            self.assertEqual(file.read(), own.read())

    def test_a_failed_registration_leaves_no_folder(self) -> None:
        process = self.start("--code", "otc_wrong")
        self.assertEqual(process.wait(20), 2)
        self.assertFalse(os.path.exists(self.path("home")))

    def test_an_authority_that_was_not_given_is_explained(self) -> None:
        words = [sys.executable, SCRIPT, "--name", "mac-1", "--folder", self.path("home")]
        done = subprocess.run(
            [*words, "--server", self.server.url, "--code", "otc_good"], check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE,
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"--authority-sha256", done.stdout)
        self.assertNotIn(b"[SSL", done.stdout)

    def test_a_plain_address_is_refused_before_anything_is_sent(self) -> None:
        words = [sys.executable, SCRIPT, "--name", "mac-1", "--folder", self.path("home")]
        url = self.server.url.replace("https", "http")
        done = subprocess.run(
            [*words, "--server", url, "--code", "otc_good"], check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE,
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"give https://", done.stdout)
        self.assertEqual(self.server.requests, [])
        self.assertFalse(os.path.exists(self.path("home")))

    def test_a_second_agent_of_the_same_name_is_refused(self) -> None:
        self.start()
        self.wait_for(lambda: "poll" in self.server.requests, "it polls")
        second = self.start()
        self.assertEqual(second.wait(10), 2)

    def test_an_archive_that_was_damaged_is_sent_again(self) -> None:
        damaged = []

        def damage(kind: str) -> str:
            if kind == "finish" and not damaged:
                damaged.append(True)
                self.server.archive = self.server.archive[:-1] + b"?"
            return ""

        self.server.fault = damage
        self.offer("mkdir out; echo made >out/app.ipa")
        self.assertEqual(self.build()[0], 0)
        self.assertEqual(self.server.requests.count("finish"), 2)

    def test_a_log_that_somebody_else_wrote_ends_the_build(self) -> None:
        self.server.log = b"x" * 100_000
        self.offer("echo mine; sleep 5")
        code, said = self.build()
        self.assertEqual(code, 1)
        self.assertIn("did not write", said)

    def test_a_wrong_code_is_said(self) -> None:
        process = self.start("--code", "otc_wrong")
        said = process.communicate(timeout=PATIENCE)[0].decode()
        self.assertEqual(process.returncode, 2)
        self.assertIn("does not accept the code", said)

    @unittest.skipUnless(os.path.exists("/proc/self/status"), "needs /proc")
    def test_an_agent_holds_less_than_40_mb(self) -> None:
        self.offer(self.PRINT, "sleep 20")
        process = self.start()
        self.wait_for(lambda: "step 1" in self.log, "the second step begins")
        with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
            most = next(line for line in file if line.startswith("VmHWM"))
        self.assertLess(int(most.split()[1]), 40 * 1024)


if __name__ == "__main__":
    unittest.main()
