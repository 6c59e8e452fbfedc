/// The state of a running server that is not in its store.
package struct ServerStanding: Sendable {
    /// The problem that keeps the server from getting its certificate.
    package struct CertificateTrouble: Sendable {
        /// One clause, without a period.
        package let title: String
        /// Full sentences.
        package let detail: String
        /// Whether an admin has to do something.
        package let isUrgent: Bool

        package init(title: String, detail: String, isUrgent: Bool) {
            self.title = title
            self.detail = detail
            self.isUrgent = isUrgent
        }
    }

    /// The damaged or missing parts of the store.
    package let damage: [StoreProblem]
    package let certificate: CertificateTrouble?

    package init(damage: [StoreProblem], certificate: CertificateTrouble?) {
        self.damage = damage
        self.certificate = certificate
    }
}
