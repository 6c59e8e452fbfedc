package import Cryptography

/// The agent that runners use to build for the server: `agent/runner.py`, as of the program's build.
///
/// An operator's assets folder does not replace it: agents run it with the rights of their users, and
/// check its digest.
package enum AgentFile {
    /// UTF-8.
    package static let bytes: [UInt8] = Assets.embedded("agent/runner.py") ?? []

    package static let sha256 = SHA256Digest(of: bytes)
}
