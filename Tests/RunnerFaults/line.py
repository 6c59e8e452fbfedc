"""The connection between agents and the server: a proxy that parses, cuts, stalls and loses responses."""

import re
import select
import socket
import ssl
import struct
import threading
import time
from pathlib import Path

LOG = re.compile(rb"^PATCH [^ ]*/runner/stages/([^/]+)/(\d+)/(\d+)/log\?offset=(\d+) ")


class Messages:
    """Parses the HTTP messages of one direction, which arrive in pieces."""

    def __init__(self, told):
        self.told = told
        self.bytes = bytearray()
        self.head = None
        self.length = 0

    def take(self, piece: bytes):
        self.bytes += piece
        while True:
            if self.head is None:
                end = self.bytes.find(b"\r\n\r\n")
                if end < 0:
                    return
                self.head = bytes(self.bytes[:end])
                del self.bytes[:end + 4]
                length = re.search(rb"\r\ncontent-length: *(\d+)", self.head, re.I)
                self.length = int(length[1]) if length else 0
                if b"\r\ntransfer-encoding:" in self.head.lower():
                    self.length = -1
            if self.length < 0:
                end = self.bytes.find(b"0\r\n\r\n")
                if end < 0:
                    return
                body, rest = bytes(self.bytes[:end]), end + 5
            else:
                if len(self.bytes) < self.length:
                    return
                body, rest = bytes(self.bytes[:self.length]), self.length
            del self.bytes[:rest]
            head, self.head = self.head, None
            self.told(head, body)


class Line:
    """Listens for agents, and forwards what they and the server send."""

    def __init__(self, port: int, server: int, certificate: Path, key: Path):
        self.server = server
        self.lock = threading.Lock()
        #: The log bytes that the server has acknowledged, by mirror, build and attempt.
        self.acknowledged: dict[tuple[str, int, int], bytearray] = {}
        self.offers = 0
        self.connections: set = set()
        self.isDown = False
        self.isStalled = False
        #: The number of next responses that are lost, together with their connections.
        self.losses = 0
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.towards = ssl._create_unverified_context()
        self.listener = socket.create_server(("127.0.0.1", port), backlog=200)
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        """Cuts every connection."""
        with self.lock:
            pairs = list(self.connections)
        for pair in pairs:
            pair.isCut = True

    def _accept(self):
        while True:
            connection, _ = self.listener.accept()
            if self.isDown:
                reset(connection)
                continue
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket):
        pair = Pair(self)
        try:
            connection.settimeout(20)
            pair.agent = self.context.wrap_socket(connection, server_side=True)
            upstream = socket.create_connection(("127.0.0.1", self.server), timeout=20)
            pair.server = self.towards.wrap_socket(upstream)
        except OSError:
            reset(pair.agent or connection)
            return
        with self.lock:
            self.connections.add(pair)
        try:
            pair.run()
        except (OSError, ValueError):
            pass
        finally:
            with self.lock:
                self.connections.discard(pair)
            reset(pair.agent)
            reset(pair.server)

    def note(self, key, offset: int, body: bytes, answer: bytes):
        count = re.search(rb'"logBytes"\s*:\s*(\d+)', answer)
        with self.lock:
            kept = self.acknowledged.setdefault(key, bytearray())
            if count and int(count[1]) == offset + len(body) and offset <= len(kept):
                kept[offset:] = body


def reset(connection):
    try:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    except (OSError, AttributeError):
        pass


class Pair:
    """An agent's connection, and its counterpart to the server."""

    def __init__(self, line: Line):
        self.line = line
        self.agent = self.server = None
        self.isCut = False
        self.asked: list = []

    def run(self):
        requests = Messages(self._request)
        answers = Messages(self._answer)
        for end in (self.agent, self.server):
            end.setblocking(False)
        # Includes a connection that began just before the proxy went down.
        while not self.isCut and not self.line.isDown:
            if self.line.isStalled:
                time.sleep(0.05)
                continue
            ready = [end for end in (self.agent, self.server) if end.pending()]
            if not ready:
                ready = select.select([self.agent, self.server], [], [], 0.2)[0]
            for end in ready:
                try:
                    piece = end.recv(1 << 16)
                except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                    continue
                if not piece:
                    return
                (requests if end is self.agent else answers).take(piece)
                if self.isCut or self.line.isDown:
                    return
                self._pass(piece, self.server if end is self.agent else self.agent)

    def _pass(self, piece: bytes, end):
        view = memoryview(piece)
        while view and not self.isCut and not self.line.isDown:
            if self.line.isStalled:
                time.sleep(0.05)
                continue
            try:
                view = view[end.send(view):]
            except ssl.SSLWantWriteError:
                select.select([], [end], [], 0.2)
            except ssl.SSLWantReadError:
                select.select([end], [], [], 0.2)

    def _request(self, head: bytes, body: bytes):
        found = LOG.match(head)
        where = found and (found[1].decode(), int(found[2]), int(found[3])), found and int(found[4])
        self.asked.append((where, body if found else b""))

    def _answer(self, head: bytes, body: bytes):
        status = int(head.split(b" ", 2)[1])
        if status == 100 or not self.asked:
            return
        (key, offset), asked = self.asked.pop(0)
        if key and status == 200:
            self.line.note(key, offset, asked, body)
        if self.line.losses > 0:
            # The agent may have received part of the response.
            self.line.losses -= 1
            self.isCut = True
