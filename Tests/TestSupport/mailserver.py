"""A real mail server (aiosmtpd), or one that misbehaves.

Usage: mailserver.py RECORD MODE HOST [CERTIFICATE KEY]. Prints its port, then appends a JSON line to RECORD for
each message. MODE is starttls, login (STARTTLS, without AUTH PLAIN), implicit or plain; or, for one that
misbehaves, notls, inject, endless, lines, silent or garbage.
"""
import json, socket, ssl, sys, threading, time

record, mode, host = sys.argv[1:4]
USER, PASSWORD = b"ota", b"a secret w\xc3\xb6rd"


def free_port():
    with socket.socket() as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


def misbehave():
    server = socket.create_server((host, 0))
    print(server.getsockname()[1], flush=True)

    def serve(peer):
        file = peer.makefile("rwb", buffering=0)
        if mode == "silent":
            time.sleep(60)
        if mode == "garbage":
            file.write(b"HTTP/1.1 200 OK\r\n\r\n")
        if mode == "endless":
            try:
                while True:
                    file.write(b"2" * 65536)
            except OSError:
                return
        file.write(b"220 hello\r\n")
        for line in file:
            word = line.split()[0].upper()
            with open(record, "a") as kept:
                kept.write(json.dumps({"from": line.decode(errors="replace").strip(), "to": [], "content": "", "tls": False}) + "\n")
            if word == b"EHLO" and mode == "lines":
                try:
                    while True:
                        file.write(b"250-SIZE\r\n" * 1000)
                except OSError:
                    return
            if word == b"EHLO":
                file.write(b"250-hello\r\n" + (b"" if mode == "notls" else b"250-STARTTLS\r\n") + b"250 AUTH PLAIN\r\n")
            elif word == b"STARTTLS":
                file.write(b"220 go\r\n250-hello\r\n250 AUTH PLAIN\r\n")
            else:
                file.write(b"250 fine\r\n")

    while True:
        peer, _ = server.accept()
        threading.Thread(target=serve, args=(peer,), daemon=True).start()


if mode not in ("starttls", "login", "implicit", "plain"):
    misbehave()

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 5.1.1 there is no such user"
        if address.startswith("later@"):
            return "451 4.3.0 try again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        with open(record, "a") as kept:
            json.dump(
                {
                    "from": envelope.mail_from,
                    "to": envelope.rcpt_tos,
                    "content": envelope.content.decode(),
                    "tls": mode == "implicit" or session.ssl is not None,
                    "authenticated": session.authenticated,
                },
                kept,
            )
            kept.write("\n")
        return "250 2.0.0 taken"


def authenticate(server, session, envelope, mechanism, data):
    # By default (handled=True), aiosmtpd expects that a refusal has already been sent.
    return AuthResult(success=data.login == USER and data.password == PASSWORD, handled=False)


settings = {}
if mode != "plain":
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[4], sys.argv[5])
    settings = {"authenticator": authenticate, "auth_required": True}
    if mode == "implicit":
        settings |= {"ssl_context": context, "auth_require_tls": False}
    else:
        settings |= {"tls_context": context, "require_starttls": True}
    if mode == "login":
        settings["auth_exclude_mechanism"] = ["PLAIN"]
controller = Controller(Handler(), hostname=host, port=free_port(), **settings)
controller.start()
print(controller.port, flush=True)
while True:
    time.sleep(60)
