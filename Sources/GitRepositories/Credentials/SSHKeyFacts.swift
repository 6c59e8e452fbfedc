import Bytes
import Cryptography
import Essentials

/// The public facts of a private SSH key.
package struct SSHKeyFacts: Equatable {
    /// Such as `ssh-ed25519`; for older formats, the word before `PRIVATE KEY`, such as `RSA`.
    package let type: String?
    /// `SHA256:…`, in the format of `ssh-keygen -l` and git hosts.
    ///
    /// Nil for older formats, which do not contain the public key in the clear.
    package let fingerprint: String?
    /// Whether the key needs a passphrase, which a server cannot type.
    package let isEncrypted: Bool

    /// Nil if the text is not a private key.
    package init?(pem: String) {
        let label = " PRIVATE KEY"
        let block = PEM.blocks(in: pem)?.first { (" " + $0.label).hasSuffix(label) }
        guard let block else { return nil }
        if block.label == "OPENSSH PRIVATE KEY" {
            guard let key = try? OpenSSHKey(reading: block.bytes) else { return nil }
            type = key.type
            fingerprint = key.fingerprint
            isEncrypted = key.isEncrypted
            return
        }
        let kind = block.label.split(separator: " ").first.map(String.init)
        type = ["RSA", "DSA", "EC"].first { $0 == kind }
        fingerprint = nil
        isEncrypted = block.isEncrypted || kind == "ENCRYPTED"
    }
}

/// The unencrypted part of an OpenSSH key (`PROTOCOL.key`).
private struct OpenSSHKey {
    let type: String?
    let fingerprint: String
    let isEncrypted: Bool

    private static let magic = "openssh-key-v1\0"

    init(reading bytes: [UInt8]) throws(MalformedBytes) {
        var reader = ByteReader(bytes)
        let magic = try reader.bytes(Self.magic.utf8.count, "magic")
        guard magic.elementsEqual(Self.magic.utf8) else {
            throw MalformedBytes("magic", at: 0, .invalid("is not that of OpenSSH"))
        }
        isEncrypted = try !Self.string(&reader, "cipher").elementsEqual("none".utf8)
        _ = try Self.string(&reader, "key derivation")
        _ = try Self.string(&reader, "options of the key derivation")
        _ = try reader.bigEndian(UInt32.self, "count of keys")
        let publicKey = try Self.string(&reader, "public key")
        let digest = Data(SHA256Digest(of: publicKey).bytes).base64EncodedString()
        fingerprint = "SHA256:" + digest.filter { $0 != "=" }
        var inner = ByteReader(publicKey)
        type = Self.name(try Self.string(&inner, "type"))
    }

    private static func string(
        _ reader: inout ByteReader,
        _ field: String,
    ) throws(MalformedBytes) -> ArraySlice<UInt8> {
        try reader.bytes(Int(try reader.bigEndian(UInt32.self, "length of \(field)")), field)
    }

    /// RFC 4251, section 6: names have at most 64 characters of printable ASCII.
    private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
        guard (1...64).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
