package import Cryptography
import PropertyLists

/// A simulated device that responds to a Profile Service.
package struct SampleDevice: Sendable {
    /// The forms of signed messages that devices have been seen to send.
    package enum Form: Sendable, CaseIterable {
        /// RSA with SHA-1 over the content, as iOS sends it.
        case plain
        /// SHA-256, with signed attributes.
        case attributes
        /// As plain, in BER with indefinite lengths and the content in pieces.
        case indefinite
    }

    package let identity: SigningIdentity
    package var udid: String
    package var product: String
    package var version: String

    package init(
        certifiedBy authority: DeviceAuthority,
        udid: String = SampleDevices.one,
        product: String = "iPhone15,2",
        version: String = "21E236",
    ) throws {
        identity = try authority.certify("00000000-0000-4000-8000-000000000000")
        self.udid = udid
        self.product = product
        self.version = version
    }

    /// The property list that a device signs.
    package func content(challenge: String) -> [UInt8] {
        let values = [
            "UDID": udid, "PRODUCT": product, "VERSION": version, "CHALLENGE": challenge,
        ]
        return PropertyList.dictionary(values.mapValues { .string($0) }).xml()
    }

    /// The device's response to a profile with this challenge.
    package func answer(challenge: String, form: Form = .plain) throws -> [UInt8] {
        try sign(content(challenge: challenge), form: form)
    }

    /// Signs any content as the device would.
    package func sign(_ content: [UInt8], form: Form = .plain) throws -> [UInt8] {
        var signer = CMSSigner(identity, digest: form == .attributes ? .sha256 : .sha1)
        signer.hasAttributes = form == .attributes
        let message = try signer.sign(content)
        return form == .indefinite ? try BasicEncoding.indefinite(message) : message
    }
}
