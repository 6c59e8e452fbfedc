@testable import ACME
import Bytes
import Cryptography
import Foundation
import Testing

struct AccountKeyTests {
    private struct Signed: Decodable { let protected, payload, signature: String }
    private struct Header: Decodable {
        struct Key: Decodable { let crv, kty, x, y: String }
        let alg, nonce, url: String
        let jwk: Key?
        let kid: String?
    }

    private static func parts(
        _ key: ACMEAccountKey,
        account: String?,
    ) throws -> (Signed, Header) {
        let bytes = try key.signed(
            Array("{}".utf8),
            to: "https://a.example/x",
            nonce: "n",
            account: account,
        )
        let signed = try JSONDecoder().decode(Signed.self, from: Data(bytes))
        let header = try #require(Base64URL.bytes(signed.protected))
        return (signed, try JSONDecoder().decode(Header.self, from: Data(header)))
    }

    @Test func `a request names the key or the account, never both`() throws {
        let key = try ACMEAccountKey(PrivateKey.generate(.p256))
        let (signed, header) = try Self.parts(key, account: nil)
        #expect(header.jwk?.crv == "P-256" && header.kid == nil)
        #expect(header.alg == "ES256" && header.nonce == "n")
        #expect(header.url == "https://a.example/x")
        #expect(Base64URL.bytes(signed.payload) == Array("{}".utf8))
        #expect(Base64URL.bytes(signed.signature)?.count == 64)
        let (_, second) = try Self.parts(key, account: "https://a.example/acct/1")
        #expect(second.jwk == nil && second.kid == "https://a.example/acct/1")
    }

    @Test func `an answer to a challenge ends with the thumbprint of the key`() throws {
        let key = try ACMEAccountKey(PrivateKey.generate(.p256))
        let jwk = try #require(try Self.parts(key, account: nil).1.jwk)
        // RFC 7638 section 3: the required members, sorted, without white space.
        let text = #"{"crv":"P-256","kty":"EC","x":"\#(jwk.x)","y":"\#(jwk.y)"}"#
        let thumbprint = Base64URL.text(SHA256Digest(of: Array(text.utf8)).bytes)
        #expect(key.authorization(of: "token") == "token." + thumbprint)
    }

    @Test func `a key of another kind is refused, and no description has the key`() throws {
        #expect(throws: ACMEFailure.key(.unsupported(.rsa(bits: 2048)))) {
            try ACMEAccountKey(PrivateKey.generate(.rsa2048))
        }
        let key = try ACMEAccountKey(PrivateKey.generate(.p256))
        #expect("\(key)" == "ACME account key")
        #expect(Mirror(reflecting: key).children.isEmpty)
    }
}
