/// The roots that a chain may end in: Apple's, pinned, and those an operator adds.
package struct TrustAnchors: Sendable {
    private let pinned: [Certificate]
    /// Authorities that are not Apple's.
    package let additional: [Certificate]

    init(pinned: [Certificate], additional: [Certificate]) {
        self.pinned = pinned
        self.additional = additional
    }

    /// Apple Root CA, G2 and G3.
    package static let apple = TrustAnchors(
        pinned: AppleRoots.encoded.compactMap { try? Certificate(der: $0) },
        additional: [],
    )

    /// These anchors and more, none of which becomes Apple's.
    package func adding(_ authorities: [Certificate]) -> TrustAnchors {
        TrustAnchors(pinned: pinned, additional: additional + authorities)
    }

    package var certificates: [Certificate] { pinned + additional }

    /// Whether `certificate` is one of the pinned roots, byte for byte.
    package func isApple(_ certificate: Certificate) -> Bool { pinned.contains(certificate) }

    /// The anchor whose key signed `certificate`.
    ///
    /// The key decides: messages embed an older root of Apple's with another name and the same
    /// key, and could embed one with the same name and another key. Asking for those of the
    /// issuer's name first saves the costly comparisons.
    func anchor(over certificate: Certificate, named: Bool) -> Certificate? {
        certificates.first {
            ($0.subject == certificate.issuer) == named && certificate.isSigned(by: $0)
        }
    }
}
