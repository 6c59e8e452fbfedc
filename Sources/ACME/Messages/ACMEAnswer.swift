import Essentials
import HTTPCalling

extension CallAnswer {
    /// The error in a response; nil when there is none.
    var problem: ACMEProblem? {
        try? JSONDecoder().decode(ACMEProblem.self, from: Data(body))
    }

    /// When the authority asks for a retry, at most a week ahead (RFC 8555 section 6.6).
    func retryDate(at date: Date) -> Date? { retryDate(at: date, within: 7 * 86_400) }
}
