import ASN1Reading
import Bytes
import Cryptography
import SwiftASN1

/// A certificate signing request (PKCS #10) that is signed with the key in it.
struct ProvenRequest {
    let publicKey: PublicKey

    /// Parses the PEM that Apple accepts as `csrContent`; nil for anything else.
    init?(_ pem: String) {
        guard pem.utf8.count <= 16 * 1024, let block = PEM.blocks(in: pem)?.first,
            block.label == "CERTIFICATE REQUEST", let key = try? Self.key(in: block.bytes)
        else { return nil }
        publicKey = key
    }

    /// The public key if its signature is valid, otherwise nil.
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
