import Synchronization

/// What keeps the server from getting its certificate, for the admins' pages.
package final class CertificateHealth: Sendable {
    /// As a page shows it.
    package struct Trouble: Equatable, Sendable {
        /// One clause, without a full stop.
        package let title: String
        /// Whole sentences.
        package let detail: String
        /// Whether an admin has to do something.
        package let isUrgent: Bool

        package init(title: String, detail: String, isUrgent: Bool) {
            self.title = title
            self.detail = detail
            self.isUrgent = isUrgent
        }
    }

    private let state = Mutex<Trouble?>(nil)

    package init() {}

    /// Nil while nothing is wrong.
    package var trouble: Trouble? { state.withLock { $0 } }

    package func note(_ trouble: Trouble?) {
        state.withLock { $0 = trouble }
    }
}
