import APIDocuments
import Access
import Administration
import Foundation
import Identifiers
import Releases
import Store
import Testing

/// How an action is sent to a server, and in whose name the store performs it.
struct ActionValueTests {
    @Test func `the properties of an action stand in the path and the query`() throws {
        let page = try ListReleases(of: "forks/../knives", limit: 7, after: "1.2-3").address
        #expect(page.path == ["apps", "forks/../knives", "releases"])
        #expect(page.query.map(\.name) == ["limit", "after"])
        #expect(page.query.map(\.value) == ["7", "1.2-3"])
        let first = try ListReleases(of: "forks", limit: 7).address
        #expect(first.query.map(\.name) == ["limit"], "what is nil is not sent")
        #expect(try ShowBuild(12, of: "7").address.path == ["mirrors", "7", "builds", "12"])
        #expect(try ListDevices(all: true).address.query.map(\.value) == ["true", "500"])
        #expect(try ShowServer().address.path.isEmpty)
    }

    @Test func `an action comes back from its parts`() throws {
        let page = try ListReleases(["app": .text("7"), "limit": .number(20)], NoContent())
        #expect((page.app, page.limit, page.after) == ("7", 20, nil))
        let build = try ShowBuild(["mirror": .text("7"), "build": .number(12)], NoContent())
        #expect((build.mirror, build.build) == ("7", 12))
        let date = Date(timeIntervalSince1970: 1_800_000_000.25)
        let renewal = try RenewMembership([:], RenewalRequest(renews: date))
        #expect(renewal.content.renews == date)
        #expect(throws: DecodingError.self) { try ShowBuild(["mirror": .text("7")], NoContent()) }
    }

    @Test func `where the bytes of a profile come from is not sent`() throws {
        let action = AddProfile([1, 2, 3], from: "/home/ada/secret.mobileprovision")
        #expect(try action.address.path == ["profiles"])
        #expect(try action.address.query.isEmpty)
        #expect(Array(action.content.profile) == [1, 2, 3])
        #expect(try AddProfile([:], action.content).file == nil)
    }

    @Test func `values that do not go together are a flaw`() throws {
        #expect(ApprovalRequest(devices: nil).flaw == nil)
        #expect(ApprovalRequest(devices: []).flaw == nil)
        let neither = try JSONDecoder().decode(ApprovalRequest.self, from: Data("{}".utf8))
        #expect(neither.flaw != nil)
        let both = #"{"devices": [], "all": true}"#
        #expect(
            try JSONDecoder().decode(ApprovalRequest.self, from: Data(both.utf8)).flaw != nil
        )
        #expect(PruneRequest(keep: 0, isDryRun: true).flaw == nil)
        #expect(PruneRequest(keep: -1, isDryRun: true).flaw != nil)
        #expect(PruneRequest(keep: PruneRequest.most + 1, isDryRun: true).flaw != nil)
    }

    @Test func `a change is made only to what is expected`() async throws {
        try await Office.open { office in
            let local = LocalAdministration(office.ada)
            let added = try local.perform(AddDevice(NewDevice(udid: Office.udid(1)))).device
            let rename = RenameDevice(added.reference, to: "Ana's iPhone")
            #expect(throws: AdministrationRefusal.changedMeanwhile("the device")) {
                try rename.perform(in: local) { _ in false }
            }
            let (answer, record) = try rename.perform(in: local) { $0.name == added.name }
            #expect(answer.device.name == "Ana's iPhone")
            #expect(record.name == "Ana's iPhone")
            #expect(AddDevice.location(of: answer) == "/devices/" + added.reference)
        }
    }

    @Test func `a device that is disabled twice was disabled once`() async throws {
        try await Office.open { office in
            let local = LocalAdministration(office.ada)
            let device = try local.perform(AddDevice(NewDevice(udid: Office.udid(1)))).device
            for _ in 1...2 {
                let disabled = try local.perform(DisableDevice(device.reference))
                #expect(disabled.device.state == .disabled)
            }
            #expect(try office.journal() == ["deviceRemoved iPhone 1", "deviceAdded iPhone 1"])
            #expect(throws: AdministrationRefusal.unknownDevice) {
                try local.perform(DisableDevice("0123456789abcdef01234567"))
            }
        }
    }

    @Test func `a token sees its apps, and no devices by name`() async throws {
        try await Office.open { office in
            let (app, release) = try office.publish()
            _ = try office.ada.addDevice(NewDevice(udid: Office.udid(1), name: "Ana's iPhone"))
            func holding(_ scope: String) throws -> LocalAdministration {
                let (_, secret) = try office.ada.createToken(
                    NewToken(name: scope, scopes: [scope])
                )
                return LocalAdministration(
                    office.ada,
                    holder: try office.store.tokens().principal(
                        showing: secret.text,
                        at: Office.date,
                    ),
                )
            }
            let reader = try holding("read:forks")
            #expect(
                try reader.perform(ListApps()).apps.map(\.app) == [app.bundleIdentifier.rawValue]
            )
            #expect(try holding("read:com.example.other").perform(ListApps()).apps.isEmpty)
            let verdicts = ShowVerdicts(of: release.identifier.rawValue, of: "forks")
            #expect(try reader.perform(verdicts).devices.map(\.name) == ["iPhone"])
            #expect(try reader.perform(verdicts).devices.map(\.udid) == [nil])
            let admin = LocalAdministration(office.ada)
            #expect(try admin.perform(verdicts).devices.map(\.name) == ["Ana's iPhone"])
            #expect(try admin.perform(verdicts).next == nil)
            let behind = ShowVerdicts(of: release.identifier.rawValue, of: "forks", after: 1)
            #expect(try admin.perform(behind).devices.isEmpty)
            #expect(try admin.perform(behind).count.registered == 1)
        }
    }
}
