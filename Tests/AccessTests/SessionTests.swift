import Access
import Foundation
import TestSupport
import Testing

@Suite struct SessionTests {
    private static let now = Date(timeIntervalSince1970: 1_768_435_200)
    private static let authority = SessionAuthority(key: Array(0..<32))

    private static func session() throws -> Session {
        try #require(
            Session(kind: .device, subject: "d-41f0", generation: "3", expires: now + 3600)
        )
    }

    @Test func `a session comes back until it ends`() throws {
        let session = try Self.session()
        let value = Self.authority.value(of: session)
        #expect(Self.authority.session(value, at: Self.now) == session)
        #expect(Self.authority.session(value, at: Self.now + 3600) == nil)
        #expect(SessionAuthority(key: Array(1..<33)).session(value, at: Self.now) == nil)
        #expect(value.rangeOfCharacter(from: CharacterSet(charactersIn: ";, \"")) == nil)
    }

    @Test(arguments: Session.Kind.allCases)
    func `a session made while the clock ran ahead ends when the clock is right again`(
        kind: Session.Kind
    ) throws {
        let lifetime = TimeInterval(kind.lifetime)
        func value(madeAt date: Date) throws -> String {
            Self.authority.value(
                of: try #require(Session(kind: kind, subject: "d", expires: date + lifetime))
            )
        }
        let ahead = try value(madeAt: Self.now + 400 * 86_400)
        #expect(Self.authority.session(ahead, at: Self.now + 400 * 86_400) != nil)
        #expect(Self.authority.session(ahead, at: Self.now) == nil)
        // A clock that is corrected by some minutes, in either direction, signs no one out.
        #expect(try Self.authority.session(value(madeAt: Self.now + 600), at: Self.now) != nil)
        let ago = min(600, lifetime / 2)
        #expect(try Self.authority.session(value(madeAt: Self.now - ago), at: Self.now) != nil)
        let behind = try value(madeAt: Self.now - 86_400 * 400)
        #expect(Self.authority.session(behind, at: Self.now) == nil)
    }

    @Test func `any one character changed is nobody's session`() throws {
        let value = Self.authority.value(of: try Self.session())
        for index in value.indices {
            var changed = value
            changed.replaceSubrange(index...index, with: value[index] == "a" ? "b" : "a")
            #expect(Self.authority.session(changed, at: Self.now) == nil, "\(changed)")
        }
    }

    @Test func `a form's code belongs to one session`() throws {
        let session = try Self.session()
        let other = try #require(Session(kind: .device, subject: "d-41f1", expires: Self.now + 9))
        let code = Self.authority.formCode(for: session)
        #expect(Self.authority.isFormCode(code, of: session))
        #expect(!Self.authority.isFormCode(code, of: other))
        #expect(!Self.authority.isFormCode("", of: session))
        #expect(Self.authority.value(of: session).contains(code) == false)
    }

    @Test(arguments: ["a b", "", "a~b", "ä", String(repeating: "x", count: 201)])
    func `a subject that no cookie can carry makes no session`(_ subject: String) {
        #expect(Session(kind: .admin, subject: subject, expires: Self.now) == nil)
    }
}

@Suite struct GuessLimitTests {
    private static let now = Date(timeIntervalSince1970: 1_768_435_200)

    @Test func `guessing gets slower, and a right answer forgives`() {
        var limit = GuessLimit()
        let guesser = Guesser(at: "tokens", from: "192.0.2.1")
        for _ in 0..<5 { limit.fail(guesser, at: Self.now) }
        #expect(limit.wait(for: guesser, at: Self.now) == nil)
        var waits: [TimeInterval] = []
        for _ in 0..<12 {
            limit.fail(guesser, at: Self.now)
            waits.append(limit.wait(for: guesser, at: Self.now) ?? 0)
        }
        #expect(waits == waits.sorted())
        #expect(waits.first == 2)
        #expect(waits.last == 900)
        let other = Guesser(at: "tokens", from: "192.0.2.2")
        #expect(limit.wait(for: other, at: Self.now) == nil)
        limit.succeed(guesser)
        #expect(limit.wait(for: guesser, at: Self.now) == nil)
    }

    @Test func `a right answer forgives no wrong ones to something else`() {
        var limit = GuessLimit()
        let guesser = Guesser(at: "the passphrase of one app", from: "192.0.2.1")
        for _ in 0..<8 {
            limit.fail(guesser, at: Self.now)
            limit.succeed(Guesser(at: "the passphrase of another", from: "192.0.2.1"))
        }
        #expect(limit.wait(for: guesser, at: Self.now) == 8)
    }

    @Test func `all addresses of a network count as one`() {
        var limit = GuessLimit()
        for number in 0..<8 {
            let address = "2001:db8:0:7:\(String(number, radix: 16))::1"
            limit.fail(Guesser(at: "tokens", from: address), at: Self.now)
        }
        let wait = { (address: String) in
            limit.wait(for: Guesser(at: "tokens", from: address), at: Self.now)
        }
        #expect(wait("2001:db8:0:7:ffff::9") == 8)
        #expect(wait("2001:db8:0:8::1") == nil)
    }

    @Test func `strangers cannot make it grow`() {
        var limit = GuessLimit()
        for number in 0..<20_000 {
            limit.fail(Guesser(at: "tokens", from: "a\(number)"), at: Self.now)
        }
        #expect(limit.count <= 4096)
    }
}
