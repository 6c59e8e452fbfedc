package import Essentials
import Cryptography
import Releases

/// How a server re-signed an IPA, according to a statement: the original, the profiles and the person.
package struct ServerSigning: Sendable, Equatable {
    /// The SHA-256 of the original IPA in hexadecimal.
    package let from: String
    /// The UUIDs of the profiles in it, the app's own first.
    package let profiles: [String]
    /// Who requested it.
    package let by: String
    package let date: Date

    /// - Returns: nil when the statement is not about a signing.
    init?(_ definition: ProvenanceStatement.BuildDefinition) {
        let parameters = definition.internalParameters
        guard let by = parameters[Key.by], let profiles = parameters[Key.profiles],
            let text = parameters[Key.date],
            let date = try? Date.ISO8601FormatStyle().parse(text),
            let source = definition.resolvedDependencies.last(where: { $0.uri == Key.source }),
            let from = source.digest["sha256"]
        else { return nil }
        self.from = from
        self.profiles = profiles.split(separator: " ").map(String.init)
        self.by = by
        self.date = date
    }

    /// The names of the parameters in the statement.
    fileprivate enum Key {
        static let by = "signedBy"
        static let profiles = "signedWithProfiles"
        static let date = "signedOn"
        static let source = "urn:ota:published-ipa"
    }
}

extension Release.Signing {
    /// The parameters in the statement, without the digests.
    var parameters: [String: String] {
        [
            ServerSigning.Key.by: by,
            ServerSigning.Key.profiles: profileUUIDs.joined(separator: " "),
            ServerSigning.Key.date: date.formatted(.iso8601),
        ]
    }
}

extension ProvenanceStatement.Source {
    /// The original IPA.
    init(of signing: Release.Signing) {
        self.init(
            uri: ServerSigning.Key.source,
            digest: ["sha256": signing.from.description],
        )
    }
}
