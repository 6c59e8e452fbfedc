import Synchronization

/// The problem that keeps the server from getting its certificate, for the admins' pages.
package final class CertificateHealth: Sendable {
    /// A problem as a page shows it.
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

    /// The problem as a line of `/readyz`, with its line feed; empty if there is none.
    package var line: String {
        trouble.map { "\(Self.mark)\($0.title). \($0.detail)\n" } ?? ""
    }

    /// The start of that line, by which `ota doctor` recognises it.
    package static let mark = "certificate: "

    /// The problem as a metric in the Prometheus text format.
    package var metrics: String {
        """
        # HELP ota_certificate_trouble Whether the server cannot get or use its certificate.
        # TYPE ota_certificate_trouble gauge
        ota_certificate_trouble \(trouble == nil ? 0 : 1)

        """
    }

    package func note(_ trouble: Trouble?) {
        state.withLock { $0 = trouble }
    }
}
