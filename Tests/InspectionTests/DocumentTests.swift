import Bundles
import Foundation
import Inspection
import PropertyLists
import Sample
import Testing
import Zip

@Suite struct DocumentTests {
    private func json(_ value: some Encodable) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
        return try #require(object as? [String: Any])
    }

    @Test func `inspect has the keys that scripts rely on, and no device identifier`() throws {
        let build = try GoodBuild.app().nesting(.widget("Widget"), .dynamicLibrary("libx"))
        let report = try build.report()
        let document = try json(InspectionDocument(report))
        #expect(document["schema"] as? Int == 1)
        #expect(document["bundleIdentifier"] as? String == "com.example.app")
        #expect(document["name"] as? String == "Example")
        #expect(document["version"] as? String == "1.2")
        #expect(document["build"] as? String == "34")
        #expect(document["minimumOS"] as? String == "15.0")
        #expect(document["families"] as? [String] == ["iphone", "ipad"])
        #expect(document["size"] as? Int == report.identity.size)
        #expect((document["sha256"] as? String)?.count == 64)
        #expect(document["installsUntil"] as? String == "2026-08-03T00:00:00Z")
        let profile = try #require(document["profile"] as? [String: Any])
        #expect(
            Set(profile.keys).isSuperset(of: [
                "uuid", "name", "type", "team", "teamName", "created", "expires", "devices",
                "verified",
            ])
        )
        #expect(profile["type"] as? String == "ad-hoc")
        #expect(profile["devices"] as? Int == 3)
        #expect(profile["expires"] as? String == "2026-08-03T00:00:00Z")
        let nested = try #require(document["nested"] as? [[String: Any]])
        #expect(nested.map { $0["kind"] as? String } == ["dylib", "app-extension"])
        #expect(
            Set(nested[0].keys).isSuperset(of: [
                "path", "kind", "bundleIdentifier", "version", "build", "profile",
            ])
        )
        #expect(nested[0]["profile"] is NSNull)
        let text = String(
            decoding: try JSONEncoder().encode(InspectionDocument(report)),
            as: UTF8.self,
        )
        #expect(!text.contains(GoodBuild.devices[0]))
    }

    @Test func `device identifiers are there when they are asked for`() throws {
        let document = try json(InspectionDocument(GoodBuild.report.get(), udids: true))
        let profile = try #require(document["profile"] as? [String: Any])
        #expect((profile["deviceIdentifiers"] as? [String])?.count == 3)
        #expect(profile["devices"] as? Int == 3)
    }

    @Test func `validate has the verdict and findings with every key`() throws {
        let report = try GoodBuild.app().withoutProfile().report()
        let document = try json(ValidationDocument(report.verdict(at: GoodBuild.now)))
        #expect(document["verdict"] as? String == "blocked")
        let findings = try #require(document["findings"] as? [[String: Any]])
        let first = try #require(findings.first)
        #expect(first["id"] as? String == "profile.missing")
        #expect(first["severity"] as? String == "blocks")
        #expect(
            Set(first.keys).isSuperset(of: [
                "id", "severity", "place", "message", "fix", "appleCode",
            ])
        )
    }

    @Test func `an unreadable archive is blocked with its reason`() throws {
        let refusal = UnreadableArchive(ZipRefusal(.duplicateEntry, at: "a", "appears twice"))
        let document = try json(ValidationDocument(refusal))
        #expect(document["verdict"] as? String == "blocked")
        let findings = try #require(document["findings"] as? [[String: Any]])
        #expect(findings.map { $0["id"] as? String } == ["zip.duplicate-entry"])
    }

    @Test func `a report comes back from its stored form`() throws {
        let report = try GoodBuild.app().nesting(.widget("Widget")).report()
        #expect(report.nested.allSatisfy { $0.signature != nil })
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let back = try decoder.decode(InspectionReport.self, from: encoder.encode(report))
        #expect(back == report)
    }

    @Test func `text from the archive stays on one line and is bounded`() throws {
        let name = "a\u{1B}[31m\n\u{202E}" + String(repeating: "x", count: 500)
        let build = try GoodBuild.app().info("CFBundleIdentifier", .string(name))
        let finding = try #require(
            try build.report().findings.first { $0.id == "info.identifier-invalid" }
        )
        #expect(finding.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
        #expect(finding.message.count < 300)
    }

    @Test func `every rule has an identifier of its own, a title and a way to fix`() {
        #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
        for rule in Rule.all {
            #expect(rule.id.wholeMatch(of: /[a-z]+\.[a-z0-9-]+/) != nil, "\(rule.id)")
            #expect(rule.fix.hasSuffix("."), "\(rule.id)")
            #expect(!rule.title.isEmpty)
        }
    }
}
