"""A receiver of webhooks that can misbehave, and an independent verifier of their signatures.

Usage: receiver.py RECORD SECRET [CERTIFICATE KEY]. Prints its port, then appends a JSON line to
RECORD for each request. The path chooses the response.
"""
import hashlib, hmac, http.server, json, ssl, sys, threading, time

record, secret = sys.argv[1], sys.argv[2].encode()
lock = threading.Lock()
seen = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        size = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(size)
        if len(body) < size:
            # The sender was killed; no receiver takes half a message for a whole one.
            self.close_connection = True
            return
        stamp = self.headers.get("X-Ota-Timestamp", "")
        good = "sha256=" + hmac.new(secret, stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
        with lock:
            count = seen[self.path] = seen.get(self.path, 0) + 1
            with open(record, "a") as file:
                json.dump(
                    {
                        "path": self.path,
                        "host": self.headers.get("Host"),
                        "delivery": self.headers.get("X-Ota-Delivery"),
                        "event": self.headers.get("X-Ota-Event"),
                        "timestamp": stamp,
                        "signature": self.headers.get("X-Ota-Signature"),
                        "verified": hmac.compare_digest(good, self.headers.get("X-Ota-Signature", "")),
                        "body": body.decode(),
                    },
                    file,
                )
                file.write("\n")
        kind = self.path.split("?")[0].split("/")[1]
        if kind == "hang":
            time.sleep(3600)
        elif kind == "huge":
            self.answer(200, {"Content-Length": str(1 << 30)}, b"")
            piece = b"x" * 65536
            try:
                for _ in range((1 << 30) // len(piece)):
                    self.wfile.write(piece)
            except OSError:
                with lock, open(record + ".cut", "a") as file:
                    file.write("cut\n")
        elif kind == "drip":
            try:
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                while True:
                    self.wfile.write(b"X: y\r\n")
                    time.sleep(0.2)
            except OSError:
                pass
        elif kind == "trickle":
            self.answer(200, {"Content-Length": str(1 << 20)}, b"")
            try:
                while True:
                    self.wfile.write(b"x")
                    time.sleep(0.2)
            except OSError:
                pass
        elif kind == "redirect":
            self.answer(302, {"Location": "/ok/redirected", "Content-Length": "0"}, b"")
        elif kind == "flaky":
            self.answer(500 if count <= int(self.path.split("/")[2]) else 204, {"Content-Length": "0"}, b"")
        elif kind == "close":
            self.connection.shutdown(2)
        elif kind == "garbage":
            self.wfile.write(b"\x00\xff\x16 not HTTP at all\r\n\r\n")
        else:
            self.answer(int(kind) if kind.isdigit() else 200, {"Content-Length": "2"}, b"ok")

    def answer(self, status, fields, body):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3], sys.argv[4])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
