import Store

/// A file that only its owner may read, such as a private key.
enum SecretFile {
    static func write(_ bytes: [UInt8], to path: String) throws {
        try durableWrite(bytes, to: path, mode: .ownerOnly)
    }
}
