import Bytes
package import Cryptography
package import Essentials
package import PropertyLists

/// The configuration profile that makes a device report its identity: Apple's Profile Service.
///
/// The keys are those of "Over-the-Air Profile Delivery and Configuration". It requests three attributes;
/// the server does not need the serial number, the IMEI or the device's name. The identifiers are derived
/// from the invitation, so a profile that is downloaded again replaces the earlier one.
package struct EnrolmentProfile: Sendable {
    package static let mediaType = "application/x-apple-aspen-config"

    package let invitation: InvitationIdentifier
    /// The HTTPS URL to which the device posts its response.
    package let url: String
    package let challenge: String
    /// Shown by Settings under the profile's name.
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

    /// Returns the profile without a signature, which Settings shows as "Not Signed".
    package func unsigned() -> [UInt8] { propertyList.xml() }

    /// Returns the profile signed with the server's certificate, which Settings shows as "Verified".
    ///
    /// - Parameters:
    ///   - identity: the server's TLS certificate with its chain.
    ///   - date: the signing time in the signature.
    /// - Returns: the signed message.
    /// - Throws: ``MalformedKey`` if the key cannot sign.
    package func signed(
        by identity: SigningIdentity,
        at date: Date,
    ) throws(MalformedKey) -> [UInt8] {
        try CMSSigner(identity).sign(unsigned(), at: date)
    }

    /// Version 8 of RFC 9562: 122 bits of any origin, here of a digest.
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
