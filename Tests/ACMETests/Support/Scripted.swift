import ACME
import Essentials
import Synchronization

/// Answers by a rule, and keeps what it was asked.
final class Scripted: ACMETransport {
    /// The directory of an authority at `https://a.example/dir`.
    static let directory = #"""
        {"newNonce": "https://a.example/nonce", "newAccount": "https://a.example/acct",
        "newOrder": "https://a.example/order"}
        """#

    private let answer: @Sendable (ACMEExchange.Outgoing) -> ACMEExchange.Answer
    private let seen = Mutex<[String]>([])

    var asked: [String] { seen.withLock { $0 } }

    init(_ answer: @escaping @Sendable (ACMEExchange.Outgoing) -> ACMEExchange.Answer) {
        self.answer = answer
    }

    func send(
        _ request: ACMEExchange.Outgoing
    ) async throws(ACMEFailure) -> ACMEExchange.Answer {
        seen.withLock { $0.append(request.address) }
        return answer(request)
    }

    /// Answers with the directory and with nonces; `rule` answers the rest: a status, further headers and
    /// a body.
    static func authority(
        _ rule: @escaping @Sendable (String) -> (Int, [String: String], String)
    ) -> Scripted {
        Scripted { request in
            let isOwn = request.body == nil
            let (status, headers, body) = isOwn ? (200, [:], directory) : rule(request.address)
            return ACMEExchange.Answer(
                status: status,
                headers: headers.merging(["replay-nonce": "abc"]) { old, _ in old },
                body: Array(body.utf8),
            )
        }
    }
}

extension ACMETiming {
    static var immediate: ACMETiming {
        ACMETiming(now: { Date() }, sleep: { _ in }, random: { 0 })
    }
}
