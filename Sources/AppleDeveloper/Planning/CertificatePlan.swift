package import Cryptography
package import Essentials
import Releases

/// Whether this server's certificate can be used, or must be renewed or created.
package enum CertificatePlan: Sendable, Equatable {
    case keep(AccountCertificate)
    /// It expires soon; builds are signed with it until they are signed with the new one.
    case renew(AccountCertificate, before: Date)
    /// The account does not have it: it has expired or was revoked.
    case create

    /// - Parameters:
    ///   - key: the private key with which this server signs.
    ///   - certificates: the certificates of the account.
    ///   - date: the present.
    ///   - days: how many days before its expiry it is renewed.
    package init(
        for key: PrivateKey,
        among certificates: [AccountCertificate],
        at date: Date,
        renewingBefore days: Double,
    ) {
        let own = certificates.filter { $0.isAbout(key) && ($0.expires ?? .distantFuture) > date }
            .max { ($0.expires ?? .distantFuture) < ($1.expires ?? .distantFuture) }
        guard let own else {
            self = .create
            return
        }
        guard let end = own.expires, end <= date.addingTimeInterval(days * 86_400) else {
            self = .keep(own)
            return
        }
        self = .renew(own, before: end)
    }
}

extension CertificatePlan: CustomStringConvertible {
    /// The planned action, as a clause.
    package var description: String {
        switch self {
        case .keep(let certificate):
            "keep the certificate"
                + (certificate.expires.map { ", which expires on \(Wording.day($0))" } ?? "")
        case .renew(_, let end):
            "create a new certificate, because the current one expires on \(Wording.day(end))"
        case .create:
            "create a certificate, because the developer account has none for the key of this server"
        }
    }
}
