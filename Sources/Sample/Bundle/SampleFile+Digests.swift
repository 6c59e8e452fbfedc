import Cryptography

extension SampleFile.Content {
    /// The two digests of a file in a seal.
    func digests() -> (sha1: [UInt8], sha256: [UInt8]) {
        let bytes = bytes
        return (DigestAlgorithm.sha1.digest(of: bytes), DigestAlgorithm.sha256.digest(of: bytes))
    }
}
