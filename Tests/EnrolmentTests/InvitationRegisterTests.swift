import Bundles
import Cryptography
import Enrolment
import Foundation
import Identifiers
import Sample
import TestSupport
import Testing

struct InvitationRegisterTests {
    private static let now = Enrolling.now
    private let device: DeviceUDID
    private let other: DeviceUDID
    private var generator = SeededGenerator(seed: 5)

    init() throws {
        device = try #require(DeviceUDID(SampleDevices.one))
        other = try #require(DeviceUDID(SampleDevices.unlisted))
    }

    private mutating func invite(
        _ name: String = "Ana",
        validity: TimeInterval = InvitationDraft.usualValidity,
        in register: inout InvitationRegister,
        at date: Date = now,
    ) throws -> IssuedInvitation {
        try register.invite(
            InvitationDraft(name: name, validity: validity, by: "admin"),
            at: date,
            using: &generator,
        )
    }

    @Test mutating func `a link opens its invitation until it expires`() throws {
        var register = InvitationRegister()
        let issued = try invite(in: &register)
        let opened = try register.open(issued.token, at: Self.now + 5)
        #expect(opened.identifier == issued.invitation.identifier)
        #expect(opened.opened == Self.now + 5)
        let end = Self.now + 7 * 86_400
        #expect(issued.invitation.expires == end)
        #expect(try register.open(issued.token, at: end - 1).opened == Self.now + 5)
        #expect(throws: InvitationRefusal.expired(end)) {
            try register.open(issued.token, at: end)
        }
    }

    @Test mutating func `no secret is in the document`() throws {
        var register = InvitationRegister()
        let issued = try invite(in: &register)
        let text = String(decoding: try JSONEncoder().encode(register), as: UTF8.self)
        #expect(!text.contains(issued.token.text))
        #expect(!text.contains(issued.code.digits))
        #expect(text.contains(issued.token.digest.description))
        let read = try JSONDecoder().decode(InvitationRegister.self, from: Data(text.utf8))
        #expect(read == register)
        #expect(read.schema == 1)
    }

    @Test mutating func `one device uses it, once`() throws {
        var register = InvitationRegister()
        let issued = try invite(in: &register)
        let identifier = issued.invitation.identifier
        let used = try register.consume(identifier, by: device, at: Self.now + 9)
        #expect(used.use == register[identifier]?.use)
        #expect(used.use?.device == device)
        #expect(used.use?.date == Self.now + 9)
        #expect(used.state(at: Self.now + 10) == .used)
        #expect(throws: InvitationRefusal.usedByThisDevice) {
            try register.consume(identifier, by: device, at: Self.now + 10)
        }
        #expect(throws: InvitationRefusal.used) {
            try register.consume(identifier, by: other, at: Self.now + 10)
        }
        #expect(throws: InvitationRefusal.used) {
            try register.open(issued.token, at: Self.now + 10)
        }
        #expect(throws: InvitationRefusal.wrongCode) {
            try register.redeem(issued.code, at: Self.now + 10, using: &generator)
        }
    }

    @Test mutating func `what was taken back lets nobody in`() throws {
        var register = InvitationRegister()
        let issued = try invite(in: &register)
        let identifier = issued.invitation.identifier
        try register.revoke(identifier, by: "eve", at: Self.now + 1)
        #expect(register[identifier]?.revocation?.by == "eve")
        #expect(throws: InvitationRefusal.revoked) {
            try register.open(issued.token, at: Self.now + 2)
        }
        #expect(throws: InvitationRefusal.revoked) {
            try register.consume(identifier, by: device, at: Self.now + 2)
        }
        #expect(throws: InvitationRefusal.wrongCode) {
            try register.redeem(issued.code, at: Self.now + 2, using: &generator)
        }
        #expect(throws: InvitationRefusal.revoked) {
            try register.renewCode(of: identifier, at: Self.now + 2, using: &generator)
        }
        #expect(throws: InvitationRefusal.revoked) {
            try register.revoke(identifier, by: "eve", at: Self.now + 3)
        }
    }

    @Test mutating func `a code becomes a link once`() throws {
        var register = InvitationRegister()
        let issued = try invite(in: &register)
        let redeemed = try register.redeem(issued.code, at: Self.now + 60, using: &generator)
        #expect(redeemed.invitation.identifier == issued.invitation.identifier)
        #expect(redeemed.token != issued.token)
        for token in [issued.token, redeemed.token] {
            #expect(
                try register.open(token, at: Self.now + 61).identifier
                    == issued.invitation.identifier
            )
        }
        #expect(throws: InvitationRefusal.wrongCode) {
            try register.redeem(issued.code, at: Self.now + 62, using: &generator)
        }
    }

    @Test mutating func `a code is good for a quarter of an hour`() throws {
        var register = InvitationRegister()
        let issued = try invite(in: &register)
        var late = register
        _ = try register.redeem(issued.code, at: Self.now + 899, using: &generator)
        #expect(throws: InvitationRefusal.wrongCode) {
            try late.redeem(issued.code, at: Self.now + 900, using: &generator)
        }
        let identifier = issued.invitation.identifier
        let code = try late.renewCode(of: identifier, at: Self.now + 900, using: &generator)
        #expect(throws: InvitationRefusal.wrongCode) {
            try late.redeem(issued.code, at: Self.now + 901, using: &generator)
        }
        _ = try late.redeem(code, at: Self.now + 901, using: &generator)
    }

    @Test mutating func `a link from an earlier code ends when another code is typed`() throws {
        var register = InvitationRegister()
        let issued = try invite(in: &register)
        let first = try register.redeem(issued.code, at: Self.now + 1, using: &generator)
        let code = try register.renewCode(
            of: issued.invitation.identifier,
            at: Self.now + 2,
            using: &generator,
        )
        let second = try register.redeem(code, at: Self.now + 3, using: &generator)
        #expect(throws: InvitationRefusal.unknown) {
            try register.open(first.token, at: Self.now + 4)
        }
        for token in [issued.token, second.token] {
            _ = try register.open(token, at: Self.now + 4)
        }
    }

    @Test mutating func `no more than two hundred wait, and a closed one makes room`() throws {
        var register = InvitationRegister()
        var issued: [IssuedInvitation] = []
        for _ in 0..<200 { issued.append(try invite(in: &register)) }
        #expect(Set(issued.map(\.code)).count == 200, "no two open ones share a code")
        #expect(throws: InvitationRefusal.tooManyOpen(limit: 200)) {
            try invite(in: &register)
        }
        try register.revoke(issued[3].invitation.identifier, by: "admin", at: Self.now)
        _ = try invite(in: &register)
        #expect(register.open(at: Self.now).count == 200)
    }

    @Test mutating func `the document stays small however many are made`() throws {
        var register = InvitationRegister()
        for _ in 0..<2_100 {
            let issued = try invite(in: &register)
            try register.revoke(issued.invitation.identifier, by: "admin", at: Self.now)
        }
        #expect(register.invitations.count <= 2_000)
    }

    @Test mutating func `what is over is forgotten after thirty days`() throws {
        var register = InvitationRegister()
        let used = try invite(in: &register).invitation.identifier
        let expired = try invite(validity: 900, in: &register).invitation.identifier
        let open = try invite(validity: 90 * 86_400, in: &register).invitation.identifier
        _ = try register.consume(used, by: device, at: Self.now + 86_400)
        let changes = [register.prune(at: Self.now + 1_000), register.prune(at: Self.now + 1_000)]
        #expect(changes == [true, false], "codes that are over go at once")
        #expect(register.invitations.allSatisfy { $0.code == nil })
        register.prune(at: Self.now + 30 * 86_400 + 901)
        #expect(register[expired] == nil)
        #expect(register[used] != nil)
        register.prune(at: Self.now + 32 * 86_400)
        #expect(register.invitations.map(\.identifier) == [open])
    }

    @Test mutating func `a device that asks to be forgotten is in no invitation`() throws {
        var register = InvitationRegister()
        for device in [device, other] {
            let identifier = try invite(in: &register).invitation.identifier
            _ = try register.consume(identifier, by: device, at: Self.now)
        }
        register.forget(device)
        #expect(register.invitations.compactMap(\.use?.device) == [other])
    }

    @Test(arguments: [
        "", " a", "a ", "a\tb", "a\nb", "a\u{202E}b", "a\u{2028}b", "a\u{85}b", "a\u{A0}b",
        "a\u{1B}[31m", String(repeating: "a", count: 51),
        "a" + String(repeating: "\u{301}", count: 5_000),
    ])
    mutating func `a name that cannot become a device's is refused`(name: String) throws {
        var register = InvitationRegister()
        #expect(throws: InvitationRefusal.badName(name)) { try invite(name, in: &register) }
        #expect(register.invitations.isEmpty)
    }

    @Test(arguments: [-1, 0, 899, 7_776_001, .infinity, .nan] as [TimeInterval])
    mutating func `a validity out of bounds is refused`(validity: TimeInterval) throws {
        var register = InvitationRegister()
        #expect(throws: InvitationRefusal.self) { try invite(validity: validity, in: &register) }
    }

    @Test func `a strange link is unknown`() throws {
        var register = InvitationRegister()
        let token = try #require(LinkToken(String(repeating: "0", count: 32)))
        #expect(throws: InvitationRefusal.unknown) { try register.open(token, at: Self.now) }
        for text in [
            "", "0", String(repeating: "A", count: 32), String(repeating: "g", count: 32),
        ] {
            #expect(LinkToken(text) == nil)
            #expect(InvitationIdentifier(text) == nil)
        }
    }

    @Test(arguments: [
        ("123456", "123456"), (" 123 456 ", "123456"), ("123-456", "123456"),
        ("١٢٣٤٥٦", "123456"), ("０００００１", "000001"), ("12345", nil), ("1234567", nil),
        ("12345a", nil), ("", nil), ("½23456", nil), ("一23456", "123456"),
        (String(repeating: " ", count: 65) + "123456", nil),
    ])
    func `a code is read as people type it`(typed: String, digits: String?) {
        #expect(InvitationCode(typed: typed)?.digits == digits)
    }
}
