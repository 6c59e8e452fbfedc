package import Cryptography
package import Essentials

/// The server's order to a signing process.
///
/// `ota sign --request -` reads it as one line of JSON, only from standard input, because it contains a
/// private key.
package struct SigningOrder: Codable, Sendable {
    package var schema = 1
    /// The archive to sign (`.ipa`); an absolute path.
    package let input: String
    /// The signed archive to create; an absolute path where no file exists.
    package let output: String
    /// The certificate, its chain and the private key in PEM.
    private let identity: String
    /// Provisioning profiles, signed by Apple.
    package let profiles: [Data]
    /// Claims to use instead of those in the build, as property lists by bundle identifier.
    package let entitlements: [String: Data]
    /// Trusted private authorities in addition to Apple's, in PEM.
    package let anchors: String
    /// The signing time.
    package let date: Date
    /// The process ID of the parent; the signing process ends with it.
    let giver: Int32

    /// The maximum length of the line in bytes.
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

    /// The signing identity.
    ///
    /// - Throws: `MalformedIdentity`.
    package func signingIdentity() throws(MalformedIdentity) -> SigningIdentity {
        let file = try IdentityFile(reading: Array(identity.utf8), passphrase: nil)
        guard let identity = file.identities.first else { throw .noKey }
        return identity
    }

    /// The trusted private authorities.
    ///
    /// - Throws: `MalformedCertificate`.
    package func authorities() throws(MalformedCertificate) -> [Certificate] {
        anchors.isEmpty ? [] : try Certificate.chain(pem: anchors)
    }
}
