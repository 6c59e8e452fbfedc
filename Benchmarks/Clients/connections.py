"""Opens TLS 1.3 connections and holds them until it is killed.

usage: connections.py PORT COUNT [--ask PATH | --stall PATH]

Without PATH, no request is sent. With --ask, each connection requests PATH once and reads the response, like
a browser that keeps its connection. With --stall, each requests PATH, reads 64 KiB and stops reading, like
a phone that went out of reach. Prints "ready" when the last connection is open.
"""

import argparse
import http.client
import signal
import socket
import sys

from server import HOST, trusting

parser = argparse.ArgumentParser()
parser.add_argument("port", type=int)
parser.add_argument("count", type=int)
parser.add_argument("--ask")
parser.add_argument("--stall")
arguments = parser.parse_args()

context = trusting()

held = []
for number in range(arguments.count):
    # Uses several client addresses, as no server lets one address open thousands of connections.
    connection = context.wrap_socket(
        socket.create_connection(
            (HOST, arguments.port),
            timeout=10,
            source_address=(f"127.0.{1 + number // 500}.1", 0),
        )
    )
    held.append(connection)
    path = arguments.ask or arguments.stall
    if path:
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{arguments.port}\r\n\r\n"
        connection.sendall(request.encode())
    if arguments.ask:
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        answer.read()
    if arguments.stall:
        remaining = 64 * 1024
        while remaining > 0:
            piece = connection.recv(remaining)
            if not piece:
                sys.exit("the server ended a download early")
            remaining -= len(piece)

print("ready", flush=True)
signal.pause()
