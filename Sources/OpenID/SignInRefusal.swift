package import Problems

/// Why a person is not signed in, or is signed out; every reason has its own identifier.
package struct SignInRefusal: ReportableError, Equatable {
    package let reason: Reason
    /// The details, such as a value that differs; at most one line, without secrets.
    package let detail: String

    package init(_ reason: Reason, _ detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    package var description: String {
        reason.sentence + (detail.isEmpty ? "" : " (\(detail))")
    }
}

extension SignInRefusal {
    package enum Reason: String, CaseIterable, Sendable {
        // About the configuration and the provider's documents.
        case notSetUp = "sign-in.not-set-up"
        case unreachable = "sign-in.unreachable"
        case tooSlow = "sign-in.too-slow"
        case answerTooLarge = "sign-in.answer-too-large"
        case badAnswer = "sign-in.bad-answer"
        case otherIssuer = "sign-in.other-issuer"
        case insecureAddress = "sign-in.insecure-address"
        case noSharedMethod = "sign-in.no-shared-method"
        // About the browser's authorization response.
        case noState = "sign-in.no-state"
        case wrongState = "sign-in.wrong-state"
        case usedState = "sign-in.used-state"
        case mixedUp = "sign-in.mixed-up"
        case denied = "sign-in.denied"
        case noCode = "sign-in.no-code"
        case codeRefused = "sign-in.code-refused"
        // About tokens.
        case badToken = "sign-in.bad-token"
        case unsigned = "sign-in.unsigned"
        case sharedKey = "sign-in.shared-key"
        case otherAlgorithm = "sign-in.other-algorithm"
        case unknownKey = "sign-in.unknown-key"
        case badSignature = "sign-in.bad-signature"
        case unknownExtension = "sign-in.unknown-extension"
        case wrongIssuer = "sign-in.wrong-issuer"
        case wrongAudience = "sign-in.wrong-audience"
        case wrongParty = "sign-in.wrong-party"
        case expired = "sign-in.expired"
        case notYetValid = "sign-in.not-yet-valid"
        case stale = "sign-in.stale"
        case wrongNonce = "sign-in.wrong-nonce"
        case wrongAccessToken = "sign-in.wrong-access-token"
        case otherPerson = "sign-in.other-person"
        // About a provider's logout tokens.
        case badLogout = "sign-in.bad-logout"
        case usedLogout = "sign-in.used-logout"
        // About people.
        case noRole = "sign-in.no-role"
        case noTester = "sign-in.no-tester"
        case usedLink = "sign-in.used-link"
        case tooMany = "sign-in.too-many"
    }
}

extension SignInRefusal.Reason {
    fileprivate var sentence: String {
        switch self {
        case .notSetUp: "sign-in at a provider is not set up on this server"
        case .unreachable: "the provider cannot be reached"
        case .tooSlow: "the provider did not answer in time"
        case .answerTooLarge: "the provider's answer is too large"
        case .badAnswer: "the provider's answer cannot be used"
        case .otherIssuer: "the provider's document names another issuer"
        case .insecureAddress: "the provider names an address that is not https"
        case .noSharedMethod: "this server and the provider support no common authentication method"
        case .noState:
            "this browser did not begin the sign-in, or began it more than 10 minutes ago"
        case .wrongState: "the answer belongs to another sign-in"
        case .usedState: "this answer was used before"
        case .mixedUp: "the answer comes from a provider other than the one that was asked"
        case .denied: "the provider did not sign the person in"
        case .noCode: "the provider's answer has no code"
        case .codeRefused: "the provider no longer accepts its code or token"
        case .badToken: "the provider's token cannot be read"
        case .unsigned: "the provider's token is not signed"
        case .sharedKey: "the provider's token is signed with a shared secret instead of a key"
        case .otherAlgorithm: "the token's signing algorithm does not match its key"
        case .unknownKey: "the provider publishes no key that could have signed the token"
        case .badSignature: "the signature of the token is wrong"
        case .unknownExtension: "the token requires an extension that this server does not know"
        case .wrongIssuer: "the token is from another issuer"
        case .wrongAudience: "the token is for another application"
        case .wrongParty: "the token was issued to another application"
        case .expired: "the token has expired"
        case .notYetValid: "the token is not valid yet"
        case .stale: "the token is older than the sign-in"
        case .wrongNonce: "the token belongs to another sign-in"
        case .wrongAccessToken: "the two tokens do not belong together"
        case .otherPerson: "the provider's answers are about different people"
        case .badLogout: "this is not a logout announcement"
        case .usedLogout: "this logout announcement was used before"
        case .noRole: "you have no role on this server"
        case .noTester: "the person is not a tester on this server"
        case .usedLink: "the link was used before, or is older than 10 minutes"
        case .tooMany: "too many people are signed in"
        }
    }

    fileprivate var kind: Problem.Kind {
        switch self {
        case .notSetUp: .notFound
        case .unreachable, .tooSlow: .unavailable
        case .answerTooLarge, .badAnswer, .otherIssuer, .insecureAddress, .noSharedMethod:
            .unavailable
        case .badLogout, .usedLogout: .malformed
        case .noRole, .noTester: .refused
        case .usedLink: .gone
        case .tooMany: .busy
        default: .unauthorised
        }
    }

    fileprivate var fix: String {
        switch self {
        case .notSetUp: "set it up: ota sign-in set --issuer URL --client-id ID"
        case .unreachable, .tooSlow:
            "check the issuer, DNS and the firewall; until then, sign in with a token or `ota sign-in link`"
        case .answerTooLarge, .badAnswer, .otherIssuer, .insecureAddress, .noSharedMethod:
            "check the issuer with `ota sign-in test`, then set it again with `ota sign-in set`"
        case .noRole: "give a role with `ota sign-in set --person`, or in the provider"
        case .noTester: "let the person in with `ota sign-in set --testers`, or in the provider"
        case .usedLink: "make a new one with `ota sign-in link`"
        case .badLogout, .usedLogout: "check what the provider sends"
        case .codeRefused:
            "sign in again; if it happens again, check the client's secret with `ota sign-in set`"
        case .wrongAudience, .wrongParty: "check the client's identifier with `ota sign-in show`"
        case .expired, .notYetValid, .stale: "compare the clocks of this server and the provider"
        case .tooMany: "try again later"
        default: "sign in again"
        }
    }

    /// How to fix it, for a person in a browser.
    fileprivate var pageFix: String {
        switch self {
        case .noRole, .noTester: "ask someone who runs this server for a role"
        case .notSetUp: "sign in with a token"
        case .unreachable, .tooSlow, .answerTooLarge, .badAnswer, .otherIssuer, .insecureAddress,
            .noSharedMethod:
            "sign in with a token, and tell someone who runs this server"
        case .expired, .notYetValid, .stale:
            "sign in again; if it happens again, the clocks of this server and the provider differ"
        case .usedLink: "make a new link on the server’s machine"
        case .codeRefused:
            "sign in again; if it happens again, the server’s secret at the provider is wrong"
        case .tooMany: "try again later"
        default: "sign in again; if it happens again, tell someone who runs this server"
        }
    }
}

extension SignInRefusal {
    package var id: String { reason.rawValue }
    package var kind: Problem.Kind { reason.kind }
    package var fix: String { reason.fix }
    package var pageFix: String? { reason.pageFix }
}
