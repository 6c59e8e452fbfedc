"""Ways to break a good package, each with the rules of which one must detect it: tests whether the check can
be trusted.
"""

import struct

import bundles
import blobs
import macho
from tree import Item, Tree


class _Silent:
    def __init__(self):
        self.rules = set()

    def add(self, rule, path, what):
        self.rules.add(rule)


def failures(tree, options):
    """Every way to break the package that the check does not detect."""
    found = bundles.find(tree, options, lambda *_: None)
    app = min(found, key=lambda bundle: bundle.path.count("/"))
    tried = 0
    for name, rule, change in list(_programs(app)) + list(_files(app, tree)):
        broken = change(tree)
        if broken is None:
            continue
        tried += 1
        report = _Silent()
        bundles.check(broken, options, report)
        if not report.rules & set(rule.split()):
            yield f"{name} passes for {rule}: {sorted(report.rules)}"
    if tried < 20:
        yield f"only {tried} ways to break the package"


def _replacing(path, data, mode=None):
    def change(tree):
        items = []
        for name, item in tree.items.items():
            if name != path:
                items.append(item)
            elif data is not None or mode is not None:
                content = item.read() if data is None else data(item.read())
                if content is None:
                    return None
                items.append(Item(name, item.mode if mode is None else mode, lambda c=content: c))
        return Tree(items)

    return change


def _programs(app):
    def edit(change):
        def changed(data):
            data = bytearray(data)
            for one in macho.slices(bytes(data)):
                parts, _ = blobs.superblob(one.blob)
                places = {}
                for index in range(len(parts)):
                    slot, offset = struct.unpack(">II", one.blob[12 + 8 * index : 20 + 8 * index])
                    places[slot] = one.offset + one.signature[1] + offset
                if change(data, one, parts, places) is False:
                    return None
            return bytes(data)

        return _replacing(app.program, changed)

    def flip(slot, offset, mask=1, version=0):
        def change(data, one, parts, places):
            if slot not in places or struct.unpack(">I", parts[0][8:12])[0] < version:
                return False
            at = offset(parts[slot]) if callable(offset) else offset
            if at is None:
                return False
            data[places[slot] + at] ^= mask

        return change

    cd = blobs.CODE_DIRECTORY

    def special(slot):
        def place(blob):
            hashes, _, count = struct.unpack(">III", blob[16:28])
            return hashes - slot * blob[36] if slot <= count else None

        return place

    def identifier(blob):
        return struct.unpack(">I", blob[20:24])[0]

    def team(blob):
        return struct.unpack(">I", blob[48:52])[0]

    def code(data, one, parts, places):
        data[one.offset + one.commands_end + 1] ^= 1

    def memory(data, one, parts, places):
        data[one.offset + one.segment("__LINKEDIT").command + (34 if one.cpu & 0x01000000 else 29)] ^= 0x40

    def beyond(data, one, parts, places):
        if one.align is not None:
            return False
        data.extend(bytes(16))

    def padding(data, one, parts, places):
        data[one.offset + len(one.data) - 1] = 1

    def longer(data, one, parts, places):
        place = one.offset + one.signature[0] + 12
        data[place : place + 4] = struct.pack("<I", one.signature[2] - 16)

    def earlier(data, one, parts, places):
        place = one.offset + one.signature[0] + 8
        data[place : place + 4] = struct.pack("<I", one.signature[1] - 4)

    yield "another bit of code", "pages", edit(code)
    yield "another digest of a page", "pages", edit(flip(cd, lambda blob: len(blob) - 1))
    yield "a limit of code", "directory", edit(flip(cd, 35, 16))
    yield "flags", "directory", edit(flip(cd, 15, 2))
    yield "a page size", "directory", edit(flip(cd, 39))
    yield "ALLOW_UNSIGNED", "segment", edit(flip(cd, 87, 0x10, 0x20400))
    yield "MAIN_BINARY", "segment", edit(flip(cd, 87, 0x01, 0x20400))
    yield "the executable segment", "segment", edit(flip(cd, 78, 0x40, 0x20400))
    yield "an identifier", "identifier", edit(flip(cd, identifier))
    yield "a team", "team", edit(flip(cd, team))
    for slot in (1, 2, 3, 5, 6, 7):
        yield f"special slot {slot}", "slots", edit(flip(cd, special(slot)))
    yield "a requirement", "requirements", edit(flip(blobs.REQUIREMENTS, 60))
    yield "the name in a requirement", "requirements", edit(flip(blobs.REQUIREMENTS, lambda b: len(b) - 40))
    yield "a byte of the message's end", "signature", edit(
        flip(blobs.MESSAGE, lambda b: len(b.rstrip(b"\0")) - 9)
    )
    yield "DER entitlements", "entitlements structure", edit(
        flip(blobs.DER_ENTITLEMENTS, lambda b: len(b) - 1)
    )
    yield "the tag of DER entitlements", "structure", edit(flip(blobs.DER_ENTITLEMENTS, 8))
    yield "the memory of __LINKEDIT", "geometry", edit(memory)
    yield "bytes behind the signature", "geometry", edit(beyond)
    yield "a bit behind the blobs", "geometry", edit(padding)
    yield "a signature that ends early", "geometry", edit(longer)
    yield "a signature that begins early", "geometry", edit(earlier)
    yield "bytes behind the last slice", "fat", _replacing(
        app.program, lambda data: data + b"\0" if data[:4] in macho.FAT_MAGICS else None
    )


def _files(app, tree):
    seal = f"{app.path}/_CodeSignature/CodeResources"
    listed = [
        path
        for path, item in tree.under(app.path).items()
        if item.is_file and "/" not in path and path not in (app.executable, "Info.plist", "PkgInfo")
    ]
    first = f"{app.path}/{listed[0]}"
    yield "another resource", "seal", _replacing(first, lambda data: data + b"\0")
    yield "a resource that is gone", "seal", _replacing(first, None)
    yield "a resource that is a link", "seal", _replacing(first, lambda data: b"PkgInfo", 0o120755)
    yield "no seal", "seal", _replacing(seal, None)
    yield "an Info.plist with a space more", "slots info", _replacing(
        f"{app.path}/Info.plist", lambda data: data + b" "
    )
    yield "a seal with a space more", "slots", _replacing(seal, lambda data: data + b" ")
    yield "other rules", "seal-rules slots", _replacing(
        seal, lambda data: data.replace(b"<real>2000</real>", b"<real>2001</real>")
    )
    yield "no profile", "profile", _replacing(f"{app.path}/embedded.mobileprovision", None)
    yield "a bit of the profile", "profile", _replacing(
        f"{app.path}/embedded.mobileprovision",
        lambda data: data.replace(b"TeamName", b"TeamNamf"),
    )
    yield "a program that may not run", "modes", _replacing(app.program, None, 0o100644)

    def added(tree):
        path = f"{app.path}/added.txt"
        return Tree([*tree.items.values(), Item(path, 0o100644, lambda: b"")])

    yield "a resource more", "seal", added
