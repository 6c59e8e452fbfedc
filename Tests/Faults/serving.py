"""A server, and a phone that enrols with it."""

import plistlib
import ssl
import subprocess
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from program import Outcome, Program


class Server:
    """`ota serve` on one store and free ports."""

    def __init__(self, program: Program, store: Path, anchor: Path):
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [program.path, "serve", "--port", "0", "--plain-port", "0", "--trusted-device-ca", anchor,
             "--store", store], cwd=program.folder, env=program.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            self.stop()
            raise RuntimeError(f"the server does not start: {self.log()[-400:]}")
        self.base = line.removeprefix("listening on ").strip()

    @property
    def isTraced(self) -> bool:
        """Whether every thread is traced."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/status")
        return all("TracerPid:\t0\n" not in status.read_text() for status in threads)

    def log(self) -> str:
        self.errors.seek(0)
        return self.errors.read()

    def stop(self) -> int:
        """Kills it, and returns its status if it had already ended."""
        status = self.process.poll()
        self.process.kill()
        self.process.wait()
        return 0 if status is None else status


class Phone:
    """A simulated device: its key, and the authority that a server is made to trust."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.anchor = folder / "devices.pem"
        folder.mkdir()
        for arguments in [
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "authority.key", "-out",
             "devices.pem", "-days", "2", "-subj", "/CN=Apple iPhone Device CA", "-addext",
             "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"],
            ["req", "-newkey", "rsa:2048", "-nodes", "-keyout", "device.key", "-out", "device.csr",
             "-subj", "/CN=00000000-0000-4000-8000-000000000000"],
            ["x509", "-req", "-in", "device.csr", "-CA", "devices.pem", "-CAkey", "authority.key",
             "-CAcreateserial", "-out", "device.pem", "-days", "2"]]:
            subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    def enrol(self, server: Server, udid: str, link: str) -> Outcome:
        """Fetches the profile of an invitation's link, and sends the response."""
        path = "/" + link.split("/", 3)[3]
        try:
            profile = request(server, path + "/profile.mobileconfig")
            request(server, path, self._answer(udid, profile))
            return Outcome(0, "", "")
        except (OSError, ValueError) as error:
            detail = error.read().decode(errors="replace") if hasattr(error, "read") else ""
            return Outcome(1, "", f"{error} {detail[-300:]}")

    def _answer(self, udid: str, profile: bytes) -> bytes:
        """What a device sends after it received this profile."""
        begin, end = profile.index(b"<?xml"), profile.index(b"</plist>") + len(b"</plist>")
        challenge = plistlib.loads(profile[begin:end])["PayloadContent"]["Challenge"]
        content = plistlib.dumps({"UDID": udid, "PRODUCT": "iPhone15,2", "VERSION": "21E236",
                                  "CHALLENGE": challenge})
        return subprocess.run(
            ["openssl", "cms", "-sign", "-binary", "-nodetach", "-md", "sha256", "-signer",
             "device.pem", "-inkey", "device.key", "-outform", "DER"],
            cwd=self.folder, input=content, check=True, capture_output=True).stdout


class Stay(urllib.request.HTTPRedirectHandler):
    """Does not follow redirects."""

    def redirect_request(self, *arguments):
        return None


def request(server: Server, path: str, body: bytes | None = None) -> bytes:
    """Sends a request and returns the response; raises an error for a refusal."""
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), Stay(),
        urllib.request.HTTPSHandler(context=ssl._create_unverified_context()))
    get = lambda path, body: opener.open(
        urllib.request.Request(server.base + path, data=body), timeout=20).read()
    try:
        return get(path, body)
    except urllib.error.HTTPError as error:
        # A device that was accepted gets status 301; a refusal is a page.
        location = error.headers.get("Location", "")
        if error.code != 301:
            raise
        path = "/" + location.split("/", 3)[3] if location.startswith("http") else location
        text = get(path, None).decode().lower()
        if "not enrolled" in text or "could not" in text:
            raise
        return b""
