import Bytes
import Cryptography
import Foundation
import Sample

extension AppleState {
    /// Issues a distribution certificate on request.
    mutating func createCertificate(
        _ attributes: JSONValue,
        by authority: SigningAuthority,
    ) throws -> AppleAnswer {
        let type = attributes["certificateType"]?.string ?? ""
        guard let key = ProvenRequest(attributes["csrContent"]?.string ?? "")?.publicKey else {
            return Self.invalid("csrContent", "…")
        }
        guard certificates.count < certificateLimit else {
            return .refusal(
                409,
                "ENTITY_ERROR",
                "You already have a current Distribution certificate or a pending certificate "
                    + "request.",
            )
        }
        let certificate = try authority.certificate(
            .distribution,
            for: key,
            from: now.addingTimeInterval(-60),
            until: now.addingDays(certificateDays),
        )
        guard case .rsa(bits: 2048) = certificate.keyKind else {
            return Self.invalid("csrContent", "…")
        }
        let issued = IssuedCertificate(id: makeID(), type: type, certificate: certificate)
        certificates.append(issued)
        return created(document(of: issued))
    }
}
