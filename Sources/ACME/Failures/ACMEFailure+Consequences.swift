import Essentials

extension ACMEFailure {
    /// Whether an authority has tried a proof, and refused it.
    var isOfProof: Bool {
        switch self {
        case .notReached, .answeredElsewhere, .noAddress, .otherAuthorities, .nameRefused,
            .refused, .noChallenge:
            true
        default: false
        }
    }

    /// Whether the same order may be accepted if it names no certificate that it replaces.
    var allowsOrderWithoutReplacing: Bool {
        guard case .refused(let word, _) = self else { return false }
        return word != "accountDoesNotExist"
    }

    /// Whether the authority has forgotten the account.
    var isAboutLostAccount: Bool {
        guard case .refused(let word, _) = self else { return false }
        return word == "accountDoesNotExist"
    }

    /// Before when the authority takes no further request; nil where it says nothing.
    var earliestRetry: Date? {
        switch self {
        case .rateLimited(let until, _), .unavailable(_, _, let until): until
        default: nil
        }
    }

    /// Whether it lasts until an admin acts.
    var needsPerson: Bool {
        switch self {
        case .unreachable, .tooSlow, .unavailable, .interrupted, .unfinished, .rateLimited: false
        default: true
        }
    }
}
