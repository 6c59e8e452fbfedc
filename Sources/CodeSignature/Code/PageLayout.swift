import Cryptography
import MachOFormat

/// The division of code into pages by a CodeDirectory, which must be known before code can be hashed.
struct PageLayout: Hashable, Sendable {
    let algorithm: DigestAlgorithm
    /// The size of a page in bytes; nil for a single page that covers everything.
    let pageSize: Int?
    /// The number of bytes that the pages cover, from the start of the slice.
    let codeLimit: Int

    /// The layout of every signature since 2020, assumed until the CodeDirectory is read, which follows
    /// the code.
    static func usual(codeLimit: Int) -> PageLayout {
        PageLayout(algorithm: .sha256, pageSize: 4096, codeLimit: codeLimit)
    }

    init(algorithm: DigestAlgorithm, pageSize: Int?, codeLimit: Int) {
        self.algorithm = algorithm
        self.pageSize = pageSize
        self.codeLimit = codeLimit
    }

    /// Nil for an unknown hash algorithm, and for pages beyond the end of the slice.
    init?(_ directory: CodeDirectory, sliceSize: Int) {
        guard let algorithm = directory.hashType.algorithm,
            let limit = Int(exactly: directory.codeLimit), limit <= sliceSize,
            directory.pageSizeLog2 == 0 || directory.pageSize.map({ $0 >= 4096 }) ?? false
        else { return nil }
        self.init(algorithm: algorithm, pageSize: directory.pageSize, codeLimit: limit)
    }
}

extension HashType {
    /// The algorithm to compute; a truncated digest is its prefix.
    var algorithm: DigestAlgorithm? {
        switch self {
        case .sha1: .sha1
        case .sha256, .sha256Truncated: .sha256
        case .sha384: .sha384
        case .unknown: nil
        }
    }

    /// The digest in the size of the hash type; nil for an unknown type.
    func digest(of bytes: some Sequence<UInt8>) -> [UInt8]? {
        guard let algorithm, let size else { return nil }
        return Array(algorithm.digest(of: bytes).prefix(size))
    }
}
