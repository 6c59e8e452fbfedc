package import Cryptography
import Essentials

/// The agent that runs on a runner's machine: one file of Python, which this server hands out.
package enum RunnerAgent {
    package static let source: [UInt8] =
        EmbeddedAssets.base64.first.flatMap { Data(base64Encoded: $0.base64) }.map(Array.init) ?? []

    package static let digest = SHA256Digest(of: source)
}
