import AppleDeveloper
import Identifiers
import Jobs
import Releases
import Sandboxing
import Store

/// The profiles in developer accounts that this store has recorded itself.
///
/// The mark in a profile's name does not suffice: a copy of the store has the same mark, and profiles that
/// the other server has created since are in use there.
struct RecordedProfiles: Sendable {
    /// Apple's identifiers of profiles that teams have or had, or jobs have created.
    private let identifiers: Set<String>
    /// Names that jobs recorded before they asked Apple to create the profiles.
    private let names: Set<String>
    private let mark: ProfileName.Mark

    /// - Parameters:
    ///   - teams: all teams.
    ///   - jobs: all jobs in the store.
    ///   - mark: the mark of this installation.
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
    /// Returns the profiles at Apple that belong to this store.
    func recordedProfiles() async throws -> RecordedProfiles {
        let (store, accounts) = (store, accounts)
        return try await blocking {
            RecordedProfiles(try store.teams(), try store.jobs(), marked: try accounts.mark())
        }
    }
}
