import Bytes
import Cryptography
import Foundation
import OpenID

/// `identity`: a person is identified only by what the provider has signed, for this server and at this time.
///
/// The first byte says what the rest is: a token, a key set, claims, claims of a logout, or a provider's
/// metadata.
struct Identities: PlainInputKind {
    static let name = "identity"

    private static let now = 1_800_000_000

    /// The provider's keys, and the tokens that it has signed.
    private let keys: [UInt8]
    private let signed: Set<[UInt8]>

    init() {
        self.init(seeds: [])
    }

    init(trusting root: Certificate, seeds: [[UInt8]]) {
        self.init(seeds: seeds)
    }

    private init(seeds: [[UInt8]]) {
        // The first set is the provider's; its private key was discarded when the seeds were made.
        keys = seeds.first { $0.first == UInt8(ascii: "k") }.map { Array($0.dropFirst()) } ?? []
        signed = Set(
            seeds.filter { $0.first == UInt8(ascii: "t") }.map { Self.signedPart($0.dropFirst()) }
        )
    }

    private static func signedPart(_ token: some Sequence<UInt8>) -> [UInt8] {
        let parts = Array(token).split(
            separator: UInt8(ascii: "."),
            omittingEmptySubsequences: false,
        )
        return Array(parts.prefix(2).joined(separator: [UInt8(ascii: ".")]))
    }

    func check(_ input: [UInt8]) {
        let rest = Array(input.dropFirst())
        let date = Date(timeIntervalSince1970: TimeInterval(Self.now))
        switch input.first {
        case UInt8(ascii: "t"):
            let token = String(decoding: rest, as: UTF8.self)
            guard
                accepted({ () throws(SignInRefusal) in
                    try ReadIdentity.subject(of: token, keys: keys, at: date)
                }) != nil
            else { return }
            promise(signed.contains(Self.signedPart(rest)), "a token counts that nobody signed")
        case UInt8(ascii: "k"):
            let counts = accepted { () throws(SignInRefusal) in
                try ReadIdentity.keyCounts(rest, at: date)
            }
            guard let counts else { return }
            promise(counts.count <= 100, "a set has more keys than are read")
            promise(counts.allSatisfy { (1...6).contains($0) }, "a key is for no algorithm")
        case UInt8(ascii: "c"):
            let subject = accepted { () throws(SignInRefusal) in
                try ReadIdentity.subject(ofClaims: rest, at: date)
            }
            guard let subject else { return }
            promise((1...255).contains(subject.utf8.count), "a subject is too long")
            checkClaims(rest, nonce: ReadIdentity.nonce)
        case UInt8(ascii: "l"):
            let notice = accepted { () throws(SignInRefusal) in
                try ReadIdentity.logout(ofClaims: rest, at: date)
            }
            guard let notice else { return }
            promise(notice.subject != nil || notice.providerSession != nil, "a logout of nobody")
            promise(
                (1...256).contains(notice.identifier.utf8.count),
                "a logout cannot be told apart",
            )
            checkClaims(rest, nonce: nil)
        default:
            let addresses = accepted { () throws(SignInRefusal) in
                try ReadIdentity.addresses(rest)
            }
            for address in addresses ?? [] {
                promise(address.hasPrefix("https://"), "an address is not secure")
                promise(
                    address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
                        && address.utf8.count <= 512,
                    "an address is odd",
                )
            }
        }
    }

    /// Another parser must find the same in accepted claims: issuer, audience, time and nonce.
    private func checkClaims(_ bytes: [UInt8], nonce: String?) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        else {
            return
        }
        promise(object["iss"] as? String == ReadIdentity.issuer, "another issuer counts")
        let audiences = (object["aud"] as? String).map { [$0] } ?? object["aud"] as? [String] ?? []
        promise(audiences.contains(ReadIdentity.client), "a token for someone else counts")
        if let nonce {
            promise(object["nonce"] as? String == nonce, "another sign-in's token counts")
        }
        let issued = (object["iat"] as? NSNumber)?.doubleValue ?? 0
        promise(abs(Double(Self.now) - issued) <= 660, "a token of another time counts")
    }

    static func seeds(by authority: SeedAuthority) throws -> [String: [UInt8]] {
        let key = try PrivateKey.generate(.p256)
        let point = key.publicKey.suffix(64)
        let (x, y) = (
            Base64URL.text(Array(point.prefix(32))), Base64URL.text(Array(point.suffix(32))),
        )
        let keys =
            #"{"keys":[{"kty":"EC","crv":"P-256","kid":"one","use":"sig","x":"\#(x)","y":"\#(y)"}]}"#
        let claims =
            #"{"iss":"https://id.example.com","aud":"ota","sub":"7","iat":\#(now),"exp":\#(now + 300),"#
            + #""nonce":"0a1b2c","email":"ana@example.com","email_verified":true,"groups":["qa"]}"#
        let many = claims.replacingOccurrences(
            of: #""aud":"ota""#,
            with: #""aud":["ota","b"],"azp":"ota""#,
        )
        let logout =
            #"{"iss":"https://id.example.com","aud":["ota"],"sub":"7","sid":"s","jti":"a","iat":\#(now),"#
            + #""events":{"http://schemas.openid.net/event/backchannel-logout":{}}}"#
        let document =
            #"{"issuer":"https://id.example.com","authorization_endpoint":"https://id.example.com/a","#
            + #""token_endpoint":"https://id.example.com/t","jwks_uri":"https://id.example.com/k","#
            + #""end_session_endpoint":"https://id.example.com/e?a=b","backchannel_logout_supported":true}"#
        let other =
            #"{"keys":[{"kty":"RSA","alg":"RS256","n":"\#(String(repeating: "w", count: 342))","e":"AQAB"},"#
            + #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)"},{"kty":"oct","k":"AAAA"}]}"#
        func token(_ header: String, _ claims: String) throws -> String {
            let text = Base64URL.text(Array(header.utf8)) + "." + Base64URL.text(Array(claims.utf8))
            let signature = RawSignature(der: try key.sign(Array(text.utf8)))?.bytes ?? []
            return text + "." + Base64URL.text(signature)
        }
        let header = #"{"alg":"ES256","kid":"one","typ":"JWT"}"#
        let texts = [
            "0-keys": "k" + keys, "1-token": "t" + (try token(header, claims)),
            "2-token": "t" + (try token(#"{"alg":"ES256"}"#, many)), "3-claims": "c" + claims,
            "4-claims": "c" + many, "5-logout": "l" + logout, "6-document": "d" + document,
            "7-keys": "k" + other,
        ]
        return texts.mapValues { Array($0.utf8) }
    }
}
