import Bytes
import Cryptography
import PropertyLists

/// The digests of an app in a manifest, for the whole file or for pieces of equal size.
struct PieceDigests: Equatable {
    let algorithm: Algorithm
    /// The size of each piece but the last in bytes; nil for one digest of the whole file.
    let size: Int?
    let digests: [[UInt8]]

    enum Algorithm: String {
        case sha256, md5

        /// The size of a digest in bytes.
        var length: Int { self == .sha256 ? 32 : 16 }
    }

    /// Reads the digests in a manifest's asset.
    ///
    /// `sha256` takes precedence over `sha256s`, and either over MD5 (ManifestURL, Device Management).
    ///
    /// - Returns: nil when the asset has none.
    init?(_ asset: PropertyList) throws(Malformed) {
        for algorithm in [Algorithm.sha256, .md5] {
            let name = algorithm.rawValue
            let whole = asset[name]
            let pieces = asset[name + "s"]
            guard whole != nil || pieces != nil else { continue }
            if let whole {
                guard let text = whole.string else { throw Malformed("\(name) is not text") }
                self.init(algorithm, nil, [try algorithm.digest(text, named: name)])
                return
            }
            guard let texts = pieces?.strings, !texts.isEmpty else {
                throw Malformed("\(name)s is not a list of texts")
            }
            guard let size = asset[name + "-size"]?.integer, size > 0 else {
                throw Malformed("\(name)s needs \(name)-size, the number of bytes in a piece")
            }
            var digests: [[UInt8]] = []
            for text in texts { digests.append(try algorithm.digest(text, named: name + "s")) }
            self.init(algorithm, size, digests)
            return
        }
        return nil
    }

    private init(_ algorithm: Algorithm, _ size: Int?, _ digests: [[UInt8]]) {
        self.algorithm = algorithm
        self.size = size
        self.digests = digests
    }

    struct Malformed: Error, Equatable, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}

extension PieceDigests.Algorithm {
    fileprivate func digest(
        _ text: String,
        named name: String,
    ) throws(PieceDigests.Malformed) -> [UInt8] {
        guard let bytes = Hex.decode(text.lowercased()), bytes.count == length else {
            throw PieceDigests.Malformed("\(name) holds something that is not a digest")
        }
        return bytes
    }
}

/// Checks the pieces as they arrive.
struct PieceCheck {
    private let expected: PieceDigests
    private var piece = 0
    private var filled = 0
    private let hasher: DigestHasher
    /// The index of the first piece that differs, from 0.
    private(set) var mismatch: Int?

    init(_ expected: PieceDigests) {
        self.expected = expected
        hasher = expected.algorithm == .sha256 ? DigestHasher(.sha256) : .md5()
    }

    mutating func update(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, mismatch == nil {
            let part = rest.prefix((expected.size ?? .max) - filled)
            hasher.update(part)
            filled += part.count
            rest = rest.dropFirst(part.count)
            if filled == expected.size { endPiece() }
        }
    }

    /// Checks the last piece, and that there are as many pieces as digests.
    mutating func finish() {
        if filled > 0 || expected.size == nil { endPiece() }
        if mismatch == nil, piece != expected.digests.count { mismatch = piece }
    }

    private mutating func endPiece() {
        guard mismatch == nil else { return }
        let digest = hasher.finish()
        guard piece < expected.digests.count, expected.digests[piece] == digest else {
            mismatch = piece
            return
        }
        piece += 1
        filled = 0
    }
}
