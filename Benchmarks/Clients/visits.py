"""Requests pages, and prints as JSON what each costs the server: after a change, and once more.

usage: visits.py PORT PID TOKEN ROUNDS APP PATH…

TOKEN is the file with an admin's token. In each round APP gets another title; once the server has had time
to notice, each PATH is requested twice. {device} in a path stands for a device in the register. The CPU time
of the process PID is measured in microseconds, so nothing else may send it requests meanwhile.
"""

import json
import statistics
import sys
import time

from server import Admin, processor

port, pid, token, rounds, app = (
    int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), sys.argv[5]
)
paths = sys.argv[6:]

admin = Admin(port, token)
browser = admin.sign_in()
device = json.loads(admin.ask("GET", "/api/v1/devices"))["devices"][0]["reference"]
results = [{"path": path, "changed": [], "again": []} for path in paths]


def visit(path):
    fields = admin.authorization if path.startswith("/api/") else browser
    before = processor(pid)
    body = admin.ask("GET", path.replace("{device}", device), fields=fields)
    return 1e6 * (processor(pid) - before), len(body)


for number in range(rounds + 1):
    admin.rename(app, f"Sample {number}")
    time.sleep(1.5)
    for result in results:
        changed, result["bytes"] = visit(result["path"])
        again, _ = visit(result["path"])
        if number > 0:
            result["changed"].append(changed)
            result["again"].append(again)

for result in results:
    for key in ("changed", "again"):
        result[key] = statistics.median(result[key])
print(json.dumps(results))
