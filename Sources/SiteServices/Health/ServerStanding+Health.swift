package import Store

extension ServerStanding {
    /// Combines the problems that the server has found so far.
    package init(_ store: StoreHealth, _ certificate: CertificateHealth) {
        self.init(
            damage: store.problems,
            certificate: certificate.trouble.map { trouble in
                CertificateTrouble(
                    title: trouble.title,
                    detail: trouble.detail,
                    isUrgent: trouble.isUrgent,
                )
            },
        )
    }
}
