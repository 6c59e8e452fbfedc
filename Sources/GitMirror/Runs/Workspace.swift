import Foundation

/// The folders of one build: the checkout, a home and a place for temporary files, gone afterwards.
struct Workspace: Sendable {
    /// Absolute; everything of the build is below.
    let root: String

    var checkout: String { root + "/checkout" }
    var home: String { root + "/home" }
    var temporary: String { root + "/tmp" }

    /// Makes the folders anew, for nobody but the owner.
    func prepare() async throws {
        await remove()
        for folder in [root, checkout, home, temporary] {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700],
            )
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
