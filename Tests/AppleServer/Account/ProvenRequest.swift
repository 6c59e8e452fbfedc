import ASN1Reading
import Bytes
import Cryptography
import SwiftASN1

/// A certificate request (PKCS#10) that the key in it has signed.
struct ProvenRequest {
    let publicKey: PublicKey

    /// Reads the PEM that Apple takes as `csrContent`; nil for anything else.
    init?(_ pem: String) {
        guard pem.utf8.count <= 16 * 1024, let block = PEM.blocks(in: pem)?.first,
            block.label == "CERTIFICATE REQUEST", let key = try? Self.key(in: block.bytes)
        else { return nil }
        publicKey = key
    }

    /// The key, if it made the signature; nil if it did not.
    private static func key(in der: [UInt8]) throws -> PublicKey? {
        let root = try ElementReader.root(der[...], "request", isDistinguished: true)
        var outer = try ElementReader(root, .sequence, "request")
        let information = try outer.next("information")
        _ = try outer.next("algorithm")
        let signature = try outer.primitive(.bitString, "signature")
        try outer.end()
        var inner = try ElementReader(information, .sequence, "information")
        _ = try inner.integer("version")
        _ = try inner.next("subject")
        let key = try PublicKey(
            pem: PEM.text("PUBLIC KEY", Array(try inner.next("public key").encodedBytes))
        )
        let isSigned = key.verifies(
            Array(signature.dropFirst()),
            over: Array(information.encodedBytes),
        )
        return isSigned ? key : nil
    }
}
