/// HMAC-SHA256 (RFC 2104) over bytes that arrive in pieces.
package struct MessageAuthenticator {
    private static let block = 64

    private let inner = SHA256Hasher()
    private let outerKey: [UInt8]

    package init(key: [UInt8]) {
        var padded = key.count > Self.block ? SHA256Digest(of: key).bytes : key
        padded += Array(repeating: 0, count: Self.block - padded.count)
        inner.update(padded.map { $0 ^ 0x36 })
        outerKey = padded.map { $0 ^ 0x5c }
    }

    package func update(_ bytes: some Sequence<UInt8>) {
        inner.update(bytes)
    }

    /// Returns the 32 bytes of the code over everything since the start; call it once.
    package func finish() -> [UInt8] {
        SHA256Digest(of: outerKey + inner.finish().bytes).bytes
    }
}
