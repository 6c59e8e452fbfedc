import Bundles
import Foundation
import Identifiers
import Releases
import Access
import Store

/// The state of everything in the store that notices are about, at one moment.
struct NoticeSnapshot {
    let store: OTAStore
    let webhooks: [Webhook]
    let apps: [BundleIdentifier: AppRecord]
    let offers: [ExpiryTimeline.Offer]
    let timeline: ExpiryTimeline
    let devices: DeviceRegister
    let wanted: WantedDevices
}

extension NoticeSnapshot {
    /// Reads everything in a store that may require a notice.
    init(
        of store: OTAStore,
        serverCertificate: ExpiryTimeline.ServerCertificate?,
        at date: Date,
    ) throws(StoreFailure) {
        self.store = store
        webhooks = try store.webhooks().webhooks
        apps = Dictionary(try store.apps().map { ($0.bundleIdentifier, $0) }) { first, _ in first }
        offers = try store.offers()
        var material = ExpiryTimeline.Material()
        material.profiles = try store.profiles()
        material.offers = offers
        timeline = ExpiryTimeline(
            try store.lasting(of: material, for: "notices"),
            tokens: try store.tokens().tokens,
            invitations: [],
            serverCertificate: serverCertificate,
            at: date,
        )
        devices = try store.devices()
        wanted = try store.wantedDevices()
    }
}
