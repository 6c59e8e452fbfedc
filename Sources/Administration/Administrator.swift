package import Foundation
package import Store

/// What an admin may do with a store, whoever asks: the command line, the API, or a page.
package struct Administrator: Sendable {
    package let store: OTAStore
    package let name: String
    package let clock: @Sendable () -> Date

    package init(of store: OTAStore, named name: String, clock: @escaping @Sendable () -> Date) {
        self.store = store
        self.name = name
        self.clock = clock
    }
}
