import Access
import Bundles
import Cryptography
import Enrolment
package import Foundation
import Identifiers
import Inspection
import Releases
package import Store
import Synchronization

extension ExpiryTimeline {
    /// Collects everything in a store that expires.
    ///
    /// - Parameters:
    ///   - store: the store, read in its current state.
    ///   - serverCertificate: the certificate that devices see; nil if no server is running.
    ///   - date: the current time.
    /// - Throws: ``StoreFailure`` if something cannot be read.
    package init(
        of store: OTAStore,
        serverCertificate: ServerCertificate? = nil,
        at date: Date,
    ) throws(StoreFailure) {
        self.init(
            try Self.lasting(of: store),
            tokens: try store.tokens().tokens,
            invitations: try store.invitations().invitations,
            serverCertificate: serverCertificate,
            at: date,
        )
    }

    /// Profiles, builds and teams that expire, derived again when one of them changes.
    private static func lasting(of store: OTAStore) throws(StoreFailure) -> [ExpiringItem] {
        try store.derived("expiries", of: ["apps", "profiles.json", "teams"]) {
            () throws(StoreFailure) in
            var material = Material()
            material.profiles = try store.profiles()
            material.offers = try store.offers()
            material.teams = try store.teams()
            return try store.lasting(of: material, for: "timeline")
        }
    }
}

/// The expiring items of profiles, builds and teams as last collected.
private final class KnownExpiries: Sendable {
    /// The parts of an offered release on which the timeline depends; its title is not among them.
    private struct Basis: Equatable {
        let app: BundleIdentifier
        let release: ReleaseIdentifier
        let report: SHA256Digest
        let channels: [ChannelName]
        let isWithdrawn: Bool

        init(_ offer: ExpiryTimeline.Offer) {
            app = offer.release.bundleIdentifier
            release = offer.release.identifier
            report = offer.release.report
            channels = offer.channels
            isWithdrawn = offer.release.withdrawal != nil
        }
    }

    private struct Known {
        let profiles: ProfileRegister
        let teams: [Team]
        let offers: [Basis]
        let items: [ExpiringItem]
    }

    private let known = Mutex<Known?>(nil)

    func items(of material: ExpiryTimeline.Material) -> [ExpiringItem] {
        let offers = material.offers.map(Basis.init)
        if let known = known.withLock({ $0 }), known.offers == offers,
            known.teams == material.teams,
            known.profiles == material.profiles
        {
            return known.items
        }
        let items = ExpiryTimeline.lasting(of: material)
        let made = Known(
            profiles: material.profiles,
            teams: material.teams,
            offers: offers,
            items: items,
        )
        known.withLock { $0 = made }
        return items
    }
}

extension OTAStore {
    /// Returns the expiring items of profiles, builds and teams, collected again only if one of them has
    /// changed.
    ///
    /// - Parameters:
    ///   - material: the profiles, builds and teams.
    ///   - user: identifies a caller that calls this again with material of the same kind.
    /// - Returns: the items, earliest first.
    /// - Throws: ``StoreFailure``.
    func lasting(
        of material: ExpiryTimeline.Material,
        for user: String,
    ) throws(StoreFailure) -> [ExpiringItem] {
        try derived("expiries of \(user)", of: []) { () throws(StoreFailure) in KnownExpiries() }
            .items(of: material)
    }
}

extension OTAStore {
    /// Every release that a channel offers, including withdrawn ones, with its report; by app.
    package func offers() throws(StoreFailure) -> [ExpiryTimeline.Offer] {
        var offers: [ExpiryTimeline.Offer] = []
        for app in try apps() {
            let channels = Dictionary(grouping: app.channels.keys) { app.channels[$0] }
            for (identifier, names) in channels {
                guard let identifier else { continue }
                do throws(StoreFailure) {
                    guard let release = try release(identifier, of: app.bundleIdentifier) else {
                        continue
                    }
                    offers.append(
                        ExpiryTimeline.Offer(
                            release: release,
                            channels: names,
                            report: try report(of: release),
                        )
                    )
                } catch {
                    // A damaged release must not hide the others' expiry.
                    guard error.concernsOnePlace else { throw error }
                }
            }
        }
        return offers.sorted {
            ($0.release.bundleIdentifier.rawValue, $0.release.identifier.rawValue)
                < ($1.release.bundleIdentifier.rawValue, $1.release.identifier.rawValue)
        }
    }
}
