"""Drives Chromium over a pipe, with only Python's standard library.

Usage: browser.py CHROMIUM PROFILE. Reads one JSON object per line and answers each with one:
{"cookie": {name, value, url}}, {"size": [width, height], "dark": bool}, {"open": url},
{"eval": script}, {"until": script, "seconds": n}, {"shot": file}, {"type": [selector, text]}.
"""
import base64, json, os, signal, subprocess, sys, time

chromium, profile = sys.argv[1:3]
to_browser, from_us = os.pipe()
from_browser, to_us = os.pipe()


def wire():
    # One of these four descriptors may already be 3 or 4, so they are duplicated first.
    reading, writing = os.dup(to_browser), os.dup(to_us)
    os.dup2(reading, 3)
    os.dup2(writing, 4)


os.set_inheritable(to_browser, True)
process = subprocess.Popen(
    [
        chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--ignore-certificate-errors", "--no-first-run", "--disable-extensions", "--hide-scrollbars",
        "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
        "--allow-file-access-from-files", "--user-data-dir=" + profile, "--remote-debugging-pipe", "about:blank",
    ],
    preexec_fn=wire, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
)
os.close(to_browser)
os.close(to_us)
buffer, number, session = b"", 0, None


def call(method, **parameters):
    global buffer, number
    number += 1
    message = {"id": number, "method": method, "params": parameters}
    if session:
        message["sessionId"] = session
    os.write(from_us, json.dumps(message).encode() + b"\0")
    while True:
        while b"\0" not in buffer:
            piece = os.read(from_browser, 1 << 20)
            if not piece:
                raise SystemExit("the browser is gone")
            buffer += piece
        text, buffer = buffer.split(b"\0", 1)
        answer = json.loads(text)
        if answer.get("id") == number:
            if "error" in answer:
                raise RuntimeError(answer["error"]["message"])
            return answer["result"]


def evaluate(script):
    result = call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
    if "exceptionDetails" in result:
        raise RuntimeError(result["exceptionDetails"]["exception"].get("description", "exception"))
    return result["result"].get("value")


def until(script, seconds):
    end = time.monotonic() + seconds
    while True:
        try:
            value = evaluate(script)
        except RuntimeError:
            value = None  # between two documents
        if value or time.monotonic() > end:
            return value
        time.sleep(0.05)


def do(command):
    if "cookie" in command:
        return call("Network.setCookie", **command["cookie"])["success"]
    if "size" in command:
        width, height = command["size"]
        call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=command.get("scale", 1), mobile=width < 700)
        call("Emulation.setTouchEmulationEnabled", enabled=bool(command.get("touch")), maxTouchPoints=5)
        call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if command.get("dark") else "light"}])
        if "agent" in command:
            call("Emulation.setUserAgentOverride", userAgent=command["agent"])
        return True
    if "open" in command:
        call("Page.navigate", url=command["open"])
        return until("document.readyState === 'complete' && location.href !== 'about:blank'", 60)
    if "eval" in command:
        return evaluate(command["eval"])
    if "until" in command:
        return until(command["until"], command.get("seconds", 10))
    if "type" in command:
        selector, text = command["type"]
        evaluate("document.querySelector(" + json.dumps(selector) + ").focus()")
        return call("Input.insertText", text=text) is not None
    if "shot" in command:
        size = call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], command.get("height", 20000)), "scale": 1}
        kind = {"format": "webp", "quality": 75} if command["shot"].endswith(".webp") else {"format": "png"}
        shot = call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip, **kind)
        with open(command["shot"], "wb") as file:
            file.write(base64.b64decode(shot["data"]))
        return True
    raise ValueError("unknown command")


signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
target = call("Target.createTarget", url="about:blank")["targetId"]
session = call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
call("Page.enable")
call("Network.enable")
try:
    for line in sys.stdin:
        try:
            answer = {"value": do(json.loads(line))}
        except Exception as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)
finally:
    process.kill()
    process.wait()
