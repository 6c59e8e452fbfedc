import Bundles
import Foundation
import Identifiers
import Releases
import TestSupport
import Testing

struct AppleDeviceFileTests {
    private static let new = "00008120-000A1B2C3D4E5F60"
    private static let old = "0123456789abcdef0123456789abcdef01234567"

    private func device(_ name: String, family: ProductFamily = .iphone) throws -> Device {
        Device(
            udid: try #require(DeviceUDID(Self.new)),
            name: name,
            family: family,
            added: ExampleRelease.now,
        )
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `Apple's sample is read with any line end`(end: String) throws {
        let lines = [
            "\u{FEFF}Device ID\tDevice Name\tDevice Platform", "", "# ours", "   ",
            "\(Self.new)\tAda’s iPhone\tios", "\(Self.old.uppercased())\t Old one \tMAC",
            "\t", "\t\t", "00000000-0000-0000-0000-000000000001\tMac", "",
        ]
        let rows = try AppleDeviceFile.read(lines.joined(separator: end))
        #expect(
            rows.map(\.udid.rawValue) == [
                Self.new, Self.old, "00000000-0000-0000-0000-000000000001",
            ]
        )
        #expect(rows.map(\.name) == ["Ada’s iPhone", "Old one", "Mac"])
        #expect(rows.map(\.platform) == ["ios", "mac", nil])
    }

    @Test(arguments: [
        ("\(new)", MalformedDeviceFile.Reason.columns(1)), ("\(new) Ada", .columns(1)),
        ("\(new),Ada,ios", .columns(1)), ("\(new)\ta\tios\tx", .columns(4)),
        ("nonsense\tAda", .identifier), ("\tAda", .identifier), ("\(new)x\tAda", .identifier),
        ("<script>\tAda", .identifier), ("\(new)\t", .noName), ("\(new)\t  \tios", .noName),
        ("\(new)\tAda\twindows", .platform("windows")),
        ("\(old)\tAda\n\(old.uppercased())\tBen", .repeated(firstLine: 3)),
    ])
    func `a line that cannot be read is named by its number`(
        text: String,
        reason: MalformedDeviceFile.Reason,
    ) {
        let line = 2 + text.split(separator: "\n").count
        let refusal = #expect(throws: MalformedDeviceFile.self) {
            try AppleDeviceFile.read("Device ID\tDevice Name\r\n\r\n" + text)
        }
        #expect(refusal?.line == line)
        #expect(refusal?.reason == reason)
    }

    @Test func `a refusal does not repeat control characters`() throws {
        let failure = try #require(throws: MalformedDeviceFile.self) {
            try AppleDeviceFile.read("\n\n\(Self.new)\tAda\t\u{1B}[2Jx")
        }
        #expect(failure.description.hasPrefix("line 3 has the platform "))
        #expect(!failure.description.contains("\u{1B}"))
    }

    @Test func `what is written is read back`() throws {
        let text = AppleDeviceFile.write([try device("Ada’s iPhone", family: .mac)])
        #expect(text == "Device ID\tDevice Name\tDevice Platform\n\(Self.new)\tAda’s iPhone\tmac\n")
        let rows = try AppleDeviceFile.read(text)
        #expect(rows.count == 1)
        #expect(rows.first?.platform == "mac")
        #expect(AppleDeviceFile.write([]) == "Device ID\tDevice Name\tDevice Platform\n")
    }

    @Test(arguments: [
        "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "=\u{301}1", "＝1", "＋1", "－1", "＠x",
        "\t=1", "\n=1", "=" + String(repeating: "1", count: 49),
    ])
    func `a name never begins like a formula and never ends its line`(name: String) throws {
        let text = AppleDeviceFile.write([try device(name)])
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 3)
        let columns = lines[1].split(separator: "\t", omittingEmptySubsequences: false)
        #expect(columns.count == 3)
        let first = try #require(columns[1].unicodeScalars.first)
        #expect(first == "'" || first == " ")
        #expect(columns[1].count <= DeviceRegister.nameLimit)
    }

    @Test(arguments: [1, 7, 43])
    func `damaged lists are read or refused, never trapped`(seed: UInt64) {
        let text = "Device ID\tDevice Name\n\(Self.new)\tAda\tios\r\n\(Self.old)\tBen\n"
        let damaged =
            Array(SeededDamage.prefixes(of: Array(text.utf8)))
            + SeededDamage.flips(of: Array(text.utf8), count: 500, seed: seed)
        for bytes in damaged {
            let rows = try? AppleDeviceFile.read(String(decoding: bytes, as: UTF8.self))
            #expect(rows.map { $0.count <= 2 } ?? true)
        }
    }
}
