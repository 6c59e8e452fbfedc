"""A Mach-O file: the position, CodeDirectories, special slots and message of each slice's signature."""

import struct

import blobs
import entitlements
import macho
import requirements
from der import Malformed
from message import Message

MAIN_BINARY, ALLOW_UNSIGNED = 1, 0x10
READ_ERRORS = (Malformed, ValueError, IndexError, KeyError, struct.error, TypeError, OverflowError)


class Expectation:
    """What the signature of a program must cover."""

    def __init__(self, identifier, info=None, seal=None, takes_entitlements=False):
        self.identifier = identifier
        self.info = info
        self.seal = seal
        self.takes_entitlements = takes_entitlements


class Facts:
    """The content of a slice's signature, as far as the checks of bundles need it."""

    def __init__(self, one, parts, directories, message, claimed):
        self.slice = one
        self.parts = parts
        self.directories = directories
        self.message = message
        self.claimed = claimed


def check(data, expected, options, say):
    """Reports every problem of a program; returns the facts about each slice with a readable signature."""
    try:
        slices = macho.slices(data)
    except READ_ERRORS as error:
        say("mach-o", f"is not readable: {error}")
        return []
    _check_universal(data, slices, say)
    facts = []
    for one in slices:
        def tell(rule, what, one=one):
            say(rule, f"{one.name}: {what}" if len(slices) > 1 else what)

        try:
            found = _check_slice(one, expected, options, tell)
        except READ_ERRORS as error:
            tell("structure", f"is not readable: {error}")
            continue
        if found:
            facts.append(found)
    return facts


def _check_universal(data, slices, say):
    if slices[0].align is None:
        return
    end = 8 + 20 * len(slices)
    for one in sorted(slices, key=lambda one: one.offset):
        if one.align > 20 or one.offset % (1 << one.align):
            say("fat", f"{one.name} begins at {one.offset}, which is no multiple of 2^{one.align}")
        if one.offset < end:
            say("fat", f"{one.name} overlaps what is before it")
        if any(data[end : one.offset]) and end > 8 + 20 * len(slices):
            say("fat", f"there is something between {one.name} and what is before it")
        end = one.offset + len(one.data)
    if end != len(data):
        say("fat", f"{len(data) - end} bytes behind the last slice")


def _check_place(one, say):
    """The signature must be the last part of `__LINKEDIT` and of the slice, and aligned to sixteen bytes."""
    _, offset, size = one.signature
    linkedit = one.segment("__LINKEDIT")
    if offset % 16:
        say("geometry", f"the signature begins at {offset}, which is no multiple of 16")
    if offset + size != len(one.data):
        say("geometry", f"{len(one.data) - offset - size} bytes behind the signature")
    if linkedit is None:
        say("geometry", "there is no __LINKEDIT")
        return
    if linkedit.offset + linkedit.size != len(one.data):
        say("geometry", "__LINKEDIT does not end with the slice")
    if not linkedit.offset <= offset:
        say("geometry", "the signature begins before __LINKEDIT")
    page = 0x4000 if one.cpu == 0x0100000C else 0x1000
    if linkedit.memory != -(-linkedit.size // page) * page and (
        linkedit.memory != -(-linkedit.size // 0x4000) * 0x4000
    ):
        say("geometry", f"__LINKEDIT of {linkedit.size} bytes takes {linkedit.memory} in memory")
    others = [part for part in one.segments if part is not linkedit]
    if any(part.offset + part.size > linkedit.offset and part.size for part in others):
        say("geometry", "__LINKEDIT is not the last segment of the file")
    if any(part.address < linkedit.address + linkedit.memory and part.address >= linkedit.address
           for part in others):
        say("geometry", "a segment overlaps __LINKEDIT in memory")
    tables = max((begin + length for begin, length in one.tables if length), default=0)
    if tables > offset:
        say("geometry", f"a table of __LINKEDIT ends at {tables}, behind where the signature begins")
    elif offset - tables >= 16:
        say("geometry", f"{offset - tables} bytes between the last table and the signature")
    elif any(one.data[tables:offset]):
        say("geometry", "bytes before the signature that are not zero")
    sections = [begin for part in one.segments for _, begin, length in part.sections if begin]
    if sections and one.commands_end > min(sections):
        say("geometry", "load commands that reach into the first section")


def _check_slice(one, expected, options, say):
    if one.signature is None:
        say("unsigned", "has no LC_CODE_SIGNATURE")
        return None
    _check_place(one, say)
    parts, length = blobs.superblob(one.blob)
    if any(one.blob[length:]):
        say("geometry", "bytes behind the signature's blobs that are not zero")
    if blobs.SLOT_LIST in parts and options.current:
        say("structure", "a list of slots, which codesign no longer writes")
    if blobs.CODE_DIRECTORY not in parts:
        raise Malformed("a signature without a CodeDirectory")
    slots = [blobs.CODE_DIRECTORY, blobs.ALTERNATE]
    directories = [blobs.code_directory(parts[slot]) for slot in slots if slot in parts]
    if len({one.hash for one in directories}) != len(directories):
        say("directory", "two CodeDirectories with the same digest")
    _check_kinds(one, directories, options, say)
    claimed = _check_entitlements(parts, one, expected, options, say)
    message = Message(parts[blobs.MESSAGE]) if blobs.MESSAGE in parts else None
    if message is None:
        say("unsigned", "has no signed message")
    for directory in directories:
        _check_directory(directory, directories, one, parts, expected, claimed, message, options, say)
    if message is not None:
        for rule, what in message.problems(directories, options):
            say(rule, what)
        signer = message.leaf.names.get("CN", "")
        wanted = requirements.expected(directories[0].identifier, signer)
        found = parts.get(blobs.REQUIREMENTS)
        alike = found is not None and requirements.designated(found) == wanted[20:]
        if found != wanted and (options.current or not alike):
            say("requirements", "the requirements are not those that codesign writes")
    return Facts(one, parts, directories, message, claimed)


def _check_kinds(one, directories, options, say):
    hashes = [directory.hash for directory in directories]
    if hashes not in (["sha256"], ["sha1", "sha256"]) and options.current:
        say("directory", f"CodeDirectories by {' and '.join(hashes)}")
    # iOS and tvOS before 11 cannot read SHA-256; for watchOS, codesign always writes both (`machorep.cpp`).
    if options.current and one.platform in (2, 3) and one.minimum is not None:
        wanted = ["sha1", "sha256"] if one.minimum < 11 else ["sha256"]
        if hashes != wanted:
            say("directory", f"is for {one.minimum} and later, with CodeDirectories by {hashes}")
    for directory in directories:
        if options.current and directory.version not in (0x20400, 0x20500):
            say("directory", f"a CodeDirectory of version {directory.version:#x}")
        if options.current and (directory.version == 0x20500) != bool(directory.runtime):
            say("directory", "version 0x20500 without a runtime, or a runtime without it")


def _check_entitlements(parts, one, expected, options, say):
    xml, encoded = parts.get(blobs.ENTITLEMENTS), parts.get(blobs.DER_ENTITLEMENTS)
    if not expected.takes_entitlements:
        if xml or encoded:
            say("entitlements", "has entitlements, which a library must not have")
        return None
    if xml is None:
        say("entitlements", "has no entitlements")
        return None
    claimed = entitlements.listed(xml)
    if encoded is None:
        if options.current:
            say("entitlements", "has no DER entitlements, which iOS 15 asks for")
    elif entitlements.is_old(encoded) and options.current:
        say("entitlements", "has DER entitlements of the form before iOS 15")
    elif not entitlements.same(entitlements.decoded(encoded), claimed):
        say("entitlements", "the DER entitlements say something else than the property list")
    return claimed


def _check_directory(directory, all_of_them, one, parts, expected, claimed, message, options, say):
    name = f"{directory.hash}: " if len(all_of_them) > 1 else ""

    def tell(rule, what):
        say(rule, name + what)

    if directory.flags:
        tell("directory", f"flags {directory.flags:#x}")
    if directory.platform:
        tell("directory", f"platform {directory.platform}")
    if directory.page_shift != 12:
        tell("directory", f"pages of 2^{directory.page_shift} bytes")
    if directory.limit != one.signature[1]:
        tell("directory", "the code's limit is not where the signature begins")
    covered = one.data[: directory.limit]
    pages = [directory.digest(covered[at : at + 4096]) for at in range(0, len(covered), 4096)]
    if pages != directory.pages:
        wrong = sum(map(lambda pair: pair[0] != pair[1], zip(pages, directory.pages)))
        tell("pages", f"{wrong} of {len(pages)} pages have another digest, {len(directory.pages)} named")
    _check_names(directory, expected, message, tell)
    _check_segment(directory, one, claimed, tell)
    bound = {
        1: expected.info if expected.info is not None else one.section("__TEXT", "__info_plist"),
        2: parts.get(blobs.REQUIREMENTS),
        3: expected.seal,
        5: parts.get(blobs.ENTITLEMENTS),
        7: parts.get(blobs.DER_ENTITLEMENTS),
    }
    for slot in range(1, max([7, *directory.special]) + 1):
        # What codesign covered here in 2015 is not documented.
        if slot == 4 and blobs.SLOT_LIST in parts:
            continue
        content = bound.get(slot)
        empty = bytes(directory.digest_size)
        wanted = empty if content is None else directory.digest(content)
        if directory.special.get(slot, empty) != wanted:
            tell("slots", f"special slot {slot} is not the digest of what it binds")
    if options.current and directory.special:
        last = max(directory.special)
        if not any(directory.special[last]) and last != 3:
            tell("slots", f"special slot {last} is the last one and empty")


def _check_names(directory, expected, message, say):
    if directory.identifier != expected.identifier:
        say("identifier", f"{directory.identifier} is not {expected.identifier}")
    if directory.version >= 0x20200 and message is not None:
        unit = message.leaf.names.get("OU")
        if directory.team is not None and directory.team != unit:
            say("team", f"team {directory.team} is not that of the certificate, {unit}")
        if directory.team is None:
            say("team", "has no team")


def _check_segment(directory, one, claimed, say):
    if directory.version < 0x20400:
        return
    text = one.segment("__TEXT")
    if text and (directory.exec_base, directory.exec_limit) != (text.offset, text.size):
        say("segment", "the executable segment is not __TEXT")
    if one.kind == macho.EXECUTE:
        allowed = isinstance(claimed, dict) and claimed.get("get-task-allow") is True
        wanted = MAIN_BINARY | (ALLOW_UNSIGNED if allowed else 0)
    else:
        wanted = 0
    if directory.exec_flags != wanted:
        say("segment", f"flags {directory.exec_flags:#x} of the executable segment, not {wanted:#x}")
