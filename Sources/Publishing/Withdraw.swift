import Bundles
package import Essentials
package import Identifiers
package import Releases
package import Store

extension OTAStore {
    /// Withdraws a release: it can no longer be installed, and its page says why.
    ///
    /// Channels keep pointing to it, so that ``restoreRelease(_:of:by:at:)`` exactly reverses this and
    /// testers are not silently given an older build.
    @discardableResult
    package func withdraw(
        _ release: ReleaseIdentifier,
        of app: BundleIdentifier,
        as withdrawal: Release.Withdrawal,
    ) throws -> Release {
        try changeRelease(release, of: app) {
            // A release that was withdrawn with its channel can be promoted again; one that a user withdrew
            // cannot.
            if $0.withdrawal?.endedChannel == nil, $0.withdrawal != nil { return }
            $0.withdrawal = withdrawal
        } recording: {
            [
                Activity(
                    date: withdrawal.date,
                    actor: withdrawal.actor,
                    event: .withdrawn,
                    app: app.rawValue,
                    subject: release.rawValue,
                    detail: withdrawal.reason,
                )
            ]
        }.release
    }

    /// Restores a withdrawn release.
    @discardableResult
    package func restoreRelease(
        _ release: ReleaseIdentifier,
        of app: BundleIdentifier,
        by actor: String,
        at date: Date,
    ) throws -> Release {
        try changeRelease(release, of: app) {
            $0.withdrawal = nil
        } recording: {
            [.restored(release, of: app, by: actor, at: date)]
        }.release
    }
}

extension Activity {
    /// The activity of a release that can be installed again.
    static func restored(
        _ release: ReleaseIdentifier,
        of app: BundleIdentifier,
        by actor: String,
        at date: Date,
    ) -> Activity {
        Activity(
            date: date,
            actor: actor,
            event: .restored,
            app: app.rawValue,
            subject: release.rawValue,
        )
    }
}
