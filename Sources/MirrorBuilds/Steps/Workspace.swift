import Bytes
import Foundation
import Mirrors
import Sandboxing

/// The folders of one build, removed after it: the checkout, a home, and a folder for temporary files.
struct Workspace: Sendable {
    /// The absolute path of the folder that contains everything of the build.
    let root: String
    /// Whether the build runs as a user other than the server's, who must be able to reach the folder.
    let isOthers: Bool

    var checkout: String { root + "/checkout" }
    var home: String { root + "/home" }
    var temporary: String { root + "/tmp" }

    var isThere: Bool { FileManager.default.fileExists(atPath: checkout) }

    /// Opens the checkout, without following symbolic links.
    ///
    /// It is opened from the folder above the build's, which the build's user cannot change.
    func openCheckout() throws -> OpenFolder {
        let place = URL(filePath: root)
        let above = try OpenFolder(
            path: place.deletingLastPathComponent().path(percentEncoded: false)
        )
        return try above.folder(at: place.lastPathComponent + "/checkout")
    }

    /// Creates empty folders, accessible only to the owner.
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

    /// Makes the two folders above traversable by other users, but neither listable nor writable for them.
    private func openWay() throws {
        let above = (root as NSString).deletingLastPathComponent
        for folder in [(above as NSString).deletingLastPathComponent, above] {
            _ = unsafe mkdir(folder, 0o711)
            var status = stat()
            // The first folder is in a place where anyone may make folders.
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

    /// Removes everything, including files that a build made unreadable.
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
