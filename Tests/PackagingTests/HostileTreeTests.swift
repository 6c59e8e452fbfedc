import Foundation
import Packaging
import PropertyLists
import TestSupport
import Testing

/// Folder trees that no build makes by accident.
struct HostileTreeTests {
    private func refusal(
        limits: PackageLimits = PackageLimits(),
        _ change: (BuiltArchive) throws -> Void,
    ) async throws -> PackageRefusal? {
        try await BuiltArchive.with { archive -> PackageRefusal? in
            try change(archive)
            do {
                _ = try Package(of: XcodeArchive(at: archive.path), limits: limits)
                    .write(to: archive.output)
                return nil
            } catch let error as PackageRefusal {
                let folder = archive.folder.deletingLastPathComponent().path()
                let left = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(left == ["App.xcarchive"], "nothing is left of a refused one")
                #expect(!error.fix.isEmpty)
                return error
            }
        }
    }

    @Test(arguments: [
        "/etc/passwd", "../../../../../etc/passwd", "../..", "Assets/../../../x", "a\nb",
    ])
    func `a link that leaves the app is refused by name`(target: String) async throws {
        let refusal = try await refusal { archive in
            let made = unsafe symlink(target, archive.place("Assets/leak").path())
            #expect(made == 0)
        }
        #expect(refusal?.id == "package.escaping-link")
        #expect(refusal?.place == "Assets/leak")
    }

    @Test func `a folder that is a link is not followed`() async throws {
        let refusal = try await refusal { archive in
            let app = archive.place("")
            let moved = archive.folder.appending(path: "moved")
            try FileManager.default.moveItem(at: app, to: moved)
            try FileManager.default.createSymbolicLink(at: app, withDestinationURL: moved)
        }
        #expect(refusal?.id == "package.not-an-archive")
    }

    @Test func `a pipe is no part of an app`() async throws {
        let refusal = try await refusal { archive in
            let made = unsafe mkfifo(archive.place("pipe").path(), 0o644)
            #expect(made == 0)
        }
        #expect(refusal == .special("pipe"))
    }

    @Test func `a pipe in the place of what is written holds nobody up`() async throws {
        try await BuiltArchive.with { archive in
            let partial = archive.output + ".partial"
            let made = unsafe mkfifo(partial, 0o644)
            #expect(made == 0)
            // With a reader, the FIFO can be opened, and is still not a regular file.
            for isRead in [false, true] {
                _ = unsafe mkfifo(partial, 0o644)
                let reader = isRead ? unsafe open(partial, O_RDONLY | O_NONBLOCK) : -1
                defer { if isRead { close(reader) } }
                #expect {
                    try Package(of: XcodeArchive(at: archive.path)).write(to: archive.output)
                } throws: { ($0 as? PackageRefusal)?.id == "package.unwritable" }
            }
        }
    }

    @Test func `too much, too many and too deep end before anything is written`() async throws {
        let large = try await refusal { archive in
            try archive.write([], to: "sparse")
            let made = unsafe truncate(archive.place("sparse").path(), 17 << 30)
            #expect(made == 0)
        }
        #expect(large?.id == "package.too-large")
        let many = try await refusal(limits: PackageLimits(entries: 20)) { archive in
            for index in 0..<30 { try archive.write([], to: "f\(index)") }
        }
        #expect(many == .tooMany(entries: 20))
        let deep = try await refusal { archive in
            try archive.write([], to: String(repeating: "d/", count: 80) + "f")
        }
        #expect(deep?.id == "package.too-large")
    }

    @Test(arguments: ["new\nline", "back\\slash", "\u{7F}"])
    func `a name that cannot stand in an archive is refused`(name: String) async throws {
        let refusal = try await refusal { archive in
            try archive.write([], to: name)
        }
        #expect(refusal?.id == "package.bad-name")
    }

    @Test func `names that a phone takes for one are refused by the check of the IPA`()
        async throws
    {
        let refusal = try await refusal { archive in
            try archive.write([1], to: "Read.me")
            try archive.write([2], to: "read.me")
        }
        #expect(refusal?.id == "package.unusable")
    }
}
