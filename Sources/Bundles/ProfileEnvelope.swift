package import Cryptography
import PropertyLists

package import Essentials

/// The bytes of an `embedded.mobileprovision`, which can be parsed and verified.
package struct ProfileEnvelope: Equatable, Sendable {
    package let bytes: [UInt8]
    /// The path in the archive, or the name of the file.
    package let place: String

    package init(bytes: [UInt8], place: String) {
        self.bytes = bytes
        self.place = place
    }

    /// Parses the profile without verifying its signature.
    ///
    /// Text around an unsigned property list is ignored, as in test profiles of other tools.
    package func claims() throws(ProfileRefusal) -> ProvisioningProfile {
        try claims(trust: .unverified(reason: "its signature was not checked"))
    }

    /// Parses the profile and verifies that an authority among `anchors` signed it.
    ///
    /// The policy is Apple's for profiles: fixed names, a chain of three, no check of dates
    /// (`SecPolicyCreateiPhoneProvisioningProfileSigning`).
    ///
    /// - Throws: ``ProfileRefusal``.
    package func verified(
        against anchors: TrustAnchors,
        at date: Date,
    ) throws(ProfileRefusal) -> ProvisioningProfile {
        guard let message = try signedMessage() else { throw .unsigned }
        let proven: VerifiedMessage
        do throws(SignatureRefusal) {
            proven = try message.verified(by: .provisioningProfile, anchors: anchors, at: date)
        } catch let refusal {
            // A Mac's profile is genuine too; another rule reports that it is for another platform.
            guard
                let mac = try? message.verified(
                    by: .macProvisioningProfile,
                    anchors: anchors,
                    at: date,
                )
            else { throw .signature(refusal) }
            proven = mac
        }
        let trust: ProfileTrust =
            switch proven.anchor {
            case .apple: .apple
            case .privateAuthority(let name): .privateAuthority(name: name)
            }
        let content = try Self.content(proven.content)
        return try ProvisioningProfile(
            content: content,
            trust: trust,
            secondForm: SecondProfileForm(in: content, trusting: anchors, at: date),
        )
    }

    /// The verified profile if possible, else its unverified contents with the reason.
    ///
    /// - Throws: ``ProfileRefusal`` when it cannot be read at all.
    package func judged(
        against anchors: TrustAnchors,
        at date: Date,
    ) throws(ProfileRefusal) -> ProvisioningProfile {
        do throws(ProfileRefusal) {
            return try verified(against: anchors, at: date)
        } catch {
            // The rest of a truncated file says nothing reliable about the profile.
            if case .cutOff = error { throw error }
            return try claims(trust: .unverified(reason: "\(error)"))
        }
    }

    private func claims(trust: ProfileTrust) throws(ProfileRefusal) -> ProvisioningProfile {
        if let message = try? signedMessage() {
            guard let content = message.content else {
                throw .notAProfile("the signed message is empty")
            }
            return try ProvisioningProfile(content: Self.content(content), trust: trust)
        }
        return try ProvisioningProfile(content: Self.content(bareContent()), trust: trust)
    }

    /// Nil for a property list that is not inside a signed message.
    private func signedMessage() throws(ProfileRefusal) -> SignedMessage? {
        guard bytes.first == 0x30 else { return nil }
        if let need = Self.wholeSize(of: bytes), need > bytes.count {
            throw .cutOff(have: bytes.count, need: need)
        }
        do throws(MalformedMessage) {
            return try SignedMessage(reading: bytes)
        } catch {
            throw .notAProfile("\(error)")
        }
    }

    /// The total size stated by the outermost DER element; nil without one.
    ///
    /// Computed here, because swift-asn1 reports a truncated file without the sizes.
    private static func wholeSize(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 2 else { return nil }
        let first = Int(bytes[1])
        guard first >= 0x80 else { return 2 + first }
        let count = first & 0x7f
        guard (1...4).contains(count), bytes.count >= 2 + count else { return nil }
        return 2 + count + bytes[2..<2 + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func content(_ bytes: [UInt8]) throws(ProfileRefusal) -> PropertyList {
        do throws(MalformedPropertyList) {
            return try PropertyList(reading: bytes, limits: .profile)
        } catch {
            throw .notAProfile("\(error)")
        }
    }

    /// The property list among bytes that are not a signed message.
    private func bareContent() throws(ProfileRefusal) -> [UInt8] {
        if bytes.starts(with: Array("bplist".utf8)) { return bytes }
        let end = Array("</plist>".utf8)
        for start in ["<?xml", "<!DOCTYPE plist", "<plist"] {
            guard let first = Self.firstIndex(of: Array(start.utf8), in: bytes) else { continue }
            guard let last = Self.lastIndex(of: end, in: bytes), last > first else { break }
            return Array(bytes[first..<last + end.count])
        }
        throw .notAProfile("neither a signed message nor a property list")
    }

    private static func firstIndex(of needle: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= needle.count else { return nil }
        return (0...bytes.count - needle.count).first { bytes[$0...].starts(with: needle) }
    }

    private static func lastIndex(of needle: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= needle.count else { return nil }
        return (0...bytes.count - needle.count).last { bytes[$0...].starts(with: needle) }
    }
}
