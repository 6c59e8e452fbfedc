import Essentials
package import HTTPCalling

extension ACMEFailure {
    /// The failure for a request without a response.
    package init(_ trouble: CallTrouble, from host: String) {
        self =
            switch trouble {
            case .untrusted(let reason): .untrusted(host: host, reason: reason)
            case .unreachable(let reason): .unreachable(host: host, reason: reason)
            case .tooSlow(let seconds): .tooSlow(host: host, seconds: seconds)
            case .answerTooLarge(let limit): .answerTooLarge(host: host, limit: limit)
            case .interrupted: .interrupted
            }
    }

    /// Interprets an error response.
    ///
    /// - Parameters:
    ///   - answer: a response with a status of 400 or more.
    ///   - host: the authority's host.
    ///   - date: the present, to compute the time of a retry.
    init(_ answer: CallAnswer, from host: String, at date: Date) {
        let problem = answer.problem
        let said = Self.plain(problem?.detail)
        let word = problem?.word ?? ""
        switch word {
        case "rateLimited":
            self = .rateLimited(until: answer.retryDate(at: date), said: said)
        case "externalAccountRequired": self = .accountBinding(host: host)
        case "rejectedIdentifier", "unsupportedIdentifier":
            self = .nameRefused(said: Self.words(of: problem))
        case "caa": self = .otherAuthorities(name: "the name", said: said)
        default:
            if answer.status == 429 {
                self = .rateLimited(until: answer.retryDate(at: date), said: said)
            } else if answer.status >= 500 {
                self = .unavailable(
                    host: host,
                    status: answer.status,
                    until: answer.retryDate(at: date),
                )
            } else {
                self = .refused(
                    word: word.isEmpty ? "status \(answer.status)" : Self.plain(word),
                    said: Self.words(of: problem),
                )
            }
        }
    }

    /// Interprets the error of a failed challenge.
    ///
    /// - Parameters:
    ///   - problem: the authority's error.
    ///   - challenge: the kind of the challenge.
    ///   - name: the host name to prove.
    init(_ problem: ACMEProblem?, of challenge: ACMEChallengeKind, for name: String) {
        let said = Self.plain(problem?.detail)
        self =
            switch problem?.word ?? "" {
            case "connection": .notReached(name: name, challenge, said: said)
            case "dns": .noAddress(name: name, said: said)
            case "caa": .otherAuthorities(name: name, said: said)
            case "unauthorized", "incorrectResponse", "tls":
                .answeredElsewhere(name: name, challenge, said: said)
            case "rateLimited": .rateLimited(until: nil, said: said)
            case "rejectedIdentifier": .nameRefused(said: said)
            case let word: .refused(word: Self.plain(word), said: said)
            }
    }

    /// The detail, with those of the host names concerned.
    private static func words(of problem: ACMEProblem?) -> String {
        let parts = (problem?.subproblems ?? []).prefix(3).compactMap { part in
            part.detail.map { detail in
                (part.identifier.map { $0.value + ": " } ?? "") + detail
            }
        }
        return plain(([problem?.detail].compactMap(\.self) + parts).joined(separator: "; "))
    }
}
