import Cryptography
import MachOFormat

/// How a CodeDirectory cuts code into pages: what must be known before code can be hashed.
struct PageLayout: Hashable, Sendable {
    let algorithm: DigestAlgorithm
    /// Bytes of a page; nil for one page that is everything.
    let pageSize: Int?
    /// Bytes of the slice, from its start, that the pages cover.
    let codeLimit: Int

    /// Every signature since 2020: assumed until the CodeDirectory, which follows the code.
    static func usual(codeLimit: Int) -> PageLayout {
        PageLayout(algorithm: .sha256, pageSize: 4096, codeLimit: codeLimit)
    }

    init(algorithm: DigestAlgorithm, pageSize: Int?, codeLimit: Int) {
        self.algorithm = algorithm
        self.pageSize = pageSize
        self.codeLimit = codeLimit
    }

    /// Nil for an unknown digest algorithm, and for pages that reach behind the slice.
    init?(_ directory: CodeDirectory, sliceSize: Int) {
        guard let algorithm = directory.hashType.algorithm,
            let limit = Int(exactly: directory.codeLimit), limit <= sliceSize,
            directory.pageSizeLog2 == 0 || directory.pageSize.map({ $0 >= 4096 }) ?? false
        else { return nil }
        self.init(algorithm: algorithm, pageSize: directory.pageSize, codeLimit: limit)
    }
}

extension HashType {
    /// What is computed; a truncated digest is the beginning of it.
    var algorithm: DigestAlgorithm? {
        switch self {
        case .sha1: .sha1
        case .sha256, .sha256Truncated: .sha256
        case .sha384: .sha384
        case .unknown: nil
        }
    }

    /// The digest in the size that the type gives it; nil for an unknown type.
    func digest(of bytes: some Sequence<UInt8>) -> [UInt8]? {
        guard let algorithm, let size else { return nil }
        return Array(algorithm.digest(of: bytes).prefix(size))
    }
}
