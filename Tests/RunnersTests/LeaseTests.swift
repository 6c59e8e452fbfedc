import Foundation
import Identifiers
import Runners
import TestSupport
import Testing

/// Which runner works on a stage.
struct LeaseTests {
    private static let now = RunnerExamples.now
    private let one: Slug
    private let two: Slug

    init() throws {
        one = try RunnerExamples.slug("one")
        two = try RunnerExamples.slug("two")
    }

    @Test func `a lease lasts as long as its holder is heard from`() throws {
        var stage = try RunnerExamples.stage()
        #expect(stage.lease(to: one, at: Self.now) == 1)
        #expect(stage.lease(to: two, at: Self.now) == nil)
        var seconds = 0.0
        for _ in 0..<100 {
            seconds += 59
            stage.renew(at: Self.now + seconds)
            stage.expire(at: Self.now + seconds + 59, listeningSince: .distantPast)
            #expect(stage.isHeld(by: one, as: 1))
        }
        stage.expire(at: Self.now + seconds + 76, listeningSince: .distantPast)
        #expect(stage.state == .offered && !stage.isHeld(by: one, as: 1))
        #expect(stage.lease(to: two, at: Self.now + seconds + 76) == 2)
        #expect(stage.isHeld(by: two, as: 2))
        #expect(!stage.isHeld(by: two, as: 1) && !stage.isHeld(by: one, as: 2))
    }

    @Test func `a lease lasts as long as the server says, and its agent beats in time`()
        throws
    {
        var stage = try RunnerExamples.stage()
        #expect(stage.leaseLife == 60 && stage.beatSeconds == 5)
        _ = stage.lease(to: one, at: Self.now, for: 10)
        #expect(stage.leaseLife == 10 && stage.beatSeconds == 2)
        stage.renew(at: Self.now + 5)
        stage.expire(at: Self.now + 15, listeningSince: .distantPast)
        #expect(stage.isHeld(by: one, as: 1))
        let reason = stage.expire(at: Self.now + 18, listeningSince: .distantPast)
        #expect(reason == "runner one was not heard from for 10 s")
        _ = stage.lease(to: two, at: Self.now + 18)
        #expect(stage.leaseLife == 60)
    }

    @Test func `what a runner gives back is not lost, and is given sixteen times at most`() throws {
        var stage = try RunnerExamples.stage()
        for round in 1...14 {
            #expect(stage.lease(to: one, at: Self.now) == round)
            stage.renew(at: Self.now)
            stage.give(up: "its agent was stopped", isGivenBack: true)
            #expect(stage.state == .offered && stage.losses == 0)
        }
        _ = stage.lease(to: one, at: Self.now)
        stage.give(up: "it was killed")
        #expect(stage.state == .offered && stage.losses == 1)
        var other = stage
        _ = stage.lease(to: one, at: Self.now)
        stage.give(up: "it was killed again")
        #expect(stage.state == .lost && stage.reason == "it was killed again")
        _ = other.lease(to: one, at: Self.now)
        other.give(up: "its agent was stopped", isGivenBack: true)
        #expect(other.state == .lost)
    }

    @Test func `an attempt that does not begin is none, and leaves no number out`() throws {
        var stage = try RunnerExamples.stage()
        for round in 0..<5 {
            let date = Self.now + Double(round) * 100
            #expect(stage.lease(to: one, at: date) == 1)
            #expect(stage.begun.isEmpty)
            #expect(stage.expire(at: date + 15, listeningSince: .distantPast) == nil)
            stage.offerAgain(at: date + 15)
            #expect(stage.expire(at: date + 30, listeningSince: .distantPast) == nil)
            let reason = stage.expire(at: date + 31, listeningSince: .distantPast)
            #expect(reason == "runner one did not begin within 15 s")
            #expect(stage.state == .offered && stage.attempts.isEmpty)
        }
        #expect(stage.lease(to: two, at: Self.now + 600) == 1)
        stage.renew(at: Self.now + 610)
        stage.takeBack()
        #expect(stage.isHeld(by: two, as: 1) && stage.begun.count == 1)
        stage.expire(at: Self.now + 700, listeningSince: .distantPast)
        #expect(stage.state == .offered && stage.attempts.count == 1)
    }

    @Test func `a beat in every few seconds is seldom a change`() throws {
        var stage = try RunnerExamples.stage()
        _ = stage.lease(to: one, at: Self.now)
        var changes = 0
        for second in stride(from: 0.0, to: 600, by: 5) {
            let before = stage
            stage.renew(at: Self.now + second)
            if stage != before { changes += 1 }
        }
        #expect((1...45).contains(changes), "\(changes)")
    }

    @Test func `a server that was away lets runners come back`() throws {
        var stage = try RunnerExamples.stage()
        _ = stage.lease(to: one, at: Self.now)
        let started = Self.now + 3600
        stage.expire(at: started + 60, listeningSince: started)
        #expect(stage.isHeld(by: one, as: 1))
        stage.expire(at: started + 61, listeningSince: started)
        #expect(stage.state == .offered)
    }

    @Test func `what an agent reports is bounded`() throws {
        var stage = try RunnerExamples.stage()
        _ = stage.lease(to: one, at: Self.now)
        var report = RunnerStage.StepReport(index: 1, state: .failed)
        report.exitCode = .max
        report.seconds = .min
        report.reason = "\u{1B}" + String(repeating: "é", count: 5000)
        try stage.note([report])
        let kept = try #require(stage.attempts.last?.steps.first)
        #expect(kept.exitCode == 255 && kept.seconds == 0)
        #expect((kept.reason ?? "").unicodeScalars.count <= 200)
        #expect(kept.reason?.contains("\u{1B}") == false)
        let wrong = [[RunnerStage.StepReport(index: 7, state: .running)], [report, report]]
        for wrong in wrong {
            #expect(throws: RunnerRefusal.self) { try stage.note(wrong) }
        }
        let outcome = RunnerStage.Outcome(ending: .failed, reason: "", archiveBytes: 0)
        try stage.finish(outcome, [report])
        #expect(stage.state == .finished && stage.outcome?.reason == nil)
        #expect(stage.isFinished(by: one, as: 1, with: outcome))
        #expect(!stage.isFinished(by: two, as: 1, with: outcome))
    }

    @Test func `whatever happens, in whatever order, nobody shares a stage`() throws {
        for seed in 0..<200 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var stage = try RunnerExamples.stage()
            var date = Self.now
            let names = [one, two, try RunnerExamples.slug("three")]
            /// Every runner that was ever given the stage, with its attempt.
            var told: [(runner: Slug, attempt: Int)] = []
            for _ in 0..<200 {
                let before = stage
                date += Double(Int.random(in: -5...40, using: &generator))
                let who = names.randomElement(using: &generator) ?? one
                let attempt = Int.random(in: 0...3, using: &generator)
                switch Int.random(in: 0...6, using: &generator) {
                case 0:
                    if let number = stage.lease(to: who, at: date) { told.append((who, number)) }
                case 1:
                    stage.expire(at: date, listeningSince: Self.now)
                    // An attempt that has not begun does not count.
                    if stage.attempts.count < before.attempts.count { told.removeLast() }
                case 2: stage.renew(at: date)
                case 3: stage.give(up: "it was tired", isGivenBack: Bool.random(using: &generator))
                case 4 where stage.isHeld(by: who, as: attempt):
                    try stage.finish(
                        .init(ending: .succeeded, reason: nil, archiveBytes: 1),
                        [],
                    )
                case 5 where Int.random(in: 0..<20, using: &generator) == 0:
                    if !stage.state.isOver { stage.state = .withdrawn }
                default: break
                }
                let holders = told.filter { stage.isHeld(by: $0.runner, as: $0.attempt) }
                #expect(holders.count <= 1)
                #expect((stage.state == .leased) == (holders.count == 1))
                #expect(stage.losses <= RunnerStage.attemptLimit)
                #expect(stage.attempts.count <= RunnerStage.mostAttempts)
                #expect(told.count == stage.attempts.count)
                // A finished stage does not change.
                if before.state.isOver { #expect(stage == before) }
                if stage.state == .lost { #expect(stage.reason != nil) }
                #expect(stage.attempts.dropLast().allSatisfy { $0.lost != nil })
            }
        }
    }
}
