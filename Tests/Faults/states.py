"""What a folder holds, whatever times, keys and identifiers were made up in it.

Most faults leave one of a few states: that before the change, that after it, and those between. What
must hold of a state is looked up once.
"""

import hashlib
import os
import re
from pathlib import Path

DATE = re.compile(rb"\d{4}-\d\d-\d\d(T[\d:.]+Z?)?")
WORD = re.compile(rb"[0-9A-Za-z+/_=-]{8,}")
NUMBER = re.compile(rb"\d")


def words(folder: Path) -> set[bytes]:
    """Everything long in this folder that is there before anything is made up."""
    found = set()
    for name, content in _entries(folder):
        found.update(WORD.findall(name))
        if b"\0" not in content:
            found.update(WORD.findall(content))
    return found


def state(folder: Path, known: set[bytes]) -> str:
    """The same for two folders that differ in nothing but what was made up."""
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
    """The relative path and mode, and the content, of everything in a folder."""
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(parent, name)
            try:
                mode = os.lstat(path).st_mode
                content = _content(path, name in files)
            except FileNotFoundError:
                # A server at work has removed it, such as a checkout.
                continue
            yield os.fsencode(f"{os.path.relpath(path, folder)} {mode:o}"), content


def _content(path: str, isFile: bool) -> bytes:
    if os.path.islink(path):
        return os.fsencode(os.readlink(path))
    if not isFile or not os.path.isfile(path):
        return b""
    with open(path, "rb") as file:
        return file.read()
