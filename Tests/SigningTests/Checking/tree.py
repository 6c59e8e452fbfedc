"""The files of a package, which is an archive or a folder, by their paths."""

import os
import stat
from dataclasses import dataclass

import zips


@dataclass
class Item:
    """A file, folder or symbolic link, whose bytes or target are read on demand."""

    path: str
    mode: int
    read: object
    entry: object = None

    @property
    def is_folder(self):
        return self.path.endswith("/") or stat.S_ISDIR(self.mode)

    @property
    def is_link(self):
        return stat.S_ISLNK(self.mode)

    @property
    def is_file(self):
        return not self.is_folder and not self.is_link

    @property
    def target(self):
        return self.read().decode("utf-8", "surrogateescape")


class Tree:
    """Every item of a package by its path, in order; folders have no trailing slash."""

    def __init__(self, items):
        self.items = {item.path.rstrip("/"): item for item in items}
        self.count = len(items)

    def bytes(self, path):
        item = self.items.get(path)
        return item.read() if item is not None and item.is_file else None

    def under(self, folder):
        """Files and links below a folder, by their paths relative to it."""
        prefix = folder + "/"
        return {
            path[len(prefix) :]: item
            for path, item in self.items.items()
            if path.startswith(prefix) and not item.is_folder
        }

    def __contains__(self, path):
        return path in self.items


def of(path):
    return _folder(path) if os.path.isdir(path) else _archive(path)


def _archive(path):
    with open(path, "rb") as file:
        data = file.read()
    items = [
        Item(entry.name, entry.mode, _once(entry.contents), entry) for entry in zips.entries(data)
    ]
    return Tree(items)


def _folder(root):
    """The items in a folder; the paths include the name of an app, but not of a folder around it."""
    root = root.rstrip("/")
    base = os.path.dirname(root) if root.endswith(".app") else root
    items = []
    for folder, folders, files in os.walk(root):
        for name in sorted(folders + files):
            full = os.path.join(folder, name)
            about = os.lstat(full)
            read = _link(full) if stat.S_ISLNK(about.st_mode) else _once(_file(full))
            items.append(Item(os.path.relpath(full, base), about.st_mode, read))
    return Tree(items)


def _link(path):
    return lambda: os.fsencode(os.readlink(path))


def _file(path):
    def read():
        with open(path, "rb") as file:
            return file.read()

    return read


def _once(read):
    kept = []

    def again():
        if not kept:
            kept.append(read())
        return kept[0]

    return again
