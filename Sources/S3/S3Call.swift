import Cryptography
import HTTPCalling

/// A request to a bucket, before signing.
struct S3Call: Sendable {
    let method: String
    /// Nil for the bucket itself.
    var key: String?
    var query: [(name: String, value: String)] = []
    /// By lower-case names.
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// A streamed body in place of `body`, with its digest.
    var flowing: (body: FlowingBody, digest: SHA256Digest)?
    /// The maximum size of the response in bytes.
    var longestAnswer = 1 << 20
    /// The expected size of the response in bytes, which determines the timeout; nil for the maximum.
    var expectedAnswer: Int?
    /// The action that a policy must allow.
    let action: String
}
