"""Every bundle of a package: its identifier, program, seal and profile; and code outside of bundles."""

import plistlib
import posixpath

import blobs
import macho
import profiles
import programs
import seals
from programs import Expectation

WITH_PROFILE = (".app", ".appex")
SUFFIXES = WITH_PROFILE + (".framework",)


class Bundle:
    """A folder with an Info.plist that names a program in it, whatever the folder's name."""

    def __init__(self, path, tree):
        self.path = path
        self.info = tree.bytes(f"{path}/Info.plist")
        self.list = plistlib.loads(self.info)
        self.executable = self.list.get("CFBundleExecutable")
        self.identifier = self.list.get("CFBundleIdentifier")
        self.has_profile = path.endswith(WITH_PROFILE)

    @property
    def program(self):
        return f"{self.path}/{self.executable}"


def find(tree, options, say):
    found = []
    folders = {path.rsplit("/", count)[0] for path in tree.items for count in range(1, path.count("/") + 1)}
    for path in sorted(folders):
        inside = path.startswith(("Payload/", "Products/")) or path.split("/")[0].endswith(".app")
        if not inside or "/_WatchKitStub" in path:
            continue
        if tree.bytes(f"{path}/Info.plist") is None:
            continue
        try:
            bundle = Bundle(path, tree)
        except Exception as error:
            if path.endswith(SUFFIXES):
                say("info", path, f"Info.plist is not readable: {type(error).__name__}")
            continue
        program = tree.bytes(bundle.program) if bundle.executable else None
        if program is not None and macho.is_program(program):
            found.append(bundle)
        elif path.endswith(WITH_PROFILE):
            say("info", path, "names no executable that is there")
    return found


def identifiers(tree):
    """The signing identifier of each program in a package; Xcode keeps those of libraries."""
    found = {}
    for path, item in tree.items.items():
        data = item.read() if item.is_file else b""
        if not macho.is_program(data):
            continue
        try:
            one = macho.slices(data)[0]
            found[path] = blobs.code_directory(blobs.superblob(one.blob)[0][0]).identifier
        except (*programs.READ_ERRORS, AttributeError):
            continue
    return found


def check(tree, options, report, before=None):
    """Checks a whole package; returns its bundles, and the facts about every program's signature.

    `before` has the signing identifiers of libraries in the package before signing.
    """
    found = find(tree, options, report.add)
    if not found:
        report.add("info", "", "there is no bundle")
    seen = {}
    for bundle in found:
        seen[bundle.program] = _check_bundle(bundle, tree, options, report)
    for path, item in tree.items.items():
        if path in seen or not _may_be_code(path, item, found):
            continue
        data = item.read()
        if not macho.is_program(data) or not _is_loaded(data):
            continue
        stem = posixpath.basename(path)
        stem = stem.rsplit(".", 1)[0] if "." in stem[1:] else stem
        stem = (before or {}).get(path, stem)

        def say(rule, what, path=path):
            report.add(rule, path, what)

        seen[path] = programs.check(data, Expectation(stem), options, say)
    teams = {
        fact.message.leaf.names.get("OU") for facts in seen.values() for fact in facts if fact.message
    }
    if len(teams) > 1:
        report.add("team", "", f"programs of {len(teams)} teams in one package")
    return found, seen


def _may_be_code(path, item, found):
    if not item.is_file or "/_WatchKitStub/" in path:
        return False
    return any(path.startswith(bundle.path + "/") for bundle in found)


def _is_loaded(data):
    """Whether it is an executable or a library; object files and symbols need no signature."""
    try:
        kinds = {one.kind for one in macho.slices(data)}
    except programs.READ_ERRORS:
        return True
    return bool(kinds & {macho.EXECUTE, macho.DYLIB, macho.BUNDLE})


def _check_bundle(bundle, tree, options, report):
    def say(rule, what, path=bundle.path):
        report.add(rule, path, what)

    seal = tree.bytes(f"{bundle.path}/_CodeSignature/CodeResources")
    expected = Expectation(bundle.identifier, bundle.info, seal, bundle.has_profile)
    facts = programs.check(
        tree.bytes(bundle.program),
        expected,
        options,
        lambda rule, what: say(rule, what, bundle.program),
    )
    if seal is None:
        say("seal", "has no _CodeSignature/CodeResources")
    else:
        seals.check(seal, tree.under(bundle.path), bundle.executable, options, say)
    profile = tree.bytes(f"{bundle.path}/embedded.mobileprovision")
    if bundle.has_profile and profile is None:
        say("profile", "has no profile")
    elif profile is not None and not bundle.has_profile:
        say("profile", "has a profile, which a framework must not have")
    elif profile is not None:
        profiles.check(profile, bundle.identifier, facts, options, say)
    mode = tree.items[bundle.program].mode
    if bundle.has_profile and not mode & 0o111:
        say("modes", f"mode {mode & 0o777:o} does not let it run", bundle.program)
    return facts
