import Foundation
import HTTPCalling
import Synchronization

@testable import S3

/// Responds by a script, with a line for each request, and records the requests.
final class ScriptedStore: BlockingCallTransport {
    typealias Line = @Sendable (CallRequest) -> Result<CallAnswer, CallTrouble>

    private struct State {
        var lines: [Line]
        var requests: [CallRequest] = []
    }

    private let state: Mutex<State>

    init(_ lines: [Line]) {
        state = Mutex(State(lines: lines))
    }

    var requests: [CallRequest] { state.withLock { $0.requests } }

    func waitForAnswer(to request: CallRequest) throws(CallTrouble) -> CallAnswer {
        let line = state.withLock { state -> Line? in
            state.requests.append(request)
            return state.lines.isEmpty ? nil : state.lines.removeFirst()
        }
        guard let line else { throw .unreachable(reason: "the script is over") }
        return try line(request).get()
    }

    static func answer(
        _ status: Int,
        _ headers: [String: String] = [:],
        _ body: String = "",
    ) -> Line {
        { _ in
            .success(CallAnswer(status: status, headers: headers, body: Array(body.utf8)))
        }
    }

    static func refusal(_ status: Int, _ code: String) -> Line {
        answer(status, [:], "<Error><Code>\(code)</Code><Message>No</Message></Error>")
    }

    static func failure(_ failure: CallTrouble) -> Line { { _ in .failure(failure) } }

    static let cut = failure(.unreachable(reason: "connection reset"))
}

/// A clock that only pauses advance.
final class PausedClock: Sendable {
    private let seconds = Mutex(1_800_000_000.0)
    private let waits = Mutex<[Double]>([])

    var pauses: [Double] { waits.withLock { $0 } }

    func advance(by count: Double) { seconds.withLock { $0 += count } }

    var timing: S3Timing {
        S3Timing(
            now: { Date(timeIntervalSince1970: self.seconds.withLock { $0 }) },
            pause: { count in
                self.advance(by: count)
                self.waits.withLock { $0.append(count) }
            },
            random: { 0.5 },
        )
    }
}

func client(
    _ transport: any BlockingCallTransport,
    _ clock: PausedClock = PausedClock(),
    credentials: any S3CredentialSource = S3Credentials(accessKey: "A", secret: "b"),
) throws -> S3Client {
    S3Client(
        S3Caller(
            bucket: try S3Bucket("builds", endpoint: S3Endpoint("https://a.example")),
            credentials: credentials,
            transport: transport,
            timing: clock.timing,
        )
    )
}
