import Bundles
package import Foundation
import Identifiers
import Releases
package import Store

/// What an admin may do with a store, through the command line, the API or a page.
///
/// Every action is one call, which checks what it is given, changes the store, enters what happened
/// in the activity and says what has changed. Who may do what is decided before.
package struct Administrator: Sendable {
    package let store: OTAStore
    /// Who the activity says it was: a token's name, or the user of the command line.
    package let name: String
    package let clock: @Sendable () -> Date

    /// - Parameters:
    ///   - store: the store that actions read and change.
    ///   - name: who acts, for the activity log: a token's name, or the user of the command line.
    ///   - clock: gives the time.
    package init(of store: OTAStore, named name: String, clock: @escaping @Sendable () -> Date) {
        self.store = store
        self.name = name
        self.clock = clock
    }

    /// What the activity says of an action; handed to the change of the document that it is.
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
