"""Forwards requests to an object store, and writes each to a file: method, target, range.

Usage: counting.py PORT-OF-THE-STORE FILE; prints the port on which it listens.
"""
import asyncio
import sys

store, entries = int(sys.argv[1]), open(sys.argv[2], "a", buffering=1)


async def requests(reader, writer):
    """Reads head by head and skips bodies, so that nothing in a body is counted."""
    while head := await reader.readuntil(b"\r\n\r\n"):
        lines = head.decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        method, target, _ = lines[0].split(" ")
        entries.write(f"{method} {target} {fields.get('range', '-')}\n")
        writer.write(head)
        left = int(fields.get("content-length", 0))
        while left:
            piece = await reader.read(min(left, 1 << 16))
            if not piece:
                return
            left -= len(piece)
            writer.write(piece)
            await writer.drain()


async def answers(reader, writer):
    while piece := await reader.read(1 << 16):
        writer.write(piece)
        await writer.drain()


async def connection(reader, writer):
    there, back = await asyncio.open_connection("127.0.0.1", store)
    work = [asyncio.create_task(requests(reader, back)), asyncio.create_task(answers(there, writer))]
    await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
    for task in work:
        task.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    for end in (writer, back):
        end.close()


async def main():
    server = await asyncio.start_server(connection, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
