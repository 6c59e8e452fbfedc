"""Calls `openssl` for signatures and certificates."""

import os
import subprocess
import tempfile
from functools import lru_cache


def _run(arguments, data=b""):
    return subprocess.run(["openssl", *arguments], input=data, capture_output=True, timeout=60)


@lru_cache(maxsize=None)
def public_key(certificate):
    """The certificate's public key in PEM."""
    return _run(["x509", "-inform", "DER", "-pubkey", "-noout"], certificate).stdout


def signs(certificate, digest, signature, data):
    """Whether `signature` over the bytes of `data` is valid for the key of `certificate`."""
    with tempfile.TemporaryDirectory() as folder:
        key, file = os.path.join(folder, "key"), os.path.join(folder, "signature")
        _write(key, public_key(certificate))
        _write(file, signature)
        return _run(["dgst", f"-{digest}", "-verify", key, "-signature", file], data).returncode == 0


@lru_cache(maxsize=None)
def chains(leaf, others, anchors):
    """None if the leaf's chain leads to an anchor, judging by signatures alone; otherwise OpenSSL's error."""
    with tempfile.TemporaryDirectory() as folder:
        names = {}
        for name, certificates in (("leaf", (leaf,)), ("others", others), ("anchors", anchors)):
            names[name] = os.path.join(folder, name)
            _write(names[name], b"".join(map(pem, certificates)))
        found = _run(
            [
                "verify", "-no_check_time", "-ignore_critical", "-auth_level", "0", "-no-CApath",
                "-CAfile", names["anchors"], "-untrusted", names["others"], names["leaf"],
            ]
        )
        if found.returncode == 0:
            return None
        return " ".join((found.stdout + found.stderr).decode(errors="replace").split())[-300:]


def pem(certificate):
    if certificate.startswith(b"-----"):
        return certificate
    return _run(["x509", "-inform", "DER"], certificate).stdout


def cms_content(message):
    """The content of a signed message, if its signature is valid; the signer's certificate is not checked."""
    found = _run(["cms", "-verify", "-noverify", "-inform", "DER", "-binary"], message)
    return found.stdout if found.returncode == 0 else None


def _write(path, data):
    with open(path, "wb") as file:
        file.write(data)
