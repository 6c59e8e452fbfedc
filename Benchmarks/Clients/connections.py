"""Opens TLS 1.3 connections and holds them until it is killed.

usage: connections.py PORT COUNT [PATH]

Without PATH the connections are idle. With it each asks for PATH, reads 64 KiB and stops reading,
as a phone does that went out of reach. Writes "ready" when the last one is there.
"""

import signal
import socket
import ssl
import sys

port, count = int(sys.argv[1]), int(sys.argv[2])
path = sys.argv[3] if len(sys.argv) > 3 else None

context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
context.minimum_version = ssl.TLSVersion.TLSv1_3

held = []
for _ in range(count):
    connection = context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=10))
    held.append(connection)
    if path:
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
        connection.sendall(request.encode())
        remaining = 64 * 1024
        while remaining > 0:
            piece = connection.recv(remaining)
            if not piece:
                sys.exit("the server ended a download early")
            remaining -= len(piece)

print("ready", flush=True)
signal.pause()
