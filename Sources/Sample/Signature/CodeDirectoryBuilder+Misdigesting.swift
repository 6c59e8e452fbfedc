import Cryptography
import Signing

extension CodeDirectoryBuilder {
    /// The blob with the digests of other pages than those of the code.
    func blob(misdigesting code: [UInt8]) -> [UInt8] {
        let pageSize = 1 << Int(pageSizeLog2)
        let digests = stride(from: 0, to: code.count, by: pageSize).map { start in
            hash.algorithm.digest(of: code[start..<min(start + pageSize, code.count)] + [0])
        }
        return blob(Array(digests.joined()), codeLimit: code.count)
    }
}
