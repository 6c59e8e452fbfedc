"""Listens to an app's events on many connections, and prints their delays and their cost as JSON.

usage: listeners.py PORT PID TOKEN COUNT APP SLUG COMMAND…

TOKEN is the file with an admin's token. The app's title is changed by the server, and by COMMAND followed by
the new title. A change by the server counts from the request, one by COMMAND from its end. The cost of the
same changes without listeners is subtracted.
"""

import json
import select
import socket
import ssl
import statistics
import subprocess
import sys
import time

from server import HOST, Admin, processor, resident, trusting

port, pid, token, count, app, slug = (
    int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), sys.argv[5], sys.argv[6]
)
command = sys.argv[7:]
ROUNDS = 5
# The seconds after a change in which all listeners should have received it.
WINDOW = 2.0

admin = Admin(port, token)
context = trusting()
poll = select.epoll()


def listen(number):
    """Opens a stream, and reads until it has begun."""
    # Uses several client addresses, as the server limits the streams of one address.
    source = (f"127.0.{1 + number // 200}.1", 0)
    plain = socket.create_connection((HOST, port), timeout=20, source_address=source)
    stream = context.wrap_socket(plain)
    stream.sendall(f"GET /events?app={slug} HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n".encode())
    text = b""
    while b": listening" not in text:
        piece = stream.recv(4096)
        if not piece or b" 503 " in text:
            sys.exit(f"a listener was turned away: {text[:200]}")
        text += piece
    # Edge-triggered, so that the next event is reported although nothing is read: reading would compete with
    # the server for the CPU.
    poll.register(stream, select.EPOLLIN | select.EPOLLET)
    return stream


def by_server(title):
    began = time.monotonic()
    admin.rename(app, title)
    return began


def by_command(title):
    subprocess.run(command + [title], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic()


def change(make, title, listeners):
    """Returns the milliseconds until each listener received the event, and the server's CPU seconds."""
    poll.poll(0)
    before = processor(pid)
    began = make(title)
    end = time.monotonic() + WINDOW
    arrived = {}
    while (now := time.monotonic()) < end:
        for number, _ in poll.poll(end - now, maxevents=max(1, listeners)):
            arrived.setdefault(number, time.monotonic())
    cost = processor(pid) - before
    if len(arrived) < listeners:
        sys.exit(f"only {len(arrived)} of {listeners} listeners heard of a change")
    return sorted(max(0, 1000 * (when - began)) for when in arrived.values()), cost


def rounds(listeners):
    """Returns the results of changes by the server and by COMMAND."""
    found = {make: [] for make in (by_server, by_command)}
    for number in range(ROUNDS):
        for make in found:
            found[make].append(change(make, f"Title {make.__name__} {listeners} {number}", listeners))
    return found


def waits(changes):
    """Returns the medians of all rounds."""
    def at(share):
        return statistics.median(sorted_[int(share * (len(sorted_) - 1))] for sorted_, _ in changes)
    return {"p50": at(0.5), "p99": at(0.99), "last": at(1)}


def heard(stream):
    """Returns how many changes a stream has received."""
    stream.setblocking(False)
    text = b""
    try:
        while piece := stream.recv(65536):
            text += piece
    except ssl.SSLWantReadError:
        pass
    return text.count(b"event: changed")


alone = rounds(0)
before = resident(pid)
streams = [listen(number) for number in range(count)]
# Reopened for the next change: the server closes an idle connection.
admin.connection.close()
time.sleep(1)
memory = (resident(pid) - before) / count
together = rounds(count)
wanted = 2 * ROUNDS
if any(heard(stream) != wanted for stream in streams):
    sys.exit("not every listener heard of every change")


def cost(found):
    return statistics.median(seconds for _, seconds in found[by_server])


print(json.dumps({
    "byServer": waits(together[by_server]),
    "byCommand": waits(together[by_command]),
    "processor": 1e6 * (cost(together) - cost(alone)) / count,
    "memory": memory,
}))
