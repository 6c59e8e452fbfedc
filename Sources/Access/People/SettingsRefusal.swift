import Bytes
package import Problems

/// Why a change of the sign-in settings is refused.
package enum SettingsRefusal: ReportableError, Equatable {
    case badIssuer(String)
    case badClient
    case badSecret
    case badName(String)
    case badScope(String)
    case badClaim(String)
    /// Roles are given by a claim that is not configured.
    case noClaim
    case badPerson(String)
    case badValue(String)
    /// The admin role cannot be limited to an app, because devices and settings belong to no app.
    case adminOfOneApp
    /// A role names neither a person nor a value of the claim, or both.
    case badSubject
    case noRole
    case badTester(String)
    /// A tester entry names neither a person nor a value of the claim, or both.
    case badTesterSubject
    case tooManyTesters(Int)
    case tooManyRoles(Int)
    case badLinkName(String)
    case unknownSession(String)

    package var description: String {
        switch self {
        case .badIssuer(let text): "the issuer \(quoted: text) is not \(IssuerURL.kindOfText)"
        case .badClient:
            "the client's identifier must be 1 to 256 printable ASCII characters without spaces"
        case .badSecret:
            "the client's secret must be 1 to 1024 printable ASCII characters without spaces"
        case .badName(let name): "the provider's name \(quoted: name) cannot be shown on a button"
        case .badScope(let text): "\(quoted: text) is not a scope of OpenID Connect"
        case .badClaim(let text): "\(quoted: text) is not the name of a claim"
        case .noClaim: "roles and testers by claim need the name of the claim"
        case .badPerson(let text):
            "\(quoted: text) is neither an e-mail address nor sub: and a subject"
        case .badValue(let text): "\(quoted: text) is not a claim value that can give a role"
        case .adminOfOneApp: "the role admin covers all apps: devices and settings belong to none"
        case .badSubject: "each role is for a person or for a value of the claim"
        case .noRole: "these settings name no role and no tester, so no one could sign in"
        case .badTester(let text):
            "\(quoted: text) must be everyone, @ and a domain, an e-mail address, or sub: and a "
                + "subject"
        case .badTesterSubject: "each tester needs either a person or a value of the claim"
        case .tooManyTesters(let limit): "there are more than \(limit.grouped) testers"
        case .tooManyRoles(let limit): "there are more than \(limit.grouped) roles"
        case .badLinkName(let name):
            "the name \(quoted: name) must be 1 to 60 letters, digits, dots, hyphens and underscores"
        case .unknownSession: "there is no such session"
        }
    }
}

extension SettingsRefusal {
    package var id: String {
        switch self {
        case .badIssuer: "sign-in.bad-issuer"
        case .badClient: "sign-in.bad-client"
        case .badSecret: "sign-in.bad-secret"
        case .badName: "sign-in.bad-name"
        case .badScope: "sign-in.bad-scope"
        case .badClaim, .noClaim: "sign-in.bad-claim"
        case .badPerson, .badValue, .adminOfOneApp, .badSubject, .noRole, .tooManyRoles:
            "sign-in.bad-role"
        case .badTester, .badTesterSubject, .tooManyTesters: "sign-in.bad-tester"
        case .badLinkName: "sign-in.bad-link-name"
        case .unknownSession: "sign-in.unknown-session"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unknownSession: .notFound
        default: .invalid
        }
    }

    package var fix: String {
        switch self {
        case .badIssuer: "give the issuer exactly as in the provider's discovery document"
        case .badClient, .badSecret: "copy it again from the provider"
        case .badName: "give a name of 1 to 40 characters, such as Google"
        case .badScope: "give one word, such as groups"
        case .badClaim, .noClaim: "give one, such as --role-claim groups"
        case .badPerson: "give one such as admin=ana@example.com or admin=sub:248289761001"
        case .badValue: "give one such as publisher=mobile-team"
        case .adminOfOneApp: "give publisher or viewer for one app, or admin for all"
        case .badSubject: "give either a person or a claim"
        case .noRole: "give one, such as --admins ana@example.com"
        case .badTester, .badTesterSubject:
            "use --testers @example.com or --tester-group qa=mobile-team, for example"
        case .tooManyTesters: "let testers in by the provider's groups: --tester-group"
        case .tooManyRoles: "give roles by the provider's groups: --role-claim and --role"
        case .badLinkName: "give another name, such as ana"
        case .unknownSession: "see `ota sign-in sessions`"
        }
    }
}
