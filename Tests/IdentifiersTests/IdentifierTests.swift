import Foundation
import Identifiers
import Testing

@Suite struct IdentifierTests {
    @Test(
        arguments: [
            "", ".", "a..b", ".a", "a.", "com.example/app", "com.exämple", "a b", "a\u{0}", "..",
            String(repeating: "a", count: 156), "com.example.*", "_a.b",
        ]
    )
    func `a bundle identifier that is not one is refused`(text: String) {
        #expect(BundleIdentifier(text) == nil)
    }

    @Test func `an underscore is taken, though Apple does not document it`() {
        #expect(BundleIdentifier("com.example.my_app")?.isAsDocumented == false)
        #expect(BundleIdentifier("com.example.my-app")?.isAsDocumented == true)
    }

    @Test func `a suffix is what lies below`() throws {
        let host = try #require(BundleIdentifier("com.example.app"))
        #expect(BundleIdentifier("com.example.app.widget")?.suffix(under: host) == "widget")
        #expect(BundleIdentifier("com.example.apple.widget")?.suffix(under: host) == nil)
        #expect(BundleIdentifier("com.example.app")?.suffix(under: host) == nil)
    }

    @Test func `a device identifier is equal in either case`() {
        let forms = [
            "00008110-000A1B2C3D4E5F60", "0123456789abcdef0123456789abcdef01234567",
            "12345678-ABCD-4321-8765-0123456789AB",
        ]
        for form in forms {
            #expect(DeviceUDID(form.uppercased()) == DeviceUDID(form.lowercased()))
            #expect(DeviceUDID(form)?.description == form)
        }
        for wrong in ["", "0000811-0000A1B2C3D4E5F60", "my phone", forms[1] + "0", "g" + forms[1]] {
            #expect(DeviceUDID(wrong) == nil)
        }
    }

    @Test func `versions compare by number`() throws {
        let ordered = ["7", "9.3", "10.0", "10.0.1", "15.6", "26.1"].compactMap { OSVersion($0) }
        #expect(ordered.count == 6)
        #expect(ordered == ordered.sorted())
        #expect(OSVersion("15") == OSVersion("15.0.0"))
        for wrong in ["", ".", "15.", "a", "1.2.3.4", "-1", "+1", "99999", "１５"] {
            #expect(OSVersion(wrong) == nil)
        }
    }

    @Test func `an identifier is masked whatever stands beside it`() {
        let udid = "00008110-000A000000000001"
        for text in [udid, "\(udid)\u{301}", "\u{600}\(udid)", "x\(udid)\u{200D}"] {
            #expect(!DeviceUDID.masked(in: text).utf8.elementsEqual(text.utf8))
            #expect(DeviceUDID.masked(in: text).contains("device"))
        }
    }

    @Test func `an identifier is masked without its hyphen and in a row of groups`() {
        let udid = "00008110-000A000000000001"
        let bare = udid.replacing("-", with: "")
        #expect(DeviceUDID.masked(in: "it was \(bare) there") == "it was (device) there")
        #expect(DeviceUDID.masked(in: "ad-\(udid)-1") == "ad-(device)-1")
        #expect(DeviceUDID.masked(in: "\(udid)-\(udid)") == "(device)-(device)")
        let other = "4f00811000a0000000000001"
        #expect(DeviceUDID.masked(in: other) == other)
    }

    @Test func `values come back from JSON and wrong ones are refused`() throws {
        func roundTrip<Value: Codable & Equatable>(_ value: Value) throws -> Bool {
            try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value
        }
        #expect(try roundTrip(#require(BundleIdentifier("com.a"))))
        #expect(try roundTrip(#require(OSVersion("15.6.1"))))
        #expect(try roundTrip([DeviceFamily.phone, .pad, .tv, .watch, .vision, .unknown(12)]))
        for text in ["\"a b\"", "3", "\"x\""] {
            let data = Data(text.utf8)
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(DeviceUDID.self, from: data)
            }
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(OSVersion.self, from: data)
            }
        }
    }
}
