package import Bundles
package import Foundation
package import Releases
package import Store

extension OTAStore {
    /// Lets a channel offer a release that is there already.
    ///
    /// - Throws: ``ReleaseRefusal`` when there is no such app or release, or it is withdrawn.
    @discardableResult
    package func promote(
        _ release: ReleaseIdentifier,
        of app: BundleIdentifier,
        to channel: ChannelName,
        by actor: String,
        at date: Date,
    ) throws -> AppRecord {
        guard let before = try self.app(app) else {
            throw ReleaseRefusal.unknownApp(app.rawValue)
        }
        guard let found = try self.release(release, of: app) else {
            throw ReleaseRefusal.unknownRelease(release)
        }
        guard found.withdrawal == nil else { throw ReleaseRefusal.withdrawn(release) }
        let after = try changeApp(app) { $0.channels[channel] = release }
        guard try hasRelease(release, of: app) else {
            // Pruned at this very moment.
            try changeApp(app) { $0.channels[channel] = before.channels[channel] }
            throw ReleaseRefusal.unknownRelease(release)
        }
        if before.channels[channel] != release {
            try record(
                Activity(
                    date: date,
                    actor: actor,
                    event: .promoted,
                    app: app.rawValue,
                    subject: release.rawValue,
                    detail: channel.rawValue,
                )
            )
        }
        return after
    }
}
