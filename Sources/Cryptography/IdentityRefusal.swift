package import Essentials
package import Problems

/// Why a readable identity cannot sign apps that iOS accepts.
///
/// The name in each case is the common name of its certificate.
package enum IdentityRefusal: ReportableError, Equatable {
    /// iOS requires RSA of at least 2048 bits; private authorities may use elliptic curves.
    case unusableKey(String, KeyKind)
    /// A certificate for Mac apps, push notifications or something else.
    case notForApps(String)
    case noTeam(String)
    case notYetValid(String, from: Date)
    case expired(String, on: Date)
    /// The issuer is neither in the file nor one of Apple's known intermediates.
    case incompleteChain(String, issuer: String)
    case notAccepted(String, SignatureRefusal)

    package var description: String {
        switch self {
        case .unusableKey(let name, let kind):
            "the key of \(name) is \(kind), but apps are signed with RSA keys of 2048 bits or more"
        case .notForApps(let name):
            "\(name) is neither a development nor a distribution certificate for iOS"
        case .noTeam(let name): "the certificate \(name) names no team"
        case .notYetValid(let name, let date):
            "the certificate \(name) is not valid before \(date.ISO8601Format())"
        case .expired(let name, let date):
            "the certificate \(name) expired on \(date.ISO8601Format())"
        case .incompleteChain(let name, let issuer):
            "the certificate \(name) was issued by \(issuer), which leads to no trusted root"
        case .notAccepted(let name, let refusal): "iOS does not accept \(name): \(refusal)"
        }
    }
}

extension IdentityRefusal {
    package var id: String {
        switch self {
        case .unusableKey: "identity.key-kind"
        case .notForApps: "identity.wrong-kind"
        case .noTeam: "identity.no-team"
        case .notYetValid: "identity.not-yet-valid"
        case .expired: "identity.expired"
        case .incompleteChain: "identity.chain-incomplete"
        case .notAccepted: "identity.not-accepted"
        }
    }

    package var kind: Problem.Kind { .refused }

    package var fix: String {
        switch self {
        case .unusableKey, .notForApps, .noTeam, .notAccepted:
            "use an Apple Distribution or Apple Development certificate of the team"
        case .notYetValid: "check the clock of this machine"
        case .expired:
            "create a new certificate on Apple's developer site, create the profiles again with it, and "
                + "use both"
        case .incompleteChain:
            "add the issuing certificate to the file, and name a private authority with --trusted-ca"
        }
    }
}
