import Bundles
package import Foundation
package import Inspection
package import Notices
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

    /// Everything that ends.
    private func expiries() throws -> ExpiryTimeline {
        try ExpiryTimeline(of: store, at: clock())
    }

    /// The profiles and certificates that end until `date` and matter, the earliest first.
    package func profileItemsExpiring(until date: Date) throws -> [ExpiringItem] {
        try expiries().items.filter { item in
            item.isInUse && item.expires <= date
                && (item.kind == .profile || item.kind == .certificate)
        }
    }

    /// The profiles that end until `date`, they or a certificate that builds with them are signed by,
    /// and that matter: those of builds that some channel offers now, and those added by hand.
    package func profilesExpiring(until date: Date) throws -> [ProfileRecord] {
        let inUse = try expiries().items.filter(\.isInUse)
        let profiles = Dictionary(
            inUse.filter { $0.kind == .profile }.map { ($0.identifier, $0.expires) },
            uniquingKeysWith: min,
        )
        let ending = Set(
            inUse.filter { $0.kind == .certificate && $0.expires <= date }.map(\.identifier)
        )
        return try store.profiles().byExpiry.filter { record in
            guard let expires = profiles[record.uuid] else { return false }
            return expires <= date || record.certificates.contains { ending.contains($0.serial) }
        }
    }
}
