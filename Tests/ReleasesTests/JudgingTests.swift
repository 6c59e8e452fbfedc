import Access
import Foundation
import Identifiers
import Testing

@testable import Releases

/// Who may see which parts of an app.
struct JudgingTests {
    private let beta: ChannelName
    private let qa: GroupName

    init() throws {
        beta = try #require(ChannelName("beta"))
        qa = try #require(GroupName("qa"))
    }

    private func app(_ access: String) throws -> AppRecord {
        var app = AppRecord(
            bundleIdentifier: try #require(BundleIdentifier("com.example.demo")),
            title: "Demo",
            slug: try #require(Slug("demo")),
            created: Date(timeIntervalSince1970: 0),
        )
        app.access = try #require(AppRecord.Access(access))
        app.channels = [
            .stable: ReleaseIdentifier(version: "1.0", build: "1"),
            beta: ReleaseIdentifier(version: "2.0", build: "2"),
        ]
        return app
    }

    private func visitor(
        _ state: Device.State,
        in groups: String...,
    ) throws -> ProvenVisitor {
        var device = Device(
            udid: try #require(DeviceUDID("00008120-0000000000000100")),
            name: "Ana",
            family: .iphone,
            state: state,
            added: Date(timeIntervalSince1970: 0),
        )
        for group in groups { device.join(try #require(GroupName(group))) }
        return ProvenVisitor(device: device)
    }

    @Test func `an app for groups is there for their approved members alone`() throws {
        let app = try app("groups:beta,qa")
        #expect(app.standing(of: ProvenVisitor()) == .hidden)
        #expect(app.standing(of: try visitor(.approved)) == .hidden)
        #expect(app.standing(of: try visitor(.approved, in: "sales")) == .hidden)
        #expect(app.standing(of: try visitor(.approved, in: "sales", "qa")) == .granted)
        #expect(app.standing(of: try visitor(.registered, in: "beta")) == .granted)
        #expect(app.standing(of: try visitor(.enrolled, in: "qa")) == .enrolment)
        #expect(app.standing(of: try visitor(.disabled, in: "qa")) == .hidden)
        #expect(app.standing(of: ProvenVisitor(mayRead: true)) == .granted)
        #expect(!app.admits(ProvenVisitor(passphrase: .onLink), to: .stable))
    }

    @Test func `people of the provider are there for what is open to them`() throws {
        let qa = ProvenVisitor(tester: TesterRight(name: "Ana", groups: [self.qa]))
        let none = ProvenVisitor(tester: TesterRight(name: "Ben", groups: []))
        let signIn = try app("sign-in")
        #expect(signIn.standing(of: ProvenVisitor()) == .signIn)
        #expect(signIn.standing(of: try visitor(.approved)) == .signIn)
        #expect(signIn.standing(of: none) == .granted && signIn.standing(of: qa) == .granted)
        #expect(!signIn.admits(ProvenVisitor(passphrase: .onLink), to: .stable))
        let groups = try app("groups:beta,qa")
        #expect(groups.standing(of: qa) == .granted && groups.standing(of: none) == .hidden)
        #expect(try app("enrolled").standing(of: qa) == .enrolment)
        #expect(try app("passphrase").standing(of: qa) == .passphrase)
    }

    @Test func `a channel with groups is apart from the rest of an open app`() throws {
        var app = try app("open")
        try app.open(beta, to: #require(AppRecord.ChannelAccess("groups:qa")))
        let (anyone, member) = (ProvenVisitor(), try visitor(.approved, in: "qa"))
        #expect(app.channels(openTo: anyone) == [.stable])
        #expect(app.channels(openTo: member) == [beta, .stable])
        #expect(app.channels(openTo: ProvenVisitor(memberOf: qa)) == [beta, .stable])
        #expect(!app.admitsToAll(anyone) && app.admitsToAll(member))
        app.channels[.stable] = nil
        #expect(app.standing(of: anyone) == .granted)
        #expect(app.defaultChannel(for: anyone) == nil)
        #expect(app.defaultChannel(for: member) == beta)
        try app.open(beta, to: .app)
        #expect(app.channelGroups == nil && app.channels(openTo: anyone) == [beta])
    }

    @Test func `members of a channel's groups see that channel of a closed app`() throws {
        var app = try app("groups:staff")
        try app.open(beta, to: #require(AppRecord.ChannelAccess("groups:qa")))
        let member = try visitor(.approved, in: "qa")
        #expect(app.standing(of: member) == .granted)
        #expect(app.channels(openTo: member) == [beta])
        #expect(app.defaultChannel(for: member) == beta)
        #expect(app.standing(of: try visitor(.enrolled, in: "qa")) == .enrolment)
        #expect(app.channels(openTo: try visitor(.approved, in: "staff")) == [.stable])
        app.channels[beta] = nil
        #expect(app.standing(of: member) == .hidden)
    }

    @Test func `an ended channel keeps its groups`() throws {
        var app = try app("open")
        try app.open(beta, to: #require(AppRecord.ChannelAccess("groups:qa")))
        let ending = EndedChannel(date: Date(timeIntervalSince1970: 9), actor: "ada")
        let isEnded = app.end(beta, as: ending)
        #expect(isEnded)
        #expect(!app.admits(ProvenVisitor(), to: beta))
        #expect(app.namedGroups == [qa])
    }

    @Test func `a passphrase is that of now, and an install link stands for it`() throws {
        let app = try app("passphrase")
        #expect(app.standing(of: ProvenVisitor()) == .passphrase)
        let old = ProvenVisitor(passphrase: .entered(generation: "00000000"))
        #expect(app.standing(of: old) == .passphrase, "there is none")
        #expect(app.admits(ProvenVisitor(passphrase: .onLink), to: .stable))
    }
}
