import Access
import Bundles
import Foundation
import Identifiers
import TestSupport
import Testing

@Suite struct TokenTests {
    private static let now = Date(timeIntervalSince1970: 1_768_435_200)

    /// Bytes that differ in each call, and are the same in each run.
    private final class Counter {
        private var next: UInt8 = 0
        func bytes(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in
                next &+= 37
                return next
            }
        }
    }

    private static func register(
        _ scopes: String...,
        expires: Date? = nil,
    ) throws -> (TokenRegister, TokenSecret) {
        var register = TokenRegister()
        let (_, secret) = try register.create(
            name: "ci",
            scopes: scopes.compactMap { Scope($0) },
            expires: expires,
            at: now,
            random: Counter().bytes,
        )
        return (register, secret)
    }

    @Test func `the secret opens, and is not in what is stored`() throws {
        let (register, secret) = try Self.register("publish:com.example.app")
        let principal = try register.principal(showing: secret.text, at: Self.now)
        #expect(principal.name == "ci")
        let stored = String(decoding: try JSONEncoder().encode(register), as: UTF8.self)
        #expect(!stored.contains(secret.text.suffix(64)))
        #expect(
            try JSONDecoder().decode(TokenRegister.self, from: Data(stored.utf8)) == register
        )
    }

    @Test func `a session that was ended stays so in what is stored, and no other does`() throws {
        var (register, secret) = try Self.register("admin")
        let sessions = try ["00000001", "00000002"].map { generation in
            try #require(
                Session(
                    kind: .admin,
                    subject: secret.identifier,
                    generation: generation,
                    expires: Self.now + 3600,
                )
            )
        }
        register.end(sessions[0], at: Self.now)
        let stored = try JSONEncoder().encode(register)
        let read = try JSONDecoder().decode(TokenRegister.self, from: stored)
        #expect(throws: TokenRefusal.unknown) { try read.principal(of: sessions[0], at: Self.now) }
        #expect(try read.principal(of: sessions[1], at: Self.now).name == "ci")
        // Other people's sessions, no matter how many, do not evict it.
        for number in 0..<1200 {
            let other = Session(
                kind: .admin,
                subject: "other",
                generation: "\(number)",
                expires: Self.now + 3600,
            )
            register.end(try #require(other), at: Self.now)
        }
        #expect(throws: TokenRefusal.unknown) {
            try register.principal(of: sessions[0], at: Self.now)
        }
        // A session that has expired anyway need not be kept.
        register.end(sessions[1], at: Self.now + 7200)
        let later = String(decoding: try JSONEncoder().encode(register), as: UTF8.self)
        #expect(!later.contains("00000001"))
    }

    @Test func `any one character changed opens nothing`() throws {
        let (register, secret) = try Self.register("admin")
        var letters = Array(secret.text)
        for index in letters.indices {
            let kept = letters[index]
            letters[index] = kept == "0" ? "1" : "0"
            if letters[index] != kept {
                #expect(throws: TokenRefusal.unknown) {
                    try register.principal(showing: String(letters), at: Self.now)
                }
            }
            letters[index] = kept
        }
    }

    @Test(arguments: [
        "", "ota_", "ota__", "Bearer x", "ota_12345678_" + String(repeating: "é", count: 32),
    ])
    func `what is no secret opens nothing`(_ text: String) throws {
        let (register, _) = try Self.register("admin")
        #expect(throws: TokenRefusal.unknown) {
            try register.principal(showing: text, at: Self.now)
        }
    }

    @Test func `a token ends, and can be revoked by name`() throws {
        let end = Self.now + 90 * 86_400
        var (register, secret) = try Self.register("publish", expires: end)
        #expect(throws: TokenRefusal.expired(name: "ci", on: end)) {
            try register.principal(showing: secret.text, at: end)
        }
        try register.revoke("ci", at: Self.now)
        #expect(throws: TokenRefusal.revoked(name: "ci")) {
            try register.principal(showing: secret.text, at: Self.now)
        }
        #expect(throws: TokenRefusal.unknown) { try register.revoke("ci", at: Self.now) }
    }

    @Test func `of two tokens of one name the one in use is revoked`() throws {
        let end = Self.now + 86_400
        var (register, _) = try Self.register("publish", expires: end)
        let (_, secret) = try register.create(
            name: "ci",
            scopes: [Scope(.publish)],
            expires: nil,
            at: end,
            random: { [UInt8](repeating: 7, count: $0) },
        )
        try register.revoke("ci", at: end)
        #expect(throws: TokenRefusal.revoked(name: "ci")) {
            try register.principal(showing: secret.text, at: end)
        }
    }

    @Test func `names and scopes are checked`() throws {
        var (register, _) = try Self.register("read")
        let random = Counter().bytes
        for (name, expected) in [
            ("ci", TokenRefusal.nameTaken("ci")), ("", .badName("")), (" a", .badName(" a")),
        ] {
            #expect(throws: expected) {
                try register.create(
                    name: name,
                    scopes: [Scope(.read)],
                    expires: nil,
                    at: Self.now,
                    random: random,
                )
            }
        }
        #expect(throws: TokenRefusal.noScope) {
            try register.create(name: "b", scopes: [], expires: nil, at: Self.now, random: random)
        }
        #expect(throws: TokenRefusal.endsInThePast(Self.now)) {
            try register.create(
                name: "b",
                scopes: [Scope(.read)],
                expires: Self.now,
                at: Self.now,
                random: random,
            )
        }
    }

    @Test func `a scope allows what it says and no more`() throws {
        let app = try #require(BundleIdentifier("com.example.app"))
        let other = try #require(BundleIdentifier("com.example.other"))
        let (register, secret) = try Self.register("publish:com.example.app")
        let principal = try register.principal(showing: secret.text, at: Self.now)
        #expect(principal.may(.publish, on: app))
        #expect(principal.may(.read, on: app))
        #expect(!principal.may(.publish, on: other))
        #expect(!principal.may(.read, on: nil))
        #expect(!principal.may(.admin))
        #expect(Principal.local("me").may(.admin))
        #expect(Principal.local("me").may(.publish, on: other))
    }

    @Test(arguments: [
        "admin:com.example.app", "publish:", "publish:a/b", "write", "", "read:..", "PUBLISH",
    ])
    func `what is no scope is refused`(_ text: String) {
        #expect(Scope(text) == nil)
    }
}
