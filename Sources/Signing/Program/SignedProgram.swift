/// A signed file, as a list of what is new in it and what stays as it was.
package struct SignedProgram: Sendable {
    package enum Part: Hashable, Sendable {
        case bytes([UInt8])
        /// A range of the program that was signed.
        case original(Range<Int>)
    }

    /// Front to back; the ranges of the original ascend.
    package let parts: [Part]
    /// Bytes of the signed file.
    package let count: Int
    /// Digests of the whole signed file, for the seals of the bundles around it.
    package let sha1: [UInt8]
    package let sha256: [UInt8]
}

extension SignedProgram {
    /// Gives the bytes of the signed file in order.
    ///
    /// - Parameters:
    ///   - original: the program that was signed; it is read once.
    ///   - body: takes windows of at most 256 KiB, whose bytes are gone when it returns.
    /// - Throws: what the medium or `body` throws.
    package func write(
        from original: some ReplayableBytes,
        _ body: (UnsafeRawBufferPointer) throws -> Void,
    ) throws {
        var index = 0
        var position = 0
        func writeNew() throws {
            while index < parts.count, case .bytes(let bytes) = parts[index] {
                try unsafe bytes.read { try unsafe body($0) }
                index += 1
            }
        }
        try writeNew()
        try unsafe original.read { window in
            let bounds = position..<position + window.count
            position = bounds.upperBound
            while index < parts.count, case .original(let range) = parts[index] {
                let part = range.clamped(to: bounds)
                let start = part.lowerBound - bounds.lowerBound
                if !part.isEmpty {
                    try unsafe body(
                        UnsafeRawBufferPointer(rebasing: window[start..<start + part.count])
                    )
                }
                guard range.upperBound <= bounds.upperBound else { return }
                index += 1
                try writeNew()
            }
        }
    }
}
