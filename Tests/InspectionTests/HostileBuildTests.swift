import Bundles
import Bytes
import Cryptography
import Inspection
import PropertyLists
import TestSupport
import Testing
import Zip

/// Damaged and hostile builds end in findings, never in a trap.
@Suite struct HostileBuildTests {
    private func findings(of bytes: [UInt8]) throws -> [Finding] {
        do {
            let inspector = Inspector(anchors: try TestAuthority.shared.get().anchors)
            return try inspector.inspect(
                ZipArchive(reading: MemorySource(bytes)),
                sha256: SHA256Digest(of: bytes),
                at: TestAuthority.now,
            ).report.findings
        } catch let refusal as ZipRefusal {
            return UnreadableArchive(refusal).findings
        } catch let refusal as UnreadableArchive {
            return refusal.findings
        }
    }

    @Test func `every prefix of a build is refused by name`() throws {
        let bytes = try TestBuild { try $0.nest(.widget()) }.bytes()
        for prefix in SeededDamage.prefixes(of: bytes) {
            let findings = try findings(of: prefix)
            #expect(findings.contains { $0.severity == .blocks && $0.id.hasPrefix("zip.") })
        }
    }

    @Test func `a flipped byte anywhere in a build gives registered findings`() throws {
        let bytes = try TestBuild { try $0.nest(.widget()) }.bytes()
        for damaged in SeededDamage.flips(of: bytes, count: 800, seed: 7) {
            let findings = try findings(of: damaged)
            #expect(findings.allSatisfy { Rule.named($0.id) != nil })
        }
    }

    @Test(arguments: [true, false])
    func `a flipped byte in Info.plist gives registered findings`(isBinary: Bool) throws {
        let info = PropertyList.dictionary(try #require(try TestBundle.application().info))
        let plist = isBinary ? info.binary() : info.xml()
        for damaged in SeededDamage.flips(of: plist, count: 150, seed: 8) {
            let build = try TestBuild {
                $0.info = nil
                $0.files["Info.plist"] = damaged
            }
            #expect(try findings(of: build.bytes()).allSatisfy { Rule.named($0.id) != nil })
        }
    }

    @Test func `a flipped byte in the profile is never a build that installs unchanged`() throws {
        let original = try TestProfile(for: "com.example.app").bytes()
        for damaged in SeededDamage.flips(of: original, count: 300, seed: 9) {
            let build = try TestBuild {
                $0.profile = nil
                $0.files["embedded.mobileprovision"] = damaged
            }
            let report = try build.report()
            guard !report.findings.contains(where: \.blocksEveryDevice) else { continue }
            // What still verifies was damaged outside what is signed.
            #expect(report.profile?.devices?.map(\.rawValue) == TestProfile.devices.sorted())
            #expect(report.profile?.verified == true)
        }
    }

    @Test func `an Info.plist of every wrong type is judged`() throws {
        for value in [
            .integer(.min), .unsigned(.max), .real(.infinity), .boolean(false), .data([]),
            .array([.array([.array([])])]), .dictionary(["": .integer(0)]), .string("\u{0}"),
        ] as [PropertyList] {
            let build = try TestBuild { bundle in
                for key in bundle.info?.keys.map(\.self) ?? [] { bundle.set(key, value) }
            }
            let findings = try build.report().findings
            #expect(findings.contains { $0.severity == .blocks })
            #expect(findings.allSatisfy { Rule.named($0.id) != nil })
        }
    }
}
