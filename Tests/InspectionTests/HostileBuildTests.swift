import Bundles
import Bytes
import Foundation
import Identifiers
import Inspection
import PropertyLists
import Sample
import TestSupport
import Testing
import Zip

/// Damaged and hostile builds cause findings, never a crash; for code and seals see ``FlipVerdictTests``.
@Suite struct HostileBuildTests {
    private static let tree = Result { try GoodBuild.app().nesting(.widget("Widget")).tree() }

    private func archive() throws -> [UInt8] {
        let tree = try Self.tree.get()
        return try ZipWriter.archive { try tree.pack(into: &$0) }
    }

    private func report(on bytes: [UInt8]) throws -> InspectionReport {
        try InspectedBuild(reading: bytes, at: GoodBuild.now, trusting: GoodBuild.anchors()).report
    }

    private func findings(of bytes: [UInt8]) throws -> [Finding] {
        do {
            return try report(on: bytes).findings
        } catch let refusal as ZipRefusal {
            return UnreadableArchive(refusal).findings
        } catch let refusal as UnreadableArchive {
            return refusal.findings
        }
    }

    private func areRegistered(_ findings: [Finding]) -> Bool {
        findings.allSatisfy { Rule.named($0.id) != nil }
    }

    @Test func `a prefix of a build is refused by name`() throws {
        let bytes = try archive()
        var generator = SeededGenerator(seed: 6)
        let lengths =
            (0..<300).map { _ in Int.random(in: bytes.indices, using: &generator) }
            + bytes.indices.suffix(300)
        for length in lengths {
            let findings = try findings(of: Array(bytes[..<length]))
            #expect(findings.contains { $0.severity == .blocks && $0.id.hasPrefix("zip.") })
        }
    }

    @Test func `a flipped byte anywhere in a build gives registered findings`() throws {
        for damaged in SeededDamage.flips(
            of: try archive(),
            count: TestDepth.samples(100, long: 300),
            seed: 7,
        ) {
            #expect(areRegistered(try findings(of: damaged)))
        }
    }

    @Test(arguments: [BundleDraft.InfoForm.binary, .xml])
    func `a flipped byte in Info.plist gives registered findings`(
        form: BundleDraft.InfoForm
    ) throws {
        let plist = try GoodBuild.app().editing { $0.app.infoForm = form }.tree()
            .bytes(of: "Info.plist")
        for damaged in SeededDamage.flips(of: plist, count: 60, seed: 8) {
            let build = try GoodBuild.app().editing { $0.app.infoForm = .verbatim(damaged) }
            #expect(areRegistered(try findings(of: build.bytes())))
        }
    }

    @Test func `a flipped byte in the profile is never a build that installs unchanged`() throws {
        let original = try GoodBuild.app().tree().bytes(of: "embedded.mobileprovision")
        for damaged in SeededDamage.flips(of: original, count: 100, seed: 9) {
            let report = try GoodBuild.app().withoutProfile()
                .resource(.file("embedded.mobileprovision", damaged))
                .report()
            guard !report.findings.contains(where: \.blocksEveryDevice) else { continue }
            // If it still verifies, the damage is outside of what is signed.
            #expect(report.profile?.devices?.map(\.rawValue) == GoodBuild.devices.sorted())
            #expect(report.profile?.verified == true)
        }
    }

    @Test func `an Info.plist of every wrong type is judged`() throws {
        let original = try Self.tree.get().bytes(of: "Info.plist")
        let keys = try PropertyList(reading: original).dictionary.map { Array($0.keys) } ?? []
        for value in [
            .integer(.min), .unsigned(.max), .real(.infinity), .boolean(false), .data([]),
            .array([.array([.array([])])]), .dictionary(["": .integer(0)]), .string("\u{0}"),
        ] as [PropertyList] {
            let list = PropertyList.dictionary(
                Dictionary(uniqueKeysWithValues: keys.map { ($0, value) })
            )
            let build = try GoodBuild.app().editing { $0.app.infoForm = .verbatim(list.binary()) }
            let findings = try build.report().findings
            #expect(findings.contains { $0.severity == .blocks })
            #expect(areRegistered(findings))
        }
    }

    @Test func `thousands of placeholders below a long key give one short finding`() throws {
        let values = (0..<5000).map { ("\($0)", PropertyList.string("$(A)")) }
        let report = try GoodBuild.app().info(
            String(repeating: "k", count: 500_000),
            .dictionary(Dictionary(uniqueKeysWithValues: values)),
        ).report()
        let finding = try #require(report.findings.first { $0.id == "info.placeholder" })
        #expect(finding.message.hasPrefix(String(repeating: "k", count: 100) + ".0 is “$(A)”"))
        #expect(finding.message.hasSuffix("so do 4999 more values."))
    }
}
