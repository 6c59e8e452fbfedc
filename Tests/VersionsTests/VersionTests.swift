import Testing
import Versions

struct VersionTests {
    @Test(arguments: [
        ("1.2.3", "1.2.3", "stable"), ("0.0.0", "0.0.0", "stable"), ("1.2", "1.2.0", "stable"),
        ("7", "7.0.0", "stable"), ("1.2.3-beta.4", "1.2.3", "beta"),
        ("1.2.3-beta4", "1.2.3", "beta"), ("1.2.3-Beta", "1.2.3", "beta"),
        ("1.2.3-rc-2", "1.2.3", "rc"), ("1.2.3-4", "1.2.3", "pre"),
        ("1.2.3-stable", "1.2.3", "pre"), ("1.2.3+build.5", "1.2.3", "stable"),
        ("1.0.0-x-y-z.4+meta-1", "1.0.0", "x-y-z"), ("999999999.0.1", "999999999.0.1", "stable"),
    ])
    func `a version has three integers for Xcode and a channel`(
        text: String,
        marketing: String,
        channel: String,
    ) throws {
        let version = try Version(text)
        #expect(version.marketing == marketing)
        #expect(version.channel == channel)
        #expect(version.description == text)
    }

    @Test(arguments: [
        ("", VersionFlaw.numbers("")), ("dev", .numbers("dev")), ("1.2.3.4", .numbers("1.2.3.4")),
        ("1..3", .numbers("1..3")), ("1.2.", .numbers("1.2.")), ("+1.2", .numbers("")),
        ("-1", .numbers("")), ("1.02.3", .leadingZero("02")), ("1.2.3-01", .leadingZero("01")),
        ("1.2.3-", .identifier("")), ("1.2.3-a..b", .identifier("")),
        ("1.2.3-$(id)", .identifier("$(id)")), ("1.2.3+", .identifier("")),
        ("1.2.3-é", .identifier("é")), ("١.٢.٣", .numbers("١.٢.٣")),
        ("1234567890", .largeNumber("1234567890")),
        ("1.2.3-" + String(repeating: "a", count: 128), .tooLong), ("v1.2.3", .numbers("v1.2.3")),
    ])
    func `what is no version says why`(text: String, flaw: VersionFlaw) {
        #expect(throws: flaw) { try Version(text) }
    }

    @Test func `the order is that of semantic versioning`() throws {
        let ordered = try [
            "0.9.9", "1.0.0-1", "1.0.0-9", "1.0.0-10", "1.0.0-99999999999999999999999",
            "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
            "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2", "1.10.0", "2.0.0", "10.0.0",
        ].map { try Version($0) }
        for (index, version) in ordered.enumerated() {
            #expect(!(version < version))
            for later in ordered[(index + 1)...] {
                #expect(version < later, "\(version) and \(later)")
                #expect(!(later < version), "\(version) and \(later)")
            }
        }
    }

    @Test func `metadata and missing numbers make no other version`() throws {
        #expect(try Version("1.2") == Version("1.2.0"))
        #expect(try Version("1.2.0+a") == Version("1.2.0+b"))
        #expect(try Set([Version("1.2"), Version("1.2.0+5")]).count == 1)
        #expect(try Version("1.2.0-a") != Version("1.2.0"))
    }
}
