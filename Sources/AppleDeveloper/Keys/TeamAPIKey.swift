import Bytes
package import Cryptography
import Essentials
import Problems

/// A team's App Store Connect API key: its issuer, identifier and private key.
///
/// Such a key cannot be restricted to one app; it has access to everything of the team. Its description
/// and mirror do not contain the private key.
package struct TeamAPIKey: Sendable {
    /// The issuer ID: a UUID in lower case, the same for all keys of an organization.
    package let issuer: String
    /// The key ID, ten capital letters and digits, as in `AuthKey_2X9R4HXF34.p8`.
    package let identifier: String
    /// A key on the curve P-256.
    package let key: PrivateKey

    /// - Parameters:
    ///   - issuer: the issuer ID, shown above the list of keys in App Store Connect.
    ///   - identifier: the key ID.
    ///   - pem: the contents of the `.p8` file.
    /// - Throws: ``APIKeyRefusal``.
    package init(issuer: String, identifier: String, pem: String) throws(APIKeyRefusal) {
        guard let uuid = UUID(uuidString: issuer) else { throw .badIssuer(issuer) }
        guard (8...16).contains(identifier.utf8.count),
            identifier.utf8.allSatisfy(Self.isCapitalOrDigit)
        else { throw .badIdentifier(identifier) }
        let key: PrivateKey
        do throws(MalformedKey) {
            key = try PrivateKey(pem: pem)
        } catch {
            throw .unreadable(error)
        }
        guard !(PEM.blocks(in: pem) ?? []).contains(where: { $0.label == "CERTIFICATE" }) else {
            throw .withCertificate
        }
        guard key.kind == .ellipticCurve("P-256") else { throw .wrongKind(key.kind) }
        self.issuer = uuid.uuidString.lowercased()
        self.identifier = identifier
        self.key = key
    }

    private static func isCapitalOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

extension TeamAPIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "API key \(identifier)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["identifier": identifier]) }
}
