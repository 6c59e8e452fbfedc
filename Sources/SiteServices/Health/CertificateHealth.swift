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

    /// What `/readyz` says of it: one line with its end; empty while nothing is wrong.
    package var line: String {
        trouble.map { "\(Self.mark)\($0.title). \($0.detail)\n" } ?? ""
    }

    /// How that line begins, by which `ota doctor` knows it.
    package static let mark = "certificate: "

    /// In the Prometheus text format.
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
