"""The content of a folder, independent of the times, keys and identifiers that were generated in it.

Most faults leave one of a few states: the one before the change, the one after it, and those in between. Each
state is checked only once.
"""

import hashlib
import os
import re
from pathlib import Path

DATE = re.compile(rb"\d{4}-\d\d-\d\d(T[\d:.]+Z?)?")
WORD = re.compile(rb"[0-9A-Za-z+/_=-]{8,}")
NUMBER = re.compile(rb"\d")


def words(folder: Path) -> set[bytes]:
    """All long words in this folder, before anything is generated."""
    found = set()
    for name, content in _entries(folder):
        found.update(WORD.findall(name))
        if b"\0" not in content:
            found.update(WORD.findall(content))
    return found


def state(folder: Path, known: set[bytes]) -> str:
    """A digest that is the same for two folders that differ only in generated words and times."""
    def word(match):
        text = match[0]
        return text if text in known or not NUMBER.search(text) else b"#%d" % len(text)

    def plain(text: bytes) -> bytes:
        return WORD.sub(word, DATE.sub(b"@", text))

    rows = sorted(
        plain(name) + b" " + hashlib.sha256(content if b"\0" in content else plain(content)).digest()
        for name, content in _entries(folder))
    return hashlib.sha256(b"\n".join(rows)).hexdigest()


def _entries(folder: Path):
    """The relative path, mode and content of everything in a folder."""
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(parent, name)
            try:
                mode = os.lstat(path).st_mode
                content = _content(path, name in files)
            except FileNotFoundError:
                # A running server has removed it, such as a checkout.
                continue
            yield os.fsencode(f"{os.path.relpath(path, folder)} {mode:o}"), content


def _content(path: str, isFile: bool) -> bytes:
    if os.path.islink(path):
        return os.fsencode(os.readlink(path))
    if not isFile or not os.path.isfile(path):
        return b""
    with open(path, "rb") as file:
        return file.read()
