"""A store that responds like S3 but ignores conditions: it performs every write.

Usage: careless.py RECORD [CERTIFICATE KEY]. Prints its port, and appends each request to RECORD.
"""
import http.server
import json
import ssl
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        self.rfile.read(int(self.headers.get("content-length") or 0))
        with open(sys.argv[1], "a", encoding="utf-8") as record:
            fields = {name.lower(): value for name, value in self.headers.items()}
            record.write(json.dumps({"path": self.path, "headers": fields}) + "\n")
        status = {"PUT": 200, "DELETE": 204}.get(self.command, 404)
        self.send_response(status)
        self.send_header("ETag", '"1"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD = do_PUT = do_DELETE = answer

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
