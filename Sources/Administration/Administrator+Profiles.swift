import Bundles
package import Foundation
package import Inspection
package import Releases
import Store

extension Administrator {
    /// Watches the expiry of a profile that is in no build yet.
    @discardableResult
    package func addProfile(_ profile: ProfileSummary) throws -> ProfileRecord {
        let register = try store.changeProfiles { $0.note(profile, in: nil) }
        guard let record = register.profiles[profile.uuid] else {
            throw AdministrationRefusal.unknownProfile(profile.uuid)
        }
        try self.record(.profileAdded, profile.name, at: clock())
        return record
    }

    /// The profiles that end, they or all their certificates, until `date`, and that matter: those
    /// of builds that some channel offers now, and those added by hand.
    package func profilesExpiring(until date: Date) throws -> [ProfileRecord] {
        let offered = try Set(
            store.apps().flatMap { app in
                app.channels.values.map { "\(app.bundleIdentifier) \($0)" }
            }
        )
        return try store.profiles().byExpiry.filter { record in
            let isInUse =
                record.uses.isEmpty
                || record.uses.contains { offered.contains("\($0.app) \($0.release)") }
            let certificates = record.certificates.map(\.expires).max() ?? .distantFuture
            return isInUse && min(record.expires, certificates) <= date
        }
    }
}
