@testable import AppleDeveloper
import Cryptography
import Foundation
import HTTPCalling
import Identifiers
import Testing

/// Changes can be repeated, and affect only what this installation has created.
struct ChangeTests {
    private let udid = "00008150-0000000000000001"

    private func list(_ items: [String]) -> CallAnswer {
        .json(#"{"data": [\#(items.joined(separator: ", "))], "links": {"self": "/"}}"#)
    }

    private func profile(_ name: String) -> CallAnswer {
        .json(#"{"data": {"type": "profiles", "id": "P1", "attributes": {"name": "\#(name)"}}}"#)
    }

    @Test func `a device that is there already is given back as it is`() async throws {
        let transport = ScriptedTransport { [list, udid] _, _ in
            list([CallAnswer.device(udid, status: "DISABLED")])
        }
        let account = try TestAccount.account(transport)
        let found = try await account.register(try TestAccount.udid(1), name: "Ben")
        #expect(found.status == .disabled && found.name == "Ana")
        #expect(transport.requests.map(\.method) == ["GET"])
    }

    @Test func `a registration whose answer was lost is found, also after stale looks`()
        async throws
    {
        let transport = ScriptedTransport { [list, udid] number, request throws(CallTrouble) in
            if request.method == "POST" { throw .unreachable(reason: "cut") }
            return list(number < 4 ? [] : [CallAnswer.device(udid)])
        }
        let account = try TestAccount.account(transport)
        let found = try await account.register(try TestAccount.udid(1), name: "Ana")
        #expect(found.udid?.rawValue == udid)
        #expect(transport.requests.count { $0.method == "POST" } == 1)
    }

    @Test func `a registration that never arrived is repeated`() async throws {
        let transport = ScriptedTransport { [list, udid] number, request throws(CallTrouble) in
            guard request.method == "POST" else { return list([]) }
            guard number > 2 else { throw .tooSlow(seconds: 90) }
            return .json(#"{"data": \#(CallAnswer.device(udid))}"#, status: 201)
        }
        let account = try TestAccount.account(transport)
        _ = try await account.register(try TestAccount.udid(1), name: "Ana")
        #expect(transport.requests.count { $0.method == "POST" } == 2)
    }

    @Test func `somebody who registers it at the same moment is no failure`() async throws {
        let transport = ScriptedTransport { [list, udid] number, request in
            if request.method == "POST" {
                return .refusal(409, "ENTITY_ERROR", "A device already exists on this team.")
            }
            return list(number == 1 ? [] : [CallAnswer.device(udid)])
        }
        let account = try TestAccount.account(transport)
        #expect(try await account.register(try TestAccount.udid(1), name: "A").name == "Ana")
    }

    @Test func `a certificate whose answer was lost is not asked for twice`() async throws {
        let transport = ScriptedTransport { [list] _, request throws(CallTrouble) in
            if request.method == "POST" { throw .unreachable(reason: "cut") }
            return list([])
        }
        let account = try TestAccount.account(transport)
        let key = try PrivateKey.generate(.p256)
        let found = await failure {
            _ = try await account.createCertificate(
                for: key,
                subject: DistinguishedName(commonName: "ota"),
            )
        }
        #expect(found == .unreachable(reason: "cut"))
        #expect(transport.requests.count { $0.method == "POST" } == 1)
    }

    @Test func `a profile of somebody else is never deleted`() async throws {
        let transport = ScriptedTransport { [profile] _, _ in profile("iOS Team Ad Hoc") }
        let account = try TestAccount.account(transport)
        let id = try #require(ResourceID("P1"))
        let found = await failure { try await account.delete(id) }
        #expect(found == .notOurs(what: "profile", name: "iOS Team Ad Hoc"))
        #expect(!transport.requests.contains { $0.method == "DELETE" })
    }

    @Test func `an own profile is deleted, and one that is gone is no failure`() async throws {
        let name = try TestAccount.profileName().text
        let transport = ScriptedTransport { [profile] _, request in
            request.method == "DELETE" ? .json("", status: 204) : profile(name)
        }
        let id = try #require(ResourceID("P1"))
        try await TestAccount.account(transport).delete(id)
        #expect(transport.requests.map(\.method) == ["GET", "DELETE"])
        let gone = ScriptedTransport { _, _ in .refusal(404, "NOT_FOUND") }
        try await TestAccount.account(gone).delete(id)
    }

    @Test func `a certificate about another key is never revoked`() async throws {
        let transport = ScriptedTransport { _, _ in
            .json(
                #"{"data": {"type": "certificates", "id": "C1", "attributes": {"name": "Other"}}}"#
            )
        }
        let account = try TestAccount.account(transport)
        let id = try #require(ResourceID("C1"))
        let key = try PrivateKey.generate(.p256)
        let found = await failure { try await account.revoke(id, about: key) }
        #expect(found == .notOurs(what: "certificate", name: "Other"))
        #expect(!transport.requests.contains { $0.method == "DELETE" })
    }
}
