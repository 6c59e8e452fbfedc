/// A signed file, as a list of new bytes and unchanged ranges of the original.
package struct SignedProgram: Sendable {
    package enum Part: Hashable, Sendable {
        case bytes([UInt8])
        /// A range of the original file.
        case original(Range<Int>)
    }

    /// In file order; the ranges of the original ascend.
    package let parts: [Part]
    /// The size of the signed file in bytes.
    package let count: Int
    /// The digests of the signed file, for the seals of the enclosing bundles.
    package let sha1: [UInt8]
    package let sha256: [UInt8]
}

extension SignedProgram {
    /// Passes the bytes of the signed file to `body` in order.
    ///
    /// - Parameters:
    ///   - original: the program that was signed; it is read once.
    ///   - body: receives windows of at most 256 KiB, which are valid only during the call.
    /// - Throws: errors of the byte source or of `body`.
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
