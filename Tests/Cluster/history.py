"""The responses to all clients with their times, and the check of these against the final state of the store.

A release document is written once: the history is linearizable if all clients whose publish was acknowledged
sent the same bytes, and these are in the store. The register of devices is a list to which each admin adds:
its order is that of the writes, and has to agree with the responses.
"""

import threading
import time
from dataclasses import dataclass, field


@dataclass
class Write:
    subject: str
    value: str
    #: `done`; `refused`; `later` if the server could not at the moment; `unreached` if nothing listened; or
    #: `unknown` if the connection ended before the response.
    answer: str
    begun: float
    ended: float
    #: The result in words, such as `status 503`.
    reason: str = ""


@dataclass
class History:
    publishes: list[Write] = field(default_factory=list)
    devices: list[Write] = field(default_factory=list)
    #: Releases and devices that a healthy server did not show in time.
    stale: list[str] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    #: The oldest answer without a change that had been acknowledged: its age in seconds, the server's number,
    #: and the release or device; of servers without a fault, and of all servers.
    stalest_well: tuple[float, int, str] = (0.0, 0, "")
    stalest: tuple[float, int, str] = (0.0, 0, "")
    wrong: list[str] = field(default_factory=list)
    #: The received deliveries of each release, by their identifiers.
    deliveries: dict[str, set[str]] = field(default_factory=dict)
    reads: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, where: list, *entries):
        with self.lock:
            where.extend(entries)

    def note_stale(self, write: Write, number: int, asked: float, is_well: bool):
        """Records that a server, asked at this time, did not show an acknowledged change yet."""
        answer = (asked - write.ended, number, write.subject)
        with self.lock:
            self.stalest = max(self.stalest, answer)
            if is_well:
                self.stalest_well = max(self.stalest_well, answer)

    def acknowledged(self, writes: list[Write]) -> dict[str, Write]:
        """The first acknowledgement of each subject."""
        with self.lock:
            done = sorted((w for w in writes if w.answer == "done"), key=lambda w: w.ended)
        first: dict[str, Write] = {}
        for write in done:
            first.setdefault(write.subject, write)
        return first

    def longest_silence(self) -> float:
        """The longest time in seconds in which publishers tried and none got a final response."""
        longest, last = 0.0, None
        for write in sorted(self.publishes, key=lambda w: w.ended):
            if write.answer in ("done", "refused"):
                last = None
            elif last is None:
                last = write.begun
            else:
                longest = max(longest, write.ended - last)
        return longest

    def flaws(self, releases: dict[str, str], devices: list[str], activity: dict[tuple, int],
              published: list[str]) -> list[str]:
        """The contradictions between the history and the final state.

        `releases` has the digest of each release in the store, `devices` all devices in the order of their
        document, `activity` how often each release was published at each date, and `published` the published
        releases in the order of the journal. A repeated publish may move the channel back to its release,
        which adds an entry, but only if another release was published in between.
        """
        found = list(self.stale) + list(self.wrong)
        for subject, write in self.acknowledged(self.publishes).items():
            winners = {w.value for w in self.publishes if w.subject == subject and w.answer == "done"}
            if len(winners) > 1:
                found.append(f"{subject} was acknowledged with {len(winners)} different builds")
            if releases.get(subject) is None:
                found.append(f"{subject} was acknowledged and is lost")
            elif releases[subject] not in winners:
                found.append(f"{subject} has other bytes than were acknowledged")
            lines = sum(count for (release, _), count in activity.items() if release == subject)
            if lines == 0:
                found.append(f"{subject} is not in the activity")
            if len(self.deliveries.get(subject, set())) != lines:
                found.append(
                    f"{subject} is {lines} times in the activity, and was announced "
                    f"{len(self.deliveries.get(subject, set()))} times")
        for before, subject in zip(published, published[1:]):
            if before == subject:
                found.append(f"{subject} is twice in a row in the activity")
        for subject, value in releases.items():
            if not any(w.subject == subject and w.value == value for w in self.publishes):
                found.append(f"{subject} comes from nobody")
        return found + self._flaws_of_devices(devices)

    def _flaws_of_devices(self, devices: list[str]) -> list[str]:
        found = []
        places = {device: place for place, device in enumerate(devices)}
        if len(places) != len(devices):
            found.append("a device is there twice")
        known = {write.subject for write in self.devices}
        found += [f"device {device} comes from nobody" for device in devices if device not in known]
        done = self.acknowledged(self.devices)
        found += [f"device {device} was acknowledged and is lost" for device in done if device not in places]
        # A device that was acknowledged before another one's request began precedes it.
        latest, ended = -1, sorted(
            (w for d, w in done.items() if d in places), key=lambda w: w.ended)
        waiting = 0
        begun: dict[str, float] = {}
        for write in self.devices:
            begun[write.subject] = min(begun.get(write.subject, write.begun), write.begun)
        for device in sorted((d for d in begun if d in places), key=begun.get):
            while waiting < len(ended) and ended[waiting].ended < begun[device]:
                latest = max(latest, places[ended[waiting].subject])
                waiting += 1
            if places[device] < latest:
                found.append(f"device {device} comes before one that had ended")
        return found


def now() -> float:
    return time.monotonic()
