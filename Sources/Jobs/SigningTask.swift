import Bytes
package import Cryptography
package import Essentials
package import Releases

/// What a job signs, with what and why, and how far it has come.
package struct SigningTask: Codable, Sendable, Equatable {
    /// The team whose identity signs.
    package let team: String
    /// Blobs of the profiles that were given, each once; empty for the newest that the team has.
    package let profiles: [SHA256Digest]
    /// Why: what was asked for, or what the server noticed.
    package let reason: String
    /// The time that the signatures name: when the present attempts to sign began.
    ///
    /// A step that is done again soon afterwards names the same.
    package var begun: Date?
    /// The signing as it is going to be recorded, once its blobs are in the store.
    package var made: Release.Signing?
    /// Of what ``made`` takes the place of, and of what it was made with; nil like that.
    package var basis: Basis?
    /// Whether there was nothing to do: the release has these profiles already.
    package var isUnchanged: Bool?

    /// What was current when signatures were made, and has to be when they are recorded.
    package struct Basis: Codable, Sendable, Equatable {
        /// The release's IPA.
        package let replaced: SHA256Digest
        /// The team's certificate.
        package let certificate: SHA256Digest

        package init(replaced: SHA256Digest, certificate: SHA256Digest) {
            self.replaced = replaced
            self.certificate = certificate
        }
    }

    package init(team: String, profiles: [SHA256Digest] = [], reason: String) {
        self.team = team
        var seen: Set<SHA256Digest> = []
        self.profiles = profiles.filter { seen.insert($0).inserted }
        self.reason = reason
    }

    /// Forgets its progress, so that everything is done again.
    package mutating func startOver() {
        begun = nil
        made = nil
        basis = nil
    }

    /// Whether both ask for the same, in whatever order the profiles were given.
    package func isSame(as other: SigningTask) -> Bool {
        team == other.team && Set(profiles) == Set(other.profiles)
    }
}

/// The steps of a job that signs; each can be done again.
package enum SigningStep: String, WordCoded, Sendable {
    /// A child process signs; bytes, report and statement come into the store.
    case sign
    /// The release refers to the signed file from here on, and the activity records that.
    case record
}
