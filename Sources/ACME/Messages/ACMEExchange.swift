import Essentials
import HTTPCalling

/// One request on its way to an authority, and one answer to it, whatever carries them.
package struct ACMEExchange: Sendable {
    package struct Outgoing: Sendable {
        /// `GET`, `HEAD` or `POST`.
        package let method: String
        /// Absolute.
        package let address: String
        /// A signed request; nil for `GET` and `HEAD`.
        package let body: [UInt8]?
    }

    package struct Answer: Sendable {
        package let status: Int
        /// By lower-case names; of several of one name the first.
        package let headers: [String: String]
        package let body: [UInt8]

        package init(status: Int, headers: [String: String], body: [UInt8]) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }
}

extension ACMEExchange.Answer {
    /// Why a request was refused; nil for an answer that does not say it.
    var problem: ACMEProblem? {
        try? JSONDecoder().decode(ACMEProblem.self, from: Data(body))
    }

    /// When the authority wants to be asked again, at most a week ahead (RFC 8555 section 6.6).
    func retryDate(at date: Date) -> Date? {
        guard let header = headers["retry-after"] else { return nil }
        let longest = date.addingTimeInterval(7 * 86_400)
        if let seconds = Int(header), seconds >= 0 {
            return min(date.addingTimeInterval(TimeInterval(min(seconds, 604_800))), longest)
        }
        return WebDate.date(from: header).map { min(max($0, date), longest) }
    }
}
