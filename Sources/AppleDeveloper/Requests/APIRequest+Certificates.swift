import Cryptography

extension APIRequest {
    private static let certificateFields = (
        name: "fields[certificates]",
        value:
            "name,displayName,certificateType,serialNumber,expirationDate,certificateContent",
    )

    /// The certificates for signing builds for testers.
    static let certificates = APIRequest(
        .get,
        .readCertificates,
        path: "/v1/certificates",
        query: [
            (
                "filter[certificateType]",
                AccountCertificate.distributionTypes.joined(separator: ","),
            ),
            certificateFields, ("limit", "\(pageSize)"),
        ],
    )

    static func certificate(_ id: ResourceID) -> APIRequest {
        APIRequest(
            .get,
            .readCertificates,
            path: "/v1/certificates/\(id)",
            query: [certificateFields],
        )
    }

    static func create(_ request: CertificateSigningRequest) -> APIRequest {
        struct Attributes: Encodable {
            let certificateType = "DISTRIBUTION"
            let csrContent: String
        }
        return APIRequest(
            .post,
            .createCertificate,
            path: "/v1/certificates",
            body: ResourceBody("certificates", Attributes(csrContent: request.pem)),
        )
    }

    static func revokeCertificate(_ id: ResourceID) -> APIRequest {
        APIRequest(.delete, .revokeCertificate, path: "/v1/certificates/\(id)")
    }
}
