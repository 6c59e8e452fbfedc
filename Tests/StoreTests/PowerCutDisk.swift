import Foundation
import Testing

/// A disk image on a file system that can clone files, so that its state can be captured without stopping its
/// writer.
///
/// A clone has what has reached the disk, and nothing that the upper file system still had in memory, exactly
/// as after a power cut.
final class PowerCutDisk {
    /// Where the disk is mounted for the writer.
    let mount: String
    private let root: String
    private let format: String

    /// Whether all requirements are met: root, loop devices, `mkfs.xfs` with reflinks.
    static let isPossible: Bool = {
        guard geteuid() == 0, Mount.isAllowed else { return false }
        guard let disk = try? PowerCutDisk(format: "xfs") else { return false }
        disk.remove()
        return true
    }()

    init(format: String) throws {
        self.format = format
        root = FileManager.default.temporaryDirectory.path() + "ota-power-\(UUID().uuidString)"
        mount = root + "/live"
        do {
            try sh(
                """
                mkdir -p \(root)/base \(root)/live \(root)/cut
                truncate -s 1200M \(root)/base.img
                mkfs.xfs -q -m reflink=1 \(root)/base.img
                mount -o loop \(root)/base.img \(root)/base
                truncate -s 320M \(root)/base/disk.img
                mkfs.\(format) -q \(root)/base/disk.img
                mount -o loop \(root)/base/disk.img \(root)/live
                """
            )
        } catch {
            remove()
            throw error
        }
    }

    /// Captures the disk's state, mounts it as after a restart, and passes the mount point to `body`.
    func cut(_ body: (String) throws -> Void) throws {
        let options = format == "xfs" ? "loop,nouuid" : "loop"
        try sh("cp --reflink=always \(root)/base/disk.img \(root)/base/cut.img")
        try sh("mount -o \(options) \(root)/base/cut.img \(root)/cut")
        defer { try? sh("umount \(root)/cut; rm -f \(root)/base/cut.img") }
        try body(root + "/cut")
    }

    func remove() {
        try? sh(
            """
            umount -q \(root)/cut || true
            umount -q \(root)/live || umount -q -l \(root)/live || true
            umount -q \(root)/base || umount -q -l \(root)/base || true
            rm -rf --one-file-system \(root)
            """
        )
    }

    private func sh(_ script: String) throws {
        let outcome = try Publisher.run("/bin/sh", ["-ec", script])
        guard outcome.status == 0 else { throw Failure(script: script, status: outcome.status) }
    }

    struct Failure: Error {
        let script: String
        let status: Int32
    }
}
