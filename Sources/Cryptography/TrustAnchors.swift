/// The trusted roots: Apple's, pinned, and those that an operator adds.
package struct TrustAnchors: Sendable {
    private let pinned: [Certificate]
    /// Authorities other than Apple's.
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

    /// Returns these anchors with more of the operator's.
    package func adding(_ authorities: [Certificate]) -> TrustAnchors {
        TrustAnchors(pinned: pinned, additional: additional + authorities)
    }

    package var certificates: [Certificate] { pinned + additional }

    /// Whether `certificate` is one of the pinned roots, byte for byte.
    package func isApple(_ certificate: Certificate) -> Bool { pinned.contains(certificate) }

    /// The anchor whose key signed `certificate`.
    ///
    /// The key decides: messages embed an older Apple root with another name and the same key, and could
    /// embed one with the same name and another key. Trying the anchors with the issuer's name first
    /// avoids most of the expensive verifications.
    func anchor(over certificate: Certificate, named: Bool) -> Certificate? {
        certificates.first {
            ($0.subject == certificate.issuer) == named && certificate.isSigned(by: $0)
        }
    }
}
