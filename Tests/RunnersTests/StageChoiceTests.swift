import Access
import Foundation
import Identifiers
import Runners
import Testing

/// Which stage a runner gets.
struct StageChoiceTests {
    private static let now = RunnerExamples.now
    private let random = RunnerExamples.Bytes()

    private func register(_ runners: [(String, [String], [String])]) throws -> RunnerRegister {
        var register = RunnerRegister()
        for (name, labels, mirrors) in runners {
            let code = try register.add(
                try RunnerExamples.slug(name),
                labels: try labels.map { try #require(RunnerLabel($0)) },
                mirrors: try mirrors.map { try RunnerExamples.slug($0) },
                at: Self.now,
                by: "ana",
                random: random.give,
            )
            _ = try register.register(
                showing: code.text,
                as: name,
                on: RunnerExamples.machine,
                at: Self.now,
                random: random.give,
            )
        }
        return register
    }

    private func builds(
        of stages: [RunnerStage],
        for name: String,
        in register: RunnerRegister,
        pausing paused: Set<Slug> = [],
        at date: Date = now,
    ) throws -> [Int] {
        let runner = try #require(register[try RunnerExamples.slug(name)])
        let choice = StageChoice(
            among: stages,
            for: register.runners,
            exceptOf: paused,
            at: date,
        )
        return choice.stages(for: runner).map(\.build)
    }

    @Test func `what a mirror does not trust is for runners that take any reference`() throws {
        var register = try register([("mac", [], ["demo"]), ("open", [], ["demo"])])
        try register.change(try RunnerExamples.slug("open"), references: .any)
        var stage = try RunnerExamples.stage()
        stage.isUntrusted = true
        let stages = [stage, try RunnerExamples.stage(2)]
        #expect(try builds(of: stages, for: "mac", in: register) == [2])
        #expect(try builds(of: stages, for: "open", in: register) == [1, 2])
        try register.change(try RunnerExamples.slug("open"), labels: [])
        #expect(register[try RunnerExamples.slug("open")]?.references == .any)
        try register.change(try RunnerExamples.slug("open"), references: .untrusted)
        #expect(try builds(of: stages, for: "open", in: register) == [1])
        try register.change(try RunnerExamples.slug("open"), references: .trusted)
        #expect(try builds(of: stages, for: "open", in: register) == [2])
    }

    @Test func `the stages of a paused mirror wait until it is resumed`() throws {
        let register = try register([("mac", [], ["demo", "other"])])
        let stages = [try RunnerExamples.stage(), try RunnerExamples.stage(2, of: "other")]
        let demo = try RunnerExamples.slug("demo")
        #expect(try builds(of: stages, for: "mac", in: register, pausing: [demo]) == [2])
        #expect(try builds(of: stages, for: "mac", in: register) == [1, 2])
    }

    @Test func `the oldest comes first, of its mirrors and with its labels alone`() throws {
        let register = try register([
            ("mac", ["mac", "xcode-26"], ["demo"]), ("linux", ["linux"], ["demo", "other"]),
        ])
        let mac = try RunnerExamples.labels("mac")
        let stages = [
            try RunnerExamples.stage(3, wanting: mac, offered: Self.now + 1),
            try RunnerExamples.stage(2, wanting: mac, offered: Self.now + 3),
            try RunnerExamples.stage(4, of: "other", wanting: mac),
            try RunnerExamples.stage(5, of: "other"),
            try RunnerExamples.stage(6, wanting: RunnerExamples.labels("mac", "xcode-27")),
        ]
        #expect(try builds(of: stages, for: "mac", in: register) == [3, 2])
        #expect(try builds(of: stages, for: "linux", in: register) == [5])
    }

    @Test func `a paused runner, and one that has not registered, get nothing`() throws {
        var register = try register([("mac", [], ["demo"])])
        try register.change(try RunnerExamples.slug("mac"), isPaused: true)
        _ = try register.add(
            try RunnerExamples.slug("new"),
            labels: [],
            mirrors: [try RunnerExamples.slug("demo")],
            at: Self.now,
            by: "ana",
            random: random.give,
        )
        let stages = [try RunnerExamples.stage()]
        #expect(try builds(of: stages, for: "mac", in: register) == [])
        #expect(try builds(of: stages, for: "new", in: register) == [])
        try register.change(try RunnerExamples.slug("mac"), isPaused: false)
        #expect(try builds(of: stages, for: "mac", in: register) == [1])
    }

    @Test func `a second attempt goes rather to another runner, and waits a while for it`() throws {
        let register = try register([("one", [], ["demo"]), ("two", [], ["demo"])])
        var stage = try RunnerExamples.stage()
        _ = stage.lease(to: try RunnerExamples.slug("one"), at: Self.now)
        stage.renew(at: Self.now)
        let end = Self.now + 76
        stage.expire(at: end, listeningSince: .distantPast)
        #expect(try builds(of: [stage], for: "one", in: register, at: end) == [])
        #expect(try builds(of: [stage], for: "two", in: register, at: end) == [1])
        let later =
            Self.now + RunnerStage.leaseLife + RunnerStage.renewalGrain
            + StageChoice.patience
        #expect(try builds(of: [stage], for: "one", in: register, at: later) == [1])
        // No other runner could take it.
        let alone = try self.register([("one", [], ["demo"]), ("two", [], ["other"])])
        #expect(try builds(of: [stage], for: "one", in: alone, at: end) == [1])
    }
}
