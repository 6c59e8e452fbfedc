import Cryptography

/// `key`: a private key from an operator is read and written without a change.
struct PrivateKeys: PlainInputKind {
    static let name = "key"

    static func seeds(by authority: SeedAuthority) throws -> [String: [UInt8]] {
        let key = try PrivateKey.generate(.p256)
        return ["pkcs8": key.der, "key.pem": Array(key.pem.utf8)]
    }

    func check(_ input: [UInt8]) {
        let key = accepted { () throws(MalformedKey) in
            input.starts(with: Array("-----".utf8))
                ? try PrivateKey(pem: String(decoding: input, as: UTF8.self))
                : try PrivateKey(der: input)
        }
        guard let key else { return }
        let again = accepted { () throws(MalformedKey) in try PrivateKey(der: key.der) }
        promise(again?.der == key.der, "a key is not read as it was written")
        promise(again?.publicKey == key.publicKey, "a key's public half changed")
    }
}
