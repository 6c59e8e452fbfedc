@testable import ACME
import TestSupport
import Testing

/// What the connection to an authority takes from a server with bad manners.
@Suite(
    .enabled(if: WebhookReceiver.python != nil, "python3 is missing"),
    .timeLimit(.minutes(10)),
)
struct ACMEConnectionTests {
    @Test func `an answer without end is cut off at 256 KB`() async throws {
        try await answer("/huge") { result in
            #expect(throws: ACMEFailure.answerTooLarge(host: "127.0.0.1", limit: 262_144)) {
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

    @Test(arguments: ["/close", "/garbage"])
    func `what is no answer is said in words`(path: String) async throws {
        try await answer(path) { result in
            let failure = #expect(throws: ACMEFailure.self) { _ = try result.get() }
            #expect(failure?.id == "acme.unreachable")
        }
    }

    private func answer(
        _ path: String,
        _ body: (Result<ACMEExchange.Answer, ACMEFailure>) throws -> Void,
    ) async throws {
        try await withTemporaryFolder { folder in
            try await WebhookReceiver.run(in: folder) { receiver in
                let connection = try ACMEConnection()
                let request = ACMEExchange.Outgoing(
                    method: "POST",
                    address: receiver.url(path),
                    body: Array("{}".utf8),
                )
                var result: Result<ACMEExchange.Answer, ACMEFailure>
                do throws(ACMEFailure) {
                    result = .success(try await connection.send(request))
                } catch {
                    result = .failure(error)
                }
                try body(result)
                #expect(try receiver.requests.map(\.path) == [path])
            }
        }
    }
}
