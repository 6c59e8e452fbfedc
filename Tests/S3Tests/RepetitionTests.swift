import Foundation
import HTTPCalling
import Testing

@testable import S3

/// Temporary failures are retried, and after a lost response the result is looked up.
struct RepetitionTests {
    private static let facts = ["etag": "\"2\"", "content-length": "1"]

    private static func write(_ condition: S3Condition) -> S3Write {
        S3Write([1], to: "a", if: condition, identifier: "mine", after: ["older"])
    }

    @Test(arguments: [(429, "TooManyRequests"), (500, "InternalError"), (503, "SlowDown")])
    func `a store that is busy is asked again, later each time`(
        status: Int,
        code: String,
    ) throws {
        let refusal = ScriptedStore.refusal(status, code)
        let transport = ScriptedStore(
            [refusal, refusal, refusal, ScriptedStore.answer(200, Self.facts, "x")]
        )
        let clock = PausedClock()
        guard case .found(let object) = try client(transport, clock).read("a") else {
            Issue.record("nothing was found")
            return
        }
        #expect(object.bytes == Array("x".utf8))
        #expect(clock.pauses.count == 3)
        #expect(clock.pauses == clock.pauses.sorted() && clock.pauses[0] < clock.pauses[2])
    }

    @Test func `a store that stays away is left after a bounded number of attempts`() throws {
        let transport = ScriptedStore([])
        let clock = PausedClock()
        #expect(throws: S3Failure.self) { try client(transport, clock).read("a") }
        #expect(transport.requests.count == S3RetryPolicy().attempts)
    }

    @Test func `a store that never answers in time is left with the time of all attempts`() throws {
        let clock = PausedClock()
        let start = clock.timing.now()
        let slow: ScriptedStore.Line = { _ in
            clock.advance(by: 10)
            return .failure(.tooSlow(seconds: 10))
        }
        let transport = ScriptedStore(Array(repeating: slow, count: 9))
        let failure = #expect(throws: S3Failure.self) { try client(transport, clock).read("a") }
        let passed = Int(clock.timing.now().timeIntervalSince(start))
        #expect(passed > 50)
        #expect(failure == .tooSlow(host: "a.example", seconds: passed))
    }

    @Test func `many calls to a store that is down do not become many more`() throws {
        let transport = ScriptedStore([])
        let client = try client(transport)
        for _ in 0..<200 { #expect(throws: S3Failure.self) { try client.read("a") } }
        #expect(transport.requests.count == 200 + 100)
    }

    @Test(arguments: ["AccessDenied", "NoSuchBucket", "InvalidRequest"])
    func `a refusal is not tried again`(code: String) throws {
        let transport = ScriptedStore([ScriptedStore.refusal(403, code)])
        #expect(throws: S3Failure.self) { try client(transport).read("a") }
        #expect(transport.requests.count == 1)
    }

    @Test func `a write whose answer was lost is told from another one's`() throws {
        func outcome(_ writes: String) throws -> S3WriteOutcome {
            let transport = ScriptedStore([
                ScriptedStore.cut, ScriptedStore.refusal(412, "PreconditionFailed"),
                ScriptedStore.answer(
                    200,
                    Self.facts.merging(["x-amz-meta-ota-writes": writes]) { _, new in new },
                ),
            ])
            return try client(transport).write(Self.write(.unchanged(#require(ETag("1")))))
        }
        #expect(try outcome("mine,older") == .stored(#require(ETag("2"))))
        #expect(try outcome("other,mine,older") == .replaced)
        #expect(try outcome("other,older") == .refused)
    }

    @Test func `a write that was refused at once needs no second look`() throws {
        let transport = ScriptedStore([ScriptedStore.refusal(412, "PreconditionFailed")])
        #expect(try client(transport).write(Self.write(.absent)) == .refused)
        #expect(transport.requests.count == 1)
        #expect(transport.requests[0].headers["if-none-match"] == "*")
        #expect(transport.requests[0].headers["x-amz-meta-ota-writes"] == "mine,older")
    }

    @Test func `a conflict between two conditional writes is tried again`() throws {
        let transport = ScriptedStore([
            ScriptedStore.refusal(409, "ConditionalRequestConflict"),
            ScriptedStore.answer(200, ["etag": "\"2\""]),
        ])
        #expect(
            try client(transport).write(Self.write(.absent)) == .stored(#require(ETag("2")))
        )
    }

    @Test func `a write whose every answer is lost is looked for`() throws {
        let metadata = ["x-amz-meta-ota-writes": "mine"]
        let transport = ScriptedStore(
            Array(repeating: ScriptedStore.cut, count: S3RetryPolicy().attempts)
                + [ScriptedStore.answer(200, Self.facts.merging(metadata) { _, new in new })]
        )
        #expect(
            try client(transport).write(Self.write(.absent)) == .stored(#require(ETag("2")))
        )
    }

    @Test func `a clock that is wrong is named`() throws {
        let transport = ScriptedStore([
            ScriptedStore.answer(
                403,
                ["date": "Fri, 15 Jan 2027 08:20:00 GMT"],
                "<Error><Code>RequestTimeTooSkewed</Code></Error>",
            )
        ])
        #expect(throws: S3Failure.clockDiffers(seconds: -1_200)) {
            try client(transport).read("a")
        }
    }

    @Test func `a bucket that is not there is no object that is not there`() throws {
        let missing = ScriptedStore([ScriptedStore.refusal(404, "NoSuchKey")])
        guard case .missing = try client(missing).read("a") else {
            Issue.record("a missing object was found")
            return
        }
        let none = ScriptedStore([ScriptedStore.refusal(404, "NoSuchBucket")])
        #expect(throws: S3Failure.noBucket("builds")) { try client(none).read("a") }
    }

    @Test func `another range than the one asked for is refused`() throws {
        let transport = ScriptedStore([
            ScriptedStore.answer(200, ["etag": "\"2\"", "content-length": "3"], "abc")
        ])
        #expect(throws: S3Failure.self) { try client(transport).read("a", range: 1..<2) }
    }

    @Test func `a store that ignores conditions is refused`() throws {
        let stored = ScriptedStore.answer(200, ["etag": "\"2\""])
        let transport = ScriptedStore([stored, stored, ScriptedStore.answer(204)])
        #expect(throws: S3Failure.ignoresConditions(host: "a.example")) {
            try client(transport).conditions(at: "trial") { "x" }
        }
        #expect(transport.requests.last?.method == "DELETE")
    }

    @Test func `a store that deletes without asking is used for writing`() throws {
        let stored = ScriptedStore.answer(200, ["etag": "\"2\""])
        let refused = ScriptedStore.refusal(412, "PreconditionFailed")
        let gone = ScriptedStore.answer(204)
        let transport = ScriptedStore([stored, refused, stored, refused, gone, gone, gone])
        let found = try client(transport).conditions(at: "trial") { "x" }
        #expect(!found.holdForDeletion)
    }
}
