import Cryptography
import HTTPCalling

/// One request to a bucket, before it is signed.
struct S3Call: Sendable {
    let method: String
    /// nil for the bucket itself.
    var key: String?
    var query: [(name: String, value: String)] = []
    /// By lower-case names.
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// In place of `body` one that is read while it is sent, and what it must be.
    var flowing: (body: FlowingBody, digest: SHA256Digest)?
    /// The most bytes that the answer may have.
    var longestAnswer = 1 << 20
    /// Bytes that the answer is expected to have, which decide how long it may take; nil for the longest
    /// one.
    var expectedAnswer: Int?
    /// What a policy must allow for it.
    let action: String
}
