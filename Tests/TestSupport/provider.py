"""A real OpenID provider (Canaille) with one user and one client, in memory, over TLS.

Usage: provider.py CERTIFICATE KEY CALLBACK AFTER. Prints its issuer. The client is ota, with the secret
"of the tests", and the user is ana, with the password "correct horse". To test the client, /slow/… never
responds, /huge/… never ends, and POST /rotate replaces the key that signs tokens.
"""
import datetime, logging, socket, sys, threading, time

certificate, key, callback, after = sys.argv[1:5]
logging.disable(logging.ERROR)

from joserfc.jwk import RSAKey
from werkzeug.serving import WSGIRequestHandler, make_server


def signing_key():
    made = RSAKey.generate_key(2048, auto_kid=True)
    return {k: v for k, v in made.as_dict(private=True).items() if isinstance(v, str)}


with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]

from canaille import create_app
from canaille.app import models

app = create_app(
    {
        "SECRET_KEY": "of the tests",
        "SERVER_NAME": f"127.0.0.1:{port}",
        "PREFERRED_URL_SCHEME": "https",
        "CANAILLE": {"DATABASE": "memory", "LOGGING": {"version": 1}, "JAVASCRIPT": False},
        "CANAILLE_OIDC": {
            "ACTIVE_JWKS": [signing_key()],
            "USERINFO_MAPPING": {
                "SUB": "{{ user.user_name }}",
                "NAME": "{{ user.formatted_name }}",
                "EMAIL": "{{ user.preferred_email }}",
            },
        },
        "WTF_CSRF_ENABLED": False,
    }
)
with app.app_context():
    from canaille.app import models
    from canaille.backends import Backend

    now = datetime.datetime.now(datetime.timezone.utc)
    person = models.User(
        user_name="ana", formatted_name="Ana Example", family_name="Example",
        emails=["ana@example.com"], password="correct horse",
    )
    Backend.instance.save(person)
    group = models.Group(display_name="release-team", members=[person])
    Backend.instance.save(group)
    client = models.Client(
        client_id="ota", client_secret="of the tests", client_id_issued_at=now,
        client_name="ota", client_uri="https://127.0.0.1", redirect_uris=[callback],
        post_logout_redirect_uris=[after], grant_types=["authorization_code", "refresh_token"],
        response_types=["code"], scope=["openid", "email", "profile", "groups"],
        token_endpoint_auth_method="client_secret_basic",
    )
    Backend.instance.save(client)
    client.audience = [client]
    Backend.instance.save(client)

inner = app.wsgi_app


def outer(environ, start):
    path = environ["PATH_INFO"]
    if path.startswith("/slow/"):
        time.sleep(60)
    if path.startswith("/huge/"):
        start("200 OK", [("Content-Type", "application/json")])
        return iter(lambda: b" " * 65536, None)
    if path == "/rotate":
        app.config["CANAILLE_OIDC"]["ACTIVE_JWKS"] = [signing_key()]
        start("204 No Content", [])
        return [b""]
    return inner(environ, start)


class Quiet(WSGIRequestHandler):
    def log(self, *arguments):
        pass


server = make_server(
    "127.0.0.1", port, outer, threaded=True, ssl_context=(certificate, key), request_handler=Quiet
)
print(f"https://127.0.0.1:{port}", flush=True)
# It ends when the tests do, in whatever way: its standard input is closed then.
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
