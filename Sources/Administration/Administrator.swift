import Bundles
package import Foundation
import Identifiers
import Releases
package import Store

/// An admin's actions on a store, through the command line, the API or a page.
///
/// Every action is one call, which checks its input, changes the store, records the event in the activity
/// and returns what has changed. The caller checks permissions before.
package struct Administrator: Sendable {
    package let store: OTAStore
    /// The actor in the activity: a token's name, or the user of the command line.
    package let name: String
    package let clock: @Sendable () -> Date

    /// - Parameters:
    ///   - store: the store that actions read and change.
    ///   - name: the actor in the activity: a token's name, or the user of the command line.
    ///   - clock: returns the current time.
    package init(of store: OTAStore, named name: String, clock: @escaping @Sendable () -> Date) {
        self.store = store
        self.name = name
        self.clock = clock
    }

    /// The activity entry of an action, recorded together with the document's change.
    func activity(
        _ event: Activity.Event,
        app: AppRecord? = nil,
        _ subject: String,
        detail: String? = nil,
        at date: Date,
    ) -> Activity {
        Activity(
            date: date,
            actor: name,
            event: event,
            app: app?.bundleIdentifier.rawValue,
            subject: subject,
            detail: detail,
        )
    }
}
