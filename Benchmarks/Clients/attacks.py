#!/usr/bin/env python3
"""Measures what anonymous clients can cost a running server, by many misbehaving connections of every kind.

    attacks.py TLS_PORT PID [--app SLUG] [--connections 500] [--seconds 30]

Attacks only this machine. Prints the resident memory of the process before, during and after the attack, its
CPU time, and how long other clients waited for responses meanwhile; exits with 1 if the memory rose by more
than 150 MB, or the slowest twentieth of the other requests took more than 100 ms.
"""

import argparse
import json
import multiprocessing
import os
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


def processor_time(pid):
    with open(f"/proc/{pid}/stat") as status:
        fields = status.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
    """A connection of one kind, and what it sends every second."""

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
    """Keeps its share of the connections open, and reopens those that the server closes."""

    def __init__(self, arguments, numbers, isOver):
        super().__init__(daemon=True)
        self.arguments = arguments
        self.numbers = numbers
        self.isOver = isOver
        self.open = {}
        self.begun = 0
        self.hasBegunAll = False

    def run(self):
        while not self.isOver.is_set():
            for number in self.numbers:
                self.keep(number)
                if self.isOver.is_set():
                    break
            self.hasBegunAll = True
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


def answered(connection):
    """Reads a whole response; a rest would be taken for the beginning of the next one."""
    answer = b""
    while not answer.endswith(b"\r\n\r\nok\n"):
        part = connection.recv(4096)
        if not part:
            return False
        answer += part
    return True


def probe(port, sender, isOver):
    """Measures other clients' waits, in a process of its own that does not compete with the attacking
    threads.
    """
    times = []
    connection = None
    while not isOver.is_set():
        try:
            if connection is None:
                connection = secure(port)
            began = time.monotonic()
            connection.sendall(get("/healthz"))
            if not answered(connection):
                connection = None
                continue
            times.append(1000 * (time.monotonic() - began))
        except OSError:
            times.append(20_000)
            connection = None
        time.sleep(0.05)
    sender.send(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("pid", type=int)
    parser.add_argument("--app", default="sample")
    parser.add_argument("--connections", type=int, default=500)
    parser.add_argument(
        "--seconds", type=int, default=30, help="how long, once all connections have begun")
    arguments = parser.parse_args()

    for path in ("/healthz", "/public/openapi.yaml", f"/apps/{arguments.app}"):
        with secure(arguments.port) as client:
            client.sendall(get(path))
            client.recv(65536)
    time.sleep(1)
    rest = resident(arguments.pid)
    work = processor_time(arguments.pid)
    isOver = multiprocessing.Event()
    receiver, sender = multiprocessing.Pipe(duplex=False)
    prober = multiprocessing.Process(
        target=probe, args=(arguments.port, sender, isOver), daemon=True
    )
    attackers = [
        Attacker(arguments, range(first, arguments.connections, 16), isOver) for first in range(16)
    ]
    for thread in [prober, *attackers]:
        thread.start()
    most = rest
    held = 0
    # A busy machine takes a while to open all of them.
    latest = time.monotonic() + 240
    end = None
    while time.monotonic() < (end or latest):
        if end is None and all(attacker.hasBegunAll for attacker in attackers):
            end = time.monotonic() + arguments.seconds
        most = max(most, resident(arguments.pid))
        held = max(held, sum(len(attacker.open) for attacker in attackers))
        time.sleep(0.2)
    isOver.set()
    work = processor_time(arguments.pid) - work
    times = receiver.recv() if receiver.poll(25) else []
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
        "processorSeconds": round(work, 1),
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
