import AppleDeveloper
import Identifiers
import Jobs
import Releases
import Sandboxing
import Store

/// The profiles in developer accounts that this store has recorded itself.
///
/// The mark in a profile's name does not suffice: a copy of a store has the same, and what the other of
/// the two has made since serves there.
struct RecordedProfiles: Sendable {
    /// What teams have, had, or jobs have made, by what Apple calls it.
    private let identifiers: Set<String>
    /// Noted by jobs before Apple was asked to make them.
    private let names: Set<String>
    private let mark: ProfileName.Mark

    /// - Parameters:
    ///   - teams: every team.
    ///   - jobs: all that are remembered.
    ///   - mark: of this installation.
    init(_ teams: [Team], _ jobs: [Job], marked mark: ProfileName.Mark) {
        let drafts = jobs.flatMap { ($0.renewal?.drafts ?? []) + ($0.certificate?.drafts ?? []) }
        identifiers = Set(
            teams.flatMap { $0.profiles.compactMap(\.accountID) + ($0.replaced ?? []) }
                + drafts.compactMap(\.accountID)
                + jobs.flatMap { $0.renewal?.superseded ?? [] }
        )
        names = Set(
            drafts.map(\.name)
                + jobs.flatMap {
                    ($0.renewal?.abandoned ?? []) + ($0.certificate?.abandoned ?? [])
                }
        )
        self.mark = mark
    }

    func contains(_ profile: AccountProfile) -> Bool {
        ProfileName.isName(profile.name, by: mark)
            && (identifiers.contains(profile.id.rawValue) || names.contains(profile.name))
    }
}

extension AccountWork {
    /// Which profiles at Apple are of this store.
    func recordedProfiles() async throws -> RecordedProfiles {
        let (store, accounts) = (store, accounts)
        return try await blocking {
            RecordedProfiles(try store.teams(), try store.jobs(), marked: try accounts.mark())
        }
    }
}
