#!/usr/bin/env python3
"""What strangers cost a running server: many connections of every bad kind at once.

    attacks.py TLS_PORT PID [--app SLUG] [--connections 500] [--seconds 30]

Only ever against this machine. Prints the resident memory of the process before, during and after, and
how long others waited for answers meanwhile; exits 1 when the memory rose by more than 150 MB or the
slowest twentieth of the others waited for more than 100 ms.
"""

import argparse
import json
import socket
import ssl
import statistics
import sys
import threading
import time

HOST = "127.0.0.1"


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0.0


def plain(port):
    return socket.create_connection((HOST, port), timeout=20)


def secure(port):
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context.wrap_socket(plain(port), server_hostname="localhost")


def get(path):
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def post(path, length, kind):
    return (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()


FORM = "application/x-www-form-urlencoded"


class Attack:
    """One connection of one kind, and what it sends every second."""

    def __init__(self, kind, port, app):
        self.beat = None
        if kind == "half-handshake":
            self.socket = plain(port)
            self.socket.sendall(bytes.fromhex("1603010200010001fc0303"))
            return
        self.socket = secure(port)
        if kind == "unread-pipeline":
            self.socket.sendall(get("/public/openapi.yaml") * 287)
        elif kind == "unread-pages":
            self.socket.sendall(get(f"/apps/{app}") * 300)
        elif kind == "silent-hook":
            size = 2 << 20
            self.socket.sendall(post("/hooks/none", size, "application/json"))
            self.socket.sendall(b" " * (size - 1))
        elif kind == "slow-head":
            self.socket.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"a" * 12_000)
            self.beat = b"a"
        elif kind == "slow-form":
            self.socket.sendall(post("/admin/sign-in", 8000, FORM) + b"token=" + b"a" * 6000)
            self.beat = b"a"
        elif kind == "slow-hook":
            self.socket.sendall(post("/hooks/none", 2 << 20, "application/json"))
            self.beat = b" " * 1500
        elif kind == "events":
            self.socket.sendall(get(f"/events?app={app}&after=0000-00:0"))


KINDS = [
    "unread-pipeline", "unread-pages", "silent-hook", "slow-head", "slow-form", "slow-hook", "events",
    "half-handshake",
]


class Attacker(threading.Thread):
    """Keeps its part of the connections open; what the server ends begins again."""

    def __init__(self, arguments, numbers, end):
        super().__init__(daemon=True)
        self.arguments = arguments
        self.numbers = numbers
        self.end = end
        self.open = {}
        self.begun = 0

    def run(self):
        while time.monotonic() < self.end:
            for number in self.numbers:
                self.keep(number)
                if time.monotonic() >= self.end:
                    break
            time.sleep(0.5)

    def keep(self, number):
        try:
            attack = self.open.get(number)
            if attack is None:
                kind = KINDS[number % len(KINDS)]
                self.open[number] = Attack(kind, self.arguments.port, self.arguments.app)
                self.begun += 1
            elif attack.beat:
                attack.socket.sendall(attack.beat)
            else:
                attack.socket.send(b"")
        except OSError:
            self.open.pop(number, None)


def probe(port, times, end):
    connection = None
    while time.monotonic() < end:
        try:
            if connection is None:
                connection = secure(port)
            began = time.monotonic()
            connection.sendall(get("/healthz"))
            if not connection.recv(4096):
                connection = None
                continue
            times.append(1000 * (time.monotonic() - began))
        except OSError:
            times.append(20_000)
            connection = None
        time.sleep(0.05)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("pid", type=int)
    parser.add_argument("--app", default="sample")
    parser.add_argument("--connections", type=int, default=500)
    parser.add_argument("--seconds", type=int, default=30)
    arguments = parser.parse_args()

    for path in ("/healthz", "/public/openapi.yaml", f"/apps/{arguments.app}"):
        with secure(arguments.port) as client:
            client.sendall(get(path))
            client.recv(65536)
    time.sleep(1)
    rest = resident(arguments.pid)
    end = time.monotonic() + arguments.seconds
    times = []
    prober = threading.Thread(target=probe, args=(arguments.port, times, end), daemon=True)
    attackers = [
        Attacker(arguments, range(first, arguments.connections, 16), end) for first in range(16)
    ]
    for thread in [prober, *attackers]:
        thread.start()
    most = rest
    held = 0
    while time.monotonic() < end:
        most = max(most, resident(arguments.pid))
        held = max(held, sum(len(attacker.open) for attacker in attackers))
        time.sleep(0.2)
    prober.join(25)
    for attacker in attackers:
        attacker.join(25)
        for attack in list(attacker.open.values()):
            attack.socket.close()
    time.sleep(3)
    times.sort()
    figures = {
        "connections": held,
        "begun": sum(attacker.begun for attacker in attackers),
        "restMB": round(rest, 1),
        "mostMB": round(most, 1),
        "moreMB": round(most - rest, 1),
        "afterMB": round(resident(arguments.pid), 1),
        "probes": len(times),
        "medianMS": round(statistics.median(times), 1) if times else None,
        "p95MS": round(times[int(0.95 * (len(times) - 1))], 1) if times else None,
        "slowestMS": round(times[-1], 1) if times else None,
    }
    print(json.dumps(figures))
    sys.exit(0 if most - rest < 150 and times and figures["p95MS"] < 100 else 1)


if __name__ == "__main__":
    main()
