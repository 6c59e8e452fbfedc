import Access
import Foundation
import Identifiers
import Runners
import Testing

struct RunnerRegisterTests {
    private static let now = RunnerExamples.now
    private let random = RunnerExamples.Bytes()
    private let name: Slug
    private let mirror: Slug

    init() throws {
        name = try RunnerExamples.slug("mac-mini")
        mirror = try RunnerExamples.slug("demo")
    }

    private func added(to register: inout RunnerRegister) throws -> RunnerSecret {
        try register.add(
            name,
            labels: RunnerExamples.labels("mac"),
            mirrors: [mirror],
            at: Self.now,
            by: "ana",
            random: random.give,
        )
    }

    private func registered(
        in register: inout RunnerRegister,
        showing code: String,
        at date: Date = now,
    ) throws -> RunnerSecret {
        try register.register(
            showing: code,
            as: name.rawValue,
            on: RunnerExamples.machine,
            at: date,
            random: random.give,
        ).token
    }

    @Test func `a code becomes a token, once`() throws {
        var register = RunnerRegister()
        let code = try added(to: &register)
        #expect(register[name]?.serves(mirror, wanting: []) == false)
        let token = try registered(in: &register, showing: code.text)
        #expect(token.text.hasPrefix("otr_") && code.text.hasPrefix("otc_"))
        #expect(try register.runner(showing: token.text).name == name)
        #expect(register[name]?.serves(mirror, wanting: []) == true)
        #expect(throws: RunnerRefusal.wrongCode) {
            try registered(in: &register, showing: code.text)
        }
    }

    @Test func `no secret is in the document`() throws {
        var register = RunnerRegister()
        let code = try added(to: &register)
        let before = String(decoding: try JSONEncoder().encode(register), as: UTF8.self)
        let token = try registered(in: &register, showing: code.text)
        let text = String(decoding: try JSONEncoder().encode(register), as: UTF8.self)
        for secret in [code.text, token.text, String(code.text.dropFirst(4))] {
            #expect(!text.contains(secret) && !before.contains(secret))
        }
        let read = try JSONDecoder().decode(RunnerRegister.self, from: Data(text.utf8))
        #expect(read == register)
    }

    @Test func `a code is good for an hour, for its own runner, and in its own form`() throws {
        var register = RunnerRegister()
        let code = try added(to: &register)
        #expect(throws: RunnerRefusal.codeExpired(name)) {
            try registered(in: &register, showing: code.text, at: Self.now + 3600)
        }
        #expect(throws: RunnerRefusal.wrongCode) {
            try register.register(
                showing: code.text,
                as: "other",
                on: RunnerExamples.machine,
                at: Self.now,
                random: random.give,
            )
        }
        let odd = [
            "", "otc_", code.text + "0", code.text.uppercased(), "otr_" + code.text.dropFirst(4),
            "ota_" + code.text.dropFirst(4), "otc_" + String(repeating: "0", count: 32),
        ]
        for odd in odd {
            #expect(throws: RunnerRefusal.wrongCode, "\(odd)") {
                try registered(in: &register, showing: odd)
            }
        }
        _ = try registered(in: &register, showing: code.text, at: Self.now + 3599)
    }

    @Test func `another code replaces the token when it is used, and not before`() throws {
        var register = RunnerRegister()
        let first = try registered(in: &register, showing: try added(to: &register).text)
        let code = try register.renewCode(of: name, at: Self.now, random: random.give)
        #expect(try register.runner(showing: first.text).name == name)
        let second = try registered(in: &register, showing: code.text)
        #expect(try register.runner(showing: second.text).name == name)
        #expect(throws: RunnerRefusal.unknownToken) { try register.runner(showing: first.text) }
    }

    @Test func `a removed runner's token opens nothing`() throws {
        var register = RunnerRegister()
        let token = try registered(in: &register, showing: try added(to: &register).text)
        try register.remove(name)
        #expect(throws: RunnerRefusal.unknownToken) { try register.runner(showing: token.text) }
        #expect(throws: RunnerRefusal.unknown("mac-mini")) { try register.remove(name) }
    }

    @Test func `names, mirrors and numbers are bounded`() throws {
        var register = RunnerRegister()
        _ = try added(to: &register)
        #expect(throws: RunnerRefusal.nameTaken(name)) { try added(to: &register) }
        #expect(throws: RunnerRefusal.noMirror) { try register.change(name, mirrors: []) }
        let many = try (0...RunnerLabel.countLimit).map { try #require(RunnerLabel("l\($0)")) }
        #expect(throws: RunnerRefusal.tooManyLabels(RunnerLabel.countLimit)) {
            try register.change(name, labels: many)
        }
        for number in 1..<RunnerRegister.countLimit {
            _ = try register.add(
                try RunnerExamples.slug("r\(number)"),
                labels: [],
                mirrors: [mirror],
                at: Self.now,
                by: "ana",
                random: random.give,
            )
        }
        #expect(throws: RunnerRefusal.tooMany(RunnerRegister.countLimit)) {
            try register.add(
                try RunnerExamples.slug("last"),
                labels: [],
                mirrors: [mirror],
                at: Self.now,
                by: "ana",
                random: random.give,
            )
        }
    }

    @Test func `a removed mirror is no runner's any more, and the runner can be given another`()
        throws
    {
        var register = RunnerRegister()
        _ = try registered(in: &register, showing: try added(to: &register).text)
        register.forget(mirror: mirror)
        #expect(register[name]?.mirrors == [])
        #expect(register[name]?.serves(mirror, wanting: []) == false)
        try register.change(name, isPaused: true)
        let other = try RunnerExamples.slug("other")
        try register.change(name, mirrors: [other], isPaused: false)
        #expect(register[name]?.serves(other, wanting: []) == true)
    }

    @Test func `a runner is noted when it says something new, and else now and then`() throws {
        var register = RunnerRegister()
        _ = try registered(in: &register, showing: try added(to: &register).text)
        let noted = register
        var machine = RunnerExamples.machine
        machine.freeBytes = 5
        register.note(name, on: machine, at: Self.now + 59)
        #expect(register == noted)
        register.note(name, on: machine, at: Self.now + 60)
        #expect(register[name]?.seen == Self.now + 60)
        #expect(register[name]?.machine?.freeBytes == 5)
        machine.xcodes.append("26.2\u{1B}[31m" + String(repeating: "x", count: 10_000))
        machine.xcodes += Array(repeating: "x", count: 1000)
        register.note(name, on: machine, at: Self.now + 61)
        let kept = try #require(register[name]?.machine)
        #expect(kept.xcodes.count == 30 && kept.xcodes[1].unicodeScalars.count <= 100)
        #expect(!kept.xcodes[1].contains("\u{1B}"))
        let again = register
        register.note(name, on: machine, at: Self.now + 62)
        #expect(register == again)
    }

    @Test func `a runner that waits is online, and one that is gone is not for long`() throws {
        var register = RunnerRegister()
        _ = try registered(in: &register, showing: try added(to: &register).text)
        register.note(waiting: [name], at: Self.now + 29)
        #expect(register[name]?.seen == Self.now)
        register.note(waiting: [name], at: Self.now + 30)
        #expect(register[name]?.seen == Self.now + 30)
        #expect(register[name]?.isOnline(at: Self.now + 179) == true)
        #expect(register[name]?.isOnline(at: Self.now + 180) == false)
        let noted = register
        register.note(waiting: [try RunnerExamples.slug("other")], at: Self.now + 300)
        #expect(register == noted)
    }

    @Test func `a runner that is known to be gone is offline until it is heard from`() throws {
        var register = RunnerRegister()
        _ = try registered(in: &register, showing: try added(to: &register).text)
        let other = try RunnerExamples.slug("other")
        let before = register
        register.note(gone: [other: Self.now])
        #expect(register == before)
        register.note(gone: [name: Self.now + 40])
        #expect(register[name]?.seen == Self.now + 40)
        #expect(register[name]?.isOnline(at: Self.now + 41) == false)
        register.note(gone: [name: Self.now + 50])
        #expect(register[name]?.seen == Self.now + 40)
        // It makes contact a second later, which is recorded.
        register.note(name, on: nil, at: Self.now + 41)
        #expect(register[name]?.seen == Self.now + 41)
        #expect(register[name]?.isOnline(at: Self.now + 41) == true)
        // An earlier time does not replace a later one.
        register.note(gone: [name: .distantPast])
        #expect(register[name]?.isGone == true && register[name]?.seen == Self.now + 41)
        register.note(waiting: [name], at: Self.now + 42)
        #expect(register[name]?.isOnline(at: Self.now + 42) == true)
    }

    @Test func `logs show neither codes nor tokens`() {
        let token = RunnerSecret(.token, random: random.give)
        let code = RunnerSecret(.code, random: random.give)
        let text = "a \(token.text)/\(code.text) otr_ otc_x ota_\u{e9}"
        let masked = RunnerSecret.masked(in: text)
        #expect(masked == "a otr_…/otc_… otr_ otc_x ota_\u{e9}")
    }
}
