import HTTPCalling
import TestSupport
import Testing

/// What a client accepts from a misbehaving server.
@Suite(
    .enabled(if: WebhookReceiver.python != nil, "python3 is missing"),
    .timeLimit(.minutes(10)),
)
struct CallClientTests {
    @Test func `an answer without end is cut off at 256 KB`() async throws {
        try await answer("/huge") { result in
            #expect(throws: CallTrouble.answerTooLarge(limit: 262_144)) {
                _ = try result.get()
            }
        }
    }

    @Test func `a redirect is an answer, and is not followed`() async throws {
        try await answer("/redirect") { result in
            let status = try result.get().status
            #expect((300..<400).contains(status))
        }
    }

    @Test(arguments: ["/hang", "/drip", "/trickle"], [false, true])
    func `the time for an answer is that of all of it`(path: String, blocks: Bool) async throws {
        try await withTemporaryFolder { folder in
            try await WebhookReceiver.run(in: folder) { receiver in
                let client = try CallClient()
                let request = CallRequest(
                    method: "POST",
                    address: receiver.url(path),
                    longestAnswer: 1 << 20,
                    seconds: 1,
                )
                await #expect(throws: CallTrouble.tooSlow(seconds: 1)) {
                    if blocks {
                        _ = try client.waitForAnswer(to: request)
                    } else {
                        _ = try await client.answer(to: request)
                    }
                }
            }
        }
    }

    @Test(arguments: ["/close", "/garbage"])
    func `what is no answer is said in words`(path: String) async throws {
        try await answer(path) { result in
            let trouble = #expect(throws: CallTrouble.self) { _ = try result.get() }
            guard case .unreachable = trouble else {
                Issue.record("\(String(describing: trouble))")
                return
            }
        }
    }

    private func answer(
        _ path: String,
        _ body: (Result<CallAnswer, CallTrouble>) throws -> Void,
    ) async throws {
        try await withTemporaryFolder { folder in
            try await WebhookReceiver.run(in: folder) { receiver in
                let connection = try CallClient()
                let request = CallRequest(
                    method: "POST",
                    address: receiver.url(path),
                    body: Array("{}".utf8),
                    longestAnswer: 262_144,
                    seconds: 60,
                )
                var result: Result<CallAnswer, CallTrouble>
                do throws(CallTrouble) {
                    result = .success(try await connection.answer(to: request))
                } catch {
                    result = .failure(error)
                }
                try body(result)
                #expect(try receiver.requests.map(\.path) == [path])
            }
        }
    }
}
