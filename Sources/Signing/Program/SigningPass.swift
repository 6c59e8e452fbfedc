import CodeSignature
import Cryptography

/// Signs a program in one pass over its bytes.
///
/// Each slice is finished before the next begins, so that the signed file can be hashed in the same pass.
struct SigningPass {
    private let layout: ProgramLayout
    /// The number of bytes of the original received so far.
    private var position = 0
    /// The index of the piece whose code is being received.
    private var index = 0
    private var pages: [PageHasher] = []
    private var parts: [SignedProgram.Part] = []
    /// New bytes not yet in ``parts``.
    private var pending: [UInt8] = []
    private let sha1 = DigestHasher(.sha1)
    private let sha256 = DigestHasher(.sha256)

    init(_ layout: ProgramLayout) {
        self.layout = layout
        beginPiece()
    }

    /// Processes the next bytes of the original.
    ///
    /// - Throws: ``ProgramFault`` when a slice that ends in them cannot be signed.
    mutating func take(_ window: UnsafeRawBufferPointer) throws(ProgramFault) {
        let bounds = position..<position + window.count
        position = bounds.upperBound
        for gap in layout.gaps {
            let bytes = unsafe Self.part(of: window, at: bounds, in: gap)
            guard unsafe bytes.allSatisfy({ $0 == 0 }) else { throw .bytesBetweenSlices }
        }
        while index < layout.pieces.count {
            let code = layout.pieces[index].code
            unsafe hash(code: Self.part(of: window, at: bounds, in: code))
            guard code.upperBound <= position else { return }
            try finishPiece()
        }
    }

    /// The result; nil when the original ended before its last slice.
    consuming func finish() -> SignedProgram? {
        guard index == layout.pieces.count else { return nil }
        return SignedProgram(
            parts: parts,
            count: layout.count,
            sha1: sha1.finish(),
            sha256: sha256.finish(),
        )
    }

    private static func part(
        of window: UnsafeRawBufferPointer,
        at bounds: Range<Int>,
        in range: Range<Int>,
    ) -> UnsafeRawBufferPointer {
        let part = range.clamped(to: bounds)
        let start = part.lowerBound - bounds.lowerBound
        return unsafe UnsafeRawBufferPointer(rebasing: window[start..<start + part.count])
    }

    private mutating func beginPiece() {
        guard index < layout.pieces.count else { return }
        let piece = layout.pieces[index]
        pages = piece.signer.pageHashers
        add(piece.head)
        let header = piece.head.suffix(piece.headerSize)
        unsafe header.withUnsafeBytes { unsafe hash(pageBytes: $0) }
    }

    private mutating func finishPiece() throws(ProgramFault) {
        let piece = layout.pieces[index]
        if !pending.isEmpty { parts.append(.bytes(pending)) }
        if !piece.code.isEmpty { parts.append(.original(piece.code)) }
        pending = []
        let padding = [UInt8](repeating: 0, count: 16).prefix(piece.padding)
        add(padding)
        unsafe padding.withUnsafeBytes { unsafe hash(pageBytes: $0) }
        for index in pages.indices { pages[index].finish() }
        add(try piece.signer.signature(over: pages))
        index += 1
        beginPiece()
        if index == layout.pieces.count { parts.append(.bytes(pending)) }
    }

    private mutating func hash(code bytes: UnsafeRawBufferPointer) {
        unsafe hash(pageBytes: bytes)
        unsafe sha1.update(bytes)
        unsafe sha256.update(bytes)
    }

    private mutating func hash(pageBytes bytes: UnsafeRawBufferPointer) {
        for index in pages.indices { unsafe pages[index].take(bytes) }
    }

    /// Appends new bytes to the signed file.
    private mutating func add(_ bytes: some Collection<UInt8>) {
        pending.append(contentsOf: bytes)
        sha1.update(bytes)
        sha256.update(bytes)
    }
}
