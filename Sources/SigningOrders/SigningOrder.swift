package import Cryptography
package import Essentials

/// What the server asks a process of its own to sign: `ota sign --request -` reads it as one line of JSON
/// from standard input, and from nowhere else, because it has a private key in it.
package struct SigningOrder: Codable, Sendable {
    package var schema = 1
    /// An archive (`.ipa`); an absolute path.
    package let input: String
    /// Where the signed archive is to be; an absolute path on which there is nothing yet.
    package let output: String
    /// The certificate, the ones above it and the private key as PEM.
    private let identity: String
    /// Provisioning profiles as Apple signed them.
    package let profiles: [Data]
    /// Entitlements to claim in place of those of the build, as a property list, by bundle identifier.
    package let entitlements: [String: Data]
    /// Private authorities to trust besides Apple's, as PEM.
    package let anchors: String
    /// The time that the signatures name.
    package let date: Date
    /// The process that gives the order, with which the one that carries it out ends.
    let giver: Int32

    /// Bytes of the line, at most.
    package static let sizeLimit = 16 << 20

    package init(
        input: String,
        output: String,
        identity: SigningIdentity,
        profiles: [[UInt8]],
        entitlements: [String: [UInt8]] = [:],
        anchors: [Certificate] = [],
        date: Date,
    ) {
        self.input = input
        self.output = output
        self.identity = identity.pem
        self.profiles = profiles.map { Data($0) }
        self.entitlements = entitlements.mapValues { Data($0) }
        self.anchors = anchors.pem
        self.date = date
        giver = getpid()
    }

    /// The identity to sign with.
    ///
    /// - Throws: `MalformedIdentity`.
    package func signingIdentity() throws(MalformedIdentity) -> SigningIdentity {
        let file = try IdentityFile(reading: Array(identity.utf8), passphrase: nil)
        guard let identity = file.identities.first else { throw .noKey }
        return identity
    }

    /// The private authorities.
    ///
    /// - Throws: `MalformedCertificate`.
    package func authorities() throws(MalformedCertificate) -> [Certificate] {
        anchors.isEmpty ? [] : try Certificate.chain(pem: anchors)
    }
}
