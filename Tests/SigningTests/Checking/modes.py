"""Names, types and modes of an archive's entries, as unzip and a phone require them."""

import posixpath
import stat


def check(tree, report):
    if tree.count != len(tree.items):
        report.add("entries", "", "two entries with one name")
    for path, item in tree.items.items():
        if item.is_link:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), item.target))
            if item.target.startswith("/") or target.startswith("../"):
                report.add("links", path, "a symbolic link that leaves the package")
        entry = item.entry
        if entry is None:
            continue
        if entry.made_by >> 8 != 3 or not entry.mode:
            report.add("modes", path, "an entry without a mode")
        if entry.name.endswith("/") != stat.S_ISDIR(entry.mode):
            report.add("modes", path, f"mode {entry.mode:o} and name say different kinds")
        flags, method, _, name, _, _ = entry.local
        if (flags, method, name) != (entry.flags, entry.method, entry.raw_name):
            report.add("entries", path, "the local header says something else than the directory")
        if any(byte > 127 for byte in entry.raw_name) and not entry.flags & 0x800:
            try:
                entry.raw_name.decode("utf-8")
            except UnicodeDecodeError:
                report.add("entries", path, "a name that is not UTF-8")
