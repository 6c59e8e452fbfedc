import Bytes
import Foundation
import Synchronization
import TestSupport
import Testing

/// Files below a folder are opened without following links, even if names on the path are replaced meanwhile.
@Suite struct OpenFolderTests {
    private static func room(in folder: URL) throws -> OpenFolder {
        let manager = FileManager.default
        for (path, text) in [("top/a/b/file", "inside"), ("outside/b/file", "secret")] {
            let file = folder.appending(path: path)
            try manager.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true,
            )
            try Data(text.utf8).write(to: file)
        }
        return try OpenFolder(path: folder.appending(path: "top").path())
    }

    private static func text(_ file: FileSource) throws -> String {
        String(decoding: try file.bytes(at: 0, count: file.count), as: UTF8.self)
    }

    @Test func `a file is read by its path, its folder is listed, and both say what they are`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let top = try Self.room(in: folder)
            let file = try top.file(at: "a/b/file")
            #expect(try Self.text(file) == "inside")
            #expect(try Self.text(FileSource(path: file.path)) == "inside")
            #expect(try top.folder(at: "a/b").names() == [Array("file".utf8)])
            #expect(try top.folder(at: "").names() == [Array("a".utf8)])
            #expect(top.status(of: "a/b/file")?.kind == .file(6))
            #expect(top.status(of: "a")?.kind == .folder)
            #expect(top.status(of: "nothing") == nil)
            #expect(try top.folder(at: "a/b").names(atMost: 0).isEmpty)
        }
    }

    @Test func `a link anywhere on the way is refused, and so is what leads out`() async throws {
        try await withTemporaryFolder { folder in
            let top = try Self.room(in: folder)
            let manager = FileManager.default
            for (link, target) in [
                ("top/l", "../outside"), ("top/a/b/l", "file"), ("top/a/out", "/etc/passwd"),
                ("top/a/self", "."),
            ] {
                try manager.createSymbolicLink(
                    atPath: folder.appending(path: link).path(),
                    withDestinationPath: target,
                )
            }
            try #require(unsafe mkfifo(folder.appending(path: "top/pipe").path(), 0o600) == 0)
            for path in [
                "l/b/file", "a/b/l", "a/out", "a/self/b/file", "../outside/b/file", "a/../../x",
                "pipe", "a", "a/b/file/x", "a\u{0}b", "nothing",
            ] {
                #expect(throws: SourceFailure.self, "\(path)") { try top.file(at: path) }
            }
            for path in ["l", "a/self", "a/b/file", "..", "a/.."] {
                #expect(throws: SourceFailure.self, "\(path)") { try top.folder(at: path) }
            }
            #expect(top.status(of: "l")?.kind == .link)
            #expect(top.status(of: "l/b/file") == nil)
            #expect(top.status(of: "pipe")?.kind == .special)
            #expect(try top.target(of: "l") == Array("../outside".utf8))
        }
    }

    /// A check and a separate open by path exposed the secret in about one of ten attempts.
    @Test func `a folder that is swapped for a link all the time never shows what is outside`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let top = try Self.room(in: folder)
            let place = folder.path() + "top/a"
            let isOver = Mutex(false)
            let swapped = Mutex(0)
            async let swapping: Void = withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    while !isOver.withLock({ $0 }) {
                        _ = unsafe rename(place, place + ".kept")
                        _ = unsafe symlink("../outside", place)
                        _ = unsafe unlink(place)
                        _ = unsafe rename(place + ".kept", place)
                        swapped.withLock { $0 += 1 }
                    }
                    continuation.resume()
                }
            }
            var read = 0
            while read < 300 || swapped.withLock({ $0 }) < 2000 {
                if let file = try? top.file(at: "a/b/file") {
                    read += 1
                    #expect(try Self.text(file) == "inside")
                }
            }
            isOver.withLock { $0 = true }
            await swapping
        }
    }
}
