"""Terminates TLS and forwards the connections, as a CDN or a load balancer does in front of a store.

Usage: tls.py CERTIFICATE KEY PORT; prints the port on which it listens.
"""
import asyncio
import ssl
import sys


async def pipe(reader, writer):
    while piece := await reader.read(1 << 16):
        writer.write(piece)
        await writer.drain()


async def connection(reader, writer):
    there, back = await asyncio.open_connection("127.0.0.1", int(sys.argv[3]))
    work = [asyncio.create_task(pipe(reader, back)), asyncio.create_task(pipe(there, writer))]
    await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
    for task in work:
        task.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    for end in (writer, back):
        end.close()


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server = await asyncio.start_server(connection, "127.0.0.1", 0, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
