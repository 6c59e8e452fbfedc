import Bytes
package import Cryptography
package import Essentials
package import PropertyLists

/// The configuration profile that makes a device say who it is: Apple's Profile Service.
///
/// Keys of "Over-the-Air Profile Delivery and Configuration". It asks for three attributes; the
/// server does not need the serial number, the IMEI or the device's name. A profile that is fetched
/// again replaces the former one, for its identifiers come from the invitation.
package struct EnrolmentProfile: Sendable {
    package static let mediaType = "application/x-apple-aspen-config"

    package let invitation: InvitationIdentifier
    /// Where the device posts its answer; HTTPS.
    package let url: String
    package let challenge: String
    /// Shown by Settings, under the name of the profile.
    package var organization: String
    package var displayName = "Device enrolment"
    package var explanation =
        "Sends this device's identifier (UDID), model and iOS version to your team, so that "
        + "builds can include it. The profile removes itself."

    package init(
        for invitation: InvitationIdentifier,
        url: String,
        challenge: String,
        organization: String,
    ) {
        self.invitation = invitation
        self.url = url
        self.challenge = challenge
        self.organization = organization
    }

    package var propertyList: PropertyList {
        .dictionary([
            "PayloadType": .string("Profile Service"),
            "PayloadVersion": .integer(1),
            "PayloadIdentifier": .string("ota.enrolment.\(invitation)"),
            "PayloadUUID": .string(uuid),
            "PayloadDisplayName": .string(displayName),
            "PayloadDescription": .string(explanation),
            "PayloadOrganization": .string(organization),
            "PayloadContent": .dictionary([
                "URL": .string(url),
                "DeviceAttributes": .array(
                    [EnrolmentRefusal.Field.udid, .product, .version].map { .string($0.rawValue) }
                ),
                "Challenge": .string(challenge),
            ]),
        ])
    }

    /// The profile as it stands, which installs as "Not Signed".
    package func unsigned() -> [UInt8] { propertyList.xml() }

    /// The profile signed with what the device already trusts, which installs as "Verified".
    ///
    /// - Parameters:
    ///   - identity: the server's TLS certificate with its chain.
    ///   - date: the signing time to claim.
    /// - Returns: the signed message.
    /// - Throws: ``MalformedKey`` when the key cannot sign.
    package func signed(
        by identity: SigningIdentity,
        at date: Date,
    ) throws(MalformedKey) -> [UInt8] {
        try CMSSigner(identity).sign(unsigned(), at: date)
    }

    /// Version 8 of RFC 9562: 122 bits of our own choice, here of a digest.
    private var uuid: String {
        var bytes = Array(
            SHA256Digest(of: Array("ota enrolment profile \(invitation)".utf8)).bytes.prefix(16)
        )
        bytes[6] = bytes[6] & 0x0f | 0x80
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = Array(Hex.encode(bytes).uppercased())
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        return groups.joined(separator: "-")
    }
}
