import Bytes
package import Cryptography
package import Essentials
package import Problems
package import PropertyLists

/// The reason why a device's response is rejected.
///
/// No case and no message contains a device's identifier, nor any other text of the response but the
/// names of its fields.
package enum EnrolmentRefusal: ReportableError, Equatable {
    /// The name of a field in the response.
    package enum Field: String, Sendable, CaseIterable {
        case udid = "UDID"
        case product = "PRODUCT"
        case version = "VERSION"
        case challenge = "CHALLENGE"
    }

    case tooLarge(limit: Int)
    /// Not a signed message.
    case malformed(MalformedMessage)
    /// Signed, but not with a device's key, or not over this content.
    case forged(SignatureRefusal)
    /// The content is not a property list.
    case unreadable(MalformedPropertyList)
    /// The property list is not a dictionary of strings.
    case notFlat
    case missing(Field)
    /// A value that no device sends.
    case invalid(Field)
    /// Not created by this server for this invitation.
    case wrongChallenge
    case expiredChallenge(Date)

    package var kind: Problem.Kind {
        switch self {
        case .tooLarge: .tooLarge
        case .malformed, .unreadable, .notFlat, .missing: .malformed
        case .invalid: .invalid
        case .forged, .wrongChallenge, .expiredChallenge: .refused
        }
    }

    /// The stable identifier for scripts and logs.
    package var id: String {
        switch self {
        case .tooLarge: "enrolment.too-large"
        case .malformed: "enrolment.not-signed"
        case .forged(.untrustedRoot), .forged(.unexpectedIssuer), .forged(.chainTooShort),
            .forged(.chainTooLong):
            "enrolment.not-a-device"
        case .forged: "enrolment.bad-signature"
        case .unreadable: "enrolment.unreadable"
        case .notFlat: "enrolment.not-flat"
        case .missing: "enrolment.missing-field"
        case .invalid: "enrolment.invalid-field"
        case .wrongChallenge: "enrolment.wrong-challenge"
        case .expiredChallenge: "enrolment.expired-challenge"
        }
    }

    package var description: String {
        switch self {
        case .tooLarge(let limit): "the answer is larger than \(limit.grouped) bytes"
        case .malformed: "the answer is not a signed message"
        case .forged(.untrustedRoot), .forged(.unexpectedIssuer), .forged(.chainTooShort),
            .forged(.chainTooLong):
            "the answer is not signed with the key of an Apple device"
        case .forged: "the signature of the answer is not valid"
        case .unreadable: "the answer is not a readable property list"
        case .notFlat: "the answer is not a flat dictionary of strings"
        case .missing(let field): "the answer has no \(field.rawValue)"
        case .invalid(let field): "the answer has a malformed \(field.rawValue)"
        case .wrongChallenge: "the answer belongs to another invitation or server"
        case .expiredChallenge: "the profile was installed too late"
        }
    }

    /// What the tester has to do.
    package var fix: String {
        switch self {
        case .tooLarge, .malformed, .unreadable, .notFlat, .missing:
            "Open the invitation in Safari on the iPhone or iPad itself, and install the profile "
                + "that it offers in Settings."
        case .forged:
            "Use an iPhone or iPad, not a simulator or a computer. If you do, turn off VPNs and "
                + "filters that inspect connections, and open the invitation again."
        case .invalid:
            "Update the device and open the invitation again. If that does not help, tell your "
                + "team; they can add the device by hand."
        case .wrongChallenge:
            "Delete the downloaded profile in Settings, open your own invitation and download its "
                + "profile again."
        case .expiredChallenge:
            "Download the profile from the invitation again, and install it in Settings right away."
        }
    }
}
