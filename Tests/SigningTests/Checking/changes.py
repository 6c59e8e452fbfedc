"""Checks that signing has changed only signatures, seals and profiles."""

import plistlib
import re

import blobs
import macho
import programs

#: The beginnings of remains of a former signature, which a signer need not keep.
LEFT_OUT = ("SC_Info/", "_CodeSignature/")


def check(before, after, seen, options, report):
    old = [path for path in before.items]
    new = [path for path in after.items]
    kept = set(old) & set(new)
    if [path for path in old if path in kept] != [path for path in new if path in kept]:
        report.add("order", "", "entries are in another order than before")
    for path in old:
        if path not in after and not _may_go(path):
            report.add("changes", path, "is gone")
    for path in new:
        if path not in before and not _may_change(path) and not path.endswith("/_CodeSignature"):
            report.add("changes", path, "was not there before")
    signed = {path for path, facts in seen.items() if facts}
    for path in new:
        if path in before:
            _check_item(path, before.items[path], after.items[path], path in signed, options, report)


def _check_seal(path, old, new, report):
    """Checks that the text is Xcode's except for digests, which _seals_ checks; older versions had other
    rules.
    """
    before, after = plistlib.loads(old), plistlib.loads(new)
    for name in ("files", "files2"):
        if before.get(name, {}).keys() != after.get(name, {}).keys():
            report.add("likeness", path, f"{name} lists other files than Xcode did")
    digests = re.compile(rb"<data>[^<]*</data>")
    if digests.sub(b"", old) != digests.sub(b"", new):
        report.add("likeness", path, "text: another one than Xcode's, but for digests")


def _may_change(path):
    return path.endswith(("/_CodeSignature/CodeResources", "/embedded.mobileprovision"))


def _may_go(path):
    parts = path.split("/")
    return "SC_Info" in parts or _may_change(path) or parts[-1] == "CodeResources"


def _check_item(path, old, new, is_signed, options, report):
    if old.mode != new.mode:
        report.add("modes", path, f"mode {old.mode:o} became {new.mode:o}")
    changes = old.read() != new.read() if not old.is_folder else False
    if changes and not _may_change(path) and not is_signed:
        report.add("changes", path, "has other bytes than before")
    if changes and is_signed:
        _check_program(path, old.read(), new.read(), options, report)
    if options.same_signer and path.endswith("/_CodeSignature/CodeResources"):
        _check_seal(path, old.read(), new.read(), report)
    if old.entry and new.entry:
        _check_entry(path, old.entry, new.entry, changes or _may_change(path), report)


def _check_entry(path, old, new, changes, report):
    pairs = [
        ("made by", old.made_by, new.made_by), ("method", old.method, new.method),
        ("date", old.date, new.date), ("attributes", old.attributes, new.attributes),
        ("name", old.raw_name, new.raw_name), ("comment", old.comment, new.comment),
        ("flag of its name", old.flags & 0x800, new.flags & 0x800),
        ("local date", old.local[2], new.local[2]),
    ]
    if not changes:
        pairs += [
            ("compressed bytes", old.compressed, new.compressed),
            ("extra field", old.lasting_extra, new.lasting_extra),
            ("flags", old.flags, new.flags), ("local extra field", old.local[4], new.local[4]),
        ]
    for name, one, other in pairs:
        if one != other:
            report.add("entries", path, f"the entry's {name} is another than before")


def _check_program(path, old, new, options, report):
    try:
        pairs = list(zip(macho.slices(old), macho.slices(new)))
        if len(macho.slices(old)) != len(macho.slices(new)):
            report.add("changes", path, "has another number of slices")
    except programs.READ_ERRORS as error:
        report.add("changes", path, f"is not readable: {error}")
        return
    for one, other in pairs:
        if (one.cpu, one.subtype, one.align) != (other.cpu, other.subtype, other.align):
            report.add("changes", path, "has slices for other processors or with other alignments")
        if _unsigned(one, other) != _unsigned(other, one):
            report.add("changes", path, f"{one.name}: more than the signature changed")
        if options.same_signer and one.signature:
            _check_likeness(path, one, other, report)


def _unsigned(one, other):
    """A slice with zeros in place of everything that a new signature may set."""
    end = one.signature[1] if one.signature else len(one.data)
    data = bytearray(one.data[:end])
    data += bytes(-len(data) % 16)
    for place in (one, other):
        if place.signature:
            command = place.signature[0]
            data[command : command + 16] = bytes(16)
    linkedit = one.segment("__LINKEDIT")
    if linkedit:
        at = linkedit.command + 24
        for offset in ((8, 24) if one.cpu & 0x01000000 else (4, 12)):
            width = 8 if one.cpu & 0x01000000 else 4
            data[at + offset : at + offset + width] = bytes(width)
    # The number and total size of the commands, which change if one is added.
    if not (one.signature and other.signature):
        data[16:24] = bytes(8)
    return bytes(data)


def _check_likeness(path, one, other, report):
    """For the same signer: equal fields, names, sets of slots and requirements, and hashes of equal pages."""
    old, _ = blobs.superblob(one.blob)
    new, _ = blobs.superblob(other.blob)
    if list(old) != list(new):
        report.add("likeness", path, f"{one.name}: slots {list(map(hex, new))}, not {list(map(hex, old))}")
    if old.get(blobs.REQUIREMENTS) != new.get(blobs.REQUIREMENTS):
        report.add("likeness", path, f"{one.name}: other requirements")
    before, after = _directories(old), _directories(new)
    if list(before) != list(after):
        report.add("likeness", path, f"{one.name}: CodeDirectories by {list(after)}, not {list(before)}")
    for name in before.keys() & after.keys():
        for what in _differences(before[name], after[name], one, other):
            report.add("likeness", path, f"{one.name}: {what}")


def _directories(parts):
    slots = [slot for slot in (blobs.CODE_DIRECTORY, blobs.ALTERNATE) if slot in parts]
    found = [blobs.code_directory(parts[slot]) for slot in slots]
    return {directory.hash: directory for directory in found}


def _differences(before, after, one, other):
    names = (
        "version", "flags", "identifier", "team", "limit", "exec_base", "exec_limit",
        "exec_flags", "runtime", "platform", "page_shift",
    )
    for name in names:
        if getattr(before, name) != getattr(after, name):
            yield f"{name} {getattr(after, name)}, not {getattr(before, name)}"
    if before.special.keys() != after.special.keys():
        yield f"{len(after.special)} special slots, not {len(before.special)}"
    # All fields before the digests, except the length.
    if before.version == after.version and before.blob[:88] != after.blob[:88]:
        yield "another header of the CodeDirectory"
    for index, pair in enumerate(zip(before.pages, after.pages)):
        at = index * 4096
        same = one.data[at : min(at + 4096, before.limit)] == other.data[at : min(at + 4096, after.limit)]
        if same != (pair[0] == pair[1]):
            yield f"page {index} has another digest"
    if one.signature[2] != other.signature[2]:
        yield f"{other.signature[2]} bytes for the signature, not {one.signature[2]}"
