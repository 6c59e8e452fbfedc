import Bundles
import Cryptography
import Foundation
import Identifiers
import Inspection
import Sample
import TestSupport
import Testing
import Zip

/// Every IPA of the fixtures has the properties that its line in MANIFEST.tsv describes.
@Suite(.enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"))
struct RealBuildTests {
    @Test(arguments: Fixtures.items(ofKind: "ipa"))
    func `says what the manifest says`(_ item: Fixtures.Item) throws {
        let expected = ManifestFacts.bundles(in: item.facts)
        guard let first = expected.first, first.path.hasPrefix("Payload/"),
            first.identifier != nil
        else {
            let findings = try #require(Self.refusal(of: item))
            #expect(!findings.isEmpty)
            #expect(findings.allSatisfy { $0.id.hasPrefix("zip.") || $0.id.hasPrefix("bundle.") })
            #expect(findings.allSatisfy { $0.severity == .blocks })
            return
        }
        let report = try item.report()
        #expect(report.identity.path == first.path)
        #expect(report.identity.bundleIdentifier?.rawValue == first.identifier)
        #expect(report.identity.minimumOS == first.minimumOS)
        Self.compare(report.profile, first)
        #expect(report.nested.map(\.path) == expected.dropFirst().map(\.path))
        for (bundle, facts) in zip(report.nested, expected.dropFirst()) {
            #expect(bundle.bundleIdentifier == facts.identifier)
            Self.compare(bundle.profile, facts)
        }
        #expect(report.findings.allSatisfy { Rule.named($0.id) != nil })
        #expect(!report.findings.contains { $0.id.hasPrefix("icon.unreadable") })
    }

    @Test func `an intact build installs on a listed device on a day inside its validity`() throws {
        for item in Fixtures.items(ofKind: "ipa") where item.facts.contains("cms=ok") {
            let facts = try #require(ManifestFacts.bundles(in: item.facts).first)
            guard let type = facts.profileType, type != "app-store", !item.path.contains("capable")
            else { continue }
            let expires = try #require(facts.expires)
            let report = try item.report()
            #expect(
                report.findings.allSatisfy { $0.severity != .blocks },
                "\(item.path): \(report.findings.map(\.id))",
            )
            let noon = item.noon
            if let listed = report.profile?.devices?.first {
                #expect(
                    report.verdict(for: DeviceFacts(udid: listed), at: noon).verdict == .installs
                )
                let other = try #require(DeviceUDID("00000000-0000000000000000"))
                let verdict = report.verdict(for: DeviceFacts(udid: other), at: noon)
                #expect(verdict.verdict == .blocked)
                #expect(verdict.reasons.first?.id == "device.not-in-profile")
            } else {
                #expect(report.verdict(at: noon).verdict == .installs)
            }
            let late = report.verdict(at: expires.addingDays(2))
            #expect(late.verdict == .blocked)
            #expect(late.reasons.contains { $0.id == "profile.expired" })
        }
    }

    @Test(arguments: ["zip-hostile", "zip-odd", "zip-clean"])
    func `an archive that is no app is refused by name`(_ kind: String) {
        for item in Fixtures.items(ofKind: kind) {
            let findings = Self.refusal(of: item) ?? []
            #expect(findings.contains { $0.severity == .blocks }, "\(item.path)")
        }
    }

    private static func compare(_ profile: ProfileSummary?, _ facts: ManifestFacts.Bundle) {
        #expect(profile?.type.rawValue == facts.profileType)
        #expect(profile?.expires.formatted(.iso8601.year().month().day()) == facts.expiresDay)
        #expect(profile?.devices?.count == facts.devices)
    }

    /// The findings of a refusal; nil if the item is not refused.
    private static func refusal(of item: Fixtures.Item) -> [Finding]? {
        do {
            _ = try item.report()
            return nil
        } catch let refusal as ZipRefusal {
            return UnreadableArchive(refusal).findings
        } catch {
            return (error as? UnreadableArchive)?.findings
        }
    }
}
