import Essentials
import HTTPCalling

extension CallAnswer {
    /// Why a request was refused; nil for an answer that does not say it.
    var problem: ACMEProblem? {
        try? JSONDecoder().decode(ACMEProblem.self, from: Data(body))
    }

    /// When the authority wants to be asked again, at most a week ahead (RFC 8555 section 6.6).
    func retryDate(at date: Date) -> Date? { retryDate(at: date, within: 7 * 86_400) }
}
