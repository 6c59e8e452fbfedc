import Essentials

extension ACMEFailure {
    /// Whether the authority rejected the proof of a name or the request, or offers no usable challenge.
    var isOfProof: Bool {
        switch self {
        case .notReached, .answeredElsewhere, .noAddress, .otherAuthorities, .nameRefused,
            .refused, .noChallenge:
            true
        default: false
        }
    }

    /// Whether the same order may be accepted if it does not name a certificate to replace.
    var allowsOrderWithoutReplacing: Bool {
        guard case .refused(let word, _) = self else { return false }
        return word != "accountDoesNotExist"
    }

    /// Whether the authority no longer knows the account.
    var isAboutLostAccount: Bool {
        guard case .refused(let word, _) = self else { return false }
        return word == "accountDoesNotExist"
    }

    /// The time before which the authority accepts no further request; nil if it gives none.
    var earliestRetry: Date? {
        switch self {
        case .rateLimited(let until, _), .unavailable(_, _, let until): until
        default: nil
        }
    }

    /// Whether the failure persists until an admin acts.
    var needsPerson: Bool {
        switch self {
        case .unreachable, .tooSlow, .unavailable, .interrupted, .unfinished, .rateLimited: false
        default: true
        }
    }
}
