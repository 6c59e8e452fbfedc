"""A server that keeps the comments of pull requests like GitHub's and GitLab's APIs, for the recipes.

    python3 comments.py TOKEN

Prints its port, and accepts only TOKEN. Every request starts with 120 comments by people, one of which begins
like those of the recipes. `GET /comments` returns everything that was written since, and how often.
"""
import http.server
import json
import sys
import urllib.parse

TOKEN = sys.argv[1]
OWN, PERSON = 7, 8
threads = {}  # by the number of the request
writes = []


def thread(number):
    if number not in threads:
        threads[number] = [
            {"id": int(number) * 1000 + i, "own": False, "body": f"Looks good {i}"} for i in range(120)
        ]
        threads[number][3]["body"] = f"<!-- ota com.vforsh.browsey pr-{number} -->\n\nNot ours"
    return threads[number]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def answer(self, status, value):
        body = json.dumps(value).replace("<", "\\u003c").encode()  # As GitLab writes it.
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def shown(self, comment):
        whose = OWN if comment["own"] else PERSON
        return {
            "id": comment["id"],
            "body": comment["body"],
            "user": {"type": "Bot" if comment["own"] else "User", "id": whose},
            "author": {"id": whose},
        }

    def handle_one(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length).decode()
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if self.command == "GET" and url.path == "/comments":
            own = {n: [c["body"] for c in t if c["own"]] for n, t in threads.items()}
            people = {n: [c["body"] for c in t if not c["own"]] for n, t in threads.items()}
            return self.answer(200, {"own": own, "people": people, "writes": writes})
        isGitHub = self.headers.get("Authorization") == "Bearer " + TOKEN
        isGitLab = self.headers.get("PRIVATE-TOKEN") == TOKEN
        if not isGitHub and not isGitLab:
            return self.answer(401, {"message": "401 Unauthorized"})
        parts = url.path.strip("/").split("/")
        if isGitLab and self.command == "GET" and parts == ["user"]:
            return self.answer(200, {"id": OWN})
        number = edited = None
        if isGitHub and parts[:4] == ["repos", "vforsh", "browsey", "issues"]:
            if parts[4] == "comments":
                edited, change = int(parts[5]), "PATCH"
                number = str(edited // 1000)
            elif parts[5:] == ["comments"]:
                number = parts[4]
        elif isGitLab and parts[:3] == ["projects", "42", "merge_requests"] and parts[4] == "notes":
            number = parts[3]
            if len(parts) == 6:
                edited, change = int(parts[5]), "PUT"
        if number is None:
            return self.answer(404, {"message": "404 Not Found"})
        comments = thread(number)
        if self.command == "GET" and edited is None:
            size, page = int(query.get("per_page", 30)), int(query.get("page", 1))
            return self.answer(200, [self.shown(c) for c in comments[(page - 1) * size : page * size]])
        text = json.loads(body)["body"] if isGitHub else dict(urllib.parse.parse_qsl(body))["body"]
        if edited is not None and self.command == change:
            found = [c for c in comments if c["id"] == edited and c["own"]]
            if not found:
                return self.answer(403, {"message": "403 Forbidden"})
            found[0]["body"] = text
            writes.append("update " + number)
            return self.answer(200, self.shown(found[0]))
        if self.command == "POST" and edited is None:
            comments.append({"id": int(number) * 1000 + len(comments), "own": True, "body": text})
            writes.append("create " + number)
            return self.answer(201, self.shown(comments[-1]))
        self.answer(405, {"message": "405 Method Not Allowed"})

    do_GET = do_POST = do_PATCH = do_PUT = handle_one


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
