import ACME
import Essentials
import HTTPCalling
import Synchronization

/// Responds by a rule, and records the requests.
final class Scripted: CallTransport {
    /// The directory of an authority at `https://a.example/dir`.
    static let directory = #"""
        {"newNonce": "https://a.example/nonce", "newAccount": "https://a.example/acct",
        "newOrder": "https://a.example/order"}
        """#

    private let answer: @Sendable (CallRequest) -> CallAnswer
    private let seen = Mutex<[String]>([])

    var asked: [String] { seen.withLock { $0 } }

    init(_ answer: @escaping @Sendable (CallRequest) -> CallAnswer) {
        self.answer = answer
    }

    func answer(to request: CallRequest) async throws(CallTrouble) -> CallAnswer {
        seen.withLock { $0.append(request.address) }
        return answer(request)
    }

    /// Responds with the directory and with nonces; `rule` handles all other requests: a status, further
    /// headers and a body.
    static func authority(
        _ rule: @escaping @Sendable (String) -> (Int, [String: String], String)
    ) -> Scripted {
        Scripted { request in
            let isOwn = request.body == nil
            let (status, headers, body) = isOwn ? (200, [:], directory) : rule(request.address)
            return CallAnswer(
                status: status,
                headers: headers.merging(["replay-nonce": "abc"]) { old, _ in old },
                body: Array(body.utf8),
            )
        }
    }
}

extension CallTiming {
    static var immediate: CallTiming {
        CallTiming(now: { Date() }, sleep: { _ in }, random: { 0 })
    }
}
