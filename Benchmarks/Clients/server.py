"""A server on this machine, as used by the clients of the benchmarks."""

import http.client
import ssl
import time

HOST = "127.0.0.1"


def trusting():
    """A TLS 1.3 context that accepts any certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


def processor(pid):
    """The CPU time of a process in seconds, with nanosecond precision."""
    # The clock ID of another process, computed as by clock_getcpuclockid(3).
    return time.clock_gettime(~pid << 3 | 2)


def resident(pid):
    """The resident memory of a process, in bytes."""
    with open(f"/proc/{pid}/smaps_rollup") as rollup:
        for line in rollup:
            if line.startswith("Rss:"):
                return int(line.split()[1]) * 1024
    return 0


class Admin:
    """A persistent connection, and an admin's token."""

    def __init__(self, port, token):
        self.connection = http.client.HTTPSConnection(HOST, port, context=trusting(), timeout=60)
        self.origin = f"https://{HOST}:{port}"
        with open(token) as file:
            self.token = file.read().strip()

    def ask(self, method, path, body=None, fields=None):
        """Returns the body of a response; exits if the request failed."""
        answer = self.raw(method, path, body, fields or self.authorization)
        text = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{method} {path}: {answer.status} {text[:200]}")
        return text

    def raw(self, method, path, body, fields):
        self.connection.request(method, path, body, fields)
        return self.connection.getresponse()

    @property
    def authorization(self):
        return {"Authorization": f"Bearer {self.token}"}

    def sign_in(self):
        """Returns the header fields of a signed-in browser."""
        fields = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.origin}
        answer = self.raw("POST", "/admin/sign-in", f"to=/admin&token={self.token}", fields)
        answer.read()
        cookie = answer.getheader("Set-Cookie")
        if answer.status != 303 or not cookie:
            raise SystemExit(f"signing in: {answer.status}")
        return {"Cookie": cookie.split(";")[0]}

    def rename(self, app, title):
        """Makes a change that pages show."""
        fields = {"Content-Type": "application/json", **self.authorization}
        self.ask("PATCH", f"/api/v1/apps/{app}", f'{{"title": "{title}"}}', fields)
