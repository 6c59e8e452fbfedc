import Bytes
import Cryptography
import Foundation

/// Checks tokens as Apple does ("Generating Tokens for API Requests"), independently of `ota`.
struct TokenCheck {
    let issuer: String
    let keyID: String
    let key: PublicKey

    /// - Returns: whether the request is authorised.
    func accepts(_ authorization: String?, at now: Date) -> Bool {
        guard let authorization, authorization.hasPrefix("Bearer ") else { return false }
        let parts = authorization.dropFirst(7).split(separator: ".").map(String.init)
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
            let raw = Base64URL.bytes(parts[2]), raw.count == 64
        else { return false }
        guard header["alg"]?.string == "ES256", header["kid"]?.string == keyID,
            claims["iss"]?.string == issuer, claims["aud"]?.string == "appstoreconnect-v1",
            let issued = claims["iat"]?.whole, let expires = claims["exp"]?.whole
        else { return false }
        let seconds = Int(now.timeIntervalSince1970.rounded(.down))
        guard issued <= seconds, seconds < expires, expires - issued <= 20 * 60 else {
            return false
        }
        let signature = DERBytes.sequence(
            DERBytes.integer(magnitude: raw.prefix(32)),
            DERBytes.integer(magnitude: raw.suffix(32)),
        )
        return key.verifies(signature, over: Array("\(parts[0]).\(parts[1])".utf8))
    }

    /// The issuer that a token names, whether it is valid or not.
    static func issuer(_ authorization: String) -> String? {
        let parts = authorization.split(separator: ".")
        return parts.count == 3 ? json(String(parts[1]))?["iss"]?.string : nil
    }

    private static func json(_ part: String) -> JSONValue? {
        Base64URL.bytes(part).flatMap { JSONValue(reading: $0) }
    }
}
