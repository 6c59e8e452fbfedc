@testable import AppleDeveloper
import Foundation
import HTTPCalling
import Synchronization

/// Responds by a closure, and records the requests.
final class ScriptedTransport: CallTransport {
    typealias Script =
        @Sendable (_ number: Int, CallRequest) throws(CallTrouble) -> CallAnswer

    private let script: Script
    private let kept = Mutex<[CallRequest]>([])
    /// The current and the maximum number of concurrent requests.
    private let load = Mutex((now: 0, most: 0))

    init(_ script: @escaping Script) {
        self.script = script
    }

    var requests: [CallRequest] { kept.withLock { $0 } }
    var mostAtOnce: Int { load.withLock { $0.most } }

    func answer(to request: CallRequest) async throws(CallTrouble) -> CallAnswer {
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

extension CallAnswer {
    static func json(
        _ text: String,
        status: Int = 200,
        headers: [String: String] = [:],
    ) -> CallAnswer {
        CallAnswer(status: status, headers: headers, body: Array(text.utf8))
    }

    static let noDevices = json(#"{"data": [], "links": {"self": "/"}}"#)

    static func refusal(
        _ status: Int,
        _ code: String,
        _ detail: String = "",
        headers: [String: String] = [:],
    ) -> CallAnswer {
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
