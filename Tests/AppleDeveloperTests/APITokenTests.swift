@testable import AppleDeveloper
import Bytes
import Cryptography
import Foundation
import Testing

/// Tokens have the form that Apple requires, and nothing shows them or their key.
struct APITokenTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000.7)

    private func part(_ token: APIToken, _ index: Int) throws -> JSONValue {
        let parts = token.text.split(separator: ".").map(String.init)
        let bytes = try #require(Base64URL.bytes(parts[index]))
        return try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }

    @Test func `header and claims are those that Apple asks for`() throws {
        let token = try APIToken(for: try TestAccount.key(), at: date)
        #expect(
            try part(token, 0)
                == .object([
                    "alg": .text("ES256"), "kid": .text("2X9R4HXF34"), "typ": .text("JWT"),
                ])
        )
        #expect(
            try part(token, 1)
                == .object([
                    "iss": .text(TestAccount.issuer), "iat": .integer(1_799_999_970),
                    "exp": .integer(1_800_000_870), "aud": .text("appstoreconnect-v1"),
                ])
        )
        #expect(token.expires.timeIntervalSince(token.issued) <= 20 * 60)
    }

    @Test func `the signature is R and S over header and claims, by the key`() throws {
        let key = try TestAccount.key()
        for second in 0..<40 {
            let token = try APIToken(for: key, at: date.addingTimeInterval(Double(second)))
            let parts = token.text.split(separator: ".").map(String.init)
            let raw = try #require(Base64URL.bytes(parts[2]))
            #expect(raw.count == 64)
            let value = DERBytes.sequence(
                DERBytes.integer(magnitude: raw.prefix(32)),
                DERBytes.integer(magnitude: raw.suffix(32)),
            )
            let signed = Array("\(parts[0]).\(parts[1])".utf8)
            #expect(PublicKey(of: key.key).verifies(value, over: signed))
        }
    }

    @Test func `short and long numbers of a signature become 32 bytes each`() throws {
        let short = DERBytes.sequence(
            DERBytes.integer(magnitude: [1]),
            DERBytes.integer(magnitude: [UInt8](repeating: 0xff, count: 32)),
        )
        let raw = try #require(RawSignature(der: short)).bytes
        let zeroes = [UInt8](repeating: 0, count: 31)
        #expect(raw == zeroes + [1] + [UInt8](repeating: 0xff, count: 32))
        let long = DERBytes.sequence(
            DERBytes.integer(magnitude: [UInt8](repeating: 1, count: 33)),
            DERBytes.integer(1),
        )
        #expect(RawSignature(der: long) == nil)
        for count in 0..<short.count {
            #expect(RawSignature(der: Array(short.prefix(count))) == nil)
        }
    }

    @Test func `a token serves for minutes, and not when the clock was set back`() throws {
        let token = try APIToken(for: try TestAccount.key(), at: date)
        #expect(token.isFresh(at: date) && token.isFresh(at: date.addingTimeInterval(13 * 60)))
        #expect(!token.isFresh(at: date.addingTimeInterval(14 * 60)))
        #expect(!token.isFresh(at: date.addingTimeInterval(-60)))
    }

    @Test func `no description and no reflection has the key or the token`() throws {
        let key = try TestAccount.key()
        let token = try APIToken(for: key, at: date)
        var shown = "\(key) \(token) \(String(reflecting: key)) \(String(reflecting: token))"
        dump(key, to: &shown)
        dump(token, to: &shown)
        #expect(shown.contains("2X9R4HXF34"))
        #expect(!shown.contains(token.text) && !shown.contains("eyJ"))
        let secret = Hex.encode(key.key.der)
        #expect(!shown.contains(secret.prefix(40)) && !shown.contains("PRIVATE KEY"))
        #expect(!shown.contains("\(key.key.der[8]), \(key.key.der[9]), \(key.key.der[10])"))
    }

    @Test func `what is no key of App Store Connect is refused by name`() throws {
        let pem = try PrivateKey.generate(.p256).pem
        #expect(throws: APIKeyRefusal.badIssuer("me")) {
            try TeamAPIKey(issuer: "me", identifier: "2X9R4HXF34", pem: pem)
        }
        #expect(throws: APIKeyRefusal.badIdentifier("2x9r4hxf34")) {
            try TeamAPIKey(issuer: TestAccount.issuer, identifier: "2x9r4hxf34", pem: pem)
        }
        #expect(throws: APIKeyRefusal.unreadable(.noKeyInText)) {
            try TeamAPIKey(issuer: TestAccount.issuer, identifier: "2X9R4HXF34", pem: "no")
        }
        let rsa = try PrivateKey.generate(.rsa1024).pem
        // A signing identity that was passed as an API key.
        #expect(throws: APIKeyRefusal.withCertificate) {
            try TeamAPIKey(
                issuer: TestAccount.issuer,
                identifier: "2X9R4HXF34",
                pem: pem + PEM.text("CERTIFICATE", [0x30, 0]),
            )
        }
        #expect(throws: APIKeyRefusal.wrongKind(.rsa(bits: 1024))) {
            try TeamAPIKey(issuer: TestAccount.issuer, identifier: "2X9R4HXF34", pem: rsa)
        }
    }
}
