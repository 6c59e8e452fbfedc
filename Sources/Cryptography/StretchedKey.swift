import COpenSSL

/// Derives a key from a passphrase with scrypt (RFC 7914), which is slow so that guessing is slow.
package enum StretchedKey {
    /// The cost of a derivation: 128 × `blocks` × `cost` bytes of memory, and proportional time.
    package struct Cost: Codable, Equatable, Sendable {
        /// A power of two.
        package let cost: Int
        package let blocks: Int

        /// 32 MiB, and about 0.1 s.
        package static let usual = Cost(cost: 1 << 15, blocks: 8)
        /// 1 MiB, and a few milliseconds: for tests that derive many keys.
        package static let least = Cost(cost: 1 << 10, blocks: 8)

        /// Whether the cost is within bounds, so that a damaged document cannot exhaust the memory.
        fileprivate var isSane: Bool {
            (1 << 10...1 << 20).contains(cost) && cost.nonzeroBitCount == 1
                && (1...32).contains(blocks)
        }
    }

    /// Derives 32 bytes; nil for a cost out of bounds or when memory runs out.
    package static func bytes(
        of words: [UInt8],
        salt: [UInt8],
        cost: Cost,
    ) -> [UInt8]? {
        guard cost.isSane else { return nil }
        var isMade = false
        let key = unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, filled in
            let words = words.map { CChar(bitPattern: $0) }
            isMade =
                unsafe EVP_PBE_scrypt(
                    words,
                    words.count,
                    salt,
                    salt.count,
                    UInt64(cost.cost),
                    UInt64(cost.blocks),
                    1,
                    1 << 30,
                    buffer.baseAddress,
                    32,
                ) == 1
            filled = isMade ? 32 : 0
        }
        if !isMade { OpenSSL.takeFailure() }
        return isMade ? key : nil
    }
}
