import APIDocuments
import Access
import Administration
import Foundation
import Identifiers
import Releases
import Store
import StoreFixtures
import Testing

/// Lists as comma-separated values.
struct ExportTests {
    /// Returns the lines of an export, without line breaks, and the size of its largest piece in bytes.
    private static func export(
        _ list: ExportedList,
        of office: Office,
    ) throws -> (lines: [String], largest: Int) {
        let export = try LocalAdministration(office.ada).export(list)
        var bytes: [UInt8] = []
        var largest = 0
        var place: CSVExport.Place? = .beginning
        while let current = place {
            let piece = try export.piece(at: current)
            bytes += piece.bytes
            largest = max(largest, piece.bytes.count)
            place = piece.next
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasSuffix("\r\n"))
        return (text.components(separatedBy: "\r\n").dropLast(), largest)
    }

    @Test(arguments: [
        (["a", "b c", ""], "a,b c,\r\n"),
        (["a,b", "say \"hi\""], "\"a,b\",\"say \"\"hi\"\"\"\r\n"),
        (["two\nlines", "x\r"], "\"two\nlines\",\"x\r\"\r\n"),
        (["=1+1", "+1", "-1", "@sum", "a=b"], "'=1+1,'+1,'-1,'@sum,a=b\r\n"),
        (["\t=1", "\u{FF1D}1"], "'\t'=1,'\u{FF1D}1\r\n"),
        (
            ["=HYPERLINK(\"https://evil\",\"x\")"],
            "\"'=HYPERLINK(\"\"https://evil\"\",\"\"x\"\")\"\r\n",
        ),
        (["\r=1"], "\"'\r'=1\"\r\n"),
        (["x;=1+1;y", "a; @b", "3 - 2;4"], "x;'=1+1;y,a; '@b,3 - 2;4\r\n"),
        (["one\n=2+3"], "\"one\n'=2+3\"\r\n"),
    ])
    func `fields are quoted where they have to be, and no field is a formula`(
        fields: [String],
        line: String,
    ) {
        #expect(CSVLine.text(fields) == line)
    }

    @Test func `activity is exported as far back as was asked, the oldest first`() async throws {
        try await Office.open { office in
            let now = office.ada.clock()
            for (days, subject) in [(40.0, "old"), (20, "=cmd|x"), (1, "new, \"quoted\"")] {
                try office.store.record(
                    Activity(
                        date: now.addingTimeInterval(-days * 86_400),
                        actor: "ada",
                        event: .deviceApproved,
                        subject: subject,
                    )
                )
            }
            let month = try Self.export(.activity(days: 30), of: office).lines
            #expect(month.first == "date,actor,kind,app,subject,detail")
            let own = month.filter {
                $0.contains("device.approved") || $0.contains("deviceApproved")
            }
            #expect(own.count == 2)
            #expect(own.first?.contains(",'=cmd|x,") == true)
            #expect(own.last?.contains(",\"new, \"\"quoted\"\"\",") == true)
            let year = try Self.export(.activity(days: 366), of: office).lines
            #expect(year.contains { $0.contains(",old,") })
            let first = now.addingTimeInterval(-25 * 86_400).formatted(
                .iso8601.year().month().day()
            )
            let since = ActivityFilter(kind: .deviceApproved, from: ActivityDay(first))
            let some = try Self.export(.activity(matching: since), of: office).lines
            #expect(some.count == 3 && !some.contains { $0.contains(",old,") })
            let others = ActivityFilter(actor: "ben")
            #expect(try Self.export(.activity(matching: others), of: office).lines.count == 1)
        }
    }

    @Test func `installs name the device, and a longer list takes no larger pieces`() async throws {
        try await Office.open { office in
            let (app, release) = try office.publish()
            let now = office.ada.clock()
            let udid = try #require(DeviceUDID("00008120-000A1B2C3D4E5F60"))
            try office.store.changeDevices { register in
                try register.add(
                    Device(udid: udid, name: "+Ana's phone", family: .iphone, added: now),
                    at: now,
                )
            }
            let references = SessionAuthority(key: try office.store.sessionKey())
            func install(_ count: Int) throws {
                for index in 0..<count {
                    try office.store.record(
                        InstallAttempt(
                            app: app.bundleIdentifier,
                            release: release.identifier,
                            device: index == 0 ? references.reference(to: udid) : nil,
                            began: now.addingTimeInterval(-60),
                            ended: now,
                            outcome: .downloaded,
                            sent: 1234,
                        )
                    )
                }
            }
            try install(600)
            let few = try Self.export(.installs(of: app.slug.rawValue, days: 30), of: office)
            #expect(few.lines.count == 601)
            let first = try #require(few.lines.dropFirst().first)
            #expect(
                first.hasSuffix(",downloaded,1234,\(references.reference(to: udid)),'+Ana's phone,")
            )
            #expect(!few.lines.joined().contains(udid.rawValue))
            try install(1500)
            let many = try Self.export(.installs(of: nil, days: 30), of: office)
            #expect(many.lines.count == 2101)
            #expect(many.largest <= few.largest)
            let listed = try ListAllInstalls(limit: 5, days: 1).perform(
                in: LocalAdministration(office.ada)
            )
            #expect(listed.installs.count == 5)
            let others = try Self.export(.devices, of: office).lines
            #expect(others.count == 2)
            #expect(others.last?.hasPrefix("'+Ana's phone,iphone,") == true)
            #expect(others.last?.contains(",not yet at Apple,") == true)
            #expect(others.last?.hasSuffix(udid.rawValue + ",") == true)
        }
    }
}
