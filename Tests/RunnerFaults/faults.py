"""Interruptions, chosen by a seeded generator."""

import os
import random
import signal
import subprocess
import time

from room import Room
from tally import Tally


class Faults:
    """Each interruption takes only as long as the fault itself; afterwards everything works again."""

    def __init__(self, room: Room, generator: random.Random, tally: Tally, say):
        self.room = room
        self.random = generator
        self.say = say
        self.tally = tally
        self.weights = {
            "kill_agent": 4, "kill_server": 4, "cut": 4, "refuse": 2, "stall": 2, "lose_answer": 4,
            "pause_agent": 2, "expire": 6, "cancel": 1, "remove_runner": 1, "stop_agent": 1,
            "stop_server": 1, "fill_disk": 1,
        }

    def strike(self) -> bool:
        """Strikes a fault and returns whether it did; one that finds nothing to strike is not counted."""
        names = list(self.weights)
        name = self.random.choices(names, [self.weights[each] for each in names])[0]
        if getattr(self, name)() is False:
            return False
        self.tally.struck(name)
        return True

    def _agent(self) -> str:
        return self.random.choice(sorted(self.room.agents) or ["none"])

    def _wait(self, least: float, most: float):
        time.sleep(self.random.uniform(least, most))

    def kill_agent(self):
        name = self._agent()
        self.say(f"kill agent {name}")
        self.room.kill_agent(name)
        self._wait(0, 3)
        self.room.start_agent(name)

    def stop_agent(self):
        name = self._agent()
        self.say(f"end agent {name}")
        agent = self.room.agents[name]
        agent.terminate()
        try:
            agent.wait(20)
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"agent {name} does not end within 20 s of SIGTERM") from None
        self.room.start_agent(name)

    def kill_server(self):
        self.say("kill server")
        self.room.kill_server()
        self._wait(0, 2)
        self.room.serve()

    def stop_server(self):
        self.say("end server")
        self.room.server.terminate()
        try:
            self.room.server.wait(60)
        except subprocess.TimeoutExpired:
            raise RuntimeError("the server does not end within 60 s of SIGTERM") from None
        self.room.kill_server()
        self.room.serve()

    def cut(self):
        self.say("cut line")
        self.room.line.cut()

    def refuse(self):
        self.say("line is down")
        self.room.line.isDown = True
        self.room.line.cut()
        self._wait(0.5, 6)
        self.room.line.isDown = False

    def stall(self):
        self.say("line stalls")
        self.room.line.isStalled = True
        self._wait(0.5, 8)
        if self.random.random() < 0.5:
            self.room.line.cut()
        self.room.line.isStalled = False

    def lose_answer(self):
        self.say("answers get lost")
        self.room.line.losses = self.random.randint(1, 4)

    def pause_agent(self):
        self._pause(self.random.uniform(0.5, 4))

    def expire(self):
        """Lets a lease expire during a build: its agent is stopped, or works without a connection."""
        held = self.room.leases()
        if not held:
            return False
        name = self.random.choice(sorted(held))
        is_stopped = self.random.random() < 0.5
        lease = held[name]
        where = "stands still" if is_stopped else "is not heard"
        self.say(f"{name} {where} until its lease of {lease.mirror} {lease.build} ends")
        process = self.room.agents[name].pid
        if is_stopped:
            os.kill(process, signal.SIGSTOP)
        else:
            self.room.line.isDown = True
            self.room.line.cut()
        # A renewed lease may last up to a quarter longer.
        deadline = time.monotonic() + (self.room.lease or 60) * 1.25 + 15
        while (is_held := self.room.leases().get(name) == lease) and time.monotonic() < deadline:
            time.sleep(0.1)
        has_expired = not is_held and self.room.has_expired(lease)
        self._wait(0, 2)
        if is_stopped:
            os.kill(process, signal.SIGCONT)
        self.room.line.isDown = False
        if is_held:
            raise RuntimeError(f"{name} keeps {lease.mirror} {lease.build} without being heard")
        return has_expired

    def _pause(self, seconds: float):
        name = self._agent()
        self.say(f"stop agent {name} for {seconds:.0f} s")
        agent = self.room.agents[name]
        os.kill(agent.pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(agent.pid, signal.SIGCONT)

    def cancel(self):
        running = [(mirror, build) for mirror in self.room.mirrors
                   for build, run in self.room.runs(mirror).items() if run["state"] == "running"]
        if not running:
            return False
        mirror, build = self.random.choice(running)
        self.say(f"cancel {mirror} {build}")
        self.room.run("mirror", "cancel", mirror, build)

    def remove_runner(self):
        name = self._agent()
        self.say(f"remove runner {name}")
        room = self.room
        room.must("runners", "remove", name)
        self._wait(0, 2)
        code = room.add_runner(name, room.mirrors)
        # The agent polls from time to time, and must have stopped its steps.
        deadline = time.monotonic() + 20
        while room.marked(room.agent_folder(name)) and time.monotonic() < deadline:
            time.sleep(0.3)
        if left := room.marked(room.agent_folder(name)):
            raise RuntimeError(f"{name} was removed, and goes on with {left}")
        room.kill_agent(name)
        # A code is valid once: if the response was lost, an admin has to create a new one.
        room.line.losses = 0
        room.start_agent(name, code)
        self._wait(2, 3)

    def fill_disk(self):
        name = self._agent()
        folder = self.room.agent_folder(name)
        if not os.path.ismount(folder):
            return False
        self.say(f"fill disk of {name}")
        status = os.statvfs(folder)
        try:
            with open(folder / "filler", "wb") as file:
                os.posix_fallocate(file.fileno(), 0, status.f_bavail * status.f_frsize)
        except OSError:
            pass
        self._wait(1, 5)
        os.unlink(folder / "filler")
