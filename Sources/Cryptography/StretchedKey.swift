import COpenSSL

/// A key out of words that people choose, slow to make so that guessing is slow: scrypt (RFC 7914).
package enum StretchedKey {
    /// What a key costs to make: 128 × `blocks` × `cost` bytes of memory, and time in proportion.
    package struct Cost: Codable, Equatable, Sendable {
        /// A power of two.
        package let cost: Int
        package let blocks: Int

        /// 32 MiB, and about a tenth of a second.
        package static let usual = Cost(cost: 1 << 15, blocks: 8)
        /// 1 MiB, and milliseconds: for tests that try many.
        package static let least = Cost(cost: 1 << 10, blocks: 8)

        /// The bounds keep a damaged document from asking for all memory.
        fileprivate var isSane: Bool {
            (1 << 10...1 << 20).contains(cost) && cost.nonzeroBitCount == 1
                && (1...32).contains(blocks)
        }
    }

    /// 32 bytes; nil for a cost out of bounds, or without the memory.
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
