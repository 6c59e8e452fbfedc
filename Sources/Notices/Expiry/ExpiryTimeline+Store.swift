import Access
import Bundles
import Enrolment
package import Foundation
import Identifiers
import Inspection
import Releases
package import Store

extension ExpiryTimeline {
    /// What ends of everything in a store.
    ///
    /// - Parameters:
    ///   - store: read as it is now.
    ///   - serverCertificate: what phones see; nil where no server runs.
    ///   - date: the present.
    /// - Throws: ``StoreFailure`` when something cannot be read.
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

    /// What ends of profiles, builds and teams, made anew when one of them changes.
    private static func lasting(of store: OTAStore) throws(StoreFailure) -> [ExpiringItem] {
        try store.derived("expiries", of: ["apps", "profiles.json", "teams"]) {
            () throws(StoreFailure) in
            var material = Material()
            material.profiles = try store.profiles()
            material.offers = try store.offers()
            material.teams = try store.teams()
            return lasting(of: material)
        }
    }
}

extension OTAStore {
    /// Every release that some channel offers, withdrawn ones too, with its report; by app.
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
                    // One damaged release hides the end of no other.
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
