"""Starts a server, prints the milliseconds until the first byte of a response, and stops the server.

usage: first_byte.py PORT PATH COMMAND…
"""

import socket
import subprocess
import sys
import time

from server import HOST, trusting

port, path, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]

context = trusting()
request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()

began = time.monotonic()
server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    while True:
        try:
            connection = socket.create_connection((HOST, port), timeout=10)
            break
        except ConnectionRefusedError:
            if server.poll() is not None or time.monotonic() - began > 20:
                sys.exit("the server did not start")
            time.sleep(0.0005)
    secure = context.wrap_socket(connection)
    secure.sendall(request)
    if not secure.recv(1):
        sys.exit("the server gave no answer")
    print(1000 * (time.monotonic() - began))
finally:
    server.terminate()
    server.wait(10)
