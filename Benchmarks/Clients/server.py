"""A server on this machine, as the clients of the benchmarks see it."""

import http.client
import ssl
import time

HOST = "127.0.0.1"


def trusting():
    """TLS 1.3 with whatever certificate the server has."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


def processor(pid):
    """Seconds of processor time that a process has had, exact to the nanosecond."""
    # The number of another process's clock, as clock_getcpuclockid(3) makes it.
    return time.clock_gettime(~pid << 3 | 2)


def resident(pid):
    """Bytes that a process has in memory."""
    with open(f"/proc/{pid}/smaps_rollup") as rollup:
        for line in rollup:
            if line.startswith("Rss:"):
                return int(line.split()[1]) * 1024
    return 0


class Admin:
    """A connection that is kept, and an admin's token."""

    def __init__(self, port, token):
        self.connection = http.client.HTTPSConnection(HOST, port, context=trusting(), timeout=60)
        self.origin = f"https://{HOST}:{port}"
        with open(token) as file:
            self.token = file.read().strip()

    def ask(self, method, path, body=None, fields=None):
        """Gives the body of an answer; ends the program where it is no success."""
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
        """Gives the header fields of a browser that has signed in."""
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
