import Cryptography

/// The team that owns a developer certificate.
package struct DevelopmentTeam: Hashable, Sendable {
    /// Ten capital letters and digits.
    package var identifier: String
    package var name: String

    package init(identifier: String, name: String) {
        self.identifier = identifier
        self.name = name
    }

    package static let sample = DevelopmentTeam(identifier: "OTASAMPLE1", name: "ota Sample Team")
    package static let other = DevelopmentTeam(identifier: "OTHERTEAM9", name: "Somebody Else")
}

extension SigningIdentity {
    /// The organizational unit, which is the team in Apple's certificates.
    var team: String? { certificate.subject.organizationalUnit }
}
