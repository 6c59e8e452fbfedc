"""Stands in for xcodebuild and xcodegen where there is no Mac.

Usage: xcodebuild.py SETTINGS PROGRAM ARGUMENT...

It refuses what the real programs refuse, with their exit statuses (64 usage, 65 build failed, 66 no project,
70 no destination, or export failed), and writes real archives: `ota sample` makes the app of a scheme.
Sources with `#error("...")` do not compile; tests with `XCTFail("...")` or `Issue.record("...")` fail. SETTINGS
is JSON: ota, authority, schemes {name: sample}, signs, version.
"""

import datetime
import json
import os
import pathlib
import plistlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

VALUES = {
    "-project", "-workspace", "-scheme", "-target", "-configuration", "-destination",
    "-archivePath", "-derivedDataPath", "-resultBundlePath", "-resultBundleVersion", "-sdk",
    "-xcconfig", "-testPlan", "-clonedSourcePackagesDirPath", "-packageCachePath", "-exportPath",
    "-exportOptionsPlist", "-jobs", "-destination-timeout", "-authenticationKeyPath",
    "-authenticationKeyID", "-authenticationKeyIssuerID", "-toolchain", "-arch",
    "-parallel-testing-enabled", "-parallel-testing-worker-count", "-test-iterations",
    "-enableCodeCoverage", "-testLanguage", "-testRegion", "-xctestrun",
    "-enableThreadSanitizer", "-enableAddressSanitizer", "-maximum-parallel-testing-workers",
}
FLAGS = {
    "-quiet", "-verbose", "-exportArchive", "-allowProvisioningUpdates",
    "-allowProvisioningDeviceRegistration", "-skipPackagePluginValidation",
    "-skipMacroValidation", "-disableAutomaticPackageResolution",
    "-onlyUsePackageVersionsFromResolvedFile", "-skipPackageUpdates", "-version", "-list", "-json",
    "-showBuildSettings", "-resolvePackageDependencies", "-hideShellScriptEnvironment",
    "-retry-tests-on-failure", "-run-tests-until-failure", "-alltargets", "-checkFirstLaunchStatus",
}
ACTIONS = {
    "archive", "build", "test", "build-for-testing", "test-without-building", "clean", "analyze",
    "docbuild", "install",
}
METHODS = {
    "release-testing", "ad-hoc", "debugging", "development", "enterprise", "app-store-connect",
    "app-store", "validation",
}
PLATFORMS = {
    "iOS", "iOS Simulator", "macOS", "watchOS", "watchOS Simulator", "tvOS", "tvOS Simulator",
    "visionOS", "visionOS Simulator",
}


class Refused(Exception):
    def __init__(self, status, *lines):
        self.status = status
        self.lines = lines


def usage(text):
    return Refused(64, "xcodebuild: error: " + text)


class Invocation:
    def __init__(self, words):
        self.values, self.flags, self.actions, self.settings = {}, set(), [], {}
        words = list(words)
        while words:
            word = words.pop(0)
            if word in VALUES:
                if not words:
                    raise usage(f"option '{word}' requires at least one argument")
                if word in self.values and word != "-destination":
                    raise usage(f"option '{word}' may only be provided once")
                self.values[word] = words.pop(0)
            elif word in FLAGS:
                self.flags.add(word)
            elif re.match(r"-(only|skip)-testing:.+", word):
                pass
            elif word.startswith("-"):
                # A user default is allowed too: `-NAME=VALUE`.
                if re.match(r"-[A-Za-z0-9]+=", word):
                    continue
                raise usage(f"invalid option '{word}'")
            elif re.match(r"[A-Za-z_][A-Za-z0-9_]*(\[[a-z]+=[^\]]+\])*=", word):
                name, value = word.split("=", 1)
                self.settings[name] = value
            elif word in ACTIONS:
                self.actions.append(word)
            else:
                raise Refused(65, f"xcodebuild: error: Unknown build action '{word}'.")

    def __getitem__(self, name):
        return self.values.get(name)


class Build:
    def __init__(self, settings, words):
        self.settings = settings
        self.call = Invocation(words)

    def say(self, text):
        if "-quiet" not in self.call.flags:
            print(text, flush=True)

    def run(self):
        call = self.call
        if "-version" in call.flags:
            version = self.settings.get("version", "26.1")
            print(f"Xcode {version}\nBuild version 17B55")
            return
        if "-exportArchive" in call.flags:
            return self.export()
        if call["-archivePath"] and not call["-scheme"]:
            raise usage("The flag -scheme is required when specifying -archivePath but not -exportArchive.")
        if call["-exportPath"] or call["-exportOptionsPlist"]:
            raise usage("The flag -exportArchive is required when specifying -exportPath or -exportOptionsPlist.")
        self.find_project()
        if "-resolvePackageDependencies" in call.flags:
            print("resolved source packages: ")
            return
        self.check_scheme()
        actions = call.actions or ["build"]
        self.check_destination(actions)
        bundle = call["-resultBundlePath"]
        if bundle:
            if os.path.exists(bundle):
                raise usage(f'Existing file at -resultBundlePath "{os.path.abspath(bundle)}"')
            os.makedirs(bundle)
            with open(os.path.join(bundle, "Info.plist"), "wb") as file:
                plistlib.dump({"version": {"major": 3, "minor": 53}}, file)
        words = " ".join(sys.argv[3:])
        self.say(f"Command line invocation:\n    /usr/bin/xcodebuild {words}\n")
        for action in actions:
            if action == "clean":
                self.say("** CLEAN SUCCEEDED **\n")
                continue
            self.compile(action)
            if action in ("test", "test-without-building"):
                self.test()
            if action == "archive":
                self.archive()
            name = {"build-for-testing": "TEST BUILD", "test-without-building": "TEST EXECUTE"}
            self.say(f"** {name.get(action, action.upper())} SUCCEEDED **\n")

    def find_project(self):
        call = self.call
        if call["-project"] and call["-workspace"]:
            raise usage("You cannot specify both a workspace and a project.")
        for option in ("-project", "-workspace"):
            path = call[option]
            if path is None:
                continue
            if not path.rstrip("/").endswith({"-project": ".xcodeproj", "-workspace": ".xcworkspace"}[option]):
                raise Refused(66, f"xcodebuild: error: '{path}' is not a {option[1:]} file.")
            if not os.path.isdir(path):
                raise Refused(66, f"xcodebuild: error: '{path}' does not exist.")
            if option == "-workspace" and not call["-scheme"] and "-list" not in call.flags:
                raise usage("If you specify a workspace then you must also specify a scheme.  Use -list to see the schemes in this workspace.")
            self.project = path
            return
        here = sorted(os.listdir("."))
        for ending in (".xcworkspace", ".xcodeproj"):
            found = [name for name in here if name.endswith(ending)]
            if len(found) > 1:
                raise Refused(
                    66,
                    f"xcodebuild: error: The directory {os.getcwd()} contains {len(found)} projects, including multiple projects with the current extension ({ending}). Specify the project to use with the -project option.",
                )
            if found:
                self.project = found[0]
                return
        raise Refused(66, f"xcodebuild: error: The directory {os.getcwd()} does not contain an Xcode project, workspace or package.")

    def check_scheme(self):
        scheme = self.call["-scheme"]
        if scheme is None:
            raise usage("a scheme is required here: give -scheme")
        if scheme not in self.settings["schemes"]:
            kind = "workspace" if self.project.rstrip("/").endswith(".xcworkspace") else "project"
            name = pathlib.Path(self.project).stem
            raise Refused(
                65,
                f'xcodebuild: error: The {kind} named "{name}" does not contain a scheme named "{scheme}". The "-list" option can be used to find the names of the schemes in the {kind}.',
            )

    def check_destination(self, actions):
        text = self.call["-destination"]
        tests = any(action.startswith("test") for action in actions)
        if text is None:
            if tests:
                raise Refused(70, "xcodebuild: error: Failed to build project with scheme: Cannot test on “Any iOS Device”. Tests must be run on a concrete device")
            return
        generic = text.startswith("generic/")
        text = text[len("generic/"):] if generic else text
        pairs = [pair.split("=", 1) for pair in text.split(",")]
        if any(len(pair) != 2 for pair in pairs):
            raise usage(f"The destination specifier '{text}' is malformed.")
        fields = dict(pairs)
        platform = fields.get("platform")
        unmatched = platform not in PLATFORMS and "id" not in fields
        if "archive" in actions and not (generic and platform == "iOS"):
            unmatched = True
        if tests and (generic or platform != "iOS Simulator" or not ({"name", "id"} & fields.keys())):
            unmatched = True
        if unmatched:
            raise Refused(
                70,
                "xcodebuild: error: Unable to find a destination matching the provided destination specifier:",
                "\t\t{ " + ", ".join(f"{key}:{value}" for key, value in fields.items()) + " }",
            )

    def sources(self):
        for folder, folders, files in os.walk("."):
            folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in ("build", "DerivedData"))
            for name in sorted(files):
                if name.endswith(".swift"):
                    yield pathlib.Path(folder, name)

    def compile(self, action):
        scheme = self.call["-scheme"]
        failed = []
        for path in self.sources():
            whole = os.path.abspath(path)
            self.say(f"SwiftCompile normal arm64 {whole} (in target '{scheme}' from project '{scheme}')")
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                found = re.search(r'#(error|warning)\("(.*)"\)', line)
                if not found:
                    continue
                column = found.start() + 1
                print(f"{whole}:{number}:{column}: {found[1]}: {found[2]}\n{line}\n{' ' * (column - 1)}^", flush=True)
                if found[1] == "error":
                    failed.append(f"\tSwiftCompile normal arm64 {whole}")
        if failed:
            name = "TEST" if action.startswith("test") else action.upper()
            raise Refused(65, "", f"** {name} FAILED **", "", "", "The following build commands failed:", *failed, f"({len(failed)} failure{'s' if len(failed) > 1 else ''})")

    def test(self):
        scheme, failed = self.call["-scheme"], []
        self.say("Test Suite 'All tests' started at 2026-01-31 12:00:00.000.")
        for path in self.sources():
            if not path.stem.endswith("Tests"):
                continue
            name, text = None, path.read_text(errors="replace")
            for number, line in enumerate(text.splitlines(), 1):
                begins = re.search(r"func (test\w*)\(", line)
                if begins:
                    name = f"-[{scheme}Tests.{path.stem} {begins[1]}]"
                    self.say(f"Test Case '{name}' started.")
                fails = re.search(r'(XCTFail|Issue\.record)\("(.*)"\)', line)
                if fails and fails[1] == "XCTFail":
                    print(f"{os.path.abspath(path)}:{number}: error: {name} : failed - {fails[2]}")
                    print(f"Test Case '{name}' failed (0.003 seconds).", flush=True)
                    failed.append(f"\t{path.stem}.{name.split()[-1][:-1]}()")
                elif fails:
                    print(f"✘ Test \"{path.stem}\" recorded an issue at {path.name}:{number}:9: Issue recorded")
                    print(f"↳ {fails[2]}")
                    print(f"✘ Test \"{path.stem}\" failed after 0.001 seconds with 1 issue.", flush=True)
                    failed.append(f"\t{path.stem}")
        if failed:
            raise Refused(65, "Testing failed:", *failed, "", "** TEST FAILED **", "")

    def versions(self):
        values = {"MARKETING_VERSION": "1.0", "CURRENT_PROJECT_VERSION": "1"}
        for folder in pathlib.Path(".").rglob("*.xcodeproj"):
            file = folder / "project.pbxproj"
            text = file.read_text() if file.is_file() else ""
            for name in values:
                found = re.search(name + r' = "?([^;"]*)"?;', text)
                if found:
                    values[name] = found[1]
        for name in values:
            values[name] = self.call.settings.get(name, values[name])
        for name, value in values.items():
            if not re.fullmatch(r"[0-9]+(\.[0-9]+){0,2}", value):
                raise Refused(65, f"error: {name} is not one to three numbers: '{value}'", "", "** ARCHIVE FAILED **", "")
        return values["MARKETING_VERSION"], values["CURRENT_PROJECT_VERSION"]

    def archive(self):
        call, scheme = self.call, self.call["-scheme"]
        unsigned = call.settings.get("CODE_SIGNING_ALLOWED") == "NO"
        if not unsigned and not self.settings.get("signs", False):
            raise Refused(
                65,
                f"{os.path.abspath(self.project)}: error: No profiles for 'com.example.{scheme}' were found: Xcode couldn't find any iOS App Development provisioning profiles matching 'com.example.{scheme}'. (in target '{scheme}' from project '{scheme}')",
                "", "** ARCHIVE FAILED **", "",
            )
        version, build = self.versions()
        path = call["-archivePath"] or f"{scheme}.xcarchive"
        path = path if path.endswith(".xcarchive") else path + ".xcarchive"
        shutil.rmtree(path, ignore_errors=True)
        applications = os.path.join(path, "Products/Applications")
        os.makedirs(applications)
        with tempfile.TemporaryDirectory() as folder:
            ipa = os.path.join(folder, "made.ipa")
            subprocess.run(
                [self.settings["ota"], "sample", "--app", self.settings["schemes"][scheme],
                 "--version", version, "--build", build, "--authority", self.settings["authority"],
                 "--output", ipa],
                check=True, stdout=subprocess.DEVNULL,
            )
            extract(ipa, folder)
            [app] = pathlib.Path(folder, "Payload").iterdir()
            if unsigned:
                strip_signatures(app)
            shutil.move(app, applications)
        info = plistlib.loads(pathlib.Path(applications, app.name, "Info.plist").read_bytes())
        symbols(pathlib.Path(path, "dSYMs"), applications, app.name, info["CFBundleExecutable"])
        properties = {
            "ApplicationPath": f"Applications/{app.name}",
            "CFBundleIdentifier": info["CFBundleIdentifier"],
            "CFBundleShortVersionString": info["CFBundleShortVersionString"],
            "CFBundleVersion": info["CFBundleVersion"],
            "SigningIdentity": "" if unsigned else "Apple Distribution",
        }
        with open(os.path.join(path, "Info.plist"), "wb") as file:
            plistlib.dump(
                {"ApplicationProperties": properties, "ArchiveVersion": 2, "Name": scheme, "SchemeName": scheme,
                 "CreationDate": datetime.datetime(2026, 1, 31, 12)},
                file,
            )

    def export(self):
        call = self.call
        for option in ("-archivePath", "-exportOptionsPlist"):
            if not call[option]:
                raise usage(f"The flag {option} is required when -exportArchive is specified.")
        if call.actions or call["-scheme"]:
            raise usage("-exportArchive takes no build action and no scheme.")
        path = pathlib.Path(call["-archivePath"])
        if not (path / "Info.plist").is_file():
            raise Refused(65, f"error: archive not found at path '{path.absolute()}'", "** EXPORT FAILED **", "")
        try:
            options = plistlib.loads(pathlib.Path(call["-exportOptionsPlist"]).read_bytes())
        except (OSError, plistlib.InvalidFileException, ValueError):
            raise Refused(64, f"xcodebuild: error: Couldn't load -exportOptionsPlist: {call['-exportOptionsPlist']}")
        method = options.get("method")
        if method not in METHODS:
            raise Refused(70, f'error: exportArchive exportOptionsPlist error for key "method" expected one {{{", ".join(sorted(METHODS))}}}, but found "{method}"', "** EXPORT FAILED **", "")
        info = plistlib.loads((path / "Info.plist").read_bytes())
        if not info["ApplicationProperties"].get("SigningIdentity"):
            raise Refused(70, "error: exportArchive No Team Found in Archive", "** EXPORT FAILED **", "")
        place = pathlib.Path(call["-exportPath"] or ".")
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(path / "Products/Applications", pathlib.Path(folder, "Payload"))
            pack(folder, place / (info["Name"] + ".ipa"))
        (place / "DistributionSummary.plist").write_bytes(plistlib.dumps({}))
        self.say(f"Exported {info['Name']} to: {place.absolute()}\n** EXPORT SUCCEEDED **\n")


def extract(ipa, folder):
    with zipfile.ZipFile(ipa) as archive:
        for entry in archive.infolist():
            path = archive.extract(entry, folder)
            mode = entry.external_attr >> 16 & 0o777
            if mode:
                os.chmod(path, mode)


def pack(folder, target):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            archive.write(path, path.relative_to(folder))


def symbols(folder, applications, app, program):
    """Writes a dSYM for the app's program: another program's dSYM with this program's LC_UUID."""
    data = pathlib.Path(applications, app, program).read_bytes()
    place, uuid = 32, None
    for _ in range(struct.unpack_from("<I", data, 16)[0]):
        command, length = struct.unpack_from("<II", data, place)
        if command == 0x1B:
            uuid = data[place + 8:place + 24]
        place += length
    if uuid is None:
        return
    dwarf = bytearray(pathlib.Path(__file__).with_name("CrashSymbols").joinpath("Shop.dwarf").read_bytes())
    dwarf[0x28:0x38] = uuid
    place = folder / (app + ".dSYM") / "Contents/Resources/DWARF"
    place.mkdir(parents=True)
    (place / program).write_bytes(dwarf)
    (folder / (app + ".dSYM") / "Contents/Info.plist").write_bytes(plistlib.dumps({}))


def strip_signatures(app):
    """Leaves the app as CODE_SIGNING_ALLOWED=NO does: no seals, no profiles, no code signatures."""
    for path in list(app.rglob("*")):
        if path.name == "_CodeSignature":
            shutil.rmtree(path)
        elif path.name == "embedded.mobileprovision":
            path.unlink()
    for path in app.rglob("*"):
        if path.is_file() and path.stat().st_size > 32:
            data = path.read_bytes()
            if struct.unpack_from("<I", data)[0] == 0xFEEDFACF:
                path.write_bytes(without_signature(bytearray(data)))


def without_signature(data):
    """Removes LC_CODE_SIGNATURE, which is the last load command, from a 64-bit Mach-O file."""
    count, size = struct.unpack_from("<II", data, 16)
    place, segment = 32, None
    for index in range(count):
        command, length = struct.unpack_from("<II", data, place)
        if command == 0x19 and data[place + 8:place + 18] == b"__LINKEDIT":
            segment = place
        if command == 0x1D and index == count - 1 and segment is not None:
            start, _ = struct.unpack_from("<II", data, place + 8)
            struct.pack_into("<II", data, 16, count - 1, size - length)
            data[place:place + length] = bytes(length)
            offset, = struct.unpack_from("<Q", data, segment + 40)
            struct.pack_into("<Q", data, segment + 48, start - offset)
            return data[:start]
        place += length
    return data


def generate(words):
    """xcodegen: writes the project that project.yml describes, as far as its versions."""
    spec, words = "project.yml", list(words)
    while words:
        word = words.pop(0)
        if word in ("--spec", "-s"):
            spec = words.pop(0)
        elif word not in ("generate", "--quiet", "-q", "--use-cache", "-c"):
            print(f"Error: Unknown option '{word}'", file=sys.stderr)
            return 64
    if not os.path.isfile(spec):
        print(f'No project spec found at "{os.path.abspath(spec)}"', file=sys.stderr)
        return 1
    text = pathlib.Path(spec).read_text()
    name = re.search(r"^name: *(\S+)", text, re.M)[1]
    project = pathlib.Path(os.path.dirname(spec), f"{name}.xcodeproj")
    project.mkdir(exist_ok=True)
    lines = [
        f"\t{key} = {found[1]};\n"
        for key in ("MARKETING_VERSION", "CURRENT_PROJECT_VERSION")
        if (found := re.search(key + r': *"?([0-9.]+)"?', text))
    ]
    (project / "project.pbxproj").write_text("// !$*UTF8*$!\n" + "".join(lines))
    print(f"Created project at {project.absolute()}")
    return 0


def main():
    settings = json.loads(pathlib.Path(sys.argv[1]).read_text())
    if sys.argv[2] == "xcodegen":
        return generate(sys.argv[3:])
    try:
        Build(settings, sys.argv[3:]).run()
    except Refused as refusal:
        sys.stdout.flush()
        print("\n".join(refusal.lines), file=sys.stderr, flush=True)
        return refusal.status
    return 0


sys.exit(main())
