import Bytes
import Foundation
import Mirrors
import Sandboxing

/// The folders of one build: the checkout, a home and a place for temporary files, gone afterwards.
struct Workspace: Sendable {
    /// Absolute; everything of the build is below.
    let root: String
    /// Whether it is for another user than the server's, who must get to it.
    let isOthers: Bool

    var checkout: String { root + "/checkout" }
    var home: String { root + "/home" }
    var temporary: String { root + "/tmp" }

    var isThere: Bool { FileManager.default.fileExists(atPath: checkout) }

    /// The checkout, through no link.
    ///
    /// It is opened from the folder above the build's, which the build's user cannot change.
    func openCheckout() throws -> OpenFolder {
        let place = URL(filePath: root)
        let above = try OpenFolder(
            path: place.deletingLastPathComponent().path(percentEncoded: false)
        )
        return try above.folder(at: place.lastPathComponent + "/checkout")
    }

    /// Makes the folders again, accessible to the owner only.
    func prepare() async throws {
        await remove()
        if isOthers { try openWay() }
        for folder in [root, checkout, home, temporary] {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700],
            )
        }
    }

    /// Makes the two folders above such that other users pass through and list nothing, and only the
    /// server's user writes.
    private func openWay() throws {
        let above = (root as NSString).deletingLastPathComponent
        for folder in [(above as NSString).deletingLastPathComponent, above] {
            _ = unsafe mkdir(folder, 0o711)
            var status = stat()
            // The first is where anyone may make folders.
            guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
                status.st_uid == geteuid(), status.st_mode & 0o022 == 0
            else {
                throw ProcessFailure.notStarted(
                    folder,
                    reason: "it is not a folder that only the server's user can write to",
                )
            }
            _ = unsafe chmod(folder, 0o711)
        }
    }

    /// Gives everything to the user that steps run as.
    func hand(to user: SystemUser) async throws {
        try await tool("/bin/chown", ["-R", "-h", "--", "\(user.user):\(user.group)", root])
    }

    /// Removes everything, also what a build has made unreadable.
    func remove() async {
        guard FileManager.default.fileExists(atPath: root) else { return }
        try? await tool("/bin/chmod", ["-R", "--", "u+rwX", root])
        try? await tool("/bin/rm", ["-r", "-f", "--", root])
    }

    private func tool(_ path: String, _ arguments: [String]) async throws {
        let limits = ProcessLimits(time: .seconds(300), output: 64 << 10)
        var process = ChildProcess(path, arguments, in: "/", limits: limits)
        process.environment = ["PATH": "/usr/bin:/bin"]
        let ending = try await process.run(output: { _ in })
        guard ending == .exited(0) else {
            throw ProcessFailure.notStarted(path, reason: "it ended with \(ending)")
        }
    }
}
