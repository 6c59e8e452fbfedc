import APIDocuments
import Foundation
import Identifiers
import Inspection
import Notices
import Releases
import Store

extension AttentionSearch {
    /// Offered builds that lack devices that were added since.
    func rebuilds() throws -> [AttentionGroup.Item] {
        let wanted = try store.wantedDevices()
        let register = try store.devices()
        // What the server does automatically is listed with the jobs, and needs no admin.
        lazy var byPeople = WantedDevices(in: register) { !isByServer($0) }
        // An archived app gets no new build.
        return try apps.filter { !$0.isArchived }.sorted { $0.title < $1.title }.compactMap { app in
            guard let channel = app.defaultChannel,
                let (release, missing) = try store.unlessDamaged({
                    () throws -> (Release, MissingDevices)? in
                    guard let release = try store.release(on: channel, of: app) else {
                        return nil
                    }
                    let counted = app.keepsFresh(channel) ? byPeople : wanted
                    return (
                        release,
                        try counted.missing(from: release) { try store.report(of: release) },
                    )
                }), release.withdrawal == nil, !missing.isEmpty
            else { return nil }
            // The server renews the team's profiles, even if an admin signs the build.
            let isSigned =
                release.keepsOriginal
                && teams.contains {
                    $0.identifier == app.team && $0.account?.isActive == true
                }
            let names = Self.names(of: missing.first(3), count: missing.count)
            let entry = app.attention(
                to: release.identifier,
                "\(app.title) \(release.version) is missing "
                    + "\(Wording.count(missing.count, "device"))",
                (isSigned ? "Sign it again, or publish" : "Publish")
                    + " a new build that includes \(names).",
            )
            return AttentionGroup.Item(
                entry,
                subject: "\(app.title) \(release.version)",
                note: "\(Wording.count(missing.count, "device")): \(names)",
            )
        }
    }

    /// Whether the server registers a device and creates profiles for it automatically.
    func isByServer(_ device: Device) -> Bool {
        device.owner(among: teams)?.account?.isActive == true
    }
}

extension AppRecord {
    fileprivate func attention(
        to release: ReleaseIdentifier,
        _ title: String,
        _ detail: String,
    ) -> AttentionEntry {
        var entry = AttentionEntry(.warning, title, detail, at: .releases)
        entry.app = slug.rawValue
        entry.release = release.rawValue
        return entry
    }
}
