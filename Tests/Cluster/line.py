"""The connection from one server to the object store: it is cut, slow, refuses, and loses responses."""

import asyncio
import random
import re
import threading

REFUSED = (b"HTTP/1.1 %d Refused\r\nContent-Type: application/xml\r\nContent-Length: %d\r\n\r\n%s")


class Line:
    """A proxy on a port of its own, which forwards requests unless a fault is set."""

    def __init__(self, store: int, seed: int):
        self.store = store
        self.random = random.Random(seed)
        self.is_cut = False
        #: The delay of each request, in seconds.
        self.delay = 0.0
        #: The share of requests that are not forwarded, but answered with 500 or 503.
        self.refusing = 0.0
        #: The number of next conditional writes whose responses are dropped.
        self.losing = 0
        self.lost = self.refused = self.passed = 0
        self.ends: set = set()
        self.loop = asyncio.new_event_loop()
        begun = threading.Event()
        threading.Thread(target=self._run, args=(begun,), daemon=True).start()
        begun.wait()

    def cut(self):
        self.is_cut = True
        self.loop.call_soon_threadsafe(lambda: [end.transport.abort() for end in list(self.ends)])

    def mend(self):
        self.is_cut, self.delay, self.refusing, self.losing = False, 0.0, 0.0, 0

    def _run(self, begun):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self._connection, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        begun.set()
        self.loop.run_forever()

    async def _connection(self, reader, writer):
        back = None
        self.ends.add(writer)
        try:
            if self.is_cut:
                return
            there, back = await asyncio.open_connection("127.0.0.1", self.store)
            self.ends.add(back)
            while await self._exchange(reader, writer, there, back):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            for end in (writer, back):
                if end:
                    self.ends.discard(end)
                    end.transport.abort()

    async def _exchange(self, reader, writer, there, back) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        if self.is_cut:
            return False
        if self.delay:
            await asyncio.sleep(self.delay)
        size = _number(head, b"content-length") or 0
        if self.random.random() < self.refusing:
            await _read(reader, size)
            status = self.random.choice((500, 503))
            code = b"<Error><Code>SlowDown</Code></Error>" if status == 503 \
                else b"<Error><Code>InternalError</Code></Error>"
            self.refused += 1
            writer.write(REFUSED % (status, len(code), code))
            await writer.drain()
            return True
        back.write(head)
        while size > 0:
            piece = await reader.readexactly(min(size, 1 << 16))
            size -= len(piece)
            back.write(piece)
            await back.drain()
        answer = await there.readuntil(b"\r\n\r\n")
        if self.losing > 0 and head.startswith(b"PUT ") and re.search(rb"\r\nif-(none-)?match:", head, re.I):
            self.losing -= 1
            self.lost += 1
            return False
        self.passed += 1
        writer.write(answer)
        status = int(answer.split(b" ", 2)[1])
        if head.startswith(b"HEAD ") or status in (204, 304):
            await writer.drain()
            return True
        size = _number(answer, b"content-length")
        if size is None:
            # A chunked body, or one until the end: forward bytes until one side closes.
            while piece := await there.read(1 << 16):
                writer.write(piece)
                await writer.drain()
                if piece.endswith(b"0\r\n\r\n"):
                    return True
            return False
        while size > 0:
            piece = await there.read(min(size, 1 << 16))
            if not piece:
                return False
            size -= len(piece)
            writer.write(piece)
            await writer.drain()
        await writer.drain()
        return True


def _number(head: bytes, name: bytes):
    found = re.search(rb"\r\n" + name + rb": *(\d+)", head, re.I)
    return int(found[1]) if found else None


async def _read(reader, size: int):
    while size > 0:
        size -= len(await reader.readexactly(min(size, 1 << 16)))
