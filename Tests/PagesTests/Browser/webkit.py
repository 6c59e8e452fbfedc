"""Opens a page of a folder in WebKitGTK and prints the content of its element #results.

Usage: webkit.py FOLDER PAGE?QUERY light|dark
The folder is served on loopback, because WebKit lets no local file read another.
"""

import functools
import http.server
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request

BROWSERS = [
    f"/usr/lib/{machine}-linux-gnu/webkit2gtk-4.{minor}/MiniBrowser"
    for machine in ("x86_64", "aarch64")
    for minor in (1, 0)
]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Ignores aborted requests: a browser cancels them when it leaves a page."""


def serve(folder):
    server = Server(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def ask(url, method="POST", body=None):
    data = None if method != "POST" else json.dumps(body or {}).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["value"]


def wait_for(url, seconds):
    end = time.monotonic() + seconds
    while True:
        try:
            return ask(url, "GET")
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def main():
    folder, page, scheme = sys.argv[1:]
    browser = next(path for path in BROWSERS if os.access(path, os.X_OK))
    port = free_port()
    environment = dict(
        os.environ,
        GTK_THEME="Adwaita:dark" if scheme == "dark" else "Adwaita",
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1",
        HOME=folder,
        XDG_RUNTIME_DIR=folder,
        LIBGL_ALWAYS_SOFTWARE="1",
    )
    driver = subprocess.Popen(
        ["xvfb-run", "-a", "-s", "-screen 0 1300x1000x24", "WebKitWebDriver", f"--port={port}"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        base = f"http://127.0.0.1:{port}"
        wait_for(base + "/status", 30)
        options = {"binary": browser, "args": ["--automation"]}
        session = ask(
            base + "/session",
            body={
                "capabilities": {
                    "alwaysMatch": {"browserName": "MiniBrowser", "webkitgtk:browserOptions": options}
                }
            },
        )
        here = f"{base}/session/{session['sessionId']}"
        ask(here + "/window/rect", body={"width": 1300, "height": 1000})
        ask(here + "/url", body={"url": f"http://127.0.0.1:{serve(folder)}/{page}"})
        script = "return [document.title, document.getElementById('results').textContent]"
        # Each page may take up to two minutes, for slow machines.
        last, end = "", 0.0
        while True:
            title, text = ask(here + "/execute/sync", body={"script": script, "args": []})
            if text:
                print(text)
                ask(here, "DELETE")
                return
            if title != last:
                last, end = title, time.monotonic() + 120
            elif time.monotonic() > end:
                sys.exit(f"nothing was measured for two minutes after {last}")
            time.sleep(0.1)
    finally:
        os.killpg(driver.pid, 15)
        driver.wait()


main()
