"""The cost of agents, and the delay of log lines."""

import json
import re
import ssl
import time
import urllib.request
from pathlib import Path

from judge import Judge
from room import Room
from tally import Tally

TICKS = 100


def memory(process: int) -> float:
    text = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024


def used(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def over(process: int, seconds: float) -> float:
    before = used(process)
    time.sleep(seconds)
    return used(process) - before


STAMPS = """steps:
  - name: stamps
    runs-on: mac
    run: |
      for i in $(seq 1 60); do echo "S $(date +%s.%N)"; sleep 0.15; done
      head -c 20000000 /dev/urandom > data.bin
artifacts: [data.bin]
"""


def measure(options, folder: Path, say) -> bool:
    room = Room(options, folder, say)
    try:
        room.add_mirror("m1", "browsey", folder)
        room.serve()
        time.sleep(5)
        say(f"server without agents: {over(room.server.pid, 20):.2f} s of CPU in 20 s")
        room.start_agent("r0", room.add_runner("r0", ["m1"]))
        time.sleep(5)
        say(f"agent, idle: {memory(room.agents['r0'].pid):.1f} MB")
        isGood = build(room, say)
        for number in range(1, options.agents):
            name = f"r{number}"
            room.start_agent(name, room.add_runner(name, ["m1"]))
            time.sleep(0.3)
        time.sleep(60)
        cost = over(room.server.pid, 20)
        say(f"server with {options.agents} idle agents: {cost:.2f} s of CPU in 20 s, "
            f"{memory(room.server.pid):.0f} MB")
        return isGood and cost < 1
    finally:
        room.close()


def build(room: Room, say) -> bool:
    """Runs a build whose lines have the time when they were printed, and reads them as a page does."""
    token = room.json("tokens", "create", "--name", "faults", "--scope", "admin")
    secret = re.search(r"ota_\w+|ot\w_\w+", json.dumps(token))[0]
    mirror = room.mirrors["m1"]
    path = mirror["folder"] / ".ota/pipeline.yml"
    path.parent.mkdir()
    path.write_text(STAMPS)
    room._git("m1", "add", ".")
    room._git("m1", "commit", "-qm", "Stamps")
    room._git("m1", "tag", "v1.0.1")
    room.json("mirror", "build", "m1", "--tag", "v1.0.1", "--queue-only")
    context = ssl._create_unverified_context()
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
    seen, most, late = 0, 0.0, []
    judge = Judge(room, Tally(None, 0))
    deadline = time.time() + 120
    while not judge.is_quiet() and time.time() < deadline:
        request = urllib.request.Request(
            f"https://localhost:{room.port}/api/v1/mirrors/m1/builds/1/log",
            headers={"Authorization": f"Bearer {secret}", "Host": f"localhost:{room.lineport}"})
        try:
            text = opener.open(request, timeout=10).read().decode(errors="replace")
        except OSError as error:
            say(f"log: {error}")
            time.sleep(0.5)
            continue
        now = time.time()
        stamps = re.findall(r"S (\d+\.\d+)", text)
        late += [now - float(stamp) for stamp in stamps[seen:]]
        seen = len(stamps)
        most = max(most, memory(room.agents["r0"].pid))
        time.sleep(0.05)
    late.sort()
    if not late:
        say("no line has come")
        return False
    say(f"agent, building: {most:.1f} MB at most; a line is in the log after {late[len(late) // 2]:.2f} s "
        f"(median), {late[-1]:.2f} s (worst of {len(late)})")
    return most < 40 and late[-1] < 1
