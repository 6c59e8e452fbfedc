import APIDocuments
import Access
import Administration
import Bundles
import Enrolment
import Foundation
import Identifiers
import Releases
import Store
import Testing

struct DeviceActionTests {
    @Test func `a device is added, renamed, disabled and comes back, and the journal tells`()
        async throws
    {
        try await Office.open { office in
            let udid = try Office.udid(1)
            let added = try office.ada.addDevice(NewDevice(udid: udid, model: "iPad13,4"))
            #expect((added.name, added.family) == ("iPad 1", .ipad))
            #expect(added.history.map(\.by) == ["Ada"])
            #expect(throws: DeviceRefusal.alreadyThere(name: "iPad 1")) {
                try office.ada.addDevice(NewDevice(udid: udid))
            }
            #expect(try office.ada.rename(udid, to: "Ana's iPad").name == "Ana's iPad")
            try office.ada.rename(udid, to: "Ana's iPad")
            #expect(throws: DeviceRefusal.badName("a\tb")) {
                try office.ada.rename(udid, to: "a\tb")
            }
            #expect(try office.ada.disable(udid).state == .disabled)
            #expect(throws: DeviceRefusal.unknown) { try office.ada.disable(udid) }
            #expect(throws: DeviceRefusal.unknown) { try office.ada.rename(udid, to: "Ana") }
            #expect(try office.ada.addDevice(NewDevice(udid: udid)).state == .approved)
            #expect(
                try office.journal() == [
                    "deviceAdded Ana's iPad", "deviceRemoved Ana's iPad",
                    "deviceRenamed Ana's iPad",
                    "deviceAdded iPad 1",
                ]
            )
        }
    }

    @Test func `those who wait are approved together, and nobody twice`() async throws {
        try await Office.open { office in
            let one = try office.enrol(1, named: "Ana")
            let two = try office.enrol(2, named: "Ben")
            let unknown = try Office.udid(9)
            #expect(throws: DeviceRefusal.unknown) { try office.ada.approve([one, unknown]) }
            #expect(try office.store.devices().pending.count == 2)
            #expect(try office.ada.approve([one]).map(\.name) == ["Ana"])
            #expect(try office.ada.approveAll().map(\.udid) == [two])
            #expect(try office.ada.approve([one, two]).isEmpty)
            #expect(try office.journal() == ["deviceApproved Ben", "deviceApproved Ana"])
            #expect(try office.ada.exportDevices().count == 2)
        }
    }

    @Test func `erasing leaves nothing of a device in any file of the store`() async throws {
        try await Office.open { office in
            let sent = try office.ada.invite(
                NewInvitation(name: "Ana"),
                links: Links(base: BaseURL("https://ota.example.com")),
            )
            let udid = try office.enrol(1, named: "Ana")
            try office.store.changeInvitations { register in
                _ = try register.consume(
                    sent.issued.invitation.identifier,
                    by: udid,
                    at: Office.date,
                )
            }
            // Make further versions of both documents, so that the previous ones name the device too.
            try office.ada.approve([udid])
            _ = try office.ada.invite(
                NewInvitation(name: "Ben"),
                links: Links(base: BaseURL("https://ota.example.com")),
            )
            #expect(try office.files(naming: udid).isEmpty == false)
            #expect(try office.ada.remove(udid, erasing: true).name == "Ana")
            #expect(try office.files(naming: udid) == [])
            #expect(try office.store.invitations().invitations.map(\.name) == ["Ben"])
            #expect(throws: DeviceRefusal.unknown) {
                try office.ada.remove(udid, erasing: true)
            }
            #expect(try office.journal().first == "deviceRemoved a device")
        }
    }

    @Test func `erasing reaches the generation before of a register that has forgotten`()
        async throws
    {
        try await Office.open { office in
            let udid = try office.enrol(1, named: "Ana")
            var generator = SystemRandomNumberGenerator()
            let draft = InvitationDraft(name: "Ana", by: "Ada")
            try office.store.changeInvitations { register in
                let issued = try register.invite(draft, at: Office.date, using: &generator)
                _ = try register.consume(issued.invitation.identifier, by: udid, at: Office.date)
            }
            try office.store.changeInvitations {
                $0.prune(at: Office.date + InvitationRegister.memory + 1)
            }
            #expect(try !office.files(naming: udid).isEmpty)
            try office.ada.remove(udid, erasing: true)
            #expect(try office.files(naming: udid).isEmpty)
        }
    }

    @Test func `a list from Apple is taken whole or not at all`() async throws {
        try await Office.open { office in
            let one = try Office.udid(1)
            let two = try Office.udid(2)
            try office.ada.addDevice(NewDevice(udid: one, name: "Ana"))
            let list = "Device ID\tDevice Name\n\(one)\tAna\n\(two)\t\u{2067}Ben\u{2069}\n"
            #expect(throws: MalformedDeviceFile.self) {
                try office.ada.importDevices(DeviceListing(text: list + "nothing\n"))
            }
            #expect(try office.store.devices().devices.count == 1)
            let outcome = try office.ada.importDevices(
                DeviceListing(text: list, isRegistered: true)
            )
            #expect((outcome.added, outcome.known) == (1, 1))
            #expect(try office.store.devices()[two]?.name == "Ben")
            #expect(try office.store.devices().devices.map(\.state) == [.registered, .registered])
            #expect(try office.ada.exportDevices().isEmpty)
            #expect(try office.ada.exportDevices(all: true).count == 2)
        }
    }

    @Test func `names that are too long are shortened, and said to be`() async throws {
        try await Office.open { office in
            let long = "The phone in the drawer on the left, please do not update it"
            let list =
                "Device ID\tDevice Name\n\(try Office.udid(1))\t\(long)\n"
                + "\(try Office.udid(2))\tBen\n"
            let outcome = try office.ada.importDevices(DeviceListing(text: list))
            let kept = String(long.prefix(DeviceRegister.nameLimit))
            #expect(try office.store.devices()[Office.udid(1)]?.name == kept)
            #expect(outcome.shortened == [kept])
            #expect(
                ImportDocument(outcome).sentence
                    == "Added 2 devices; 0 of the list were already known. 1 name was shortened "
                    + "to 50 characters, such as “\(kept)”."
            )
            let again = try office.ada.importDevices(DeviceListing(text: list))
            #expect(again.shortened.isEmpty, "only new names are shortened")
        }
    }

    @Test func `a device is found by its reference, which is not its identifier`() async throws {
        try await Office.open { office in
            let udid = try Office.udid(1)
            try office.ada.addDevice(NewDevice(udid: udid, name: "Ana"))
            let reference = try office.ada.references.reference(to: udid)
            #expect(reference.count == 24)
            #expect(try office.ada.device(referencedAs: reference).udid == udid)
            for wrong in [
                "", udid.rawValue, String(reference.dropLast()), reference.uppercased() + "0",
            ] {
                #expect(throws: AdministrationRefusal.unknownDevice) {
                    try office.ada.device(referencedAs: wrong)
                }
            }
        }
    }

    @Test func `an erased device is nobody in the journals of installs`() async throws {
        try await Office.open { office in
            let app = try office.publish().app
            let udid = try office.enrol(1, named: "Ana")
            let other = try office.enrol(2, named: "Ben")
            let references = try office.ada.references
            for device in [udid, other, udid] {
                try office.store.record(
                    InstallAttempt(
                        app: app.bundleIdentifier,
                        release: ReleaseIdentifier(version: "1.1", build: "1"),
                        device: references.reference(to: device),
                        began: Office.date,
                        ended: Office.date,
                        outcome: .downloaded,
                        sent: 10,
                    )
                )
            }
            #expect(try office.store.installAttempts(of: nil, since: .distantPast).count == 3)
            try office.ada.remove(udid, erasing: true)
            let attempts = try office.store.installAttempts(of: nil, since: .distantPast)
            #expect(attempts.count == 3)
            let reference = references.reference(to: udid)
            #expect(!attempts.contains { $0.device == reference })
            #expect(attempts[1].device == references.reference(to: other))
            #expect(try office.files(containing: reference).isEmpty)
        }
    }

    @Test func `what somebody else changed meanwhile is not written over`() async throws {
        try await Office.open { office in
            let udid = try Office.udid(1)
            let seen = try office.ada.addDevice(NewDevice(udid: udid, name: "Ana"))
            try office.ada.rename(udid, to: "Ben")
            #expect(throws: AdministrationRefusal.changedMeanwhile("the device")) {
                try office.ada.rename(udid, to: "Eve") { $0 == seen }
            }
            #expect(try office.store.devices()[udid]?.name == "Ben")
        }
    }
}

extension Office {
    /// The files of the store that contain a device's identifier.
    fileprivate func files(naming udid: DeviceUDID) throws -> [String] {
        try files(containing: udid.rawValue)
    }

    fileprivate func files(containing text: String) throws -> [String] {
        let all = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
        return all.filter { name in
            guard let data = FileManager.default.contents(atPath: path + "/" + name) else {
                return false
            }
            return String(decoding: data, as: UTF8.self).contains(text)
        }
    }
}
