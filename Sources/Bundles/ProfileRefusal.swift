import Bytes
package import Cryptography
package import Problems

/// Why a provisioning profile cannot be read or verified.
package enum ProfileRefusal: ReportableError, Equatable, Sendable {
    /// Neither a signed message nor a property list.
    case notAProfile(String)
    /// A signed message that is shorter than its stated length, in bytes.
    case cutOff(have: Int, need: Int)
    /// A key that every profile has is absent or of the wrong type.
    case missing(String)
    /// A property list that is not inside a signed message.
    case unsigned
    /// Altered after signing, or signed by a certificate that must not sign profiles.
    case signature(SignatureRefusal)
}

extension ProfileRefusal {
    package var id: String { "profile.malformed" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "download the profile from Apple's developer site again" }
}

extension ProfileRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAProfile(let reason): "the file is not a provisioning profile: \(reason)"
        case .cutOff(let have, let need):
            "the file is truncated: it has \(have.grouped) of the \(need.grouped) bytes that it should have"
        case .missing(let key): "the profile has no readable \(key)"
        case .unsigned: "the profile is not signed"
        case .signature(let refusal): "\(refusal)"
        }
    }
}
