import AppleDeveloper
@testable import AppleServer
import Foundation
import HTTPCalling
import Synchronization

/// Passes requests to the App Store Connect test server in this process, with a clock that a test advances.
struct TransportInProcess: CallTransport {
    let api: AppleAPI
    let clock: MovedClock
    static let origin = "https://apple.test"

    func answer(to request: CallRequest) async throws(CallTrouble) -> CallAnswer {
        // A second ahead, so that rounded times are not in the server's future.
        let offset = clock.now.timeIntervalSinceNow + 1
        api.order(#"{"clockOffset": \#(offset)}"#)
        let answer = api.answer(
            to: ReceivedRequest(
                method: request.method,
                target: String(request.address.dropFirst(Self.origin.count)),
                authorization: request.headers["authorization"],
                body: request.body ?? [],
            ),
            origin: Self.origin,
        )
        guard !answer.isCut else { throw .unreachable(reason: "the connection was closed") }
        var headers: [String: String] = [:]
        for (name, value) in answer.headers where headers[name.lowercased()] == nil {
            headers[name.lowercased()] = value
        }
        return CallAnswer(status: answer.status, headers: headers, body: answer.body)
    }
}

extension AppleAPI {
    /// Sets traps, or does what people do on Apple's website, by a `ControlOrder` in JSON.
    func order(_ json: String) {
        _ = answer(
            to: ReceivedRequest(
                method: "POST",
                target: "/control/orders",
                authorization: nil,
                body: Array(json.utf8),
            ),
            origin: TransportInProcess.origin,
        )
    }
}

/// A clock that advances when a test says so, and in pauses between requests to Apple.
final class MovedClock: Sendable {
    private let date: Mutex<Date>

    init(_ now: Date) {
        date = Mutex(now)
    }

    var now: Date { date.withLock { $0 } }

    func pass(_ seconds: TimeInterval) { date.withLock { $0 += seconds } }

    var timing: CallTiming {
        CallTiming(
            now: { self.now },
            sleep: { seconds in
                try Task.checkCancellation()
                self.pass(seconds)
            },
            random: { 0.5 },
        )
    }
}
