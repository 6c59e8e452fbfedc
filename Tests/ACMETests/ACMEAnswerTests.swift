@testable import ACME
import Cryptography
import Essentials
import HTTPCalling
import Testing

/// An authority's responses are limited in size, validated, and put into plain words.
struct ACMEAnswerTests {
    @Test(arguments: [
        "http://acme.example/dir", "https://", "ftp://acme.example", "https://a b", "",
        "https://user@acme.example/dir", "https://acme.example/dir#x",
    ])
    func `what is no https address is no directory`(text: String) {
        #expect(throws: MalformedACMEDirectory(text: text)) { try ACMEDirectoryAddress(text) }
    }

    @Test func `an authority leads to https addresses and to its own origin only`() throws {
        let address = try ACMEDirectoryAddress("http://127.0.0.1:14000/dir")
        #expect(address.allows("http://127.0.0.1:14000/order/1"))
        #expect(address.allows("https://other.example/order/1"))
        #expect(!address.allows("http://127.0.0.1:14001/order/1"))
        #expect(!address.allows("http://other.example/order/1"))
        #expect(!address.allows("file:///etc/passwd"))
        #expect(!address.allows("https://" + String(repeating: "a", count: 3000)))
    }

    @Test(arguments: [
        ("connection", "acme.port-unreachable"), ("dns", "acme.no-address"),
        ("unauthorized", "acme.answered-elsewhere"), ("caa", "acme.caa"),
        ("incorrectResponse", "acme.answered-elsewhere"), ("rateLimited", "acme.rate-limited"),
        ("rejectedIdentifier", "acme.name-refused"), ("serverInternal", "acme.refused"),
    ])
    func `a failed proof says in plain words what is wrong`(word: String, id: String) throws {
        let text =
            #"{"type": "urn:ietf:params:acme:error:\#(word)", "detail": "so\u001b[31m it is"}"#
        let problem = try JSONDecoder().decode(ACMEProblem.self, from: Data(text.utf8))
        let failure = ACMEFailure(problem, of: .http, for: "a.example")
        #expect(failure.id == id)
        #expect(failure.description.contains(#"so\u{1B}[31m it is"#))
        #expect(!failure.fix.isEmpty)
    }

    @Test func `Retry-After is read as seconds and as a date, within a week`() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        func wait(_ header: String) -> TimeInterval? {
            CallAnswer(status: 429, headers: ["retry-after": header], body: [])
                .retryDate(at: now)?.timeIntervalSince(now)
        }
        #expect(wait("120") == 120)
        #expect(wait("99999999999") == 604_800)
        #expect(wait("-5") == nil)
        #expect(wait("soon") == nil)
        #expect(wait("Fri, 15 Jan 2027 08:00:30 GMT") == 30)
        #expect(wait("Fri, 15 Jan 2021 08:00:30 GMT") == 0)
    }

    @Test func `renewal information is read with its dates, and ignored where it makes no sense`() {
        func window(_ start: String, _ end: String) -> RenewalWindow? {
            let text = #"{"suggestedWindow": {"start": "\#(start)", "end": "\#(end)"}, "x": 1}"#
            return RenewalWindow(answer: Array(text.utf8))
        }
        #expect(window("2027-01-02T04:00:00Z", "2027-01-03T04:00:00Z") != nil)
        #expect(window("2027-01-02T04:00:00.5Z", "2027-01-03T04:00:00.25Z") != nil)
        #expect(window("2027-01-03T04:00:00Z", "2027-01-02T04:00:00Z") == nil)
        #expect(window("yesterday", "tomorrow") == nil)
        #expect(RenewalWindow(answer: Array("[]".utf8)) == nil)
    }

    @Test(arguments: ["http://evil.example/order", "https://a.example/nonce"])
    func `an address that is not https is never asked`(order: String) async throws {
        let transport = Scripted { request in
            let directory = #"""
                {"newNonce": "https://a.example/nonce", "newAccount": "https://a.example/acct",
                "newOrder": "\#(order)"}
                """#
            return CallAnswer(
                status: 200,
                headers: ["replay-nonce": "abc"],
                body: Array((request.address.hasSuffix("/dir") ? directory : "{}").utf8),
            )
        }
        let caller = ACMECaller(
            at: try ACMEDirectoryAddress("https://a.example/dir"),
            with: try ACMEAccountKey(PrivateKey.generate(.p256)),
            through: transport,
            timing: .immediate,
        )
        let target = try await caller.directory().newOrder
        if order.hasPrefix("http:") {
            await #expect(throws: ACMEFailure.foreignAddress(order)) {
                _ = try await caller.post(target, nil, account: "https://a.example/acct/1")
            }
            #expect(!transport.asked.contains(order))
        } else {
            #expect(try await caller.post(target, nil, account: "x").status == 200)
        }
    }

    @Test func `a broken server is asked three times, and bad nonces end at last`() async throws {
        let broken = Scripted { _ in CallAnswer(status: 502, headers: [:], body: []) }
        let address = try ACMEDirectoryAddress("https://a.example/dir")
        let key = try ACMEAccountKey(PrivateKey.generate(.p256))
        let first = ACMECaller(at: address, with: key, through: broken, timing: .immediate)
        await #expect(throws: ACMEFailure.unavailable(host: "a.example", status: 502, until: nil)) {
            _ = try await first.directory()
        }
        #expect(broken.asked.count == 3)
        let stubborn = Scripted { request in
            let directory = #"""
                {"newNonce": "https://a.example/n", "newAccount": "https://a.example/a",
                "newOrder": "https://a.example/o"}
                """#
            let bad = #"{"type": "urn:ietf:params:acme:error:badNonce"}"#
            let isSigned = request.body != nil
            return CallAnswer(
                status: isSigned ? 400 : 200,
                headers: ["replay-nonce": "abc"],
                body: Array((isSigned ? bad : directory).utf8),
            )
        }
        let second = ACMECaller(at: address, with: key, through: stubborn, timing: .immediate)
        await #expect(throws: ACMEFailure.refused(word: "badNonce", said: "")) {
            _ = try await second.post("https://a.example/o", nil, account: "x")
        }
        #expect(stubborn.asked.count < 30)
    }
}
