package import APIDocuments
import Foundation
import Identifiers
import Jobs
import Notices
import Releases
import Store

extension ShowStatus: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> StatusDocument {
        let store = administration.admin.store
        let now = administration.admin.clock()
        let search = try AttentionSearch(administration)
        let attempts = try store.installAttempts(
            of: nil,
            since: now.addingTimeInterval(-30 * 86_400),
        )
        let installed = attempts.count { $0.outcome == .downloaded }
        let register = try store.unlessDamaged { try store.devices() } ?? DeviceRegister()
        let newest = try NewestRelease.all(in: store, ofEach: NewestRelease.usualCount).first
        return StatusDocument(
            version: ProductVersion.text,
            attention: try search.entries(ExpiryTimeline(of: store, at: now)),
            apps: search.apps.count,
            releases: try search.apps.reduce(0) { count, app in
                try count + store.releaseIdentifiers(of: app.bundleIdentifier).count
            },
            devices: register.active.count,
            pending: register.pending.count,
            slots: register.slots(at: now).filter { $0.used > 0 || $0.team == nil }
                .map(SlotEntry.init),
            openJobs: try store.openJobs().count,
            installed: installed,
            notFinished: attempts.count - installed,
            newest: newest.map { newest in
                let app = search.apps.first { $0.bundleIdentifier == newest.app }
                return StatusDocument.NewestRelease(
                    app: app?.title ?? newest.app.rawValue,
                    release: newest.release.rawValue,
                    published: newest.published,
                )
            },
        )
    }
}
