import Bytes
package import Cryptography
package import Essentials
package import Releases

/// What a job signs, with what and why, and its progress.
package struct SigningTask: Codable, Sendable, Equatable {
    /// The team whose identity signs.
    package let team: String
    /// Blobs of the given profiles, each once; empty for the team's newest profiles.
    package let profiles: [SHA256Digest]
    /// Why: the request, or what the server noticed.
    package let reason: String
    /// The time that the signatures contain: when the current attempts to sign began.
    ///
    /// A step that is repeated soon afterwards uses the same time.
    package var begun: Date?
    /// The signing as it will be recorded, once its blobs are in the store.
    package var made: Release.Signing?
    /// What ``made`` replaces, and what it was made with; nil if ``made`` is nil.
    package var basis: Basis?
    /// Whether there was nothing to do, because the release has these profiles already.
    package var isUnchanged: Bool?

    /// What was current when signatures were made, and must still be when they are recorded.
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

    /// Discards its progress, so that everything is done again.
    package mutating func startOver() {
        begun = nil
        made = nil
        basis = nil
    }

    /// Whether both tasks are for the same, regardless of the profiles' order.
    package func isSame(as other: SigningTask) -> Bool {
        team == other.team && Set(profiles) == Set(other.profiles)
    }
}

/// The steps of a job that signs; each can be repeated.
package enum SigningStep: String, WordCoded, Sendable {
    /// A child process signs; bytes, report and statement are stored.
    case sign
    /// The release refers to the signed file from now on, and the activity records that.
    case record
}
