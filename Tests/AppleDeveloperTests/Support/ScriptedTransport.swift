@testable import AppleDeveloper
import Foundation
import Synchronization

/// Answers as a closure says, and remembers what was asked.
final class ScriptedTransport: APITransport {
    typealias Script =
        @Sendable (_ number: Int, APIExchange.Outgoing) throws(AppleFailure) -> APIExchange.Answer

    private let script: Script
    private let kept = Mutex<[APIExchange.Outgoing]>([])
    /// How many are under way, and how many were at most.
    private let load = Mutex((now: 0, most: 0))

    init(_ script: @escaping Script) {
        self.script = script
    }

    var requests: [APIExchange.Outgoing] { kept.withLock { $0 } }
    var mostAtOnce: Int { load.withLock { $0.most } }

    func send(
        _ request: APIExchange.Outgoing
    ) async throws(AppleFailure) -> APIExchange.Answer {
        load.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
        }
        defer { load.withLock { $0.now -= 1 } }
        await Task.yield()
        let number = kept.withLock {
            $0.append(request)
            return $0.count
        }
        return try script(number, request)
    }
}

extension APIExchange.Answer {
    static func json(
        _ text: String,
        status: Int = 200,
        headers: [String: String] = [:],
    ) -> APIExchange.Answer {
        APIExchange.Answer(status: status, headers: headers, body: Array(text.utf8))
    }

    static let noDevices = json(#"{"data": [], "links": {"self": "/"}}"#)

    static func refusal(
        _ status: Int,
        _ code: String,
        _ detail: String = "",
        headers: [String: String] = [:],
    ) -> APIExchange.Answer {
        json(
            #"{"errors": [{"status": "\#(status)", "code": "\#(code)", "title": "t", "#
                + #""detail": "\#(detail)"}]}"#,
            status: status,
            headers: headers,
        )
    }

    static func device(_ udid: String, status: String = "ENABLED") -> String {
        #"{"type": "devices", "id": "D1", "attributes": {"name": "Ana", "udid": "\#(udid)", "#
            + #""deviceClass": "IPHONE", "status": "\#(status)"}}"#
    }
}
