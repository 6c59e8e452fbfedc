import Identifiers
import Pages
import Testing

@testable import Releases

/// The admin's pages of groups.
extension ExamplePages {
    private func register() throws -> DeviceRegister {
        var register = DeviceRegister([
            try sampleDevice(0, name: word("Ana’s iPhone")),
            try sampleDevice(1, name: word("Ben’s iPhone")),
        ])
        for name in ["beta-testers", "qa"] {
            try register.create(#require(GroupName(name)), by: word("ada"), at: Self.now)
        }
        return register
    }

    private func groupApps() throws -> [AppRecord] {
        var app = try record()
        app.access = try #require(AppRecord.Access("groups:beta-testers,qa"))
        try app.open(beta(), to: #require(AppRecord.ChannelAccess("groups:qa")))
        return [app]
    }

    func groups(isEmpty: Bool = false) throws -> GroupsPage {
        GroupsPage(
            groups: isEmpty ? [] : try register().groups.map { ($0, 12) },
            apps: try groupApps(),
            typed: isEmpty ? word("Q A") : "",
            problem: isEmpty
                ? PageProblem(id: "group.bad-name", message: word("Give a name."), fix: nil) : nil,
            links: try adminLinks(),
            admin: try admin(.devices),
        )
    }

    func group(isEmpty: Bool = false) throws -> GroupPage {
        let devices = try register().active.map {
            GroupPage.Member($0, reference: "0123456789abcdef01234567", url: "device.html")
        }
        return GroupPage(
            group: try #require(GroupName("qa")),
            members: isEmpty ? [] : devices,
            others: isEmpty ? [] : devices,
            apps: isEmpty ? [] : try groupApps(),
            rules: isEmpty ? [] : ["ana@example.com", word("claim:mobile-team")],
            links: try adminLinks(),
            admin: try admin(.devices),
        )
    }

    func channelAccess() throws -> ChannelAccessPage {
        ChannelAccessPage(
            try beta(),
            of: try groupApps()[0],
            typed: word("q a"),
            problem: PageProblem(id: "form.groups", message: word("Give names."), fix: nil),
            links: try adminLinks(),
            admin: try admin(.apps),
        )
    }
}
