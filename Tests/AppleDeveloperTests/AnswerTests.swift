@testable import AppleDeveloper
import Foundation
import HTTPCalling
import Identifiers
import Testing

/// Apple's responses are parsed, even if they contain undocumented values.
struct AnswerTests {
    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    @Test(
        arguments: [
            ("2026-11-23T17:24:59.000+00:00", 1_795_454_699.0),
            ("2026-11-23T17:24:59.000+0000", 1_795_454_699.0),
            ("2026-11-23T17:24:59Z", 1_795_454_699.0),
            ("2026-11-23T10:24:59.123456-07:00", 1_795_454_699.0),
        ]
    )
    func `dates are read in every form that Apple writes`(text: String, seconds: Double) {
        #expect(AppleDate.date(from: text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(
        arguments: [
            "", "2026-11-23", "2026-11-23T17:24:59", "2026-13-23T17:24:59Z",
            "2026-11-23T25:24:59Z", "2026-11-23T17:24:59Zx", "２026-11-23T17:24:59Z",
        ]
    )
    func `what is no date is none`(text: String) {
        #expect(AppleDate.date(from: text) == nil)
    }

    @Test func `a device keeps words that nobody has documented`() throws {
        let device = try decode(
            AccountDevice.self,
            #"{"type": "devices", "id": "D1", "attributes": {"name": "Ana", "#
                + #""udid": "00008150-0000000000000001", "deviceClass": "APPLE_SILICON_MAC", "#
                + #""status": "SLEEPING", "model": null, "addedDate": 7}}"#,
        )
        #expect(device.status == .other("SLEEPING"))
        #expect(device.family == .mac && device.model == nil && device.added == nil)
        let odd = try decode(
            AccountDevice.self,
            #"{"type": "devices", "id": "D1", "attributes": {"udid": "FFFF"}}"#,
        )
        #expect(odd.udid == nil && odd.deviceClass == .other(""))
    }

    @Test func `devices that wait are told from devices that were disabled`() throws {
        let words = ["ENABLED", "DISABLED", "PROCESSING", "INELIGIBLE"]
        let found = try words.map {
            try decode(AccountDevice.self, CallAnswer.device("a", status: $0)).status
        }
        #expect(found == [.enabled, .disabled, .processing, .ineligible])
    }

    @Test func `a profile has its App ID and certificates from its relationships`() throws {
        let profile = try decode(
            AccountProfile.self,
            #"{"type": "profiles", "id": "P1", "attributes": {"name": "n", "#
                + #""profileState": "EXPIRED", "profileType": "IOS_APP_ADHOC", "#
                + #""profileContent": "aGk=", "expirationDate": "2027-01-01T00:00:00.000+00:00"}, "#
                + #""relationships": {"bundleId": {"data": {"type": "bundleIds", "id": "B1"}}, "#
                + #""certificates": {"data": [{"type": "certificates", "id": "C1"}]}, "#
                + #""devices": {"links": {"self": "/"}}}}"#,
        )
        #expect(profile.state == .expired && profile.content == Array("hi".utf8))
        #expect(profile.bundleID?.rawValue == "B1")
        #expect(profile.certificates?.map(\.rawValue) == ["C1"])
    }

    @Test func `a resource of another type is not read as this one`() {
        #expect(throws: DecodingError.self) {
            try decode(AccountBundleID.self, CallAnswer.device("a"))
        }
    }

    @Test(
        arguments: [
            ("user-hour-lim:3500;user-hour-rem:499;", 3500, 499),
            ("user-hour-rem:0; user-hour-lim:3600", 3600, 0),
        ]
    )
    func `the header of the rate is read`(header: String, limit: Int, remaining: Int) throws {
        let budget = try #require(RateBudget(header: header))
        #expect(budget.limit == limit && budget.remaining == remaining)
        #expect(budget.interval >= 1)
    }

    @Test(arguments: ["", "user-hour-lim:x;user-hour-rem:1", "user-hour-lim:3500", ":::;;;"])
    func `another header of the rate says nothing`(header: String) {
        #expect(RateBudget(header: header) == nil)
    }

    @Test func `requests follow each other at once while much is left`() throws {
        let budget = try #require(RateBudget(header: "user-hour-lim:3500;user-hour-rem:3400;"))
        #expect(budget.interval == 0)
    }

    @Test func `dates of HTTP are read in the one form that is sent`() {
        #expect(
            WebDate.date(from: "Sun, 06 Nov 1994 08:49:37 GMT")
                == Date(timeIntervalSince1970: 784_111_777)
        )
        for bad in ["", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            #expect(WebDate.date(from: bad) == nil)
        }
    }
}
