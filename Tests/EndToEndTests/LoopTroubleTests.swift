import Foundation
import Phone
import TestSupport
import Testing

/// Problems at Apple are shown to the waiting testers and to the admins, in terms that each can understand;
/// once they are solved, everything continues.
@Suite(.timeLimit(.minutes(10)))
struct LoopTroubleTests {
    @Test func `an agreement that nobody has accepted is said to admins and on the page`()
        async throws
    {
        try await LoopRoom.run { room in
            try await room.setUp(approval: "automatic")
            try await room.apple.order(#"{"traps": [{"kind": "agreement", "count": 1000}]}"#)
            try await room.serve()
            var tester = try #require(try await room.invite(1).first)
            try await room.enrol(&tester)
            let page = try OpenPage(room.base + LoopApp.sample.page, on: tester.phone)
            try await eventually(within: .seconds(60), "the page says what it waits for") {
                try await page.look().text.contains("accept an agreement with Apple")
            }
            var found: LoopJob?
            try await eventually(within: .seconds(30), "the job waits") {
                found = try await room.jobs(open: true).first { $0.kind == "register-device" }
                return found?.state == "waiting"
            }
            let waiting = try #require(found)
            #expect(waiting.reason?.contains("accept an agreement") == true)
            #expect(waiting.fix?.isEmpty == false)
            let shown = try await room.ota("jobs", "show", waiting.id).output
            #expect(shown.contains("accept an agreement"))

            try await room.apple.order(#"{"clearsTraps": true}"#)
            try await room.ota("jobs", "retry", waiting.id)
            let app = try await room.install(tester)
            #expect(try app.devices() == [tester.udid])
            try await room.settle("all jobs are done")
            try await room.stop()
        }
    }
}
