import Foundation
import TestSupport
import Testing

/// `scripts/package`, with a small program instead of a release build: it prints what the tests' `ota`
/// prints.
@Suite(
    .timeLimit(.minutes(20)),
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/dpkg-deb")),
)
struct PackageScriptTests {
    /// One test, because packaging takes most of the time.
    @Test
    func `two runs give the same packages, which are complete and install`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await PackageRoom(in: folder)
            let first = try await room.package(into: "out")
            try #require(first.status == 0, "\(first.errors)")
            let second = try await room.package(into: "again")
            try #require(second.status == 0, "\(second.errors)")
            let sums = try room.text("out/SHA256SUMS")
            #expect(sums.split(separator: "\n").count == 4)
            #expect(try room.text("again/SHA256SUMS") == sums)
            let checked = try await room.run("cd out && sha256sum -c SHA256SUMS")
            #expect(checked.status == 0, "\(checked.errors)")
            try await expectContents(in: room)
            try await expectInstallation(in: room)
        }
    }

    @Test func `a program that needs Swift's libraries is refused`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await PackageRoom(in: folder)
            let refused = try await room.package(into: "out", program: room.ota)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("--static-swift-stdlib"))
            #expect(try await room.run("ls out").output.isEmpty)
        }
    }

    /// Checks for the program, service, manual, completions and documents.
    private func expectContents(in room: PackageRoom) async throws {
        let files = try await room.run("dpkg-deb -c out/*.deb | awk '{print $6}'").output
            .split(separator: "\n")
        for wanted in [
            "./usr/bin/ota", "./usr/lib/systemd/system/ota.service", "./etc/default/ota",
            "./usr/share/bash-completion/completions/ota",
            "./usr/share/zsh/vendor-completions/_ota",
            "./usr/share/fish/vendor_completions.d/ota.fish",
            "./usr/share/man/man1/ota.1.gz", "./usr/share/man/man1/ota-devices-add.1.gz",
            "./usr/share/doc/ota/README.md", "./usr/share/doc/ota/docs/troubleshooting.md",
            "./usr/share/doc/ota/builds.conf",
        ] {
            #expect(files.contains(Substring(wanted)), "\(wanted)")
        }
        let control = try await room.run("dpkg-deb -f out/*.deb").output
        #expect(control.contains("Package: ota\n"))
        #expect(control.contains("libc6 (>= "))
        let unpacked = try await room.run(
            "dpkg-deb -x out/*.deb x && zcat x/usr/share/man/man1/ota-serve.1.gz | man -l -"
        )
        #expect(unpacked.status == 0, "\(unpacked.errors)")
        #expect(unpacked.output.contains("--acme-directory"))
        let contents = try await room.run("cat out/*.spdx.json").output
        #expect(contents.contains("\"spdxVersion\": \"SPDX-2.3\""))
        #expect(contents.contains("pkg:swift/github.com/apple/swift-nio@"))
        #expect(contents.contains("pkg:deb/debian/libc6@"))
    }

    /// Checks that `install.sh` installs below a prefix, reports it, and removes everything again.
    private func expectInstallation(in room: PackageRoom) async throws {
        let prefix = room.folder.appending(path: "local").path()
        let installed = try await room.run(
            "tar xzf $(ls out/ota-*.tar.gz | grep -v image) "
                + "&& cd $(ls -d ota-*/ | head -n 1) && ./install.sh --prefix \(prefix)"
        )
        #expect(installed.status == 0, "\(installed.errors)")
        #expect(installed.output.contains("as \(prefix)/bin/ota"))
        #expect(try await room.run("local/bin/ota --version").status == 0)
        #expect(try await room.run("test -f local/share/man/man1/ota.1.gz").status == 0)
        let removed = try await room.run(
            "cd $(ls -d ota-*/ | head -n 1) && ./install.sh --prefix \(prefix) --remove"
        )
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try await room.run("find local -type f").output.isEmpty)
    }
}

/// A folder with a program to package.
private struct PackageRoom {
    let folder: URL
    let ota: String
    private let launcher: String

    init(in folder: URL) async throws {
        self.folder = folder
        ota = try #require(Program(built: "ota")).path
        launcher = folder.appending(path: "launcher").path()
        let source = """
            #include <unistd.h>
            int main(int count, char **arguments) {
                (void)count;
                arguments[0] = "\(folder.path())remember.sh";
                return execv(arguments[0], arguments);
            }
            """
        try Data(source.utf8).write(to: folder.appending(path: "launcher.c"))
        // An unoptimised `ota` takes eight seconds to describe its commands, and is run often, so its output
        // is cached.
        let remembering = """
            #!/bin/sh
            said=\(folder.path())said-$(printf %s "$*" | tr -c 'a-z\\n' -)
            if [ ! -f "$said" ]; then
              "\(ota)" "$@" >"$said.new" || exit
              mv "$said.new" "$said"
            fi
            exec cat "$said"
            """
        let script = folder.appending(path: "remember.sh")
        try Data(remembering.utf8).write(to: script)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: script.path(),
        )
        let compiled = try await Program(path: "/bin/sh").run(
            ["-c", "clang -O1 -o launcher launcher.c"],
            in: folder,
        )
        try #require(compiled.status == 0, "\(compiled.errors)")
    }

    func package(into output: String, program: String? = nil) async throws -> Program.Outcome {
        try await run(
            "\(Self.script) --program \(program ?? launcher) --output \(output)"
        )
    }

    func run(_ command: String) async throws -> Program.Outcome {
        try await Program(path: "/bin/bash").run(
            ["-c", command],
            environment: ["SOURCE_DATE_EPOCH": "1764201600"],
            in: folder,
        )
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }

    private static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "scripts/package").path()
}
