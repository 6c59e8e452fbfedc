import Foundation
import HTTPCalling
import ObjectStore
import Synchronization
import Testing

/// The notices while a store does not respond.
@Suite struct WaitingNoticeTests {
    /// Responds when a test allows it.
    private final class SlowStore: BlockingCallTransport {
        private let gate = DispatchSemaphore(value: 0)
        private let status: Int

        init(status: Int = 200) { self.status = status }

        func answer() { gate.signal() }

        func waitForAnswer(to request: CallRequest) throws(CallTrouble) -> CallAnswer {
            gate.wait()
            return CallAnswer(status: status, headers: [:], body: [])
        }
    }

    private static let request = CallRequest(
        method: "GET",
        address: "http://127.0.0.1/",
        longestAnswer: 1,
        seconds: 20,
    )

    /// Sends a request to a store that responds only once `enough` is true of the notices.
    private static func said(
        by store: SlowStore,
        first: Duration = .milliseconds(5),
        asking count: Int = 1,
        until enough: @escaping @Sendable (Int) -> Bool,
    ) async throws -> Int {
        let said = Mutex(0)
        let notice = WaitingNotice(
            store,
            timing: WaitingNotice.Timing(first: first, further: .milliseconds(5)),
        ) { _ in
            let number = said.withLock { said in
                said += 1
                return said
            }
            if enough(number) { store.answer() }
        }
        if enough(0) { for _ in 0..<count { store.answer() } }
        try await Task.detached {
            for _ in 0..<count { _ = try notice.waitForAnswer(to: Self.request) }
        }.value
        return said.withLock { $0 }
    }

    @Test func `a wait is told again and again until the store answers`() async throws {
        #expect(try await Self.said(by: SlowStore()) { $0 == 3 } >= 3)
    }

    @Test func `nothing is told of a store that answers in time`() async throws {
        let said = try await Self.said(by: SlowStore(), first: .seconds(600), asking: 20) {
            $0 == 0
        }
        #expect(said == 0)
    }

    @Test func `a store in trouble is waited for as long as it is asked again`() async throws {
        let store = SlowStore(status: 503)
        let count = Mutex(0)
        let notice = WaitingNotice(
            store,
            timing: WaitingNotice.Timing(first: .milliseconds(5), further: .milliseconds(5)),
        ) { _ in count.withLock { $0 += 1 } }
        store.answer()
        _ = try notice.waitForAnswer(to: Self.request)
        // No new request is sent, but the earlier one has no response yet.
        while count.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(5)) }
        notice.end()
    }
}
