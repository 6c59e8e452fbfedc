package import Cryptography

/// The agent that machines run to build for the server: `agent/runner.py`, as it was when the program was
/// made.
///
/// No operator's folder of assets replaces it: agents run it with the rights of their users, and know it
/// by its digest.
package enum AgentFile {
    /// UTF-8.
    package static let bytes: [UInt8] = Assets.embedded("agent/runner.py") ?? []

    package static let sha256 = SHA256Digest(of: bytes)
}
