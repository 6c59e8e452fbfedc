import Bundles
import Cryptography
import Enrolment
import Foundation
import Identifiers
import PropertyLists
import Sample
import TestSupport
import Testing

struct EnrolmentContentTests {
    /// The refusal of a response with other values than those requested.
    private func refusal(
        signing values: [String: PropertyList],
        in enrolling: Enrolling,
    ) throws -> EnrolmentRefusal? {
        try enrolling.refusal(of: enrolling.device.sign(PropertyList.dictionary(values).xml()))
    }

    private func good(_ enrolling: Enrolling) throws -> [String: PropertyList] {
        let content = enrolling.device.content(challenge: enrolling.challenge)
        return try #require(try PropertyList(reading: content).dictionary)
    }

    @Test(arguments: EnrolmentRefusal.Field.allCases)
    func `a field that is missing is named`(field: EnrolmentRefusal.Field) throws {
        let enrolling = try Enrolling()
        var values = try good(enrolling)
        values[field.rawValue] = nil
        #expect(try refusal(signing: values, in: enrolling) == .missing(field))
    }

    @Test(arguments: [
        "", "0", "00008120-000A1B2C3D4E5F6", "00008120-000A1B2C3D4E5F67\n", "<script>", " ",
        "zz008120-000A1B2C3D4E5F67", "00008120\0000A1B2C3D4E5F67",
        String(repeating: "a", count: 41), "ＡＡ008120-000A1B2C3D4E5F67",
    ])
    func `an identifier of no known form is refused`(udid: String) throws {
        let enrolling = try Enrolling()
        var values = try good(enrolling)
        values["UDID"] = .string(udid)
        // Characters that XML does not allow are already removed from the document.
        #expect(try refusal(signing: values, in: enrolling) == .invalid(.udid))
    }

    @Test(arguments: [
        "", "iPhone", "iPhone15", "iPhone15,", "15,2", "iPhone15,2 ", "iPhone15,2<b>",
        "iPhone1515,2", "i Phone15,2", "ｉPhone15,2", String(repeating: "i", count: 21) + "1,1",
    ])
    func `a product type of no known form is refused`(product: String) throws {
        let enrolling = try Enrolling()
        var values = try good(enrolling)
        values["PRODUCT"] = .string(product)
        #expect(try refusal(signing: values, in: enrolling) == .invalid(.product))
    }

    @Test(arguments: ["", "21E236\n", "21 E", "<b>", String(repeating: "1", count: 21), "２１E236"])
    func `a system version of no known form is refused`(version: String) throws {
        let enrolling = try Enrolling()
        var values = try good(enrolling)
        values["VERSION"] = .string(version)
        #expect(try refusal(signing: values, in: enrolling) == .invalid(.version))
    }

    @Test(arguments: ["17.4.1", "99Z1", "21E772520a", "x"])
    func `other system versions are taken as they are`(version: String) throws {
        let enrolling = try Enrolling()
        var values = try good(enrolling)
        values["VERSION"] = .string(version)
        let answer = try enrolling.device.sign(PropertyList.dictionary(values).xml())
        #expect(try enrolling.verified(answer).version == version)
    }

    @Test(arguments: [
        PropertyList.integer(1), .array([]), .dictionary([:]), .data([1]), .boolean(true),
        .string(String(repeating: "a", count: 1_025)),
    ])
    func `anything but short texts is refused, whatever its name`(value: PropertyList) throws {
        let enrolling = try Enrolling()
        for name in ["UDID", "CHALLENGE", "IMEI"] {
            var values = try good(enrolling)
            values[name] = value
            #expect(try refusal(signing: values, in: enrolling) == .notFlat)
        }
    }

    @Test func `texts that were not asked for are passed over`() throws {
        let enrolling = try Enrolling()
        var values = try good(enrolling)
        values["DEVICE_NAME"] = .string("<script>alert(1)</script>")
        let answer = try enrolling.device.sign(PropertyList.dictionary(values).xml())
        #expect(try enrolling.verified(answer).udid.rawValue == enrolling.device.udid)
        for number in 0..<32 { values["KEY\(number)"] = .string("x") }
        #expect(try refusal(signing: values, in: enrolling) == .notFlat)
    }

    @Test(arguments: [
        "", "{ UDID = x; }", "<plist><dict><key>UDID</key></dict></plist>", "bplist00",
        "<!DOCTYPE x [<!ENTITY a \"b\">]><plist version=\"1.0\"><string>&a;</string></plist>",
        "<!DOCTYPE x SYSTEM \"file:///etc/passwd\"><plist version=\"1.0\"><dict/></plist>x",
        "<plist version=\"1.0\"><dict><key>UDID</key><string>a</string><key>UDID</key>"
            + "<string>b</string></dict></plist>",
        String(repeating: "<array>", count: 4_000),
    ])
    func `a signed text that is no property list is refused`(text: String) throws {
        let enrolling = try Enrolling()
        let refusal = try enrolling.refusal(of: enrolling.device.sign(Array(text.utf8)))
        #expect(refusal?.id == "enrolment.unreadable")
    }

    @Test(arguments: [PropertyList.array([]), .string("x"), .integer(1)])
    func `a property list that is no dictionary is refused`(list: PropertyList) throws {
        let enrolling = try Enrolling()
        #expect(try enrolling.refusal(of: enrolling.device.sign(list.binary())) == .notFlat)
    }
}
