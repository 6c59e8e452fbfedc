import Bytes
package import Cryptography
package import Releases

/// What a job signs, with what and why, and how far it has come.
package struct SigningTask: Codable, Sendable, Equatable {
    /// The team whose identity signs.
    package let team: String
    /// Blobs of the profiles that were given; empty for the newest that the team has.
    package let profiles: [SHA256Digest]
    /// Why: what was asked for, or what the server noticed.
    package let reason: String
    /// The signing as it is going to be recorded, once its blobs are in the store.
    package var made: Release.Signing?
    /// Whether there was nothing to do: the release has these profiles already.
    package var isUnchanged: Bool?

    package init(team: String, profiles: [SHA256Digest] = [], reason: String) {
        self.team = team
        self.profiles = profiles
        self.reason = reason
    }

    /// Whether both ask for the same.
    package func isSame(as other: SigningTask) -> Bool {
        team == other.team && profiles == other.profiles
    }
}

/// The steps of a job that signs; each can be done again.
package enum SigningStep: String, WordCoded, Sendable {
    /// A child process signs; bytes, report and statement come into the store.
    case sign
    /// The release refers to the signed file from here on, and the activity records that.
    case record
}
