import Foundation
import TestSupport
import Testing

/// A small file system of its own.
enum Disk {
    static let mayBeMounted = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: mount)

    private static let mount = "/bin/mount"

    static func mounted(
        in folder: URL,
        size: String,
        _ body: (URL) async throws -> Void,
    ) async throws {
        let place = folder.appending(path: "disk")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let mounted = try await Program(path: mount)
            .run(["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", place.path()], in: folder)
        try #require(mounted.status == 0, "\(mounted.errors)")
        do {
            try await body(place)
        } catch {
            try await unmount(place, in: folder)
            throw error
        }
        try await unmount(place, in: folder)
    }

    static func remount(_ disk: URL, _ option: String) async throws {
        let outcome = try await Program(path: mount).run(
            ["-o", "remount,\(option)", disk.path()],
            in: disk.deletingLastPathComponent(),
        )
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    private static func unmount(_ place: URL, in folder: URL) async throws {
        _ = try await Program(path: "/bin/umount").run(["-l", place.path()], in: folder)
    }
}
