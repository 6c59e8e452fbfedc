/// What a running server knows of itself, beside what is in its store.
package struct ServerStanding: Sendable {
    /// What keeps the server from its certificate.
    package struct CertificateTrouble: Sendable {
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

    /// What of the store is damaged or missing.
    package let damage: [StoreProblem]
    package let certificate: CertificateTrouble?

    package init(damage: [StoreProblem], certificate: CertificateTrouble?) {
        self.damage = damage
        self.certificate = certificate
    }
}
