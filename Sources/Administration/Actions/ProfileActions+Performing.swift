package import APIDocuments
import Bundles
import Foundation
import Inspection
import Notices
import Releases
import Store

extension Actions {
    static let profiles: [any PerformedAction.Type] = [
        ListProfiles.self, AddProfile.self, ListExpiringProfiles.self, ShowProfile.self,
    ]
}

extension ListProfiles: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ProfilesDocument {
        let rest = try administration.admin.store.profiles().byExpiry.dropFirst(after)
        return ProfilesDocument(
            profiles: rest.prefix(limit).map(ProfileEntry.init),
            next: rest.count > limit ? after + limit : nil,
        )
    }
}

/// Tracks the expiry of a profile that is in no build yet.
extension AddProfile: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ProfilesDocument {
        let admin = administration.admin
        let envelope = ProfileEnvelope(bytes: Array(content.profile), place: file ?? "profile")
        let profile = try envelope.judged(against: administration.anchors, at: admin.clock())
        let summary = ProfileSummary(profile)
        let now = admin.clock()
        let register = try admin.store.changeProfiles {
            $0.note(summary, in: nil)
        } recording: {
            [admin.activity(.profileAdded, summary.name, at: now)]
        }
        guard let record = register.profiles[summary.uuid] else {
            throw AdministrationRefusal.unknownProfile(summary.uuid)
        }
        return ProfilesDocument(profiles: [ProfileEntry(record)])
    }
}

extension ListExpiringProfiles: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ProfilesDocument {
        let admin = administration.admin
        let end = admin.clock().addingTimeInterval(TimeInterval(within))
        return ProfilesDocument(
            profiles: try admin.profilesExpiring(until: end).map(ProfileEntry.init),
            items: try admin.profileItemsExpiring(until: end).map(ExpiryItemDocument.init),
        )
    }
}

extension ShowProfile: StoreAction {
    package func perform(
        in administration: LocalAdministration
    ) throws -> RegisteredProfileDocument {
        RegisteredProfileDocument(
            profile: ProfileEntry(try administration.admin.profile(named: profile))
        )
    }
}

extension Administrator {
    /// Everything that expires.
    private func expiries() throws -> ExpiryTimeline {
        try ExpiryTimeline(of: store, at: clock())
    }

    /// The profiles and certificates in use that expire by `date`, earliest first.
    fileprivate func profileItemsExpiring(until date: Date) throws -> [ExpiringItem] {
        try expiries().items.filter { item in
            item.isInUse && item.expires <= date
                && (item.kind == .profile || item.kind == .certificate)
        }
    }

    /// The profiles in use that expire by `date`, or whose signing certificate does: those of builds that a
    /// channel now offers, and those added by hand.
    fileprivate func profilesExpiring(until date: Date) throws -> [ProfileRecord] {
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
