@testable import AppleDeveloper
import Foundation
import HTTPCalling
import Testing

/// Lists are read to their end, and the token is sent to no other server.
struct ListTests {
    private let origin = "https://api.appstoreconnect.apple.com"

    private func page(_ devices: [String], next: String?) -> CallAnswer {
        let link = next.map { #", "next": "\#($0)""# } ?? ""
        return .json(
            #"{"data": [\#(devices.joined(separator: ", "))], "links": {"self": "/"\#(link)}}"#
        )
    }

    @Test func `a next page whose query repeats parameters is asked for as Apple wrote it`()
        async throws
    {
        let next = "\(origin)/v1/devices?limit=200&cursor=AQ.Ng&limit=200"
        let transport = ScriptedTransport { [page] number, _ in
            number == 1
                ? page([CallAnswer.device("00008150-0000000000000001")], next)
                : page([CallAnswer.device("00008150-0000000000000002")], nil)
        }
        let found = try await TestAccount.account(transport).devices()
        #expect(found.count == 2)
        #expect(transport.requests.map(\.address).last == next)
    }

    @Test(
        arguments: [
            "https://elsewhere.example/v1/devices", "http://api.appstoreconnect.apple.com/v1/a",
            "https://api.appstoreconnect.apple.com.evil.example/v1/devices",
            "https://api.appstoreconnect.apple.com@evil.example/v1/devices",
            "https://api.appstoreconnect.apple.com:444/v1/devices", "/v1/devices?cursor=a",
            "https://api.appstoreconnect.apple.com/v2/devices", "",
            "https://api.appstoreconnect.apple.com/v1/a\u{301}",
        ]
    )
    func `a next page at another place is not asked for`(next: String) async throws {
        let transport = ScriptedTransport { [page] _, _ in page([], next) }
        let account = try TestAccount.account(transport)
        #expect(await failure { _ = try await account.devices() } == .foreignLink)
        #expect(transport.requests.count == 1)
    }

    @Test func `a list that leads back to itself ends`() async throws {
        let next = "\(origin)/v1/devices?cursor=a"
        let transport = ScriptedTransport { [page] _, _ in page([], next) }
        let account = try TestAccount.account(transport)
        let found = await failure { _ = try await account.devices() }
        #expect(found == .unreadable(reason: "the next page of a list is one that came before"))
        #expect(transport.requests.count == 2)
    }

    @Test func `a list without end is cut off`() async throws {
        let transport = ScriptedTransport { [page, origin] number, _ in
            page([], "\(origin)/v1/devices?cursor=\(number)")
        }
        let account = try TestAccount.account(transport)
        #expect(await failure { _ = try await account.devices() } == .tooManyPages(limit: 100))
    }

    @Test func `pages that are too large together are cut off`() async throws {
        let padding = String(repeating: " ", count: 7_000_000)
        let transport = ScriptedTransport { [origin] number, _ in
            let next = "\(origin)/v1/devices?cursor=\(number)"
            return .json(#"{"data": [], "links": {"self": "/", "next": "\#(next)"}}"# + padding)
        }
        let account = try TestAccount.account(transport)
        #expect(
            await failure { _ = try await account.devices() } == .answerTooLarge(limit: 16_777_216)
        )
        #expect(transport.requests.count == 3)
    }

    @Test func `more entries than any account has are not kept`() async throws {
        let one = CallAnswer.device("00008150-0000000000000001")
        let transport = ScriptedTransport { [page, origin] number, _ in
            page(
                Array(repeating: one, count: 7000),
                "\(origin)/v1/devices?cursor=\(number)",
            )
        }
        let account = try TestAccount.account(transport)
        let found = await failure { _ = try await account.devices() }
        #expect(found == .unreadable(reason: "a list has more than 20,000 entries"))
        #expect(transport.requests.count == 3)
    }

    @Test(arguments: ["", "{", "[]", #"{"data": {}}"#, #"{"data": [{"type": "devices"}]}"#])
    func `what is no list is said to be none, without its content`(text: String) async throws {
        let transport = ScriptedTransport { _, _ in .json(text) }
        let account = try TestAccount.account(transport)
        let found = await failure { _ = try await account.devices() }
        guard case .unreadable = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test(arguments: ["http://a.example", "https://", "https://a b", "https://a/b", "https://u@a"])
    func `an address of the API is https, a host and a port`(text: String) {
        #expect(throws: MalformedEndpoint(text: text)) { try AppleEndpoint(text) }
    }

    @Test func `an own address is taken`() throws {
        #expect(try AppleEndpoint("https://Localhost:8443/").origin == "https://localhost:8443")
        #expect(try AppleEndpoint(AppleEndpoint.apple.origin) == .apple)
    }
}
